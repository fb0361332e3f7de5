// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The parts that requests to the collector have in common.
#include <errno.h>
#include <stdio.h>

#include "redfish/eventing/delivery_private.h"
#include "redfish/otlp/otlp_record.h"
#include "redfish/service/service.h"

void delivery_begin_request(struct delivery *d, struct otlp_writer *w, enum otlp_signal signal)
{
	struct view_hold *hold = view_holder_take(d->es->service->view_holder);

	otlp_begin_request(w, d->args.otlp->encoding, signal, d->otlp.row.uuid,
			   hold ? view_of_hold(hold) : NULL);
	(void)view_hold_release(hold);
}

int delivery_post_to_collector(struct delivery *d, const struct otlp_writer *w,
			       enum otlp_signal signal)
{
	const struct otlp_settings *s = d->args.otlp;
	char url[OTLP_URL_MAX + 16];
	struct flight *f = delivery_free_flight(d);
	const struct push_post post = {
		.ticket = d->next_ticket,
		.flags = PUSH_VERIFY | PUSH_COLLECTOR,
		.url = url,
		.headers = s->headers,
		.headers_len = s->headers_len,
		.body = w->out.text,
		.body_len = w->out.len,
	};
	int r;

	(void)snprintf(url, sizeof(url), "%s%s", s->url,
		       signal == OTLP_LOGS ? "/v1/logs" : "/v1/metrics");
	r = push_client_send(&d->helper, &post);
	if (r < 0) {
		d->helper_full = r == -EAGAIN;
		return r;
	}
	*f = (struct flight){.ticket = d->next_ticket, .collector = 1 + (unsigned int)signal};
	d->n_flights++;
	return 0;
}
