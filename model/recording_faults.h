/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_RECORDING_FAULTS_H
#define CXLR_MODEL_RECORDING_FAULTS_H

/*
 * What is wrong with the recording of events, as the daemon sees it and the Manager shows it.
 * Plain values.
 */

#include <stdbool.h>
#include <string.h>

enum recording_fault {
	RECORDING_FAULT_NOT_RECORDED, /* there is no trace instance, or it cannot be read */
	RECORDING_FAULT_PARTLY,	      /* it does not record everything */
	RECORDING_FAULT_LOST,	      /* records, within the last hour */
	RECORDING_FAULT_NOT_STORED,   /* the disk is full, or the store cannot be written */
	RECORDING_FAULT_REPLACED,     /* the store was damaged, or is of a newer version */
	RECORDING_FAULT_LOG_FULL,     /* and must not be overwritten */
};
enum { RECORDING_FAULTS = RECORDING_FAULT_LOG_FULL + 1, RECORDING_FAULT_TEXT_MAX = 320 };

struct recording_faults {
	char text[RECORDING_FAULTS][RECORDING_FAULT_TEXT_MAX]; /* a clause; "" when there is none */
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
