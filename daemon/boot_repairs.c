// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/boot_repairs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "common/allow.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/log.h"
#include "common/strutil.h"
#include "events/event_fill.h"
#include "model/topology.h"

enum { POLL_MS = 250 };

DEFINE_CLEANUP(const struct host, host_unref);

enum repair_policy repair_policy_of(const char *word)
{
	if (word && str_equal(word, "observe"))
		return REPAIR_POLICY_OBSERVE;
	return word && str_equal(word, "unused") ? REPAIR_POLICY_UNUSED : REPAIR_POLICY_OFF;
}

/* ---- one entry --------------------------------------------------------------------------------
 */

/* A sparing that was done. The request may be older than it, and was read later; a soft post
 * package repair is undone by a reset, and uses up nothing. */
static bool is_spent(const struct repair_entry *entry)
{
	return entry->repaired > 0 && entry->used != EDAC_REPAIR_PPR;
}

/* Whatever the host is: one that may have used a spare is never repeated. */
static bool may_be_tried(const struct repair_entry *entry)
{
	return repair_entry_is_asked(entry) && repair_entry_is_idle(entry) &&
	       entry->alone < BOOT_REPAIR_TRIES_MAX && !is_spent(entry) && entry->serial != 0 &&
	       stable_id_has_serial(entry->device);
}

static const char *entry_refusal(const struct repair_entry *entry, char ret[static REPAIR_TEXT_MAX])
{
	const char *made = repair_state_obstacle(entry->state);

	if (made)
		(void)snprintf(ret, REPAIR_TEXT_MAX, "it %s", made);
	else if (!repair_entry_is_asked(entry))
		(void)snprintf(ret, REPAIR_TEXT_MAX,
			       "its device does not ask for it; cxl-spa repair %" PRIu64
			       " makes it",
			       entry->id);
	else if (is_spent(entry))
		(void)snprintf(
			ret, REPAIR_TEXT_MAX,
			"it was repaired by a sparing before, and the request may be older than that; cxl-spa repair %" PRIu64
			" makes it again",
			entry->id);
	else if (entry->alone >= BOOT_REPAIR_TRIES_MAX)
		(void)snprintf(ret, REPAIR_TEXT_MAX,
			       "it was tried %" PRIu32
			       " times without a person; cxl-spa repair %" PRIu64 " tries it",
			       entry->alone, entry->id);
	else
		return NULL;
	return ret;
}

const char *boot_repair_refusal(const struct repair_entry *entry, const struct repair_plan *plan,
				char ret[static REPAIR_TEXT_MAX])
{
	const char *why = entry_refusal(entry, ret);

	if (why || !plan->possible)
		return why ? why : plan->reason;
	return plan->when == REPAIR_NOW
		       ? NULL
		       : "its device is in use; cxl-spa repair may repair it all the same";
}

/* ---- devices that come ------------------------------------------------------------------------
 */

/* Whether the driver may still bind the device of an entry. */
static bool is_awaited(const struct repair_entry *entry, const struct host *host)
{
	const struct opt_bool option = host->options.repair;
	const struct memdev *m;
	size_t n = 0;

	if (!may_be_tried(entry))
		return false;
	m = host_memdev_by_serial(host, entry->serial, &n);
	/* Another device may have the same number. */
	if (n <= 1 && host->n_unclaimed > 0)
		return true;
	if (n != 1 || host_kernel_is(host, 6, 16) == 0 || (option.present && !option.value))
		return false;
	return !m->enabled || !m->edac || m->edac->n_repairs == 0;
}

static bool is_cancelled(const struct boot_repairs *b)
{
	return b->cancelled && b->cancelled(b->userdata);
}

static size_t count_awaited(const struct repair_entries *list, const struct host *host)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		n += is_awaited(&list->items[i], host);
	return n;
}

/* Each look is a new reading: the kernel reports no end of binding. */
static int read_when_bound(const struct boot_repairs *b, const struct repair_entries *list,
			   const struct host **ret, struct error *e)
{
	const struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
	const uint64_t until_ms = clock_monotonic_ms() + b->wait_ms;
	bool said = false;

	for (;;) {
		const struct host *host;
		size_t n;
		int r = host_read(b->root, &host, e);

		if (r < 0)
			return r;
		n = count_awaited(list, host);
		if (n == 0 || clock_monotonic_ms() >= until_ms || is_cancelled(b)) {
			*ret = host;
			return 0;
		}
		(void)host_unref(host);
		if (!said)
			log_info(
				"waiting for at most %u s for devices that are not bound yet, of which %zu places are to be repaired",
				b->wait_ms / 1000, n);
		said = true;
		(void)nanosleep(&pause, NULL);
	}
}

/* ---- the round --------------------------------------------------------------------------------
 */

struct boot_round {
	const struct boot_repairs *b;
	uint64_t begun_ms;
	size_t n_done, n_unconfirmed, n_refused, n_left;
};

static void leave(struct boot_round *round, const struct repair_entry *entry, const char *why)
{
	round->n_left++;
	log_info("repair %" PRIu64 " of %s is left: %s", entry->id, entry->device, why);
}

/* @r: of repair_run(); @before, @after: the entry, which has one try more unless it was left */
static void count_failed(struct boot_round *round, int r, const struct repair_entry *before,
			 const struct repair_entry *after, const char *why)
{
	if (r == -EINPROGRESS) {
		round->n_unconfirmed++;
		log_warning("a repair is not confirmed yet: %s", why);
	} else if (r == -EALREADY || after->tries == before->tries) {
		leave(round, before, why);
	} else {
		round->n_refused++;
		log_warning("a repair is refused: %s", why);
	}
}

static void repair_one(struct boot_round *round, const struct repair_entry *before)
{
	const struct boot_repairs *b = round->b;
	const struct repair_job job = {
		.state = b->state,
		.log = b->log,
		.root = b->root,
		.client = b->client,
		.alone = true,
		.cancelled = b->cancelled,
		.userdata = b->userdata,
	};
	struct repair_entry entry = {0};
	struct error e = {0};
	int r = repair_run(&job, before->id, &entry, &e);

	if (r < 0) {
		count_failed(round, r, before, &entry, e.text);
		return;
	}
	round->n_done++;
	log_info("repair %" PRIu64 " of %s is done: %s", entry.id, entry.device, entry.text);
}

static bool is_late(const struct boot_round *round)
{
	return is_cancelled(round->b) ||
	       clock_monotonic_ms() - round->begun_ms >= round->b->begin_ms;
}

static void look_at(struct boot_round *round, const struct repair_entry *entry,
		    const struct host *host, const uint8_t boot_id[static REPAIR_BOOT_SIZE])
{
	char text[REPAIR_TEXT_MAX];
	struct repair_plan plan;
	const char *why;

	repair_plan_make(entry, host, boot_id, clock_realtime_ns(), &plan);
	why = boot_repair_refusal(entry, &plan, text);
	if (why)
		leave(round, entry, why);
	else if (round->b->policy == REPAIR_POLICY_OBSERVE)
		leave(round, entry, "it would be made (repair-policy = observe does nothing)");
	else if (is_late(round))
		leave(round, entry, "no repair begins any more in this boot");
	else
		repair_one(round, entry);
}

static void look_at_all(struct boot_round *round, const struct repair_entries *list,
			const struct host *host)
{
	uint8_t boot_id[EVENT_BOOT_ID_SIZE];

	event_boot_id(round->b->root, boot_id);
	for (size_t i = 0; i < list->n; i++)
		if (list->items[i].state != REPAIR_DONE)
			look_at(round, &list->items[i], host, boot_id);
	log_info(
		"repairs without a person: %zu done, %zu accepted and not confirmed yet, %zu refused, %zu left",
		round->n_done, round->n_unconfirmed, round->n_refused, round->n_left);
}

/* A helper that makes no repair would refuse each entry, which would count as a try. The first
 * connection starts it, and each question is short. */
static bool is_allowed(const struct boot_repairs *b)
{
	const struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
	const uint64_t until_ms = clock_monotonic_ms() + b->wait_ms;

	if (b->policy == REPAIR_POLICY_OBSERVE)
		return true;
	while (!(change_client_allowed(b->client) & ALLOW_REPAIR)) {
		if (clock_monotonic_ms() >= until_ms || is_cancelled(b))
			return false;
		(void)nanosleep(&pause, NULL);
	}
	return true;
}

static int repair_list(const struct boot_repairs *b, const struct repair_entries *list,
		       struct error *e)
{
	_cleanup_(host_unrefp) const struct host *host = NULL;
	struct boot_round round = {.b = b, .begun_ms = clock_monotonic_ms()};
	size_t n = 0;
	int r;

	for (size_t i = 0; i < list->n; i++)
		n += may_be_tried(&list->items[i]);
	if (n == 0) {
		log_info("no place of the worklist of repairs is to be tried without a person");
		return 0;
	}
	if (!is_allowed(b)) {
		log_warning(
			"no repair is made: cxl-redfish-change-helper does not answer, or allows none; see its log");
		return 0;
	}
	r = read_when_bound(b, list, &host, e);
	if (r == 0)
		look_at_all(&round, list, host);
	return r;
}

int boot_repairs_run(const struct boot_repairs *b, struct error *e)
{
	struct repair_entries list = {0};
	struct error cause = {0};
	size_t n_new;
	int r;

	/* The last records of the service's last run; without them the rest is repaired. */
	if (repairs_update(b->state, b->log, &n_new, &cause) < 0)
		log_warning("the worklist of repairs is not brought up to date: %s", cause.text);
	r = state_read_repairs(b->state, &list, e);
	if (r == 0)
		r = repair_list(b, &list, e);
	repair_entries_done(&list);
	return r;
}
