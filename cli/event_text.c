// SPDX-License-Identifier: LGPL-2.1-or-later
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/event_list.h"
#include "cli/output.h"
#include "common/array.h"
#include "events/event_extents.h"
#include "events/event_strings.h"

const char *event_time_text(struct opt_u64 ns, char text[EVENT_TIME_TEXT_MAX])
{
	if (!ns.present)
		return "-";
	event_time(ns.value, text);
	return text;
}

static const struct {
	const char *name;
	enum style style;
} severities[] = {
	[EVENT_OK] = {"ok", STYLE_GOOD},
	[EVENT_WARNING] = {"warning", STYLE_PLAIN},
	[EVENT_CRITICAL] = {"critical", STYLE_BAD},
};

void event_text_heading(void)
{
	out_styled(STYLE_FAINT, "%-6s %-30s %-8s %-20s %-22s %s", "ENTRY", "TIME", "SEVERITY",
		   "TYPE", "DEVICE", "ADDRESS");
	out_end();
}

static void print_address(const struct stored_event *ev)
{
	const struct opt_u64 dpa = event_number(&ev->record, FIELD_DPA);
	const uint64_t length = event_number(&ev->record, FIELD_DPA_LENGTH).value;
	const uint64_t last = event_dpa_last(dpa.value, length);
	const struct event_answer *a = &ev->answer;

	if (!dpa.present)
		return;
	out(" DPA 0x%" PRIx64, dpa.value);
	if (last > dpa.value)
		out("-0x%" PRIx64, last);
	out(" -> ");
	if (!a->has_spa)
		out_styled(STYLE_BAD, "no SPA");
	else if (a->exact)
		out("SPA 0x%" PRIx64, a->spa);
	else
		out("SPA 0x%" PRIx64 "-0x%" PRIx64, a->spa, a->spa_last);
	if (a->has_spa)
		out(" (%s)", answer_source_name(a->source));
	if (a->n_extents > 1)
		out(" in %u extents", a->n_extents);
}

/* The objects at the address, on a line of their own. */
static void print_mapping(const struct event_answer *a)
{
	if (!a->region[0] && !a->numa_node.present && !a->dax[0])
		return;
	out_indent(4);
	if (a->region[0])
		out("%s", a->region);
	if (a->numa_node.present)
		out("%snode %d", a->region[0] ? ", " : "", a->numa_node.value);
	if (a->dax[0])
		out("%s%s", a->region[0] || a->numa_node.present ? ", " : "", a->dax);
	out_end();
}

/* The time of day if it is known, otherwise the time by the trace clock. */
static void print_time(const struct event_record *rec)
{
	char text[EVENT_TIME_TEXT_MAX];

	if (rec->wall_ns.present)
		out("%-30s ", event_time_text(rec->wall_ns, text));
	else
		out("%14" PRIu64 ".%09" PRIu64 " s     ", rec->time_ns / 1000000000,
		    rec->time_ns % 1000000000);
}

static void print_loss(const struct event_record *rec)
{
	if (rec->type == EVENT_UNREADABLE)
		out(" up to %" PRIu64 " entr%s of the log cannot be read: its file is damaged",
		    rec->lost.value, rec->lost.value == 1 ? "y" : "ies");
	if (rec->type != EVENT_LOST)
		return;
	if (rec->lost.present)
		out(" %" PRIu64 " record%s lost", rec->lost.value, plural_s(rec->lost.value));
	else
		out(" an unknown number of records lost");
	if (event_cpu(rec).present)
		out(" in the trace ring of CPU %u", rec->cpu);
	else
		out(" in the service's %s", rec->event);
}

/* The states of the device, with what to do. */
static void print_flags(const struct event_record *rec)
{
	const struct event_flag *flag;

	for (size_t i = 0; (flag = event_flag_at(i)); i++) {
		if (!(event_flags_of(rec) & flag->bit))
			continue;
		out_indent(4);
		out_styled(STYLE_BAD, "%s", flag->words);
		if (flag->advice)
			out(": %s", flag->advice);
		out_end();
	}
}

void event_text(const struct stored_event *ev)
{
	const struct event_record *rec = &ev->record;
	char number[24] = "-";

	if (ev->seq)
		(void)snprintf(number, sizeof(number), "%" PRIu64, ev->seq);
	out("%-6s ", number);
	print_time(rec);
	out_styled(severities[ev->severity].style, "%-8s", severities[ev->severity].name);
	out(" %-20s ", rec->type == EVENT_OTHER ? rec->event : event_type_name(rec->type));
	out_styled(STYLE_NAME, "%-22s", ev->device[0] ? ev->device : "-");
	print_address(ev);
	print_loss(rec);
	out_end();
	print_mapping(&ev->answer);
	print_flags(rec);
	if (ev->answer.reason[0]) {
		out_indent(4);
		out("%s", ev->answer.reason);
		out_end();
	}
}
