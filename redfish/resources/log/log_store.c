// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The event log behind a log of the host or of a device.
#include "redfish/resources/log/log_store.h"

#include "events/event_log.h"
#include "redfish/service/service.h"
#include "redfish/view/view.h"

struct event_log *log_of(const struct exchange *x)
{
	return x->service->event_log;
}

int put_no_entries(struct exchange *x)
{
	struct json_writer *w = &x->w;

	put_string(w, "Name", x->resource->type->title);
	put_array(w, "Members");
	put_end(w);
	put_number(w, "Members@odata.count", 0);
	return 0;
}

const char *log_device(const struct exchange *x)
{
	const struct memdev *m = x->resource->object;

	return m ? view_memory_id(x->view, m) : NULL;
}

static int take_overflow(void *userdata, const struct stored_event *ev)
{
	struct log_overflow *o = userdata;

	o->happened = ev->record.type == EVENT_OVERFLOW;
	o->count = event_number(&ev->record, FIELD_COUNT);
	o->first_ns = event_number(&ev->record, FIELD_FIRST_TS);
	o->last_ns = event_number(&ev->record, FIELD_LAST_TS);
	return 0;
}

int log_overflow_after(struct store_reader *r, const struct stored_event *ev,
		       struct log_overflow *ret)
{
	const struct event_page page = {.from = ev->seq, .max = 1};
	const struct event_filter filter = {.device = ev->device};

	*ret = (struct log_overflow){0};
	if (!ev->device[0])
		return 0;
	return store_read_page(r, &filter, &page, take_overflow, ret, NULL);
}
