/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_TRACE_ANSWER_H
#define CXLR_EVENTS_TRACE_ANSWER_H

/*
 * The addresses of a record that another program has printed (trace_text.h). It has two: then, when
 * it was made, with the doubts of the log of events and those of its provenance; and now, by the
 * present mapping, which is the page to act on. Each may be known without the other: a mapping that
 * firmware has locked is certain now, and not in another boot.
 *
 * Any thread; waits for firmware only with a timeout.
 */

#include "events/event_fill.h"
#include "events/trace_text.h"

/* The knowledge of one of both times. */
struct trace_moment {
	struct stored_event event; /* the record with its extents */
	struct answer answer;	   /* its first address; refers to the snapshot */
};

struct trace_answer {
	struct provenance from;
	struct trace_moment then;
	/* Without an SPA where the device of the record is not one of this host; not exact where
	 * that is not known. */
	struct trace_moment now;
};

/*
 * trace_answer() - the answer to a record of trace_text_parse()
 * @translator: of the same snapshot as @m
 * @this_boot: as for provenance_of_text()
 * @timeout: how long to wait for firmware; NULL: do not query it
 *
 * Return: 0; 1 when firmware may give a better answer; -ENOMEM.
 */
int trace_answer(const struct event_mapping *m, struct translator *translator,
		 const struct trace_text *text, bool this_boot, struct firmware_timeout *timeout,
		 struct trace_answer *ret);

#endif
