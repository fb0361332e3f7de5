// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/triage_report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "cli/progress.h"
#include "common/log.h"
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

/* A report that is no record says no more than its address and its severity. */
static void make_record(const struct report *r, const struct answer *now, struct event_record *ret)
{
	const bool lost = r->form == REPORT_MEMORY_FAILURE ||
			  r->form == REPORT_MEMORY_FAILURE_EVENT ||
			  (r->has_severity && r->severity == EVENT_CRITICAL);

	*ret = (struct event_record){.type = EVENT_GENERAL_MEDIA};
	if (r->form == REPORT_PCIE) {
		ret->type = lost ? EVENT_AER_UNCORRECTABLE : EVENT_AER_CORRECTABLE;
		(void)snprintf(ret->host, sizeof(ret->host), "%s", r->device);
		return;
	}
	set_number(ret, FIELD_DESCRIPTOR, lost ? EVENT_DESCRIPTOR_UNCORRECTABLE : 0);
	set_number(ret, FIELD_LOG, lost ? EVENT_LOG_FAILURE : EVENT_LOG_INFORMATIONAL);
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

static struct triage_incident *find_same(struct triage_list *list, const struct incident *i)
{
	for (size_t k = 0; k < list->n; k++)
		if (incident_compare(&list->items[k].incident, i) == 0)
			return &list->items[k];
	return NULL;
}

/* Component identifier, as bytes; "" where it is all zeros. */
static void read_component(const struct event_record *rec, char ret[static TRIAGE_COMPONENT_MAX])
{
	size_t len, used = 0;
	const uint8_t *bytes = event_bytes(rec, BYTES_COMP_ID, &len);

	bool any = false;

	ret[0] = '\0';
	for (size_t k = 0; bytes && k < len; k++)
		any |= bytes[k] != 0;
	for (size_t k = 0; any && k < len && used + 3 < TRIAGE_COMPONENT_MAX; k++)
		used += (size_t)snprintf(ret + used, TRIAGE_COMPONENT_MAX - used, "%02x", bytes[k]);
}

/* A report of a system address names the page itself, that of the boot which it is of. */
static void add_page(const struct report_run *run, struct triage_incident *t,
		     const struct report *r, const struct report_answer *answer)
{
	struct incident *i = &t->incident;
	const uint64_t page = host_page(run->cli->host, r->spa);

	t->reported_page = page;
	if (!i->n_pages)
		i->pages[i->n_pages++] = (struct incident_page){0, page};
	else
		i->pages[0].spa = page;
	t->is_page_present = answer->trace.from.boot == PROVENANCE_THIS;
}

static int add_report(struct report_run *run, const struct report *r,
		      const struct report_answer *answer)
{
	struct triage_incident *t;
	struct stored_event ev;
	struct incident i;

	make_event(run, r, answer, &ev);
	identify(&ev, r, &i);
	t = find_same(&run->ret->list, &i);
	if (!t && run->ret->list.n == TRIAGE_REPORTED_MAX) {
		run->ret->n_left_out++;
		return 0;
	}
	if (!t) {
		t = triage_list_add(&run->ret->list);
		if (!t)
			return -ENOMEM;
		*t = (struct triage_incident){
			.incident = i, .memdev = answer->memdev, .host = host_of(answer)};
		read_component(&ev.record, t->component);
	}
	incident_add(&t->incident, &ev, OPT_U64(0));
	if (r->has_spa && !r->has_record && !r->doubt)
		add_page(run, t, r, answer);
	return 0;
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
	run->ret->n++;
	result = report_answer(run->mapping, run->cli->translator, r, run->cli->this_boot,
			       &run->cli->timeout, &answer);
	return result < 0 ? result : add_report(run, r, &answer);
}

int triage_read_reports(struct cli *cli, const struct memdev_ids *ids, struct trace_lines *lines,
			struct triage_reports *ret, struct error *e)
{
	struct report_run run = {.cli = cli, .ids = ids, .ret = ret};
	int r = event_mapping_new(cli->host, cli->translator, &run.mapping, e);

	if (r < 0)
		return r;
	cli_catch_interrupt();
	r = reports_read(lines, cli->host->page_size, use_report, &run);
	run.mapping = event_mapping_unref(run.mapping);
	for (size_t k = 0; k < ret->list.n && r >= 0; k++)
		r = triage_look(cli, ids, &ret->list.items[k]);
	return r < 0 ? error_set(e, -r, "%s", r == -EINTR ? "interrupted" : strerror(-r)) : 0;
}

static bool has_page(const struct incident *i, uint64_t page)
{
	for (size_t k = 0; k < i->n_pages; k++)
		if (i->pages[k].spa == page)
			return true;
	return false;
}

void triage_adopt(struct triage_incident *t, const struct incident *logged, uint64_t age)
{
	const bool is_same = incident_compare(&t->incident, logged) == 0;
	struct incident i = *logged;

	if (!is_same && !(t->reported_page && has_page(logged, t->reported_page)))
		return;
	if (t->incident.id && !incident_is_open(logged))
		return;
	if (!is_same)
		t->memdev = NULL; /* other devices have parts of the page, too */
	/* The pages are those of the text. */
	if (is_same && t->incident.n_pages) {
		i.n_pages = t->incident.n_pages;
		i.more_pages = t->incident.more_pages;
		memcpy(i.pages, t->incident.pages, sizeof(i.pages));
	}
	t->incident = i;
	t->age = age;
}
