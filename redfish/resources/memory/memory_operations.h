/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_MEMORY_OPERATIONS_H
#define CXLR_REDFISH_RESOURCES_MEMORY_OPERATIONS_H

/*
 * The operations by which a memory device of the host is changed (host_change.h), for the rows of
 * Memory and MemoryMetrics; docs/changes-devices.md describes them for clients. `object` of each
 * resource is its struct memdev.
 *
 * An operation compares what is asked for with what the device reported last and refuses what
 * cannot be, with the numbers. The result is a struct change, which
 * cxl-redfish-change-helper compares again with the device as it is then.
 *
 * Operations are called on an HTTP thread, and wait for nothing; what says why something is
 * unchangeable is a function of the view, for any thread.
 */

#include "mailbox/mailbox.h"
#include "model/memdev_change.h"
#include "redfish/service/exchange.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/host/host_change.h"
#include "redfish/view/view.h"

/* ---- what the operations share ---------------------------------------------------------------
 */

/*
 * memory_note() - note that something of the body is refused
 * @path: of the property or parameter
 * @status: of the reply
 * @fmt: the end of the sentence "The change was refused: mem0: ...", without a full stop
 */
void memory_note(struct exchange *x, const char *path, unsigned int status, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* memory_note_error() - note what a check of model/memdev_change.h found, with the status that the
 * change itself would have been refused with */
void memory_note_error(struct exchange *x, const char *path, const struct error *e);

/* The names of the alerts in Oem/CXLHost/Alerts of MemoryMetrics, by enum mailbox_alert_kind. */
extern const char *const memory_alert_names[MAILBOX_ALERTS];

/* Notes why such changes are not made here, if so. @bit: ALLOW_... Return: whether they are. */
bool memory_may(struct exchange *x, unsigned int bit, const char *path);

/* Continues as the job that makes @n changes in their order. Return: as operations. */
int memory_submit(struct exchange *x, struct change *items, size_t n, const char *property);

/* ---- properties -------------------------------------------------------------------------------
 */

/* Memory, memory_patch.c: CXL/Staged...SizeMiB, Enabled, SecurityState. */
int patch_memory(struct exchange *x);
extern const struct parameters memory_patch_body;
const char *memory_unchangeable(const struct view *v, const struct resource *r);

/* MemoryMetrics, memory_alerts.c: Oem/CXLHost/Alerts. */
int patch_memory_metrics(struct exchange *x);
extern const struct parameters memory_metrics_patch_body;
const char *memory_metrics_unchangeable(const struct view *v, const struct resource *r);

/* ---- actions of Memory, memory_security.c and memory_poison.c ---------------------------------
 */

int run_security_action(struct exchange *x);
extern const struct parameters set_passphrase_parameters, set_master_passphrase_parameters,
	disable_passphrase_parameters, disable_master_passphrase_parameters, unlock_parameters,
	secure_erase_parameters, overwrite_parameters;
/* Return: why the actions of the nvdimm driver, or those of the memory device itself, cannot be
 * used; NULL: they can. */
const char *passphrases_unchangeable(const struct view *v, const struct resource *r);
const char *erasing_unchangeable(const struct view *v, const struct resource *r);

int run_poison_action(struct exchange *x);
extern const struct parameters poison_parameters, persistent_poison_parameters;
const char *poison_unchangeable(const struct view *v, const struct resource *r);

/* memory_pages.c; `object` is as above, and the keeper of pages does it */
int run_offline_page(struct exchange *x);
int run_online_page(struct exchange *x);
extern const struct parameters offline_page_parameters, online_page_parameters;
const char *pages_unchangeable(const struct view *v, const struct resource *r);

/* memory_poison_list.c */
int run_get_poison_list(struct exchange *x);
extern const struct parameters poison_list_parameters;

/* Return: why no record of poison would become an entry; NULL: they do. */
const char *memory_not_recorded(const struct exchange *x);

/* The number of the newest entry of the event log, 0 without. Return: 0; as event_log_reader_get().
 */
int memory_log_newest(const struct exchange *x, uint64_t *ret);

/* memory_scan.c */
int run_scan_media(struct exchange *x);
extern const struct parameters scan_parameters;
const char *scan_unchangeable(const struct view *v, const struct resource *r);

#endif
