// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The helper process cxl-redfish-push, its results, and the retries of a subscription.
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/log.h"
#include "redfish/eventing/delivery_private.h"

#define HELPER_ENDED "cxl-redfish-push ended unexpectedly"

static const char *policy_of(const struct subscription *s)
{
	return json_string_value(json_object_get(s->properties, "DeliveryRetryPolicy"));
}

/* Jitter of a quarter, so that many services do not retry one receiver at the same time. */
static uint64_t with_jitter(uint64_t ms)
{
	return ms - ms / 4 + arc4random_uniform((uint32_t)(ms / 2 + 1));
}

static void put_off(struct delivery *d, struct subscription *s)
{
	uint64_t ms = (uint64_t)d->es->options.retry_seconds * 1000, backoff;

	backoff = UINT64_C(1000) << (s->failures < 16 ? s->failures - 1 : 16);
	if (strcmp(policy_of(s), "RetryForeverWithBackoff") == 0 && backoff < ms)
		ms = backoff;
	s->not_before_ms = d->now_ms + with_jitter(ms);
}

/* Return: whether the retry policy ends the subscription now. */
static bool note_failure(struct delivery *d, struct subscription *s, const char *why)
{
	const char *policy = policy_of(s);

	s->n_failed++;
	if (s->failures++ == 0)
		log_warning("subscription %" PRIu64 ": %s could not be reached: %s", s->id,
			    json_string_value(json_object_get(s->properties, "Destination")), why);
	(void)snprintf(s->failure, sizeof(s->failure), "%s", why);
	put_off(d, s);
	return s->failures > d->es->options.retry_attempts &&
	       strncmp(policy, "RetryForever", strlen("RetryForever")) != 0;
}

static void note_success(struct subscription *s, uint64_t seq)
{
	if (s->failures)
		log_info("subscription %" PRIu64 ": the subscriber can be reached again", s->id);
	s->failures = 0;
	s->not_before_ms = 0;
	s->failure[0] = '\0';
	if (seq > s->cursor)
		s->cursor = seq;
}

/* By its policy. Waits for the disk. */
static void give_up(struct delivery *d, uint64_t id, bool terminate)
{
	struct message unused;
	int r;

	log_warning("subscription %" PRIu64
		    " is %s: its subscriber could not be reached in %u attempts",
		    id, terminate ? "terminated" : "suspended", d->es->options.retry_attempts + 1);
	r = terminate ? destinations_remove(d->es, id)
		      : destinations_set_suspended(d->es, id, true, (struct opt_u64){0}, &unused);
	if (r < 0 && r != -ENOENT)
		log_warning("subscription %" PRIu64 ": its new state could not be stored: %s", id,
			    strerror(-r));
}

/* ---- the helper -------------------------------------------------------------------------------
 */

static void end_flight(struct delivery *d, struct flight *f)
{
	d->n_failing -= f->failing;
	d->n_flights--;
	*f = (struct flight){0};
}

static struct otlp_lane *lane_of(struct delivery *d, const struct flight *f)
{
	return f->collector == 1 + OTLP_LOGS ? &d->otlp.lane : &d->metrics.lane;
}

static void lose_collector(struct delivery *d)
{
	for (size_t i = 0; i < PUSH_TRANSFERS_MAX; i++) {
		struct flight *f = &d->flights[i];

		if (!f->ticket || !f->collector)
			continue;
		otlp_lane_lost(lane_of(d, f), HELPER_ENDED, d->now_ms);
		end_flight(d, f);
	}
}

static void lose_core(struct delivery *d)
{
	for (size_t i = 0; i < PUSH_TRANSFERS_MAX; i++)
		if (d->flights[i].ticket && d->flights[i].core)
			end_flight(d, &d->flights[i]);
	delivery_lose_core(d, HELPER_ENDED);
}

static void take_collector_answer(struct delivery *d, struct flight *f, const struct push_answer *a)
{
	struct otlp_outcome out;

	otlp_lane_answer(lane_of(d, f), d->args.otlp->encoding, a, d->now_ms, &out);
	if (f->collector == 1 + OTLP_LOGS)
		otlp_queue_answer(&d->otlp, &out);
	else
		otlp_export_answer(&d->metrics, &out);
	end_flight(d, f);
}

/* The result of its posts is unknown; they are sent again. */
static void lose_helper(struct delivery *d)
{
	helper_lost(&d->helper.helper, d->now_ms);
	if (atomic_load(&d->stop))
		return;
	log_warning("cxl-redfish-push ended unexpectedly and is started again");
	d->helper_full = false;
	(void)pthread_mutex_lock(&d->es->lock);
	for (size_t i = 0; i < PUSH_TRANSFERS_MAX; i++) {
		struct subscription *s;

		if (!d->flights[i].ticket || d->flights[i].collector || d->flights[i].core)
			continue;
		s = destinations_find(d->es, d->flights[i].subscription);
		if (s) {
			s->in_flight = false;
			(void)note_failure(d, s, HELPER_ENDED);
		}
		end_flight(d, &d->flights[i]);
	}
	(void)pthread_mutex_unlock(&d->es->lock);
	lose_collector(d);
	lose_core(d);
}

static void set_problem(struct delivery *d, const char *text)
{
	(void)pthread_mutex_lock(&d->es->lock);
	if (strcmp(d->es->problem, text) != 0)
		(void)snprintf(d->es->problem, sizeof(d->es->problem), "%s", text);
	(void)pthread_mutex_unlock(&d->es->lock);
}

void helper_args_done(struct helper_args *a)
{
	free(a->allow);
	free(a->ca_file);
	(void)otlp_settings_free(a->otlp);
	*a = (struct helper_args){0};
}

struct push_files helper_args_files(const struct helper_args *a)
{
	return (struct push_files){
		.allow = a->allow,
		.ca_file = a->ca_file,
		.collector_ca = a->otlp ? a->otlp->ca : NULL,
		.collector_certificate = a->otlp ? a->otlp->certificate : NULL,
		.collector_key = a->otlp ? a->otlp->key : NULL,
	};
}

void delivery_restart_collector(struct delivery *d)
{
	const unsigned int signals = d->args.otlp ? d->args.otlp->signals : 0;

	otlp_lane_restart(&d->otlp.lane, OTLP_LOGS, signals & 1U << OTLP_LOGS);
	otlp_lane_restart(&d->metrics.lane, OTLP_METRICS, signals & 1U << OTLP_METRICS);
	d->metrics.due_ms = 0;
}

bool delivery_use_args(struct delivery *d)
{
	struct helper_args old = {0};
	struct push_files files;
	bool change, reload;

	(void)pthread_mutex_lock(&d->es->lock);
	reload = d->has_reload;
	d->has_reload = false;
	change = d->has_new_args;
	if (change && d->n_flights == 0) {
		old = d->args;
		d->args = d->new_args;
		d->new_args = (struct helper_args){0};
		d->has_new_args = false;
	}
	(void)pthread_mutex_unlock(&d->es->lock);
	if (reload) {
		otlp_lane_mended(&d->otlp.lane);
		otlp_lane_mended(&d->metrics.lane);
	}
	if (!change)
		return true;
	if (d->n_flights > 0)
		return false;
	push_client_stop(&d->helper);
	files = helper_args_files(&d->args);
	push_client_set(&d->helper, &files);
	delivery_restart_collector(d);
	d->helper_full = false;
	helper_args_done(&old);
	return true;
}

/* Return: whether it runs and accepts a post. */
bool delivery_have_helper(struct delivery *d)
{
	struct error e = {0};
	int r;

	if (!delivery_use_args(d))
		return false;
	r = helper_run(&d->helper.helper, d->now_ms, &e);
	if (r != -EAGAIN)
		set_problem(d, r < 0 ? e.text : "");
	if (r == 0)
		return !d->helper_full;
	if (r != -EAGAIN)
		log_warning("events cannot be delivered: %s", e.text);
	delivery_look_again(d, d->helper.helper.due_ms);
	return false;
}

static void take_answer(struct delivery *d, const struct push_answer *a)
{
	struct flight *f = &d->flights[a->ticket % PUSH_TRANSFERS_MAX];
	bool over = false, terminate = false;
	char why[PUSH_TEXT_MAX];
	struct subscription *s;
	uint64_t id;

	if (a->ticket == 0 || f->ticket != a->ticket)
		return;
	if (f->collector) {
		take_collector_answer(d, f, a);
		return;
	}
	if (f->core) {
		end_flight(d, f);
		delivery_take_core_answer(d, a);
		return;
	}
	id = f->subscription;
	(void)snprintf(why, sizeof(why), a->refused ? ADDRESS_REFUSED : "%s", a->text);
	if (a->status)
		(void)snprintf(why, sizeof(why), "HTTP status %u%s", (unsigned)a->status,
			       a->status / 100 == 3 ? " (redirections are not followed)" : "");
	(void)pthread_mutex_lock(&d->es->lock);
	s = destinations_find(d->es, id);
	if (s) {
		s->in_flight = false;
		if (a->status >= 200 && a->status < 300)
			note_success(s, f->seq);
		else
			over = note_failure(d, s, why);
		terminate = strcmp(policy_of(s), "TerminateAfterRetries") == 0;
	}
	end_flight(d, f);
	(void)pthread_mutex_unlock(&d->es->lock);
	if (a->refused)
		destinations_disable(d->es, id, why);
	else if (over)
		give_up(d, id, terminate);
}

void delivery_take_answers(struct delivery *d)
{
	struct push_answer a;
	int r = 0;

	while (helper_is_running(&d->helper.helper) &&
	       (r = push_client_receive(&d->helper, &a)) == 0)
		take_answer(d, &a);
	if (r == -EPIPE)
		lose_helper(d);
}
