/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_HISTORY_H
#define CXLR_REDFISH_HISTORY_H

/*
 * The history of the devices' readings: a sample of each device at an interval, for some days.
 *
 * One SQLite file, history.db in the state directory, mode 0600, with a row for each device and day
 * (UTC). It depends on no other file, and no other on it. It is open only while it is used. A file
 * that is damaged is renamed, and a new one begun; a row that is damaged has no samples. A file of
 * a newer version is refused and not changed.
 *
 * The time of a sample is the beginning of its slot by the wall clock: the intervals of a day
 * begin at midnight UTC. The first sample of a slot stays, whatever the clock does: after a step
 * backwards, only slots without one get one. A slot without a reading is a gap. A sample that is
 * too old, or of a day to come, is removed when the clock was steady for an hour, so that no step
 * removes a history.
 *
 * The calls that are marked so wait for the disk. Any thread may make any of them; one at a time
 * uses the file.
 *
 * Their errors: -EPROTONOSUPPORT, -EBUSY (another process), -ENOSPC, -EROFS, -EACCES, -EIO,
 * -ENOMEM.
 */

#include "common/error.h"
#include "redfish/state/history_block.h"
#include "sysfs/stable_id.h"

#define HISTORY_FILE "history.db"

enum {
	HISTORY_INTERVAL_DEFAULT_S = 600,
	HISTORY_AGE_DEFAULT_DAYS = 30,
	HISTORY_AGE_MAX_DAYS = 3660,
	HISTORY_STEADY_S = 3600,
};

struct history;

struct history_limits {
	unsigned int interval_s; /* HISTORY_INTERVAL_MIN_S to HISTORY_DAY_S */
	unsigned int age_days;
};

/* A sample with the device that it is of: its stable identifier. */
struct history_reading {
	char device[STABLE_ID_MAX + 1];
	struct history_sample sample; /* its time is that of history_claim() */
};
DEFINE_ARRAY(struct history_reading, history_readings);

/* history_new() - the history of this file, which is not opened; -ENAMETOOLONG, -ENOMEM */
int history_new(const char *path, const struct history_limits *limits, struct history **ret,
		struct error *e);

/* No call may be under way. Accepts NULL. Return: NULL. */
struct history *history_free(struct history *h);

void history_set_limits(struct history *h, const struct history_limits *limits);
struct history_limits history_limits(const struct history *h);

/*
 * history_claim() - whether a slot begins that no call got before; does not wait
 * @now_s: since 1970 UTC
 * @ret_s: the beginning of the slot, which is the caller's until history_write()
 */
bool history_claim(struct history *h, uint64_t now_s, uint64_t *ret_s);

/* The slot may be claimed again. */
void history_unclaim(struct history *h, uint64_t slot_s);

/*
 * history_write() - add the samples of a slot in one transaction; waits for the disk
 * @slot_s: of history_claim(); the slot can be claimed again after an error
 * @steady_s: as clock_boottime_ms(), in seconds, at the same moment as the claim
 */
int history_write(struct history *h, uint64_t slot_s, uint64_t steady_s,
		  const struct history_readings *readings, struct error *e);

/* A sample with its whole time. */
struct history_point {
	uint64_t at_s; /* since 1970 UTC */
	struct history_sample sample;
};
DEFINE_ARRAY(struct history_point, history_points);

/*
 * history_read() - the samples of a device from @from_s to before @to_s, in order; waits for the
 * disk
 *
 * A device, and a file, without a sample have none. Two days at most are read.
 */
int history_read(struct history *h, const char *device, uint64_t from_s, uint64_t to_s,
		 struct history_points *ret, struct error *e);

DEFINE_ARRAY(uint64_t, history_days);

/* history_list_days() - the days with samples of a device, since 1970, in order; waits for the disk
 */
int history_list_days(struct history *h, const char *device, struct history_days *ret,
		      struct error *e);

#endif
