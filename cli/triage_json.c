// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/event_list.h"
#include "cli/output.h"
#include "cli/triage_incident.h"

static void put_pages(struct json_writer *w, const struct triage_incident *t)
{
	const struct incident *i = &t->incident;

	put_array(w, "pages_now");
	for (size_t k = 0; k < t->now.n_pages; k++)
		put_hex(w, NULL, t->now.pages[k]);
	put_end(w);
	put_array(w, "pages_then");
	for (size_t k = 0; k < i->n_pages; k++)
		if (i->pages[k].spa != UINT64_MAX)
			put_hex(w, NULL, i->pages[k].spa);
	put_end(w);
}

static void put_times(struct json_writer *w, const struct triage_incident *t)
{
	const struct incident *i = &t->incident;
	const struct incident_rate rate = incident_rate(i, t->age);

	event_put_time(w, "first", (struct opt_u64){i->first_ns, i->first_ns != 0});
	event_put_time(w, "last", (struct opt_u64){i->last_ns, i->last_ns != 0});
	put_object(w, "rate");
	put_number(w, "h1", rate.h1);
	put_number(w, "h24", rate.h24);
	put_number(w, "d7", rate.d7);
	put_end(w);
}

static void put_finding(struct json_writer *w, const struct triage_incident *t)
{
	const struct incident_finding *f = &t->finding;

	if (!f->code[0]) {
		put_null(w, "finding");
		return;
	}
	put_object(w, "finding");
	put_string(w, "code", f->code);
	put_string(w, "object", f->object);
	put_string(w, "text", f->text);
	put_string(w, "next", f->next[0] ? f->next : NULL);
	put_end(w);
}

static void put_incident(struct json_writer *w, const struct triage_incident *t)
{
	const struct incident *i = &t->incident;

	put_object(w, NULL);
	put_opt_number(w, "id", (struct opt_u64){i->id, i->id != 0});
	put_string(w, "device", i->device[0] ? i->device : NULL);
	put_string(w, "memdev", t->now.memdev ? t->now.memdev->name : NULL);
	put_string(w, "host", triage_pci_host(t)[0] ? triage_pci_host(t) : NULL);
	put_opt_hex(w, "serial", (struct opt_u64){i->serial, i->serial != 0});
	put_string(w, "slot", t->now.memdev ? t->now.memdev->slot : NULL);
	if (t->host == TRIAGE_UNKNOWN_HOST || t->no_memory)
		put_null(w, "this_host");
	else
		put_bool(w, "this_host", t->host == TRIAGE_THIS_HOST);
	put_string(w, "kind", incident_kind_name(i->kind));
	put_string(w, "place", incident_place_name(t->now.place));
	put_string(w, "place_evidence", t->now.evidence);
	put_string(w, "component", t->component[0] ? t->component : NULL);
	put_string(w, "state", incident_state_name(i->state));
	put_string(w, "severity", event_severity_word(i->severity));
	put_number(w, "count", i->count);
	put_bool(w, "count_is_minimum", i->count_is_minimum);
	put_times(w, t);
	put_pages(w, t);
	put_array(w, "entries");
	for (size_t k = 0; k < t->entries.n; k++)
		put_number(w, NULL, t->entries.items[k]);
	put_end(w);
	put_opt_number(w, "previous", (struct opt_u64){i->previous, i->previous != 0});
	put_string(w, "act", incident_act_name(t->now.act));
	put_string(w, "act_reason", t->now.reason);
	put_finding(w, t);
	put_string(w, "certainty", t->now.certainty);
	put_string(w, "source", answer_source_name(t->now.source));
	put_end(w);
}

int triage_print_json(const struct triage_list *list, bool is_recorded)
{
	struct json_writer w = {.absent_is_null = true, .break_depth = 2};
	int r;

	put_object(&w, NULL);
	put_bool(&w, "recorded", is_recorded);
	put_array(&w, "incidents");
	for (size_t i = 0; i < list->n; i++)
		put_incident(&w, &list->items[i]);
	put_end(&w);
	put_end(&w);
	r = out_json(&w);
	json_writer_done(&w);
	return r;
}
