// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/history_recorder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/log.h"
#include "model/pcie_speed.h"
#include "sysfs/link_state.h"

/* ---- samples ----------------------------------------------------------------------------------
 */

static void sample_count(struct history_sample *s, enum history_value value, struct opt_u64 n)
{
	if (n.present && n.value <= INT64_MAX)
		history_set(s, value, (int64_t)n.value);
}

/* Values of a device that was busy are older than the interval may be: they are no sample. */
static void sample_mailbox(const struct mailbox *mb, struct history_sample *s)
{
	if (!mb || mb->unresponsive || mb->kept)
		return;
	if (mb->temperature.present)
		history_set(s, HISTORY_TEMPERATURE, mb->temperature.value);
	sample_count(s, HISTORY_LIFE_USED, mb->life_used_percent);
	sample_count(s, HISTORY_CORRECTED_VOLATILE, mb->corrected_volatile_errors);
	sample_count(s, HISTORY_CORRECTED_PERSISTENT, mb->corrected_persistent_errors);
	sample_count(s, HISTORY_DIRTY_SHUTDOWNS, mb->dirty_shutdowns);
}

static void sample_link(const char *bdf, struct read_notes *notes, struct history_sample *s)
{
	struct pci_function now;

	link_state_read(bdf, notes, &now);
	sample_count(s, HISTORY_LINK_WIDTH, now.current_link_width);
	sample_count(s, HISTORY_LINK_SPEED, pcie_speed(now.current_link_speed));
}

/* Return: 0 or -ENOMEM. A device of which nothing is known has no sample: a gap. */
static int take_samples(const struct host *host, const struct readings *readings,
			struct arena *arena, struct history_readings *ret)
{
	const struct memdev_ids *ids = memdev_ids_new(arena, host);
	struct read_notes notes = {.arena = arena};

	if (!ids)
		return -ENOMEM;
	for (size_t i = 0; i < host->n_memdevs; i++) {
		const struct memdev *m = host->memdevs[i];
		struct history_sample s = {0};
		struct history_reading *to;

		sample_mailbox(readings_mailbox(readings, m), &s);
		if (m->pci)
			sample_link(m->pci->bdf, &notes, &s);
		if (!s.known)
			continue;
		to = history_readings_add(ret);
		if (!to)
			return -ENOMEM;
		(void)snprintf(to->device, sizeof(to->device), "%s", memdev_id(ids, m));
		to->sample = s;
	}
	return 0;
}

/* ---- the job ----------------------------------------------------------------------------------
 */

struct record_job {
	struct history *history;
	uint64_t slot_s, steady_s;
	struct history_readings readings;
};

static int record_run(struct job *job, void *state)
{
	struct record_job *r = state;

	(void)job;
	return history_write(r->history, r->slot_s, r->steady_s, &r->readings, NULL);
}

static void record_end(struct job *job, void *state, int result)
{
	(void)job;
	(void)state;
	(void)result;
}

static void record_free(void *state)
{
	struct record_job *r = state;

	history_readings_done(&r->readings);
	free(r);
}

static const struct job_ops record_ops = {
	.class = JOB_STORE,
	.runs_late = true,
	.run = record_run,
	.end = record_end,
	.free = record_free,
};

/* Return: 0 when a job writes the samples, or there are none. */
static int record_submit(const struct history_recorder *r, struct record_job *job,
			 const struct host *host, const struct readings *readings)
{
	struct arena *arena = arena_new();
	int result = arena ? take_samples(host, readings, arena, &job->readings) : -ENOMEM;

	(void)arena_free(arena);
	if (result == 0)
		result = job_submit(r->jobs, &record_ops, job, NULL);
	return result;
}

void history_record(const struct history_recorder *r, const struct host *host,
		    const struct readings *readings)
{
	struct record_job *job;
	uint64_t slot_s;

	if (!r || !r->history ||
	    !history_claim(r->history, clock_realtime_ns() / 1000000000, &slot_s))
		return;
	job = calloc(1, sizeof(*job));
	if (job)
		*job = (struct record_job){.history = r->history,
					   .slot_s = slot_s,
					   .steady_s = clock_boottime_ms() / 1000};
	if (job && record_submit(r, job, host, readings) == 0)
		return;
	if (job)
		record_free(job);
	history_unclaim(r->history, slot_s);
	log_warning(
		"the readings of this interval are missing in the history: out of memory, or too much is waiting for the disk");
}
