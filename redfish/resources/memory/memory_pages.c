// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Pages of memory are taken out of use and brought back: CXLHostMemory.OfflinePage and OnlinePage.
// The keeper of the service does it, with its limits, and remembers it.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/allow.h"
#include "common/strutil.h"
#include "events/event_log.h"
#include "events/incident_now.h"
#include "prm/translate.h"
#include "redfish/core/odata.h"
#include "redfish/resources/host/translate_timeout.h"
#include "redfish/resources/log/log_store.h"
#include "redfish/resources/memory/memory_operations.h"
#include "redfish/service/body_check.h"
#include "redfish/service/service.h"
#include "redfish/pages/page_keeper.h"

#define DPA  "DevicePhysicalAddress"
#define MODE "Mode"
#define HARD "Hard"

struct page_parameters {
	uint64_t dpa;
	enum page_action action;
};

const char *pages_unchangeable(const struct view *v, const struct resource *r)
{
	(void)r;
	return host_unchangeable(v, ALLOW_PAGES);
}

/* ---- the result -------------------------------------------------------------------------------
 */

/* Return: the status of a page that is not as it was asked for. */
static unsigned int status_of(const struct page_result *result)
{
	if (result->outcome != PAGE_REFUSED)
		return 500;
	switch (result->error) {
	case -EACCES:
		return 403;
	case -ECONNRESET: /* the helper was not reached: try again */
		return 503;
	default: /* of its kind, of the kernel, of a limit: not of the client */
		return 409;
	}
}

static int refuse(struct exchange *x, const struct page_result *result)
{
	const struct memdev *m = x->resource->object;
	const enum message_id id = result->outcome == PAGE_REFUSED  ? MESSAGE_CHANGE_REFUSED
				   : result->outcome == PAGE_FAILED ? MESSAGE_PAGE_FAILED
								    : MESSAGE_CHANGE_UNKNOWN;

	host_change_message(&x->message, id, m->name, result->reason);
	x->message.status = status_of(result);
	body_point_to(x, DPA);
	return -EINVAL;
}

static void put_result(struct exchange *x, const struct answer *a, const struct page_result *result)
{
	struct json_writer *w = &x->w;

	put_object(w, NULL);
	put_string(w, "Outcome", page_outcome_name(result->outcome));
	put_hex(w, DPA, a->dpa);
	put_hex(w, "SystemPhysicalAddress", a->spa);
	put_hex(w, "PageFrameNumber", result->pfn);
	if (result->has_alias)
		put_hex(w, "AliasPageFrameNumber", result->alias_pfn);
	if (result->reason[0])
		put_string(w, "Reason", result->reason);
	put_end(w);
}

/* For the audit log. */
static void note_changed(struct exchange *x, const struct page_parameters *p,
			 const struct page_result *result)
{
	const struct memdev *m = x->resource->object;
	char text[128];

	(void)snprintf(text, sizeof(text), "page %s of %s at DPA 0x%" PRIx64 ": %s",
		       page_action_name((uint32_t)p->action), m->name, p->dpa,
		       page_outcome_name(result->outcome));
	exchange_changed(x, text);
}

/* ---- the job ----------------------------------------------------------------------------------
 */

static unsigned int permission(enum page_action action)
{
	return action == PAGE_HARD ? ALLOW_HARD_PAGES : ALLOW_PAGES;
}

struct incident_search {
	const struct exchange *x;
	uint64_t spa, incident;
	enum event_severity severity; /* of the incident */
};

/* The rule of cxl-spa page, too: the worst one, and the newest of those. */
static int match_incident(void *userdata, const struct incident *i)
{
	struct incident_search *s = userdata;
	const struct view *v = s->x->view;
	struct incident_now now;
	int r = i->n_pages ? incident_now(i, v->host, v->translator, v->ids, NULL, &now) : 0;

	if (r < 0 || i->n_pages == 0 || (s->incident && i->severity < s->severity) ||
	    !incident_now_has_page(&now, s->spa))
		return r;
	s->incident = i->id;
	s->severity = i->severity;
	return 0;
}

/* Return: the open incident of the page; 0: there is none, or the log cannot be read. */
static uint64_t find_incident(const struct exchange *x, const struct answer *a)
{
	struct incident_search s = {.x = x, .spa = a->spa};
	struct store_reader *r;
	int result;

	if (!log_of(x) || !a->has_spa || event_log_reader_get(log_of(x), &r, NULL) < 0)
		return 0;
	result = store_read_incidents(r, false, match_incident, &s, NULL);
	event_log_reader_put(log_of(x), r, result);
	return s.incident;
}

static void take(struct exchange *x, const struct page_parameters *p, const struct answer *a,
		 struct page_result *result)
{
	const struct page_take t = {
		.host = x->view->host,
		.ids = x->view->ids,
		.answer = a,
		.action = (uint32_t)p->action,
		.allow_huge = true, /* the configuration of the page helper decides */
		.cause = PAGE_BY_HAND,
		.incident = p->action == PAGE_ONLINE ? 0 : find_incident(x, a),
		.user = x->principal.name[0] ? x->principal.name : x->principal.from,
	};

	(void)page_keeper_take(x->service->page_keeper, &t, result);
	note_changed(x, p, result);
}

static int run_page(struct exchange *x, void *state)
{
	const struct page_parameters *p = state;
	/* The permission may have been withdrawn while the job waited. */
	const char *why = host_unchangeable_now(x, permission(p->action));
	struct firmware_timeout timeout = translate_action_timeout(x);
	struct page_result result = {0};
	struct answers out = {0};
	int r;

	if (why)
		return host_change_refuse(x, ((const struct memdev *)x->resource->object)->name,
					  -EACCES, why, NULL);
	r = translate_dpa_wait(x->view->translator, x->resource->object, p->dpa, p->dpa, &timeout,
			       &out);
	/* A single address has exactly one answer. */
	if (r == 0 && out.n != 1)
		r = -EIO;
	if (r == 0) {
		take(x, p, &out.items[0], &result);
		if (result.error < 0)
			r = refuse(x, &result);
		else
			put_result(x, &out.items[0], &result);
	}
	answers_done(&out);
	return r;
}

static const struct continuation paging = {
	.class = JOB_CHANGES,
	/* A page helper that does not answer is given up after PAGE_SILENCE_MS. */
	.run_ms = PAGE_SILENCE_MS + 10 * 1000,
	.run = run_page,
	.free = free,
};

static int submit(struct exchange *x, enum page_action action)
{
	struct page_parameters *p;

	if (!x->service->page_keeper)
		memory_note(
			x, DPA, 409,
			"the service has no state directory (--state), and pages that are out of use must be remembered");
	if (exchange_noted(x) < 0)
		return -EINVAL;
	p = malloc(sizeof(*p));
	if (!p)
		return -ENOMEM;
	*p = (struct page_parameters){.action = action};
	(void)parse_address(body_text(x, DPA), &p->dpa);
	return exchange_continue(x, &paging, p);
}

/* ---- the actions ------------------------------------------------------------------------------
 */

static const char *const modes[] = {"Soft", HARD, NULL};

static const struct parameter offline_rows[] = {
	{.name = DPA,
	 .type = PARAMETER_TEXT,
	 .required = true,
	 PARAMETER_ADDRESS,
	 .description = "any byte of the page"},
	{.name = MODE,
	 .type = PARAMETER_TEXT,
	 .values = modes,
	 .description =
		 "`Soft`, if it is not given: the contents move; `Hard`, where hard-pages is allowed, by ConfigureManager only: they are lost"},
};

static const struct parameter online_rows[] = {
	{.name = DPA,
	 .type = PARAMETER_TEXT,
	 .required = true,
	 PARAMETER_ADDRESS,
	 .description = "any byte of the page"},
};

const struct parameters offline_page_parameters = {
	PARAMETER_ROWS(offline_rows),
	.description = "The page goes out of use, and is remembered by the address"};
const struct parameters online_page_parameters = {
	PARAMETER_ROWS(online_rows),
	.description = "The page comes back into use, and its remembered addresses are forgotten"};

int run_offline_page(struct exchange *x)
{
	const bool hard = str_equal(body_text(x, MODE), HARD);

	if (hard && !(x->principal.privileges & PRIVILEGE_CONFIGURE_MANAGER))
		body_note(x, MESSAGE_INSUFFICIENT_PRIVILEGE, MODE);
	else if (hard)
		(void)memory_may(x, ALLOW_HARD_PAGES, MODE);
	return submit(x, hard ? PAGE_HARD : PAGE_SOFT);
}

int run_online_page(struct exchange *x)
{
	return submit(x, PAGE_ONLINE);
}
