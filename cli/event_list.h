/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_EVENT_LIST_H
#define CXLR_CLI_EVENT_LIST_H

/*
 * How events are chosen and shown: a table for people, or one JSON object a line, whose keys
 * scripts rely on.
 */

#include <stdbool.h>

#include "cli/cli.h"
#include "common/json_writer.h"
#include "events/stored_event.h"

/* Which events; filled in by event_choice_read(). */
struct event_choice {
	struct opt_u64 since;  /* ns since 1970; those without a time of day are left out */
	const char *memdev;    /* as typed; NULL: of all */
	struct opt_u64 serial; /* when it was typed as one */
	bool has_spa;
	uint64_t spa_first, spa_last;
};

/*
 * event_choice_read() - read --since, --memdev and --spa
 * @now_ns: for times like 10m
 *
 * Return: 0, or -EINVAL with a sentence about the option.
 */
int event_choice_read(const struct event_options *o, uint64_t now_ns, struct event_choice *ret,
		      struct error *e);

bool event_is_chosen(const struct event_choice *c, const struct stored_event *ev);

void event_text_heading(void);
void event_text(const struct stored_event *ev);

/* Without a number of the store, `seq` is null. */
void event_json(struct json_writer *w, const struct stored_event *ev);

/* "2026-11-21T21:44:13.374321280Z"; "-" when absent. */
enum { EVENT_TIME_TEXT_MAX = 40 };
const char *event_time_text(struct opt_u64 ns, char text[EVENT_TIME_TEXT_MAX]);

#endif
