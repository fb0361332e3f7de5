/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_HISTORY_RECORDER_H
#define CXLR_DAEMON_HISTORY_RECORDER_H

/*
 * The samples of the history (redfish/state/history.h): the first readings of all devices in each
 * interval. The thread that reads the devices makes them, and a job of the service writes them, so
 * that a slow disk delays no reading. A sample that could not be written is tried again with the
 * next readings of its interval; one that waits in memory is lost with the process.
 */

#include "mailbox/readings.h"
#include "redfish/core/job.h"
#include "redfish/state/history.h"

struct history_recorder {
	struct history *history; /* NULL: there is none */
	struct jobs *jobs;
};

/*
 * history_record() - take the samples of an interval, if it has none yet
 * @r: NULL or without a history: nothing is done
 * @readings: of all devices of @host, and new
 *
 * Also reads the states of their links. Any thread, one at a time.
 */
void history_record(const struct history_recorder *r, const struct host *host,
		    const struct readings *readings);

#endif
