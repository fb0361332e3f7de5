// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/triage_report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "cli/progress.h"
#include "common/log.h"
#include "common/strutil.h"
#include "events/component_id.h"
#include "events/event_fill.h"
#include "events/report_answer.h"

struct report_run {
	struct cli *cli;
	const struct memdev_ids *ids;
	struct event_mapping *mapping;
	struct triage_reports *ret;
};

static void set_number(struct event_record *rec, enum event_field field, uint64_t value)
{
	rec->number[field] = value;
	rec->present |= UINT64_C(1) << field;
}

static bool is_lost(const struct report *r)
{
	return r->form == REPORT_MEMORY_FAILURE || r->form == REPORT_MEMORY_FAILURE_EVENT ||
	       (r->has_severity && r->severity == EVENT_CRITICAL);
}

/* A report that is no record says no more than its address and its severity, if it has one. */
static void make_record(const struct report *r, const struct answer *now, struct event_record *ret)
{
	const bool lost = is_lost(r);

	*ret = (struct event_record){.type = EVENT_GENERAL_MEDIA};
	if (r->form == REPORT_PCIE) {
		ret->type =
			lost || !r->has_severity ? EVENT_AER_UNCORRECTABLE : EVENT_AER_CORRECTABLE;
		(void)snprintf(ret->host, sizeof(ret->host), "%s", r->device);
		return;
	}
	if (r->form == REPORT_POISON_LIST) {
		ret->type = EVENT_POISON;
		set_number(ret, FIELD_TRACE_TYPE, POISON_TRACE_LIST);
	} else if (lost || r->has_severity) {
		set_number(ret, FIELD_DESCRIPTOR, lost ? EVENT_DESCRIPTOR_UNCORRECTABLE : 0);
		set_number(ret, FIELD_LOG,
			   lost				  ? EVENT_LOG_FAILURE
			   : r->severity == EVENT_WARNING ? EVENT_LOG_WARNING
							  : EVENT_LOG_INFORMATIONAL);
	}
	if (now->has_dpa && now->exact)
		set_number(ret, FIELD_DPA, now->dpa);
}

static void make_event(const struct report_run *run, const struct report *r,
		       const struct report_answer *answer, struct stored_event *ret)
{
	static const uint8_t no_boot[EVENT_BOOT_ID_SIZE];
	const struct memdev *memdev = answer->memdev;
	struct event_record rec;

	if (r->has_record) {
		event_fill(run->mapping, no_boot, &r->text.record, &answer->trace.from, 0, ret,
			   NULL);
		if (answer->by == REPORT_BY_DPA)
			*ret = answer->trace.then.event;
	} else {
		make_record(r, &answer->trace.now.answer, &rec);
		*ret = (struct stored_event){.record = rec, .severity = event_severity_of(&rec)};
	}
	if (memdev)
		(void)snprintf(ret->device, sizeof(ret->device), "%s", memdev_id(run->ids, memdev));
	if (memdev && memdev->pci && !ret->record.host[0])
		(void)snprintf(ret->record.host, sizeof(ret->record.host), "%s", memdev->pci->bdf);
	if (memdev && memdev->serial.present)
		set_number(&ret->record, FIELD_SERIAL, memdev->serial.value);
}

static enum triage_host host_of(const struct report_answer *answer)
{
	switch (answer->trace.from.host) {
	case PROVENANCE_THIS:
		return TRIAGE_THIS_HOST;
	case PROVENANCE_ANOTHER:
		return TRIAGE_OTHER_HOST;
	default:
		return TRIAGE_UNKNOWN_HOST;
	}
}

/* The identity of memory that is no CXL memory of this host: its address alone. */
static void identify(const struct stored_event *ev, const struct report *r, struct incident *ret)
{
	struct stored_event named = *ev;

	if (!named.device[0])
		(void)snprintf(named.device, sizeof(named.device), "?");
	/* It tells of a repair, or of what was lost, and of no fault. */
	if (!incident_identify(&named, ret))
		*ret = (struct incident){.kind = INCIDENT_MAINTENANCE, .state = INCIDENT_RESOLVED};
	if (!ev->device[0])
		ret->device[0] = '\0';
	if (!r->has_record && r->has_spa && ret->anchor.type == ANCHOR_DEVICE)
		ret->anchor = (struct incident_anchor){ANCHOR_LINE, 0, r->spa};
}

/* ---- reports of one incident ------------------------------------------------------------------
 */

/* Incidents by the hash of their identity; 0: free, else the number of the item and 1. */
static size_t slot_of(const struct triage_reports *reports, const struct incident *i)
{
	const struct incident_anchor *a = &i->anchor;
	const uint64_t parts[] = {i->kind, a->type, a->known, a->value,
				  hash_bytes(i->device, strlen(i->device))};
	size_t slot = hash_bytes(parts, sizeof(parts)) % ARRAY_SIZE(reports->slots);

	while (reports->slots[slot] &&
	       incident_compare(&reports->list.items[reports->slots[slot] - 1].reported, i) != 0)
		slot = (slot + 1) % ARRAY_SIZE(reports->slots);
	return slot;
}

/* Return: NULL, and @ret_new as it should be: there is no space or memory for it. */
static struct triage_incident *take_same(struct triage_reports *reports, const struct incident *i,
					 bool *ret_new)
{
	const size_t slot = slot_of(reports, i);
	struct triage_incident *t;

	*ret_new = reports->slots[slot] == 0;
	if (!*ret_new)
		return &reports->list.items[reports->slots[slot] - 1];
	if (reports->list.n == TRIAGE_REPORTED_MAX)
		return NULL;
	t = triage_list_add(&reports->list);
	if (t)
		reports->slots[slot] = (uint16_t)reports->list.n;
	return t;
}

/* The results of mm/memory-failure.c after which the kernel uses the page no more. */
static bool is_taken(const struct report *r)
{
	if (r->form == REPORT_SOFT_OFFLINE)
		return strstr(r->what, "already poisoned") || strstr(r->what, ": offlined") ||
		       strstr(r->what, "already offlined");
	return (r->form == REPORT_MEMORY_FAILURE || r->form == REPORT_MEMORY_FAILURE_EVENT) &&
	       (strstr(r->what, "Recovered") || strstr(r->what, "already hardware poisoned"));
}

/* A report of a system address names the page itself, that of the boot which it is of. */
static void add_page(const struct report_run *run, struct triage_incident *t,
		     const struct report *r, const struct report_answer *answer)
{
	const uint64_t page = host_page(run->cli->host, r->granule);
	const bool is_of_now = answer->trace.from.boot == PROVENANCE_THIS;
	struct incident *i = &t->reported;

	t->no_memory = answer->no_memory;
	t->n_devices = answer->trace.now.answer.n_candidates;
	t->is_other_memory = answer->is_other_memory;
	t->is_taken |= is_of_now && is_taken(r);
	t->doubt = r->doubt ? r->doubt : answer->trace.from.why;
	/* Nobody knows which one of several pages it is. */
	if (r->doubt || host_page(run->cli->host, r->granule_last) != page) {
		t->is_unproven = true;
		return;
	}
	if (answer->no_memory) {
		t->is_unproven = true;
		return;
	}
	t->reported_page = OPT_U64(page);
	t->reported_spa = r->spa;
	if (answer->memdev && answer->trace.now.answer.has_dpa)
		t->reported_dpa = OPT_U64(answer->trace.now.answer.dpa);
	if (!i->n_pages)
		i->pages[i->n_pages++] = (struct incident_page){0, page};
	else
		i->pages[0].spa = page;
	if (i->source == SOURCE_NONE)
		i->source = answer->trace.now.answer.source;
	/* Another host's report of the same page says nothing of this one's. */
	t->is_page_present |= is_of_now;
}

/* The page of a record is that of its device, if it is one of this host, and the text whole. */
static bool is_proven(const struct report_answer *answer)
{
	return answer->trace.from.host == PROVENANCE_THIS && answer->trace.now.event.answer.has_spa;
}

static int add_report(struct report_run *run, const struct report *r,
		      const struct report_answer *answer)
{
	struct triage_incident *t;
	struct stored_event ev;
	struct incident i;
	bool is_new;

	make_event(run, r, answer, &ev);
	identify(&ev, r, &i);
	t = take_same(run->ret, &i, &is_new);
	if (!t && run->ret->list.n == TRIAGE_REPORTED_MAX) {
		run->ret->n_left_out++;
		return 0;
	}
	if (!t)
		return -ENOMEM;
	if (is_new) {
		*t = (struct triage_incident){.reported = i,
					      .memdev = answer->memdev,
					      .below = answer->below,
					      .host = host_of(answer)};
		(void)component_id_text(&ev.record, t->component);
	}
	if (host_of(answer) == TRIAGE_THIS_HOST)
		t->host = TRIAGE_THIS_HOST;
	incident_add(&t->reported, &ev, OPT_U64(0));
	if (r->has_record)
		t->is_unproven |= answer->by == REPORT_BY_DPA && !is_proven(answer);
	else if (r->has_spa)
		add_page(run, t, r, answer);
	return 0;
}

/* Another device's link is no incident of CXL memory. */
static void leave_out(struct triage_reports *reports, const struct report *r)
{
	if (!reports->n_no_cxl++)
		(void)snprintf(reports->no_cxl, sizeof(reports->no_cxl), "%s", r->device);
}

/* Return: as report_fn. */
static int use_report(const struct report *r, void *arg)
{
	struct report_run *run = arg;
	struct report_answer answer;
	int result;

	if (cli_interrupted())
		return -EINTR;
	if (r->wrong.text[0]) {
		run->ret->n_malformed++;
		log_err("triage: line %zu: %s", r->line, r->wrong.text);
		return 0;
	}
	result = report_answer(run->mapping, run->cli->addresses.translator, r, run->cli->this_boot,
			       &run->cli->addresses.timeout, &answer);
	if (result < 0)
		return result;
	if (answer.no_cxl) {
		leave_out(run->ret, r);
		return 0;
	}
	run->ret->n++;
	return add_report(run, r, &answer);
}

static int compare_pages(const void *a, const void *b)
{
	const struct triage_page *x = a, *y = b;

	return (x->page > y->page) - (x->page < y->page);
}

static int finish_list(struct triage_reports *reports)
{
	for (size_t k = 0; k < reports->list.n; k++) {
		struct triage_incident *t = &reports->list.items[k];
		struct triage_page *page;

		t->incident = t->reported;
		if (!t->reported_page.present)
			continue;
		page = triage_pages_add(&reports->pages);
		if (!page)
			return -ENOMEM;
		*page = (struct triage_page){t->reported_page.value, k};
	}
	if (reports->pages.n > 1)
		qsort(reports->pages.items, reports->pages.n, sizeof(*reports->pages.items),
		      compare_pages);
	return 0;
}

int triage_read_reports(struct cli *cli, const struct memdev_ids *ids, struct trace_lines *lines,
			struct triage_reports *ret, struct error *e)
{
	struct report_run run = {.cli = cli, .ids = ids, .ret = ret};
	int r = event_mapping_new(cli->host, cli->addresses.translator, &run.mapping, e);

	if (r < 0)
		return r;
	ret->page_size = cli->host->page_size;
	cli_catch_interrupt();
	r = reports_read(lines, cli->host->page_size, use_report, &run);
	run.mapping = event_mapping_unref(run.mapping);
	if (r >= 0)
		r = finish_list(ret);
	return r < 0 ? error_set(e, -r, "%s", r == -EINTR ? "interrupted" : strerror(-r)) : 0;
}

/* ---- incidents of the log ---------------------------------------------------------------------
 */

/* Whether an incident of the log at the same page is about the memory there, as reports are. */
static bool is_about_memory(const struct incident *i)
{
	return i->kind == INCIDENT_MEDIA_UNCORRECTABLE || i->kind == INCIDENT_MEDIA_CORRECTED ||
	       i->kind == INCIDENT_POISON;
}

/* The one that is open is better, then the most urgent, or the newest of all that have ended. */
static bool is_better(const struct incident *before, const struct incident *logged)
{
	const bool is_open = incident_is_open(logged);

	if (!before->id || incident_is_open(before) != is_open)
		return !before->id || is_open;
	if (!is_open)
		return logged->id > before->id;
	return incident_urgency(logged, incident_act_foreseen(logged), before,
				incident_act_foreseen(before)) < 0;
}

struct logged {
	const struct incident *incident;
	const struct triage_log *log;
};

static void adopt(struct triage_incident *t, const struct logged *l, bool is_same)
{
	const struct incident *reported = &t->reported, *logged = l->incident;
	struct incident *i = &t->incident;

	if (t->host == TRIAGE_THIS_HOST && l->log->host == TRIAGE_OTHER_HOST)
		return;
	if (!is_better(i, logged))
		return;
	if (!incident_is_open(logged) && reported->severity > logged->severity) {
		i->previous = logged->id;
		return;
	}
	if (!is_same)
		t->memdev = NULL; /* other devices have parts of the page, too */
	*i = *logged;
	incident_combine(i, reported);
	t->age = l->log->age;
	t->age_is_now = l->log->age_is_now;
	/* The pages are those of the text. */
	if (is_same && reported->n_pages) {
		i->n_pages = reported->n_pages;
		i->more_pages = reported->more_pages;
		memcpy(i->pages, reported->pages, sizeof(i->pages));
	}
}

static void adopt_by_page(struct triage_reports *reports, const struct logged *l, uint64_t spa)
{
	const struct triage_pages *pages = &reports->pages;
	const uint64_t page = spa & ~(reports->page_size - 1);
	size_t at = ARRAY_LOWER_BOUND(pages, p, p->page < page);

	for (; spa != UINT64_MAX && at < pages->n && pages->items[at].page == page; at++)
		adopt(&reports->list.items[pages->items[at].item], l, false);
}

void triage_adopt(struct triage_reports *reports, const struct incident *logged,
		  const struct triage_log *log)
{
	const struct logged l = {logged, log};
	const size_t same = reports->slots[slot_of(reports, logged)];

	if (same)
		adopt(&reports->list.items[same - 1], &l, true);
	for (size_t k = 0; is_about_memory(logged) && k < logged->n_pages; k++)
		adopt_by_page(reports, &l, logged->pages[k].spa);
}

void triage_reports_done(struct triage_reports *reports)
{
	triage_pages_done(&reports->pages);
}
