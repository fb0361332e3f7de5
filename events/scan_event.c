// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/scan_event.h"

#include <stdio.h>
#include <string.h>

/* Not one of the kernel's: "lost" of EVENT_LOST is none, either. */
#define SCAN_EVENT "scan_media"

static void make_record(const struct scan_finding *f, struct event_record *ret)
{
	const struct memdev *m = f->memdev;
	const char *host = m->bdf ? m->bdf : m->host;

	memset(ret, 0, sizeof(*ret));
	ret->type = EVENT_POISON;
	(void)snprintf(ret->event, sizeof(ret->event), SCAN_EVENT);
	ret->time_ns = f->boot_ns;
	ret->repeat = f->index;
	(void)snprintf(ret->clock, sizeof(ret->clock), "boot");
	ret->wall_ns = OPT_U64(f->wall_ns);
	(void)snprintf(ret->memdev, sizeof(ret->memdev), "%s", m->name);
	(void)snprintf(ret->host, sizeof(ret->host), "%s", host ? host : "");
	if (m->serial.present)
		event_record_set(ret, FIELD_SERIAL, m->serial.value);
	event_record_set(ret, FIELD_DPA, f->dpa);
	event_record_set(ret, FIELD_DPA_LENGTH, f->length);
	event_record_set(ret, FIELD_SOURCE, f->source);
	event_record_set(ret, FIELD_TRACE_TYPE, POISON_TRACE_SCAN);
}

void scan_event_fill(const struct event_mapping *m,
		     const uint8_t boot_id[static EVENT_BOOT_ID_SIZE],
		     const struct scan_finding *found, struct firmware_timeout *timeout,
		     struct stored_event *ret)
{
	struct event_question q;
	struct event_record rec;

	make_record(found, &rec);
	event_fill(m, boot_id, &rec, &provenance_live, found->wall_ns, ret, &q);
	q.asks_now = true;
	q.region_is_named = false; /* a kernel would have named it */
	(void)event_answer(m, &q, timeout, &ret->answer);
	ret->pending = false;
}
