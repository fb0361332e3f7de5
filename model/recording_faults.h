/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_RECORDING_FAULTS_H
#define CXLR_MODEL_RECORDING_FAULTS_H

/*
 * What is wrong with the recording of events, as the daemon sees it and the Manager shows it.
 * Plain values.
 */

#include <stdbool.h>
#include <string.h>

enum event_trouble {
	TROUBLE_NOT_RECORDED, /* there is no trace instance, or it cannot be read */
	TROUBLE_PARTLY,	      /* it does not record everything */
	TROUBLE_LOST,	      /* records, within the last hour */
	TROUBLE_NOT_STORED,   /* the disk is full, or the store cannot be written */
	TROUBLE_REPLACED,     /* the store was damaged, or is of a newer version */
	TROUBLE_LOG_FULL,     /* and must not be overwritten */
};
enum { EVENT_TROUBLES = TROUBLE_LOG_FULL + 1, EVENT_TROUBLE_MAX = 320 };

struct event_troubles {
	char text[EVENT_TROUBLES][EVENT_TROUBLE_MAX]; /* a clause; "" when there is none */
};

static inline bool event_troubles_equal(const struct event_troubles *a,
					const struct event_troubles *b)
{
	for (int i = 0; i < EVENT_TROUBLES; i++)
		if (strcmp(a->text[i], b->text[i]) != 0)
			return false;
	return true;
}

#endif
