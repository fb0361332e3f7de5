/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_OTLP_POINTS_H
#define CXLR_OTLP_POINTS_H

/*
 * Data points of metrics: collected at one time, then written to as many requests as they need.
 * They own their texts, but names, units and descriptions, which are constant. One thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/array.h"
#include "otlp/writer.h"

struct arena;

enum otlp_kind_of_metric {
	OTLP_METRIC_GAUGE,
	OTLP_METRIC_COUNTER, /* a sum that only grows */
	OTLP_METRIC_UPDOWN,  /* a sum that does not */
	OTLP_METRIC_BUCKETS, /* a histogram */
};

enum { OTLP_ATTRIBUTES_MAX = 8, OTLP_BUCKETS_MAX = 32 };

/* A histogram. */
struct otlp_buckets {
	size_t n;			     /* the last one has no upper bound */
	uint64_t counts[OTLP_BUCKETS_MAX];   /* in each of them */
	double bounds[OTLP_BUCKETS_MAX - 1]; /* upper ones */
	double sum;
};

struct otlp_point {
	enum otlp_kind_of_metric kind;
	const char *name, *unit, *description; /* NULL: none */
	uint64_t start_ns; /* of a sum or a histogram: ns since 1970; 0 unknown */
	double value;
	const struct otlp_buckets *buckets;
	size_t n_attributes;
	struct {
		const char *key, *value;
	} attributes[OTLP_ATTRIBUTES_MAX];
};

DEFINE_ARRAY(struct otlp_point, otlp_point_list);

struct otlp_points {
	struct otlp_point_list list; /* points of one metric follow each other */
	struct arena *arena;
	uint64_t time_ns;     /* of all of them: ns since 1970 */
	uint64_t earliest_ns; /* no sum began later */
	bool failed;	      /* out of memory */
};

/*
 * otlp_points_init() - empty
 * @time_ns: of all points
 * @earliest_ns: at most @time_ns, and the same in all exports: a clock that was ahead when a sum
 *               began is set back, and no sum may begin after its own time
 *
 * Return: 0 or -ENOMEM.
 */
int otlp_points_init(struct otlp_points *p, uint64_t time_ns, uint64_t earliest_ns);

void otlp_points_done(struct otlp_points *p);

/* otlp_points_add() - a point whose attributes and buckets are copied */
void otlp_points_add(struct otlp_points *p, const struct otlp_point *point);

/* otlp_point_set() - add an attribute, whose strings must live until otlp_points_add() */
void otlp_point_set(struct otlp_point *point, const char *key, const char *value);

/*
 * otlp_points_write() - write points into an open ScopeMetrics
 * @from: the first of them
 * @max: how many at most, not 0
 * @bytes: of the message, at most
 *
 * Return: how many were written; 0 when the first one is longer than @bytes.
 */
size_t otlp_points_write(struct otlp_writer *w, const struct otlp_points *p, size_t from,
			 size_t max, size_t bytes);

#endif
