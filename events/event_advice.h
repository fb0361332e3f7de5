/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_EVENT_ADVICE_H
#define CXLR_EVENTS_EVENT_ADVICE_H

/*
 * The next step for an event: one answer for the log of cxl-spa, translate --trace, Redfish, whose
 * messages have it as their Resolution, and the page. Sentences, with two blanks between, as the
 * messages of DMTF have them. Pure functions; any thread.
 *
 * It follows from the type of the record, its log, the states of the device in its header, whether
 * the media or the way to it failed, whether data was lost, and whether the device counts such
 * errors as too many. Memory is taken out of use only for errors of the media. Offlining that ends
 * processes (hard_offline_page) is no one's next step here: docs/operations.md describes it.
 */

#include "events/event_strings.h"
#include "events/stored_event.h"

enum { EVENT_ADVICE_MAX = 512 };

/* An older version stored cleared poison with the type of other poison. Return: the right one. */
enum event_type event_type_now(const struct event_record *rec);

/* The part that failed, by the type of a record of memory; CXL 3.2 tables 8-57 and 8-58. */
enum event_cause {
	EVENT_CAUSE_UNKNOWN,
	EVENT_CAUSE_MEDIA,
	EVENT_CAUSE_ADDRESS,	/* of an access */
	EVENT_CAUSE_PATH,	/* between the link and the media */
	EVENT_CAUSE_PROTECTION, /* an access that is not allowed: TE state, CKID */
};
enum { EVENT_CAUSES = EVENT_CAUSE_PROTECTION + 1 };

/* @rec: general media or DRAM */
enum event_cause event_cause_of(const struct event_record *rec);

/* Return: the severity of a record as FIELD_LOG has it: that of its log or of its header, whichever
 * is higher. */
uint64_t event_record_severity(const struct event_record *rec);

/* Return: whether the device says that it counted more such errors than it should have. */
bool event_is_recurring(const struct event_record *rec);

/* Return: the advice for a type of events; NULL when there is nothing to do. */
const char *event_type_advice(enum event_type type);

/*
 * event_advice() - the advice for one event
 * @ret_retire: when not NULL: whether its pages are taken out of use while they can be read, which
 *	loses nothing (soft_offline_page)
 *
 * Return: @text or a constant; NULL when there is nothing to do.
 */
const char *event_advice(const struct event_record *rec, char text[static EVENT_ADVICE_MAX],
			 bool *ret_retire);

#endif
