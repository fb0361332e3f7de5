// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/answer.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/answer_next.h"
#include "cli/output.h"
#include "events/event_extents.h"

/* By enum answer_source; SOURCE_NONE has no entry. */
static const char *const source_texts[] = {
	[SOURCE_KERNEL] = "kernel event",
	[SOURCE_PRM] = "firmware's PRM handler",
	[SOURCE_RECORDED] = "recorded answer of the PRM handler",
	[SOURCE_EMULATED] = "emulated PRM handler",
	[SOURCE_DECODER] = "decoder arithmetic",
	[SOURCE_ESTIMATE] = "estimate",
};

static const char *source_text(enum answer_source source)
{
	return (size_t)source < ARRAY_SIZE(source_texts) && source_texts[source]
		       ? source_texts[source]
		       : "no source";
}

static void print_source(const struct shown_answer *shown)
{
	const char *cedt = answer_cedt(shown);

	out(", %s", source_text(shown->answer->source));
	if (cedt)
		out(" by the CEDT in %s", cedt);
	out(")");
}

/* Prints ", " before all items but the first one. */
static void print_separator(bool *begun)
{
	if (*begun)
		out(", ");
	*begun = true;
}

static void print_range(const char *what, uint64_t first, uint64_t last)
{
	if (first == last)
		out("%s 0x%" PRIx64, what, first);
	else
		out("%s 0x%" PRIx64 "-0x%" PRIx64, what, first, last);
}

static void print_precision(const struct shown_answer *shown, uint64_t first, uint64_t last)
{
	char text[SIZE_TEXT_MAX];

	out("  (");
	if (shown->answer->exact)
		out_styled(STYLE_GOOD, "exact");
	else if (first == last)
		out("not exact");
	else if (last - first == UINT64_MAX)
		out("an interval of all addresses");
	else
		out("an interval of %s", size_text(OPT_U64(last - first + 1), text));
	print_source(shown);
}

static void print_page(const struct host *h, bool *begun, const struct answer *a)
{
	uint64_t first = host_page(h, a->spa), last = host_page(h, a->spa_last);

	print_separator(begun);
	if (first == last)
		out("page 0x%" PRIx64, first);
	else
		out("pages 0x%" PRIx64 " to 0x%" PRIx64, first, last);
}

/* The objects that map the address, as far as they are known. */
static void print_mapping(const struct shown_answer *shown, unsigned int indent)
{
	const struct host *h = shown->host;
	const struct answer *a = shown->answer;
	const bool is_long =
		shown->trace && event_length_is_unknown(&shown->trace->then.event.record);
	bool begun = false;

	out_indent(indent);
	if (a->mapping) {
		print_separator(&begun);
		out("%s", a->mapping->name);
		if (a->position.present)
			out(" position %d", a->position.value);
	}
	if (a->decoder) {
		print_separator(&begun);
		out("%s", a->decoder->name);
	}
	if (a->window) {
		print_separator(&begun);
		out("window %s", a->window->name);
	}
	if (a->has_spa && !is_long)
		print_page(h, &begun, a);
	if (a->has_alias) {
		print_separator(&begun);
		print_range("alias SPA", a->alias, a->alias_last);
	}
	if (a->numa_node.present) {
		print_separator(&begun);
		out("node %d", a->numa_node.value);
	}
	if (a->dax) {
		print_separator(&begun);
		out("%s", a->dax->name);
	}
	out_end();
}

static void print_by_dpa(const struct shown_answer *shown)
{
	const struct answer *a = shown->answer;

	out_styled(STYLE_NAME, "%s", a->memdev ? a->memdev->name : "?");
	print_range(" DPA", a->dpa, a->dpa_last);
	if (!a->has_spa) {
		out(" -> ");
		out_styled(STYLE_BAD, "no SPA");
		return;
	}
	print_range(" -> SPA", a->spa, a->spa_last);
	print_precision(shown, a->spa, a->spa_last);
}

static void print_by_spa(const struct shown_answer *shown)
{
	const struct answer *a = shown->answer;

	print_range("SPA", a->spa, a->spa_last);
	out(" -> ");
	if (a->memdev && a->has_dpa) {
		out_styled(STYLE_NAME, "%s", a->memdev->name);
		print_range(" DPA", a->dpa, a->dpa_last);
		print_precision(shown, a->dpa, a->dpa_last);
	} else if (a->n_candidates) {
		out("%s %zu memory devices  (%s)", a->spa == a->spa_last ? "one of" : "parts of",
		    a->n_candidates, source_text(a->source));
	} else {
		out_styled(STYLE_BAD, "no memory device");
	}
}

static void print_candidates(const struct answer *a)
{
	for (size_t i = 0; i < a->n_candidates; i++) {
		out_indent(2);
		out_styled(STYLE_NAME, "%s",
			   a->candidates[i].memdev ? a->candidates[i].memdev->name : "?");
		print_range(" DPA", a->candidates[i].dpa, a->candidates[i].dpa_last);
		out_end();
	}
}

void answer_text(const struct shown_answer *shown)
{
	const struct answer *a = shown->answer;
	const char *why = answer_reason(shown);

	if (shown->by_spa)
		print_by_spa(shown);
	else
		print_by_dpa(shown);
	out_end();
	if (shown->by_spa && !(a->memdev && a->has_dpa))
		print_candidates(a);
	if (a->mapping || a->window || a->decoder || (a->has_spa && !shown->by_spa))
		print_mapping(shown, 2);
	if (why) {
		out_indent(2);
		out("%s", why);
		out_end();
	}
}

/* ---- records of --trace -----------------------------------------------------------------------
 */

/* "this host, unknown boot, unknown kernel" */
static void print_provenance(const struct provenance *from)
{
	out("%s host, %s boot, %s kernel", provenance_name(from->host), provenance_name(from->boot),
	    provenance_name(from->kernel));
	if (from->why)
		out("; %s", from->why);
}

static void print_parts(const struct stored_event *ev)
{
	struct event_extent parts[EVENT_EXTENTS_MAX];
	const size_t n = event_extents(ev, parts);

	if (n <= 1 && !ev->answer.bytes_beyond)
		return;
	for (size_t i = 0; i < n; i++) {
		out_indent(3);
		out("DPA 0x%" PRIx64 "-0x%" PRIx64 " -> SPA 0x%" PRIx64 "-0x%" PRIx64 "  (%s)",
		    parts[i].dpa, parts[i].dpa_last, parts[i].spa, parts[i].spa_last,
		    parts[i].exact ? "exact" : "interval");
		out_end();
	}
	if (!ev->answer.bytes_beyond)
		return;
	out_indent(3);
	out("%" PRIu64 " byte%s of the record %s no address", ev->answer.bytes_beyond,
	    plural_s(ev->answer.bytes_beyond), ev->answer.bytes_beyond == 1 ? "has" : "have");
	out_end();
}

static void print_moment(const struct shown_answer *shown, const char *label,
			 const struct stored_event *ev)
{
	const struct answer *a = shown->answer;
	const char *why = answer_reason(shown);

	out_indent(2);
	out_styled(STYLE_NAME, "%s", label);
	if (a->has_spa) {
		print_range(" -> SPA", a->spa, a->spa_last);
		print_precision(shown, a->spa, a->spa_last);
	} else {
		out(" -> ");
		out_styled(STYLE_BAD, "no SPA");
	}
	out_end();
	if (a->mapping || a->window || a->decoder || a->has_spa)
		print_mapping(shown, 3);
	if (why) {
		out_indent(3);
		out("%s", why);
		out_end();
	}
	print_parts(ev);
}

static bool is_same(const struct event_answer *a, const struct event_answer *b)
{
	if (!a->exact || !b->exact || a->spa != b->spa || a->n_extents != b->n_extents)
		return false;
	for (size_t i = 0; i < a->n_extents; i++)
		if (a->extents[i].spa != b->extents[i].spa ||
		    a->extents[i].spa_last != b->extents[i].spa_last)
			return false;
	return true;
}

void answer_trace_text(const struct shown_answer *shown)
{
	const struct trace_answer *trace = shown->trace;
	struct shown_answer now = *shown;

	now.answer = &trace->now.answer;
	out_styled(STYLE_NAME, "%s", trace->then.event.record.memdev);
	print_range(" DPA", shown->answer->dpa, shown->answer->dpa_last);
	out("  (");
	print_provenance(&trace->from);
	out(")");
	out_end();
	if (is_same(&trace->then.event.answer, &trace->now.event.answer)) {
		print_moment(shown, "then and now", &trace->then.event);
	} else {
		print_moment(shown, "then", &trace->then.event);
		print_moment(&now, "now ", &trace->now.event);
	}
	answer_next_text(&now, &trace->now.event);
}
