/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_TRACE_ANSWER_H
#define CXLR_EVENTS_TRACE_ANSWER_H

/*
 * Where the address of a record was that another program has printed (trace_text.h), with the
 * doubts of the log of events: such a text has no time that says whether the present mapping is
 * the record's.
 *
 * Any thread; waits for firmware only with a timeout.
 */

#include "events/event_fill.h"
#include "events/trace_text.h"

/*
 * trace_answer() - the answer to a record of trace_text_parse()
 * @translator: of the same snapshot as @m
 * @timeout: how long to wait for firmware; NULL: do not query it
 * @ret_event: the record with its extents
 * @ret: what is known of its first address; refers to the snapshot
 *
 * Return: 0; 1 when firmware may give a better answer; -ENOMEM.
 */
int trace_answer(const struct event_mapping *m, struct translator *translator,
		 const struct trace_text *text, struct firmware_timeout *timeout,
		 struct stored_event *ret_event, struct answer *ret);

#endif
