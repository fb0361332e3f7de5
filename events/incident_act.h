/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_INCIDENT_ACT_H
#define CXLR_EVENTS_INCIDENT_ACT_H

/*
 * The one thing to do about an incident, by its finding, or by its kind, severity and place, the
 * states of the device in its records, and whether an address is known exactly. Where evidence is
 * thin the act destroys nothing. Pure functions; any thread.
 */

#include "events/incident_place.h"

enum incident_act {
	ACT_NONE,
	ACT_WATCH,
	ACT_OFFLINE_PAGE,
	ACT_REPAIR,
	ACT_CHECK_LINK,
	ACT_UPDATE_FIRMWARE,
	ACT_REPLACE,
	ACT_CHANGE_CONFIGURATION,
};
enum { INCIDENT_ACTS = ACT_CHANGE_CONFIGURATION + 1 };

/* "offline-page"; never changes; static. */
const char *incident_act_name(enum incident_act act);

/* The same as an order, "replace the device"; static. */
const char *incident_act_words(enum incident_act act);

/*
 * incident_act_of() - what to do
 * @has_page: whether the present page of an address of it is known exactly
 * @ret_reason: why, a sentence; static
 */
enum incident_act incident_act_of(const struct incident *i, enum incident_place place,
				  bool has_page, const char **ret_reason);

/*
 * incident_act_foreseen() - what there would be to do if its pages were known exactly
 *
 * For an order where no host is known.
 */
enum incident_act incident_act_foreseen(const struct incident *i);

/*
 * incident_urgency() - the order in which incidents are shown
 * @act_a, @act_b: what there is to do about each
 *
 * Open ones first; of these the worst, then those that are not acknowledged, then those with more
 * to do than to watch them, so that the act of the first is the one to do; then the one with the
 * newest entry: entries have an order also where the time of a record is not known.
 *
 * Return: as a comparison of qsort(); 0 for the same number only.
 */
int incident_urgency(const struct incident *a, enum incident_act act_a, const struct incident *b,
		     enum incident_act act_b);

#endif
