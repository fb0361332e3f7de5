/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_RECORDING_FAULTS_H
#define CXLR_MODEL_RECORDING_FAULTS_H

/*
 * Faults of the recording of events, as the daemon finds them. Plain values.
 */

#include <stdbool.h>
#include <string.h>

enum recording_fault {
	RECORDING_FAULT_NOT_RECORDED, /* no trace instance, or it cannot be read */
	RECORDING_FAULT_NO_EVENTS,    /* the kernel has none */
	RECORDING_FAULT_PARTLY,	      /* some events are not recorded */
	RECORDING_FAULT_LOST,	      /* records were lost within the last hour */
	RECORDING_FAULT_LOST_AT_END,  /* with an end of the service, by entries not yet resolved */
	RECORDING_FAULT_NOT_STORED,   /* the disk is full, or the store cannot be written */
	RECORDING_FAULT_REPLACED,     /* the store was damaged, or is of a newer version */
	RECORDING_FAULT_LOG_FULL,     /* and entries must not be overwritten */
};
enum { RECORDING_FAULTS = RECORDING_FAULT_LOG_FULL + 1, RECORDING_FAULT_TEXT_MAX = 320 };

struct recording_faults {
	char text[RECORDING_FAULTS]
		 [RECORDING_FAULT_TEXT_MAX]; /* the cause, a clause; "" without this fault */
};

static inline bool recording_faults_equal(const struct recording_faults *a,
					  const struct recording_faults *b)
{
	for (int i = 0; i < RECORDING_FAULTS; i++)
		if (strcmp(a->text[i], b->text[i]) != 0)
			return false;
	return true;
}

#endif
