// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/answer.h"

#include "cli/cli.h"
#include "cli/event_list.h"
#include "events/event_extents.h"

const char *answer_reason(const struct shown_answer *shown)
{
	if (shown->malformed)
		return shown->malformed;
	return answer_why(shown->answer, shown->host, shown->by_spa, shown->is_range);
}

const char *answer_cedt(const struct shown_answer *shown)
{
	return shown->answer->source == SOURCE_DECODER ? shown->host->tables[HOST_TABLE_CEDT].from
						       : NULL;
}

static struct opt_u64 opt_u64_if(bool present, uint64_t value)
{
	return (struct opt_u64){.value = present ? value : 0, .present = present};
}

static void answer_put_candidates(struct json_writer *w, const struct answer *a)
{
	put_array(w, "candidates");
	for (size_t i = 0; i < a->n_candidates; i++) {
		const struct answer_candidate *c = &a->candidates[i];

		put_object(w, NULL);
		put_string(w, "memdev", c->memdev ? c->memdev->name : NULL);
		put_opt_hex(w, "dpa", OPT_U64(c->dpa));
		put_opt_hex(w, "dpa_last", OPT_U64(c->dpa_last));
		put_end(w);
	}
	put_end(w);
}

/* The address and what maps it. */
static void answer_put_address(struct json_writer *w, const struct shown_answer *shown)
{
	const struct answer *a = shown->answer;
	const bool has_spa = a->has_spa || (shown->by_spa && !shown->malformed);

	put_opt_hex(w, "spa", opt_u64_if(has_spa, a->spa));
	put_opt_hex(w, "spa_last", opt_u64_if(has_spa, a->spa_last));
	event_json_alias(w, a->has_alias, a->alias, a->alias_last);
	put_bool(w, "exact", a->exact);
	put_string(w, "source", answer_source_name(a->source));
	put_string(w, "mapping", answer_mapping_name(a));
	put_string(w, "region", a->region ? a->region->name : NULL);
	put_string(w, "decoder", a->decoder ? a->decoder->name : NULL);
	put_opt_int(w, "position", a->position);
	put_string(w, "window", a->window ? a->window->name : NULL);
	put_opt_int(w, "numa_node", a->numa_node);
	put_string(w, "dax", a->dax ? a->dax->name : NULL);
	put_string(w, "reason", answer_reason(shown));
	if (answer_cedt(shown))
		put_string(w, "cedt", answer_cedt(shown));
}

static void put_extents(struct json_writer *w, const struct shown_answer *shown,
			const struct stored_event *ev)
{
	uint64_t alias, alias_last;

	if (ev->answer.n_extents > 1 || ev->answer.bytes_beyond ||
	    event_alias_span(&ev->answer, &alias, &alias_last) ||
	    event_length_is_unknown(&ev->record))
		event_json_extents(w, ev, shown->host->page_size);
}

/* The same keys for the present mapping; and whose the record is. */
static void answer_put_trace(struct json_writer *w, const struct shown_answer *shown)
{
	const struct trace_answer *trace = shown->trace;
	struct shown_answer now = *shown;

	if (!trace || !trace->now.answer.has_spa) {
		put_null(w, "now");
	} else {
		now.answer = &trace->now.answer;
		put_object(w, "now");
		answer_put_address(w, &now);
		put_extents(w, shown, &trace->now.event);
		put_end(w);
	}
	if (!trace) {
		put_null(w, "provenance");
		return;
	}
	put_object(w, "provenance");
	put_string(w, "host", provenance_name(trace->from.host));
	put_string(w, "boot", provenance_name(trace->from.boot));
	put_string(w, "kernel", provenance_name(trace->from.kernel));
	put_end(w);
}

void answer_json(struct json_writer *w, const struct shown_answer *shown)
{
	const struct answer *a = shown->answer;
	const struct memdev *m = a->memdev;
	const bool has_dpa = a->has_dpa || (!shown->by_spa && !shown->malformed);

	put_object(w, NULL);
	put_string(w, "memdev", m ? m->name : NULL);
	put_opt_hex(w, "serial", m ? m->serial : (struct opt_u64){0});
	put_opt_hex(w, "dpa", opt_u64_if(has_dpa, a->dpa));
	answer_put_address(w, shown);
	if (shown->by_spa || shown->is_range)
		put_opt_hex(w, "dpa_last", opt_u64_if(has_dpa, a->dpa_last));
	if (shown->by_spa)
		answer_put_candidates(w, a);
	if (shown->trace)
		put_extents(w, shown, &shown->trace->then.event);
	if (shown->line) {
		answer_put_trace(w, shown);
		put_number(w, "line", shown->line);
	}
	put_end(w);
}

void answer_json_malformed(struct json_writer *w, const char *reason, bool by_spa, size_t line)
{
	static const struct answer none;
	const struct shown_answer shown = {
		.answer = &none, .by_spa = by_spa, .line = line, .malformed = reason};

	answer_json(w, &shown);
}
