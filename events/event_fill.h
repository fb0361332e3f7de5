/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_EVENT_FILL_H
#define CXLR_EVENTS_EVENT_FILL_H

/*
 * What is known of an event beside its record, at the moment it happened: which device, how severe,
 * and where its address was under the mapping of that moment.
 *
 * A `struct event_mapping` is that mapping: a snapshot of the host, its translator, and the names
 * of its devices. Immutable and reference counted; any thread.
 *
 * The kernel's own translation (hpa) is evidence, not truth: kernels before 7.0 give valid-looking
 * wrong ones for some regions of 3, 6 and 12 ways. So it is believed when the decoders say the
 * same, or have nothing to say against it; for Normalized addressing only firmware can confirm it.
 * When both say different things, and neither is known to be the one that errs, the answer is the
 * interval that holds both. A record that names a region which does not map its address any more
 * is of another mapping than the one at hand: that one is not asked.
 */

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "events/stored_event.h"
#include "prm/translate.h"

struct event_mapping;

/*
 * event_mapping_new() - the mapping of now
 * @host, @translator: of the same snapshot; references are taken
 * @ret: one reference
 */
int event_mapping_new(const struct host *host, struct translator *translator,
		      struct event_mapping **ret, struct error *e);

/* event_mapping_unref() accepts NULL and returns NULL. */
struct event_mapping *event_mapping_ref(struct event_mapping *m);
struct event_mapping *event_mapping_unref(struct event_mapping *m);

/*
 * event_boot_id() - which boot of the kernel this is; zeros when it is not known
 *
 * Of a captured host the one in which it was captured, or what stands for it.
 */
void event_boot_id(const struct host_root *root, uint8_t ret[static EVENT_BOOT_ID_SIZE]);

/* What the answer to a record depends on, small enough to be kept until firmware has been asked. */
struct event_question {
	const struct memdev *memdev; /* of the mapping; NULL when it has no such device */
	bool renamed;		     /* the device had another name then */
	char name[EVENT_MEMDEV_MAX], region[EVENT_REGION_MAX]; /* as the record has them */
	struct opt_u64 dpa, hpa;
	bool has_uuid;
	uint8_t uuid[EVENT_UUID_SIZE];
};

/*
 * event_fill() - all of a stored event but what the store sets
 * @now_ns: ns since 1970, when it was read
 * @ret_question: for event_answer(); may be NULL
 *
 * Never waits. `pending` is set when firmware could be asked, and may know more.
 */
void event_fill(const struct event_mapping *m, const uint8_t boot_id[static EVENT_BOOT_ID_SIZE],
		const struct event_record *rec, uint64_t now_ns, struct stored_event *ret,
		struct event_question *ret_question);

/*
 * event_answer() - where the address was
 * @timeout: how long firmware is waited for; NULL: not at all
 *
 * Return: whether firmware could still say more.
 */
bool event_answer(const struct event_mapping *m, const struct event_question *q,
		  struct firmware_timeout *timeout, struct event_answer *ret);

/* event_ask_ahead() - ask firmware about many questions of one device at once; of one mapping */
void event_ask_ahead(const struct event_mapping *m, const struct event_question *const *questions,
		     size_t n, struct firmware_timeout *timeout);

/* How severe an event is, by its type and its log: event_severity.c. */
enum event_severity event_severity_of(const struct event_record *rec);

#endif
