// SPDX-License-Identifier: LGPL-2.1-or-later
#include "otlp/points.h"

#include <errno.h>
#include <math.h>

#include "common/arena.h"
#include "common/strutil.h"

/* AggregationTemporality of OpenTelemetry. */
enum { CUMULATIVE = 2 };

/* Points of one metric in one message: so many that a part of a request is not written in vain. */
enum { POINTS_TOGETHER = 64 };

int otlp_points_init(struct otlp_points *p, uint64_t time_ns, uint64_t earliest_ns)
{
	*p = (struct otlp_points){
		.time_ns = time_ns,
		.earliest_ns = earliest_ns,
		.arena = arena_new(),
	};
	return p->arena ? 0 : -ENOMEM;
}

void otlp_points_done(struct otlp_points *p)
{
	otlp_point_list_done(&p->list);
	p->arena = arena_free(p->arena);
}

void otlp_point_set(struct otlp_point *point, const char *key, const char *value)
{
	const size_t n = point->n_attributes;

	if (!value || n == OTLP_ATTRIBUTES_MAX)
		return;
	point->attributes[n].key = key;
	point->attributes[n].value = value;
	point->n_attributes++;
}

void otlp_points_add(struct otlp_points *p, const struct otlp_point *point)
{
	struct otlp_point *copy = otlp_point_list_add(&p->list);

	if (!copy) {
		p->failed = true;
		return;
	}
	*copy = *point;
	if (copy->start_ns > p->earliest_ns)
		copy->start_ns = p->earliest_ns;
	for (size_t i = 0; i < copy->n_attributes; i++) {
		copy->attributes[i].key = arena_strdup(p->arena, point->attributes[i].key);
		copy->attributes[i].value = arena_strdup(p->arena, point->attributes[i].value);
		p->failed |= !copy->attributes[i].key || !copy->attributes[i].value;
	}
	if (point->buckets)
		copy->buckets = arena_memdup(p->arena, point->buckets, sizeof(*point->buckets));
	p->failed |= point->buckets && !copy->buckets;
}

/* ---- as messages ------------------------------------------------------------------------------
 */

static void put_attributes(struct otlp_writer *w, enum otlp_field list,
			   const struct otlp_point *point)
{
	for (size_t i = 0; i < point->n_attributes; i++)
		otlp_attribute_text(w, list, point->attributes[i].key, point->attributes[i].value);
}

/* Whole numbers as such: counters are exact. */
static void put_value(struct otlp_writer *w, double value)
{
	if (fabs(value) < 9e15 && value == floor(value))
		otlp_i64(w, OTLP_FIELD_NUMBER_INT, (int64_t)value);
	else
		otlp_double(w, OTLP_FIELD_NUMBER_DOUBLE, value);
}

static void put_number_point(struct otlp_writer *w, enum otlp_field list,
			     const struct otlp_points *p, const struct otlp_point *point)
{
	otlp_begin(w, list);
	if (point->kind != OTLP_METRIC_GAUGE)
		otlp_u64(w, OTLP_FIELD_NUMBER_START, point->start_ns);
	otlp_u64(w, OTLP_FIELD_NUMBER_TIME, p->time_ns);
	put_value(w, point->value);
	put_attributes(w, OTLP_FIELD_NUMBER_ATTRIBUTES, point);
	otlp_end(w);
}

static void put_buckets_point(struct otlp_writer *w, const struct otlp_points *p,
			      const struct otlp_point *point)
{
	const struct otlp_buckets *b = point->buckets;
	uint64_t count = 0;

	for (size_t i = 0; i < b->n; i++)
		count += b->counts[i];
	otlp_begin(w, OTLP_FIELD_HISTOGRAM_POINTS);
	otlp_u64(w, OTLP_FIELD_BUCKETS_START, point->start_ns);
	otlp_u64(w, OTLP_FIELD_BUCKETS_TIME, p->time_ns);
	otlp_u64(w, OTLP_FIELD_BUCKETS_COUNT, count);
	otlp_double(w, OTLP_FIELD_BUCKETS_SUM, b->sum);
	otlp_u64s(w, OTLP_FIELD_BUCKETS_COUNTS, b->counts, b->n);
	otlp_doubles(w, OTLP_FIELD_BUCKETS_BOUNDS, b->bounds, b->n - 1);
	put_attributes(w, OTLP_FIELD_BUCKETS_ATTRIBUTES, point);
	otlp_end(w);
}

static void put_points(struct otlp_writer *w, const struct otlp_points *p, size_t from, size_t n)
{
	const struct otlp_point *points = &p->list.items[from];
	const enum otlp_kind_of_metric kind = points[0].kind;

	otlp_begin(w, kind == OTLP_METRIC_GAUGE	    ? OTLP_FIELD_METRIC_GAUGE
		      : kind == OTLP_METRIC_BUCKETS ? OTLP_FIELD_METRIC_HISTOGRAM
						    : OTLP_FIELD_METRIC_SUM);
	for (size_t i = 0; i < n; i++) {
		if (kind == OTLP_METRIC_BUCKETS)
			put_buckets_point(w, p, &points[i]);
		else
			put_number_point(w,
					 kind == OTLP_METRIC_GAUGE ? OTLP_FIELD_GAUGE_POINTS
								   : OTLP_FIELD_SUM_POINTS,
					 p, &points[i]);
	}
	if (kind == OTLP_METRIC_BUCKETS)
		otlp_u64(w, OTLP_FIELD_HISTOGRAM_TEMPORALITY, CUMULATIVE);
	if (kind == OTLP_METRIC_COUNTER || kind == OTLP_METRIC_UPDOWN)
		otlp_u64(w, OTLP_FIELD_SUM_TEMPORALITY, CUMULATIVE);
	if (kind == OTLP_METRIC_COUNTER)
		otlp_bool(w, OTLP_FIELD_SUM_MONOTONIC, true);
	otlp_end(w);
}

static void put_metric(struct otlp_writer *w, const struct otlp_points *p, size_t from, size_t n)
{
	const struct otlp_point *first = &p->list.items[from];

	otlp_begin(w, OTLP_FIELD_SCOPE_METRICS_METRICS);
	otlp_text(w, OTLP_FIELD_METRIC_NAME, first->name);
	otlp_text(w, OTLP_FIELD_METRIC_DESCRIPTION, first->description);
	otlp_text(w, OTLP_FIELD_METRIC_UNIT, first->unit);
	put_points(w, p, from, n);
	otlp_end(w);
}

/* Return: how many points of one metric begin at @from, at most @max. */
static size_t same_metric(const struct otlp_points *p, size_t from, size_t max)
{
	size_t n = 1;

	if (max > POINTS_TOGETHER)
		max = POINTS_TOGETHER;
	while (n < max && from + n < p->list.n &&
	       str_equal(p->list.items[from + n].name, p->list.items[from].name))
		n++;
	return n;
}

size_t otlp_points_write(struct otlp_writer *w, const struct otlp_points *p, size_t from,
			 size_t max, size_t bytes)
{
	size_t done = 0;

	while (done < max && from + done < p->list.n) {
		const struct otlp_mark mark = otlp_mark(w);
		size_t n = same_metric(p, from + done, max - done);

		put_metric(w, p, from + done, n);
		if (w->out.failed)
			break;
		if (w->out.len > bytes) {
			otlp_back(w, &mark);
			/* Alone it may be short enough. */
			if (done > 0 || n == 1)
				break;
			max = n / 2;
			continue;
		}
		done += n;
	}
	return done;
}
