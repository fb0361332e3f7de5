// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Families about the service itself, the path to firmware, and the recording of events.
#include "common/array.h"
#include "daemon/event_stats.h"
#include "daemon/metrics_scrape.h"

void put_version(struct metrics_scrape *x, const struct metric_family *f)
{
	metric_sample_with(&x->out, f, NULL, "version", PACKAGE_VERSION, 1);
}

void put_service_faults(struct metrics_scrape *x, const struct metric_family *f)
{
	static const char *const services[SERVICE_FAULTS] = {
		[SERVICE_FAULT_HELPER] = "helper",
		[SERVICE_FAULT_STATE] = "state_database",
	};
	static const char *const recordings[RECORDING_FAULTS] = {
		[RECORDING_FAULT_NOT_RECORDED] = "events_not_recorded",
		[RECORDING_FAULT_PARTLY] = "events_partly_recorded",
		[RECORDING_FAULT_LOST] = "events_lost",
		[RECORDING_FAULT_NOT_STORED] = "events_not_stored",
		[RECORDING_FAULT_REPLACED] = "event_store_replaced",
		[RECORDING_FAULT_LOG_FULL] = "event_log_full",
	};
	const struct view_inputs *in = &x->view->inputs;

	for (int i = 0; i < SERVICE_FAULTS; i++)
		metric_sample_with(&x->out, f, NULL, "fault", services[i],
				   in->service_faults.text[i][0] != '\0');
	for (int i = 0; x->events && i < RECORDING_FAULTS; i++)
		metric_sample_with(&x->out, f, NULL, "fault", recordings[i],
				   in->recording_faults.text[i][0] != '\0');
}

/* ---- firmware ---------------------------------------------------------------------------------
 */

void put_firmware_needed(struct metrics_scrape *x, const struct metric_family *f)
{
	/* Also where there is none to be called: of a captured host. */
	metric_sample(&x->out, f, NULL, view_host_needs_firmware(x->view->host));
}

void put_firmware_state(struct metrics_scrape *x, const struct metric_family *f)
{
	const char *names[FIRMWARE_STATES];
	struct firmware_status s;

	if (!x->firmware)
		return;
	firmware_status(x->firmware, &s);
	for (unsigned int i = 0; i < FIRMWARE_STATES; i++)
		names[i] = firmware_state_name(i);
	metric_states(&x->out, f, names, FIRMWARE_STATES, s.state);
}

enum {
	FIRMWARE_CALLS,
	FIRMWARE_ERRORS,
	FIRMWARE_REFUSED,
	FIRMWARE_THROTTLED,
	FIRMWARE_IN_FLIGHT, /* to here only of a module that answers */
	FIRMWARE_CACHED,
	FIRMWARE_QUERIED,
	FIRMWARE_FAILING,
};
const int metric_firmware_calls = FIRMWARE_CALLS, metric_firmware_errors = FIRMWARE_ERRORS,
	  metric_firmware_refused = FIRMWARE_REFUSED,
	  metric_firmware_throttled = FIRMWARE_THROTTLED, metric_firmware_cached = FIRMWARE_CACHED,
	  metric_firmware_queried = FIRMWARE_QUERIED, metric_firmware_failing = FIRMWARE_FAILING,
	  metric_firmware_in_flight = FIRMWARE_IN_FLIGHT;

void put_firmware_count(struct metrics_scrape *x, const struct metric_family *f)
{
	const int which = *(const int *)f->value;
	struct firmware_status s;

	if (!x->firmware)
		return;
	firmware_status(x->firmware, &s);
	const double values[] = {
		[FIRMWARE_CALLS] = (double)s.calls,
		[FIRMWARE_ERRORS] = (double)s.errors,
		[FIRMWARE_REFUSED] = (double)s.refused,
		[FIRMWARE_THROTTLED] = (double)s.throttled,
		[FIRMWARE_IN_FLIGHT] = s.in_flight_ms / 1e3,
		[FIRMWARE_CACHED] = (double)s.hits,
		[FIRMWARE_QUERIED] = (double)s.queried,
		[FIRMWARE_FAILING] = (double)s.n_failing,
	};
	if (s.known || which > FIRMWARE_IN_FLIGHT)
		metric_sample(&x->out, f, NULL, values[which]);
}

/* ---- the recording of events ------------------------------------------------------------------
 */

void put_store_state(struct metrics_scrape *x, const struct metric_family *f)
{
	static const char *const states[] = {
		[STORE_READY] = "ready",
		[STORE_DISK_FULL] = "disk_full",
		[STORE_UNUSABLE] = "unusable",
	};
	struct store_status s;

	if (!x->events)
		return;
	store_writer_status(events_writer(x->events), &s);
	metric_states(&x->out, f, states, ARRAY_SIZE(states), s.state);
}

enum { STORE_CHECKING, STORE_QUEUED, STORE_DROPPED };
const int metric_store_checking = STORE_CHECKING, metric_store_queued = STORE_QUEUED,
	  metric_store_dropped = STORE_DROPPED;

void put_store_number(struct metrics_scrape *x, const struct metric_family *f)
{
	struct store_status s;

	if (!x->events)
		return;
	store_writer_status(events_writer(x->events), &s);
	const double values[] = {
		[STORE_CHECKING] = s.checking,
		[STORE_QUEUED] = (double)s.queued,
		[STORE_DROPPED] = (double)s.dropped,
	};
	metric_sample(&x->out, f, NULL, values[*(const int *)f->value]);
}

void put_records_read(struct metrics_scrape *x, const struct metric_family *f)
{
	struct event_stats_sums sums;

	if (!x->events)
		return;
	event_stats_sums(events_stats(x->events), &sums);
	metric_sample(&x->out, f, NULL, (double)sums.read);
}

void put_not_queried(struct metrics_scrape *x, const struct metric_family *f)
{
	struct event_stats_sums sums;

	if (!x->events)
		return;
	event_stats_sums(events_stats(x->events), &sums);
	metric_sample(&x->out, f, NULL, (double)sums.not_queried);
}

void put_translation_times(struct metrics_scrape *x, const struct metric_family *f)
{
	struct event_stats_sums sums;

	if (!x->events)
		return;
	event_stats_sums(events_stats(x->events), &sums);
	for (unsigned int i = 0; i < EVENT_STATS_SOURCES; i++) {
		const char *name = answer_source_name(i);
		struct metric_labels labels = {0};

		metric_label(&labels, "source", name ? name : "none");
		metric_histogram(&x->out, f, &labels, event_stats_bounds, sums.times[i].n,
				 EVENT_STATS_BUCKETS, sums.times[i].sum_ns);
	}
}

void put_firmware_queue(struct metrics_scrape *x, const struct metric_family *f)
{
	if (x->events)
		metric_sample(&x->out, f, NULL, (double)events_waiting(x->events));
}
