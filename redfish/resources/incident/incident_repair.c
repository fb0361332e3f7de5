// SPDX-License-Identifier: LGPL-2.1-or-later
//
// CXLHostLogEntry.Repair: the places of an incident that can be repaired now are repaired, one
// after the other. The first that is not repaired ends it.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/allow.h"
#include "common/log.h"
#include "events/event_log.h"
#include "events/store_writer.h"
#include "redfish/core/change_claims.h"
#include "redfish/repairs/repair_run.h"
#include "redfish/resources/host/host_refusal.h"
#include "redfish/resources/incident/incident_entry.h"
#include "redfish/resources/log/log_store.h"
#include "redfish/service/service.h"

enum { REPAIRS_RUN_MS = 24 * 60 * 60 * 1000 };

struct repair_work {
	struct exchange *x; /* while the job runs */
	uint64_t incident;
	char by[PRINCIPAL_NAME_MAX];
	struct incident_repairs repairs;
};

static void free_work(void *state)
{
	struct repair_work *work = state;

	repair_entries_done(&work->repairs.list);
	free(work);
}

/* ---- refusals ---------------------------------------------------------------------------------
 */

static int refuse(struct exchange *x, unsigned int status, const char *why)
{
	char object[48];

	(void)snprintf(object, sizeof(object), "incident %s", x->resource->id);
	host_change_message(&x->message, MESSAGE_CHANGE_REFUSED, object, why);
	x->message.status = status;
	return -EINVAL;
}

static const char *missing(const struct exchange *x)
{
	if (!x->service->change_client)
		return "this service has nothing that makes repairs";
	return x->service->state ? NULL
				 : "this service has no state directory, where the worklist is";
}

/* Why an entry is none that the action repairs. */
static void explain(const struct repair_entry *entry, const struct repair_plan *plan, char *ret,
		    size_t size)
{
	if (plan->possible)
		(void)snprintf(ret, size, "repair %" PRIu64 " is %s%s%.300s", entry->id,
			       repair_state_name(entry->state), entry->text[0] ? ": " : "",
			       entry->text);
	else
		(void)snprintf(ret, size, "repair %" PRIu64 " is not possible: %.300s", entry->id,
			       plan->reason);
}

static int refuse_all(struct exchange *x, const struct repair_work *work)
{
	char text[CHANGE_TEXT_MAX] = "no place of it is in the worklist of repairs";
	const struct repair_entries *list = &work->repairs.list;
	struct repair_plan plan;

	if (!work->repairs.known)
		return refuse(x, 503, "the worklist of repairs cannot be read");
	if (list->n > 0) {
		(void)incident_repair_plan(x, &list->items[list->n - 1], &plan);
		explain(&list->items[list->n - 1], &plan, text, sizeof(text));
	}
	return refuse(x, 409, text);
}

/* ---- one repair -------------------------------------------------------------------------------
 */

static bool is_cancelled(void *userdata)
{
	const struct repair_work *work = userdata;

	return job_is_cancelled(work->x->job);
}

static int answer(struct exchange *x, int r, const struct repair_entry *entry, const char *text)
{
	if (r == -ECANCELED && entry->state == REPAIR_REFUSED)
		return r;
	if (r != -EINPROGRESS)
		return host_change_refuse(x, entry->device, r, text, NULL);
	host_change_message(&x->message, MESSAGE_CHANGE_UNKNOWN, entry->device, text);
	return -EINVAL;
}

static void resolve(struct exchange *x, const struct repair_work *work,
		    const struct repair_entry *entry)
{
	char note[REPAIR_NOTE_MAX];
	struct error e = {0};
	int r = repair_resolves(x->service->state, entry, note, &e);

	if (r > 0)
		r = incident_resolve(x, note, work->by);
	/* With other places it stays, as its entry shows. */
	if (r < 0 && r != -EBUSY)
		log_warning("incident %" PRIu64 " stays open, though repair %" PRIu64
			    " of it is done: resolve it by a PATCH of its entry",
			    entry->incident, entry->id);
}

/* The answer, and the messages of the task, say what a person may do next. */
static void offer_pages(struct exchange *x, const struct repair_entry *entry, const char *memdev)
{
	if (!entry->pages[0])
		return;
	message_set(&x->message, MESSAGE_PAGES_MAY_RETURN, memdev, entry->pages, NULL);
	exchange_add_result(x);
}

static int make_one(struct repair_work *work, const struct repair_entry *wanted, const char *memdev)
{
	struct exchange *x = work->x;
	struct store_status log;
	const struct repair_job job = {
		.state = x->service->state,
		.log = log.path,
		.root = x->view->host->root,
		.client = x->service->change_client,
		.confirm_ms = x->service->limits.repair_confirm_ms,
		.cancelled = is_cancelled,
		.userdata = work,
	};
	struct repair_entry entry = *wanted;
	struct error e = {0};
	char text[EXCHANGE_CHANGED_MAX];
	int r;

	event_log_status(log_of(x), &log);
	r = repair_run(&job, wanted->id, &entry, &e);
	(void)snprintf(text, sizeof(text), "repair %" PRIu64 " of %s: %s", wanted->id,
		       wanted->device, repair_state_name(entry.state));
	exchange_changed(x, text);
	if (r < 0)
		return answer(x, r, &entry, e.text);
	resolve(x, work, &entry);
	offer_pages(x, &entry, memdev);
	return 0;
}

/* One change of a device at a time, as of the others. */
static int claim_and_make(struct repair_work *work, const struct repair_entry *entry,
			  const char *memdev)
{
	struct exchange *x = work->x;
	const char *other = NULL;
	int r = change_claim(x->service->change_claims, memdev, change_kind_name(CHANGE_REPAIR),
			     &other);

	if (r == -EBUSY)
		return exchange_refuse(x, MESSAGE_CHANGE_IN_PROGRESS, memdev, other, NULL);
	if (r < 0)
		return r;
	r = make_one(work, entry, memdev);
	change_claim_end(x->service->change_claims, memdev);
	return r;
}

/* ---- the job ----------------------------------------------------------------------------------
 */

static int read_repairs(struct exchange *x, struct repair_work *work)
{
	struct store_reader *reader;
	struct incident i;
	int r = event_log_reader_get(log_of(x), &reader, NULL);

	if (r < 0)
		return r;
	r = store_read_incident(reader, work->incident, &i, NULL);
	if (r == 0)
		r = incident_repairs_read(x, reader, work->incident, &work->repairs);
	event_log_reader_put(log_of(x), reader, r == -ENOENT ? 0 : r);
	return r == -ENOENT ? exchange_missing(x) : r;
}

static int make_all(struct repair_work *work)
{
	const struct repair_entries *list = &work->repairs.list;
	struct repair_plan plan;
	size_t n = 0;
	int r = 0;

	for (size_t i = 0; i < list->n && r == 0; i++) {
		if (!incident_repair_plan(work->x, &list->items[i], &plan))
			continue;
		r = is_cancelled(work) ? -ECANCELED
				       : claim_and_make(work, &list->items[i], plan.memdev->name);
		n++;
	}
	return n == 0 ? refuse_all(work->x, work) : r;
}

static int run_repairs(struct exchange *x, void *state)
{
	struct repair_work *work = state;
	const char *why = host_unchangeable_now(x, ALLOW_REPAIR);
	int r;

	if (why)
		return refuse(x, 403, why);
	work->x = x;
	r = read_repairs(x, work);
	return r < 0 ? r : make_all(work);
}

static const struct continuation repairing = {
	.class = JOB_DEVICE_CHANGES,
	.can_cancel = true,
	.run_ms = REPAIRS_RUN_MS,
	.run = run_repairs,
	.free = free_work,
};

int run_incident_repair(struct exchange *x)
{
	const char *why = host_unchangeable(x->view, ALLOW_REPAIR);
	struct repair_work *work;
	uint64_t id;
	int r;

	if (!log_of(x))
		return exchange_missing(x);
	r = incident_number(x, &id);
	if (r < 0)
		return r;
	/* A resource that is not in the index has no reason yet. */
	x->resource->unchangeable = why;
	if (why)
		return exchange_refuse(x, MESSAGE_NOT_CHANGEABLE, why, NULL, NULL);
	why = missing(x);
	if (why)
		return refuse(x, 409, why);
	work = calloc(1, sizeof(*work));
	if (!work)
		return -ENOMEM;
	work->incident = id;
	incident_client_name(x, work->by);
	return exchange_continue(x, &repairing, work);
}
