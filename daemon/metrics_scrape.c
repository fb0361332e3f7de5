// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/metrics_scrape.h"

#include <errno.h>
#include <stdlib.h>

#include "common/array.h"
#include "redfish/view/view_holder.h"

/* In the order in which they are written; docs/metrics.md is printed from them. */
static const struct metric_families *const lists[] = {
	&metric_service_families, &metric_device_families,   &metric_region_families,
	&metric_page_families,	  &metric_firmware_families, &metric_event_families,
	&metric_otlp_families,	  &metric_sunfish_families,
};

const struct metric_family *metric_family_at(size_t i)
{
	for (size_t k = 0; k < ARRAY_SIZE(lists); k++) {
		if (i < lists[k]->n)
			return &lists[k]->rows[i];
		i -= lists[k]->n;
	}
	return NULL;
}

static void put_each_device(struct metrics_scrape *x, const struct metric_family *f)
{
	double n;

	for (size_t i = 0; i < x->n_devices; i++)
		if (f->of_device(&x->devices[i], &n))
			metric_sample(&x->out, f, &x->devices[i].labels, n);
}

static void put_each_region(struct metrics_scrape *x, const struct metric_family *f)
{
	const struct host *host = x->view->host;
	double n;

	for (size_t i = 0; i < host_n_mappings(host); i++) {
		const struct region *region = host_mapping_at(host, i);
		struct metric_labels labels = metric_region_labels(region);

		if (f->of_region(x, region, &n))
			metric_sample(&x->out, f, &labels, n);
	}
}

void metric_put(struct metrics_scrape *x, const struct metric_family *f)
{
	double n;

	if (f->put)
		f->put(x, f);
	else if (f->of_device)
		put_each_device(x, f);
	else if (f->of_region)
		put_each_region(x, f);
	else if (f->value(x, &n))
		metric_sample(&x->out, f, NULL, n);
}

/* Return: 0 or -ENOMEM; the devices are the caller's to free. */
static int put_all(struct metrics_scrape *x)
{
	const struct metric_family *family;
	int r = x->view ? metrics_find_devices(x) : 0;

	metrics_find_log_devices(x);
	for (size_t i = 0; r == 0 && x->view && (family = metric_family_at(i)); i++)
		metric_put(x, family);
	return r;
}

static struct metrics_scrape begin(const struct metrics_source *source, struct view_hold *hold,
				   struct store_reader *store)
{
	return (struct metrics_scrape){
		.view = hold ? view_of_hold(hold) : NULL,
		.events = source->events,
		.firmware = source->firmware,
		.keeper = source->keeper,
		.event_service = source->event_service,
		.store = store,
	};
}

/* Return: the result of all of it. */
static int end(struct metrics_scrape *x, struct view_hold *hold, int r)
{
	free(x->devices);
	log_devices_done(&x->log_devices);
	(void)view_hold_release(hold);
	return r < 0 ? r : x->result;
}

int metrics_write(FILE *f, enum metric_format format, const struct metrics_source *source,
		  struct store_reader *store)
{
	struct view_hold *hold = view_holder_take(source->views);
	struct metrics_scrape x = begin(source, hold, store);
	int r;

	x.out = (struct metric_output){.f = f, .format = format};
	r = put_all(&x);
	metric_end(&x.out);
	return end(&x, hold, r);
}

int metrics_collect(void *userdata, struct store_reader *store, uint64_t since_ns,
		    struct otlp_points *points)
{
	const struct metrics_source *source = userdata;
	struct view_hold *hold = view_holder_take(source->views);
	struct metrics_scrape x = begin(source, hold, store);
	int r;

	x.out = (struct metric_output){
		.format = METRICS_OPENMETRICS,
		.points = points,
		.started_ns = source->started_ns,
		.since_ns = since_ns,
	};
	r = put_all(&x);
	if (r == 0 && x.view)
		metrics_put_hardware(&x);
	return end(&x, hold, r);
}
