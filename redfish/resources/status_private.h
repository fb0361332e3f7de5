/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_STATUS_PRIVATE_H
#define CXLR_REDFISH_RESOURCES_STATUS_PRIVATE_H

/*
 * The parts of a Status that combines several objects, for the files status*.c. Any thread with a
 * reference on the view.
 */

#include "model/health.h"
#include "redfish/resources/status.h"

/* Objects that the Conditions of a resource name; the others are counted. */
enum { ROLLUP_CONDITIONS_MAX = 32 };

/*
 * Objects that a resource combines. They are visited twice: for their health together, and for the
 * conditions, which refer to those that are unhealthy.
 */
struct rollup {
	const struct view *view;
	struct json_writer *w; /* NULL when no conditions are written */
	struct health_rollup sum;
	size_t n_unhealthy;
	enum health_level worst; /* of those that are not named */
};

typedef void rollup_visit_fn(struct rollup *r, const void *object);

/* Something that combines several parts. */
struct whole {
	rollup_visit_fn *visit; /* adds the parts of `object` */
	const void *object;
	const char *name; /* no other one has it */
};

/* status_add() - a part with its URI, and its health; absent: not known */
void status_add(struct rollup *r, const char *origin, struct opt_int level);

void status_add_memdev(struct rollup *r, const struct memdev *m);

/* A port with its link. One to which nothing is connected says nothing about the others. */
void status_add_port(struct rollup *r, const struct fabric_port *p);

/* The ports of all host bridges. */
void status_add_bridge_ports(struct rollup *r);

/* Parts that were not known count no more, but the first @n_before of them do. */
void status_forget_unknown(struct rollup *r, size_t n_before);

/* The Condition for those that were not named; nothing without. @name: as of struct whole */
void status_put_rest(const struct rollup *r, const char *name);

/* All devices of the host; the devices of a region. */
rollup_visit_fn status_visit_memdevs, status_visit_region;

/*
 * status_put_rollup() - a Status with HealthRollup
 * @own: the health and the findings of the resource itself; NULL without
 * @key: of the level in @own, "Health"; NULL when the resource has only HealthRollup
 */
void status_put_rollup(const struct view *v, const char *state, struct whole whole,
		       const struct health *own, const char *key, struct json_writer *w);

/* Opens the object; put_end() closes it. */
void status_begin(struct json_writer *w, const char *state);

/* A level, unless it is not known. */
void status_put_level(struct json_writer *w, const char *key, struct opt_int level);

/* A Condition that refers to the resource at @origin, which has that level. */
void status_put_related(const struct view *v, const char *origin, struct opt_int level,
			struct json_writer *w);

#endif
