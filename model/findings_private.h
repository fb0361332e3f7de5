/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_FINDINGS_PRIVATE_H
#define CXLR_MODEL_FINDINGS_PRIVATE_H

/* Declarations that the files findings_*.c share; for them only. */

#include "model/findings.h"
#include "model/refusal.h"

/* Adds a finding, unless the last findings, those of the same object, have it already. */
void findings_add_finding(struct findings *f, const struct finding *finding);

/* Adds a finding with arguments: findings_add_args(f, code, object, finding_name(...), ...). */
#define findings_add_args(f, code_, object_, ...)                                                  \
	findings_add_finding((f), &(const struct finding){                                         \
					  .code = FINDING_##code_,                                 \
					  .object = (object_),                                     \
					  .args = {__VA_ARGS__},                                   \
				  })

/* Adds a finding without arguments. */
#define findings_add(f, code_, object_)                                                            \
	findings_add_finding(                                                                      \
		(f), &(const struct finding){.code = FINDING_##code_, .object = (object_)})

/* A list under construction; zero-initialised it is empty. */
struct finding_items {
	const struct finding_item *first;
	struct finding_item *last;
};

/* Adds a copy of @item, except for its strings. */
void finding_items_add(struct findings *f, struct finding_items *items,
		       const struct finding_item *item);
void finding_items_add_name(struct findings *f, struct finding_items *items, const char *name);

/* Adds an entry of /proc/iomem. */
void finding_items_add_iomem(struct findings *f, struct finding_items *items,
			     const struct iomem_range *range);

/* The path to firmware's handler on a live host; nothing when it is not usable and not needed. */
void findings_of_firmware(struct findings *f);

/* The sources that translate the DPAs of an endpoint decoder, under @object. */
void findings_of_sources(struct findings *f, const char *object, const struct decoder *d);

/* The state of firmware's PRM handler for Normalized addressing as the ACPI table PRMT shows it. */
enum finding_reason findings_handler_state(const struct findings *f);

/* Positions of a region without a device: which device fits, and how it is attached. */
void findings_of_empty_positions(struct findings *f, const struct region *r, bool advise);

/* The step that ends a refusal, where there is one. */
void findings_of_way_out(struct findings *f, const char *object, const struct refusal *refusal);

/* Return: an argument with what the kernel's log says of it; absent when that is nothing. */
struct finding_arg findings_kernel_says(const struct findings *f, const struct refusal *refusal,
					const char *object);

/* Findings of a refusal by the kernel's log. Return: whether it is one. */
bool findings_of_log(struct findings *f, const char *object, const struct refusal *refusal);

/* Return: whether the kernel's log says why there is no memory device of the PCI function. */
bool findings_of_refused_function(struct findings *f, const char *bdf);

/*
 * Return: how the memdev can complete a region that is not complete and whose addresses no decoders
 * map without it; NULL when it cannot;
 * @ret_region: that region
 */
const struct region_fit *findings_awaited(struct findings *f, const struct memdev *m,
					  const struct region **ret_region);

/* Remains of a device that has gone: endpoints, and ports that decoders still lead to. */
void findings_of_lost_devices(struct findings *f);

/* All switches with a mailbox; nothing without f->fabric. */
void findings_of_switches(struct findings *f);

/* Whether attributes of the nvdimm bus may not be read. */
bool findings_nd_is_denied(const struct findings *f);

/* Whether a device's path has that component: it is at or below that device. */
bool path_has(const char *path, const char *component);

/* Whether the decoders above route the positions of a region to its targets. */
void findings_of_target_order(struct findings *f, const struct region *r);

/* Whether decoders of a mapping contradict each other, or a region of Linux. */
bool findings_is_contradicted(const struct findings *f, const struct region *r);

/* Whether committed decoders map the addresses of a region that is not complete. */
bool findings_is_decoded(const struct findings *f, const struct region *r);

/* The parts of a window that are in no region: their owners, or that they are free. */
void findings_of_window_uses(struct findings *f, const struct decoder *window);

/* Soft Reserved that keeps the addresses of a region when it is destroyed. */
void findings_of_region_soft_reserved(struct findings *f, const struct region *r);

/* Capacity of a memory device that no decoder maps, and whether and how a region could map it. */
void findings_of_capacity(struct findings *f, const struct memdev *m);

#endif
