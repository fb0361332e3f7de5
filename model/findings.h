/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_FINDINGS_H
#define CXLR_MODEL_FINDINGS_H

/*
 * Findings about the objects of a host: what is mapped and what is not, why, and what to do. The
 * rows of their codes are in finding_rows.h.
 *
 * A `struct findings` collects the findings of one question. It belongs to one thread. It owns
 * the texts and lists of its findings; names of objects belong to the snapshot, which must live
 * as long. With a firmware client the functions below may wait for firmware (see
 * firmware_translate()): with one, call them on worker threads and in cxl-spa only.
 */

#include <stdbool.h>

#include "common/arena.h"
#include "common/array.h"
#include "model/fabric.h"
#include "model/finding.h"
#include "prm/firmware.h"
#include "prm/translate.h"
#include "sysfs/host.h"

DEFINE_ARRAY(struct finding, finding_array);

/* Remembered pages of a memory device. */
struct memdev_pages {
	const struct memdev *memdev;
	uint64_t remembered, out; /* in all, and those whose page is out of use */
};

/* Entries of the worklist of repairs that are of a memory device, and are not done. */
struct memdev_repairs {
	const struct memdev *memdev;
	uint64_t n, asked; /* in all, and those that the device asked for */
};

struct findings {
	/* Input. */
	const struct host *host;
	const struct translator *translator;
	struct firmware *firmware; /* NULL without */
	struct firmware_timeout timeout;
	/* With what the mailboxes of switches say; NULL without, as findings_init() leaves it. */
	const struct fabric *fabric;
	/* The devices with pages that are to stay out of use; NULL: not known. */
	const struct memdev_pages *pages;
	size_t n_pages;
	/* The devices with entries of the worklist; NULL: not known. */
	const struct memdev_repairs *repairs;
	size_t n_repairs;
	/* No address is translated: without findings of who translates, and of firmware. */
	bool never_waits;

	/* Result: the findings of an object follow each other. */
	struct finding_array list;
	struct arena *arena;
	bool no_memory; /* the list is not complete */

	bool dropped; /* private: the last finding was there already */
	/* Private: the regions that are not complete, with the devices that fit. */
	struct awaiting_regions *awaiting;
	/* Private: regions that the devices of a window can have together. */
	struct shared_plan *plans;
};

/*
 * findings_init() - an empty collection
 * @translator: made for @host
 * @firmware: client of the host's firmware; NULL without, as on a captured host
 * @timeout: how long to wait for it
 *
 * Return: 0 or -ENOMEM. findings_done() is needed in both cases.
 */
int findings_init(struct findings *f, const struct host *host, const struct translator *translator,
		  struct firmware *firmware, struct firmware_timeout timeout);
void findings_done(struct findings *f);

/* The host: everything, from the machine to each window, region and memory device. */
void findings_of_host(struct findings *f);

void findings_of_region(struct findings *f, const struct region *r);

/* A root, a host bridge, a switch or an endpoint, with its decoders. */
void findings_of_port(struct findings *f, const struct port *p);

/* A downstream port of @p: a root port, the port of a switch, a host bridge of a root. */
void findings_of_dport(struct findings *f, const struct port *p, const struct dport *d);

void findings_of_dax_device(struct findings *f, const struct dax_device *d);

/* @name: "dax_region1" */
void findings_of_dax_region(struct findings *f, const char *name, const struct dax_region *d);

/* A CXL memory device on the PCI bus that is not a memdev. */
void findings_of_function(struct findings *f, const struct unclaimed_function *function);

/* A switch with a mailbox: its ports, virtual switches, and the devices behind it. */
void findings_of_switch(struct findings *f, const struct fabric_switch *sw);

/* Return: how many findings a switch that was read has about what its mailbox did not report, and
 * about what it may have in common with the host. */
size_t switch_notes_count(const struct fabric_switch *sw);

/* Return: the @i-th of them; its strings belong to the switch. */
struct finding switch_note_finding(const struct fabric_switch *sw, size_t i);

/* A physical port of it (p->physical), with the device and its LDs. */
void findings_of_switch_port(struct findings *f, const struct fabric_port *p);

void findings_of_ld(struct findings *f, const struct fabric_ld *ld);

/* A virtual switch, without its vPPBs. */
void findings_of_vcs(struct findings *f, const struct fabric_vcs *vcs);

void findings_of_vppb(struct findings *f, const struct fabric_vppb *vppb);

/* Adds the findings about a region's addresses, targets, state and dax devices. Never waits. */
void findings_of_region_state(struct findings *f, const struct region *r);

/* A root, switch or endpoint decoder. */
void findings_of_decoder(struct findings *f, const struct decoder *d);

/* An endpoint decoder against those with lower numbers, under @object; part of its memdev's. */
void findings_of_decoder_order(struct findings *f, const char *object, const struct decoder *d);

/*
 * A memory device, its capacity and its decoders.
 * @decoders_in_regions: false leaves out decoders that are part of a region
 */
void findings_of_memdev(struct findings *f, const struct memdev *m, bool decoders_in_regions);

/* Return: why a host without host_has_cxl() has no CXL; looks at /sys/bus/cxl. */
enum finding_reason host_cxl_absence(const struct host *host);

/*
 * Return: why the host has no CXL memory, a clause; NULL when it has some, or has a PCI function
 * for it that no driver has bound.
 */
const char *host_memory_absence(const struct host *host);

#endif
