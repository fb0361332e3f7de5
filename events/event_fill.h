/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_EVENT_FILL_H
#define CXLR_EVENTS_EVENT_FILL_H

/*
 * The knowledge of an event beyond its record, at the time it happened: device, severity, and the
 * SPA of its address under the mapping of that time.
 *
 * A `struct event_mapping` is that mapping: a snapshot of the host, its translator, and the names
 * of its devices. Immutable and reference counted; any thread.
 *
 * The kernel's own translation (hpa) is not always right (kernel_hpa.c), and today's mapping need
 * not be the one under which a record was made: regions are made anew under old names before a
 * record is read. An address is exact when
 * - the decoders or firmware give it, and the mapping is certainly the record's: the record is of
 *   this boot, and the mapping was seen before it was made, cannot change, or has its UUID; or
 * - hpa is what the record's kernel computes under the mapping, of no other kernel than this one
 *   unless all kernels compute it, and no other mapping has that hpa and another address; or
 * - hpa stands alone: nothing contradicts it, it is of this kernel, which is right for all regions
 *   of the window that holds it, and what is missing is an unreadable attribute, or the region.
 * Where both differ, the one that is known to be right is used and the difference is shown; else
 * the answer is an interval that contains both. A mapping that may not be the record's gives no
 * address at all, because an interval of it need not hold the address.
 */

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "events/provenance.h"
#include "events/stored_event.h"
#include "prm/translate.h"

struct event_mapping;

/*
 * event_mapping_new() - the current mapping
 * @host, @translator: of the same snapshot; references are taken
 * @ret: one reference
 */
int event_mapping_new(const struct host *host, struct translator *translator,
		      struct event_mapping **ret, struct error *e);

/*
 * event_mapping_continue() - take over since when regions have been as they are
 * @m: not shared yet
 * @before: what it replaces; NULL: none
 *
 * A record is translated by a region only if the region was seen, as it is, before the record was
 * made; regions that were not in @before, or were different, are seen since event_mapping_new().
 */
void event_mapping_continue(struct event_mapping *m, const struct event_mapping *before);

/* event_mapping_unref() accepts NULL and returns NULL. */
struct event_mapping *event_mapping_ref(struct event_mapping *m);
struct event_mapping *event_mapping_unref(struct event_mapping *m);

/*
 * event_boot_id() - which boot of the kernel this is; zeros when it is not known
 *
 * Of a captured host the boot in which it was captured, or a substitute (see event_fill.c).
 */
void event_boot_id(const struct host_root *root, uint8_t ret[static EVENT_BOOT_ID_SIZE]);

/*
 * event_machine() - a number by which the log names its machine; 0 of a captured host, and when not
 * known
 *
 * It has less than half of the bits of the machine id, which must not be shown (machine-id(5)).
 */
uint64_t event_machine(const struct host_root *root);

/* The inputs of the answer to a record, small enough to be kept until firmware has answered. */
struct event_question {
	const struct memdev *memdev; /* of the mapping; NULL when it has no such device */
	bool renamed;		     /* the device had another name at that time */
	char name[EVENT_MEMDEV_MAX], region[EVENT_REGION_MAX]; /* as the record has them */
	struct opt_u64 dpa, hpa;
	struct opt_u64 hpa_alias; /* of hpa, in DRAM */
	uint64_t length;	  /* in bytes from dpa on; 0 when the record has none */
	bool length_is_unknown;	  /* event_length_is_unknown() */
	struct opt_u64 made_ns;	  /* CLOCK_BOOTTIME of the record; absent when not known */
	bool region_is_named;	  /* the kernel would have named a region that maps the address */
	struct provenance from;	  /* whose the record is */
	/* The address is asked for by the present mapping, whatever that of the record was. */
	bool asks_now;
	bool has_uuid;
	uint8_t uuid[EVENT_UUID_SIZE];
};

/*
 * event_fill() - set everything of a stored event that the store does not set
 * @from: provenance_live for a record of the trace ring
 * @now_ns: ns since 1970, when it was read
 * @ret_question: for event_answer(); may be NULL
 *
 * Never waits. `pending` is set when firmware may give a better answer.
 */
void event_fill(const struct event_mapping *m, const uint8_t boot_id[static EVENT_BOOT_ID_SIZE],
		const struct event_record *rec, const struct provenance *from, uint64_t now_ns,
		struct stored_event *ret, struct event_question *ret_question);

/*
 * event_answer() - where the address was
 * @timeout: how long to wait for firmware; NULL: do not query it
 *
 * Return: whether firmware may still give a better answer.
 */
bool event_answer(const struct event_mapping *m, const struct event_question *q,
		  struct firmware_timeout *timeout, struct event_answer *ret);

/* event_ask_ahead() - query firmware for many addresses of one device and one mapping at once */
void event_ask_ahead(const struct event_mapping *m, const struct event_question *const *questions,
		     size_t n, struct firmware_timeout *timeout);

/* Return: the memory device of a record, also under another name than then; NULL when it is gone.
 */
const struct memdev *event_memdev(const struct host *host, const struct event_record *rec);

/* How severe an event is, by its type and its log: event_severity.c. */
enum event_severity event_severity_of(const struct event_record *rec);

/* Whether a record of the event logs says how severe it is, by one of its fields. */
bool event_severity_is_known(const struct event_record *rec);

#endif
