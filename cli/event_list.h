/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_EVENT_LIST_H
#define CXLR_CLI_EVENT_LIST_H

/*
 * Selects events and prints them: as a text table, or as one JSON object per line, whose keys
 * scripts rely on.
 */

#include <stdbool.h>

#include "cli/cli.h"
#include "common/json_writer.h"
#include "events/stored_event.h"

/* Which events are printed; made by event_selection_read(). */
struct event_selection {
	struct opt_u64 since;  /* ns since 1970; events without a time of day do not match */
	const char *memdev;    /* as typed; NULL: all */
	struct opt_u64 serial; /* set when --memdev is serial:0x... */
	bool has_spa;
	uint64_t spa_first, spa_last;
};

/*
 * event_selection_read() - read --since, --memdev and --spa
 * @now_ns: the time that 10m refers to, ns since 1970
 *
 * Return: 0, or -EINVAL; @e then names the option.
 */
int event_selection_read(const struct event_options *o, uint64_t now_ns,
			 struct event_selection *ret, struct error *e);

bool event_is_selected(const struct event_selection *c, const struct stored_event *ev);

void event_text_heading(void);
void event_text(const struct stored_event *ev);

/* The key entry is null for a record that is not stored. @page_size: of the host, in bytes */
void event_json(struct json_writer *w, const struct stored_event *ev, uint64_t page_size);

/* The keys extents, bytes_beyond_extents and page_ranges. */
void event_put_extents(struct json_writer *w, const struct stored_event *ev, uint64_t page_size);

/* "2026-11-21T21:44:13.374321280Z"; "-" when absent. */
enum { EVENT_TIME_TEXT_MAX = 40 };
const char *event_time_text(struct opt_u64 ns, char text[EVENT_TIME_TEXT_MAX]);

#endif
