/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_EVENT_LIST_H
#define CXLR_CLI_EVENT_LIST_H

/*
 * Selects events, sorts them by time and prints them: one line each, or as one JSON object per
 * line, whose keys scripts rely on; or counts them.
 */

#include <stdbool.h>

#include "cli/cli.h"
#include "common/json_writer.h"
#include "events/event_filter.h"
#include "events/stored_event.h"

/* The selection of printed events; made by event_selection_read(). */
struct event_selection {
	struct opt_u64 since, until; /* ns since 1970, both included; events without any time do
				      * not match */
	unsigned int severities;     /* bit per enum event_severity; 0: all */
	unsigned int types;	     /* bit per enum event_type; 0: all */
	const char *memdev;	     /* as typed; NULL: all */
	struct opt_u64 serial;	     /* set when --memdev is serial:0x... */
	const char *region;	     /* NULL: all */
	bool has_spa, has_dpa;
	uint64_t spa_first, spa_last, dpa_first, dpa_last;
};

/*
 * event_selection_read() - read the options that select events
 *
 * Return: 0, or -EINVAL; @e then names the option.
 */
int event_selection_read(const struct event_options *o, struct event_selection *ret,
			 struct error *e);

/* Return: the part of the selection that the store makes by itself: no fewer entries than
 * event_is_selected(). */
struct event_filter event_selection_filter(const struct event_selection *c);

/* The named objects that occur in some event, which shows that they have existed. */
struct event_names_seen {
	bool memdev, region;
};

/* @seen: set when the event is of the device or region, also when it is not selected */
bool event_is_selected(const struct event_selection *c, const struct stored_event *ev,
		       struct event_names_seen *seen);

/*
 * event_selection_check() - whether the device and the region exist, now or in the log
 * @host: NULL when it cannot be read
 *
 * Return: 0, or -ENODEV with those that exist in @e.
 */
int event_selection_check(const struct event_selection *c, const struct event_names_seen *seen,
			  const struct host *host, struct error *e);

/* "ok", "warning", "critical" */
const char *event_severity_word(enum event_severity severity);

/* The page of text: which columns fit, and how wide they are. */
enum { EVENT_COLUMNS = 16 };
struct event_columns {
	unsigned int width;		     /* of the terminal; 0: lines are not cut */
	bool wide;			     /* all columns */
	bool has_entries;		     /* events of the log have numbers */
	unsigned int content[EVENT_COLUMNS]; /* characters of the longest value so far */
	unsigned int shown[EVENT_COLUMNS];   /* width; 0: the column is not shown */
	bool words;			     /* the last column is shown */
};
void event_text_setup(struct event_columns *c, bool wide, bool has_entries);

/*
 * event_text_measure() - make room for an event that will be printed
 *
 * Before the heading. Where later events are not known yet, event_text_measure_later() makes room
 * for the values that are usual.
 */
void event_text_measure(struct event_columns *c, const struct stored_event *ev, const char *slot);
void event_text_measure_later(struct event_columns *c);

/* Decides on the columns. */
void event_text_heading(struct event_columns *c);

/* @slot: of the device, NULL when not known */
void event_text(const struct event_columns *c, const struct stored_event *ev, const char *slot);

/* The key entry is null for a record that is not stored. @page_size: of the host, in bytes */
void event_json(struct json_writer *w, const struct stored_event *ev, uint64_t page_size,
		const char *slot);

/* The key `alias`: the other addresses of the same lines; left out without. */
void event_json_alias(struct json_writer *w, bool has, uint64_t first, uint64_t last);

/* The keys extents, bytes_beyond_extents and page_ranges. */
void event_json_extents(struct json_writer *w, const struct stored_event *ev, uint64_t page_size);

/* "2026-11-21T21:44:13.374321280Z"; "-" when absent. */
enum { EVENT_TIME_TEXT_MAX = 40 };
const char *event_time_text(struct opt_u64 ns, char text[EVENT_TIME_TEXT_MAX]);
void event_put_time(struct json_writer *w, const char *key, struct opt_u64 ns);

#endif
