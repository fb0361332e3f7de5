// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/collector.h"

#include <stdio.h>

#include "collect/client.h"

struct collector_run {
	const struct diagnostic_order *order;
	struct diagnostic *ret;
};

static int on_step(void *userdata, uint64_t done, uint64_t total)
{
	const struct collector_run *r = userdata;

	return r->order->step(r->order->userdata, done, total);
}

static void on_missed(void *userdata, const char *text)
{
	struct collector_run *r = userdata;
	struct diagnostic *d = r->ret;

	if (d->n_named < DIAGNOSTICS_NAMED_MAX)
		(void)snprintf(d->named[d->n_named++], DIAGNOSTICS_NAME_MAX, "%s", text);
}

static int collect(void *userdata, const struct diagnostic_order *order, struct diagnostic *ret,
		   struct error *e)
{
	struct collector *c = userdata;
	struct collector_run running = {order, ret};
	const struct collect_options o = {
		.program = c->program,
		.root = c->root,
		.switches = c->switches,
		.masked = order->masked,
		.fd = order->fd,
		.process = &c->process,
		.step = on_step,
		.missed = on_missed,
		.userdata = &running,
	};
	struct collect_totals got;
	int r;

	r = collect_run(&o, &got, e);
	if (r < 0)
		return r;
	ret->bytes = got.bytes;
	ret->files = got.files;
	ret->links = got.links;
	ret->missed = got.missed;
	return 0;
}

struct diagnostic_collector collector_of(struct collector *c)
{
	helper_init(&c->process, &(struct helper_options){0});
	return (struct diagnostic_collector){
		.collect = collect, .userdata = c, .recorded = c->root->captured};
}
