// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The report of a self-test as text.
#include <inttypes.h>

#include "cli/event_list.h"
#include "cli/output.h"
#include "cli/verify_inject.h"

static bool trips_are_right(const struct inject_report *r)
{
	for (size_t i = 0; i < r->n_round_trips; i++)
		if (!r->round_trips[i].right)
			return false;
	return true;
}

bool inject_is_ok(const struct inject_report *r)
{
	/* A kernel without such records cannot disprove anything. */
	return !r->refused[0] && !r->cancelled && r->n_points > 0 && r->unanswered == 0 &&
	       r->summary.right == r->n_points && r->summary.disturbed == 0 && trips_are_right(r);
}

bool inject_is_failure(const struct judgement *v)
{
	return v->result != JUDGE_RIGHT && v->result != JUDGE_NOT_TRIED;
}

size_t inject_wrong_in_bit(const struct inject_report *r, unsigned int bit)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_points; i++)
		n += inject_is_failure(&r->judgements[i]) && r->judgements[i].bit == (int)bit;
	return n;
}

/* ---- what was tested --------------------------------------------------------------------------
 */

static void print_host(const struct inject_report *r)
{
	const struct machine_names *m = &r->host->machine;
	char time[EVENT_TIME_TEXT_MAX];

	out("%shost %s, Linux %s%s%s%s%s, cxl-redfish " PACKAGE_VERSION ", %s",
	    r->host->root->captured ? "captured " : "",
	    r->host->hostname ? r->host->hostname : "of unknown name",
	    r->host->kernel_release ? r->host->kernel_release : "of unknown release",
	    m->manufacturer || m->model ? ", " : "", m->manufacturer ? m->manufacturer : "",
	    m->manufacturer && m->model ? " " : "", m->model ? m->model : "",
	    event_time_text(OPT_U64(r->started_ns), time));
	out_end();
}

static void print_region(const struct inject_report *r)
{
	const struct plan_region *p = &r->plan;

	out_styled(STYLE_NAME, "%s", r->region->name);
	out(": SPA 0x%" PRIx64 "-0x%" PRIx64 ", %u-way interleaving at %u B, seed 0x%" PRIx64,
	    p->first, p->last, p->ways, p->granularity, p->seed);
	out_end();
	for (unsigned int i = 0; i < p->ways; i++) {
		const struct memdev *m = inject_memdev(r, i);

		out_indent(1);
		out("position %u: ", i);
		out_styled(STYLE_NAME, "%s", m->name);
		if (m->serial.present)
			out(", serial 0x%" PRIx64, m->serial.value);
		out(", DPA 0x%" PRIx64 "-0x%" PRIx64, p->devices[i].first, p->devices[i].last);
		out_end();
	}
	if (r->model)
		out("memory and devices: a model by the rules in %s, not those of the machine",
		    r->model);
	else
		out("memory: %s, past the caches of the CPU; devices: those of the machine",
		    r->memory);
	out_end();
}

static const char *source_words(enum answer_source source)
{
	static const char *const words[SOURCE_ESTIMATE + 1] = {
		[SOURCE_KERNEL] = "the kernel",
		[SOURCE_PRM] = "firmware's PRM handler",
		[SOURCE_RECORDED] = "recorded answers of a captured host's PRM handler",
		[SOURCE_EMULATED] = "an emulated PRM handler",
		[SOURCE_DECODER] = "arithmetic over the decoders",
	};

	return words[source] ? words[source] : "none";
}

static void print_answers(const struct inject_report *r)
{
	const char *separator = "";

	out("translations: %zu of %zu exact", r->n_points, r->n_samples);
	for (int s = SOURCE_NONE + 1; s <= SOURCE_ESTIMATE; s++) {
		if (!r->sources[s])
			continue;
		out("%s%zu by %s", separator[0] ? separator : ": ", r->sources[s],
		    source_words((enum answer_source)s));
		separator = ", ";
	}
	out_end();
	if (r->unanswered) {
		const struct plan_sample *s = &r->samples[r->first_unanswered].plan;

		out_indent(1);
		out("%s of 0x%" PRIx64 " has none: %s", s->by_dpa ? "DPA" : "SPA", s->address,
		    r->unanswered_reason);
		out_end();
	}
}

/* ---- the devices' answer ----------------------------------------------------------------------
 */

static void print_what_happened(const struct judgement *v)
{
	switch (v->result) {
	case JUDGE_ELSEWHERE:
		out("the device zeroed SPA 0x%" PRIx64
		    " instead; the first address bit that differs is bit %d (difference 0x%" PRIx64
		    ")",
		    v->found, v->bit, v->difference);
		break;
	case JUDGE_NOWHERE:
		if (v->searched_first <= v->searched_last)
			out("the device zeroed nothing from SPA 0x%" PRIx64 " to 0x%" PRIx64,
			    v->searched_first, v->searched_last);
		else
			out("the device zeroed none of the lines that were looked at");
		break;
	case JUDGE_SPREAD:
		out("the device zeroed other bytes than this line, from SPA 0x%" PRIx64 " on",
		    v->found);
		break;
	case JUDGE_DAMAGED:
		out("bytes changed to something else than zero, from SPA 0x%" PRIx64 " on",
		    v->found);
		break;
	default:
		out("%s", v->error);
		break;
	}
}

static void print_failure(const struct inject_report *r, size_t i)
{
	const struct judge_point *p = &r->points[i];

	out_indent(1);
	out_styled(STYLE_BAD, "%s", plan_kind_name(r->samples[r->sample_of[i]].plan.kind));
	out(": %s DPA 0x%" PRIx64 " should be SPA 0x%" PRIx64 ": ",
	    inject_memdev(r, p->position)->name, p->dpa, p->spa);
	print_what_happened(&r->judgements[i]);
	out_end();
}

/* The whole in a line or a few: a wrong rule is mostly wrong in the same bits everywhere. */
static void print_bits(const struct inject_report *r)
{
	for (unsigned int bit = 0; bit < 64; bit++) {
		const size_t n = inject_wrong_in_bit(r, bit);

		if (!n)
			continue;
		out_indent(1);
		out("first address bit that differs: bit %u in %zu of %zu", bit, n,
		    r->summary.wrong);
		out_end();
	}
}

static void print_failures(const struct inject_report *r)
{
	size_t shown = 0, n = r->summary.wrong + r->summary.failed;

	print_bits(r);
	for (size_t i = 0; i < r->n_points && shown < INJECT_FAILURES_PRINTED; i++) {
		if (!inject_is_failure(&r->judgements[i]))
			continue;
		shown++;
		print_failure(r, i);
	}
	if (shown < n) {
		out_indent(1);
		out("%zu more; --json has the first %d", n - shown, INJECT_FAILURES_SHOWN);
		out_end();
	}
}

static void print_markers(const struct inject_report *r)
{
	const struct judge_summary *s = &r->summary;

	out("markers: ");
	out_styled(s->right == r->n_points && !s->disturbed ? STYLE_GOOD : STYLE_BAD,
		   "%zu of %zu right", s->right, r->n_points);
	out(", %zu wrong, %zu failed", s->wrong, s->failed);
	out_end();
	print_failures(r);
	if (!s->disturbed)
		return;
	out_indent(1);
	out("%zu other line%s changed, the first at SPA 0x%" PRIx64, s->disturbed,
	    plural_s(s->disturbed), s->first_disturbed);
	if (s->has_alias)
		out(", which has what was written to SPA 0x%" PRIx64 ": both are the same memory",
		    s->alias);
	out_end();
}

/* ---- round trips ------------------------------------------------------------------------------
 */

static void print_trip(const struct inject_report *r, const struct inject_round_trip *t)
{
	out_indent(1);
	out("%s DPA 0x%" PRIx64 ": ", inject_memdev(r, t->point.position)->name, t->point.dpa);
	if (t->error[0])
		out("%s", t->error);
	else if (!t->has_back)
		out("the DPA 0x%" PRIx64 " of the record has no exact SPA", t->record.dpa);
	else
		out("the record has DPA 0x%" PRIx64 ", which is SPA 0x%" PRIx64 ", not 0x%" PRIx64,
		    t->record.dpa, t->back, t->point.spa);
	out_end();
}

static void print_round_trips(const struct inject_report *r)
{
	size_t right = 0, agree = 0, differ = 0;

	if (r->no_round_trips[0]) {
		out("round trip only: not made: %s", r->no_round_trips);
		out_end();
		return;
	}
	for (size_t i = 0; i < r->n_round_trips; i++) {
		const struct inject_round_trip *t = &r->round_trips[i];

		right += t->right;
		agree += opt_u64_is(t->record.hpa, t->point.spa);
		differ += t->record.hpa.present && t->record.hpa.value != t->point.spa;
	}
	out("round trip only: ");
	out_styled(right == r->n_round_trips ? STYLE_GOOD : STYLE_BAD, "%zu of %zu right", right,
		   r->n_round_trips);
	out(", from injected poison by the kernel's record back to the SPA; the kernel's own hpa agrees in %zu and differs in %zu",
	    agree, differ);
	out_end();
	for (size_t i = 0; i < r->n_round_trips; i++)
		if (!r->round_trips[i].right)
			print_trip(r, &r->round_trips[i]);
}

void inject_print_text(const struct inject_report *r)
{
	print_host(r);
	print_region(r);
	print_answers(r);
	print_markers(r);
	print_round_trips(r);
	out("result: ");
	if (r->cancelled)
		out_styled(STYLE_BAD, "interrupted, the rest was not tried");
	else
		out_styled(inject_is_ok(r) ? STYLE_GOOD : STYLE_BAD, "%s",
			   inject_is_ok(r) ? "all as expected" : "not as expected");
	out_end();
}
