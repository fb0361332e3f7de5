// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The report of a self-test as JSON: cli/schemas/cxl-spa.verify-inject.json.
#include "cli/event_list.h"
#include "cli/output.h"
#include "cli/verify_inject.h"

static void put_host(struct json_writer *w, const struct inject_report *r)
{
	put_object(w, "host");
	put_string(w, "name", r->host->hostname);
	put_string(w, "kernel", r->host->kernel_release);
	put_string(w, "manufacturer", r->host->machine.manufacturer);
	put_string(w, "model", r->host->machine.model);
	put_string(w, "bios_version", r->host->machine.bios_version);
	put_bool(w, "captured", r->host->root->captured);
	put_end(w);
}

static void put_device(struct json_writer *w, const struct inject_report *r, unsigned int position)
{
	const struct memdev *m = inject_memdev(r, position);

	put_object(w, NULL);
	put_number(w, "position", position);
	put_string(w, "memdev", m->name);
	put_opt_hex(w, "serial", m->serial);
	put_string(w, "bdf", m->bdf);
	put_string(w, "firmware_version", m->firmware_version);
	put_hex(w, "dpa", r->plan.devices[position].first);
	put_hex(w, "dpa_last", r->plan.devices[position].last);
	put_end(w);
}

static void put_region(struct json_writer *w, const struct inject_report *r)
{
	const struct region *region = r->region;

	put_object(w, "region");
	put_string(w, "name", region->name);
	put_string(w, "window", region->root ? region->root->name : NULL);
	put_opt_hex(w, "start", region->resource);
	put_opt_number(w, "size", region->size);
	put_opt_number(w, "ways", region->ways);
	put_opt_number(w, "granularity", region->granularity);
	put_array(w, "devices");
	/* None of a region that is refused: they may not be known. */
	for (unsigned int i = 0; i < r->plan.ways; i++)
		put_device(w, r, i);
	put_end(w);
	put_end(w);
}

static void put_translations(struct json_writer *w, const struct inject_report *r)
{
	put_object(w, "translations");
	put_number(w, "samples", r->n_samples);
	put_number(w, "exact", r->n_points);
	put_array(w, "sources");
	for (int s = SOURCE_NONE + 1; s <= SOURCE_ESTIMATE; s++) {
		if (!r->sources[s])
			continue;
		put_object(w, NULL);
		put_string(w, "source", answer_source_name((enum answer_source)s));
		put_number(w, "samples", r->sources[s]);
		put_end(w);
	}
	put_end(w);
	if (r->unanswered) {
		const struct plan_sample *s = &r->samples[r->first_unanswered].plan;

		put_object(w, "first_unanswered");
		put_string(w, "sample", plan_kind_name(s->kind));
		put_string(w, "memdev", s->by_dpa ? inject_memdev(r, s->position)->name : NULL);
		put_hex(w, "address", s->address);
		put_string(w, "reason", r->unanswered_reason);
		put_end(w);
	} else {
		put_null(w, "first_unanswered");
	}
	put_end(w);
}

static void put_failure(struct json_writer *w, const struct inject_report *r, size_t i)
{
	const struct judge_point *p = &r->points[i];
	const struct judgement *v = &r->judgements[i];
	const bool found = v->result == JUDGE_ELSEWHERE || v->result == JUDGE_SPREAD ||
			   v->result == JUDGE_DAMAGED;
	const bool searched = v->searched_first <= v->searched_last;

	put_object(w, NULL);
	put_string(w, "sample", plan_kind_name(r->samples[r->sample_of[i]].plan.kind));
	put_string(w, "source", answer_source_name(r->samples[r->sample_of[i]].source));
	put_string(w, "memdev", inject_memdev(r, p->position)->name);
	put_number(w, "position", p->position);
	put_hex(w, "dpa", p->dpa);
	put_hex(w, "spa", p->spa);
	put_string(w, "result", judge_result_name(v->result));
	put_opt_hex(w, "found", found ? OPT_U64(v->found) : (struct opt_u64){0});
	put_opt_hex(w, "difference", found ? OPT_U64(v->difference) : (struct opt_u64){0});
	put_opt_number(w, "first_differing_bit",
		       found && v->bit >= 0 ? OPT_U64((uint64_t)v->bit) : (struct opt_u64){0});
	put_opt_hex(w, "searched_spa", searched ? OPT_U64(v->searched_first) : (struct opt_u64){0});
	put_opt_hex(w, "searched_spa_last",
		    searched ? OPT_U64(v->searched_last) : (struct opt_u64){0});
	put_string(w, "error", v->error[0] ? v->error : NULL);
	put_end(w);
}

static void put_bits(struct json_writer *w, const struct inject_report *r)
{
	put_array(w, "bits");
	for (unsigned int bit = 0; bit < 64; bit++) {
		const size_t n = inject_wrong_in_bit(r, bit);

		if (!n)
			continue;
		put_object(w, NULL);
		put_number(w, "first_differing_bit", bit);
		put_number(w, "lines", n);
		put_end(w);
	}
	put_end(w);
}

static void put_markers(struct json_writer *w, const struct inject_report *r)
{
	const struct judge_summary *s = &r->summary;
	size_t shown = 0;

	put_object(w, "markers");
	put_number(w, "tried", s->right + s->wrong + s->failed);
	put_number(w, "right", s->right);
	put_number(w, "wrong", s->wrong);
	put_number(w, "failed", s->failed);
	put_number(w, "disturbed", s->disturbed);
	put_opt_hex(w, "first_disturbed",
		    s->disturbed ? OPT_U64(s->first_disturbed) : (struct opt_u64){0});
	put_opt_hex(w, "same_memory_as", s->has_alias ? OPT_U64(s->alias) : (struct opt_u64){0});
	put_bits(w, r);
	put_array(w, "failures");
	for (size_t i = 0; i < r->n_points && shown < INJECT_FAILURES_SHOWN; i++) {
		if (!inject_is_failure(&r->judgements[i]))
			continue;
		shown++;
		put_failure(w, r, i);
	}
	put_end(w);
	put_end(w);
}

static void put_trip(struct json_writer *w, const struct inject_report *r,
		     const struct inject_round_trip *t)
{
	const bool has_record = !t->error[0];

	put_object(w, NULL);
	put_string(w, "memdev", inject_memdev(r, t->point.position)->name);
	put_hex(w, "dpa", t->point.dpa);
	put_hex(w, "spa", t->point.spa);
	put_opt_hex(w, "record_dpa", has_record ? OPT_U64(t->record.dpa) : (struct opt_u64){0});
	put_opt_hex(w, "record_hpa", t->record.hpa);
	put_opt_hex(w, "back", t->has_back ? OPT_U64(t->back) : (struct opt_u64){0});
	put_bool(w, "right", t->right);
	put_string(w, "error", t->error[0] ? t->error : NULL);
	put_end(w);
}

static void put_round_trips(struct json_writer *w, const struct inject_report *r)
{
	put_object(w, "round_trip_only");
	put_string(w, "not_made", r->no_round_trips[0] ? r->no_round_trips : NULL);
	put_array(w, "trips");
	for (size_t i = 0; i < r->n_round_trips; i++)
		put_trip(w, r, &r->round_trips[i]);
	put_end(w);
	put_end(w);
}

int inject_print_json(const struct inject_report *r)
{
	_cleanup_writer_ struct json_writer w = {.break_depth = 2, .absent_is_null = true};
	const char *side = r->model ? "model" : "machine";

	put_object(&w, NULL);
	put_string(&w, "version", PACKAGE_VERSION);
	event_put_time(&w, "started", OPT_U64(r->started_ns));
	put_bool(&w, "as_expected", inject_is_ok(r));
	put_bool(&w, "interrupted", r->cancelled);
	put_string(&w, "refused", r->refused[0] ? r->refused : NULL);
	put_string(&w, "memory", side);
	put_string(&w, "devices", side);
	put_string(&w, "dax", r->model || !r->memory[0] ? NULL : r->memory);
	put_hex(&w, "seed", r->plan.seed);
	put_hex(&w, "spa", r->plan.first);
	put_hex(&w, "spa_last", r->plan.last);
	put_host(&w, r);
	put_region(&w, r);
	put_translations(&w, r);
	put_markers(&w, r);
	put_round_trips(&w, r);
	put_end(&w);
	return out_json(&w);
}
