// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The weaker check of a self-test: from a DPA to the kernel's record of it, and back to its SPA.
#include <errno.h>
#include <stdio.h>

#include "cli/progress.h"
#include "cli/verify_inject.h"

/* Return: whether another trip may be made; -ENOMEM. */
static int make_trip(struct cli *cli, const struct round_trip_bench *b, struct inject_report *r,
		     const struct judge_point *p)
{
	struct inject_round_trip *t = &r->round_trips[r->n_round_trips++];
	const struct memdev *m = inject_memdev(r, p->position);
	const struct round_trip_line line = {
		.memdev = m->name, .region = r->region->name, .dpa = p->dpa, .spa = p->spa};
	enum round_trip_end end;
	struct error e = {0};
	int back;

	*t = (struct inject_round_trip){.point = *p};
	end = round_trip_make(b, &line, &t->record, &e);
	if (end != ROUND_TRIP_MADE) {
		(void)snprintf(t->error, sizeof(t->error), "%s", e.text);
		if (end != ROUND_TRIP_FAILED)
			r->ended_by = t->error;
		return end == ROUND_TRIP_FAILED;
	}
	back = inject_spa_of(cli, m, t->record.dpa, &t->back);
	t->has_back = back > 0;
	t->right = t->record.dpa == p->dpa && t->has_back && t->back == p->spa;
	return back < 0 ? back : 1;
}

int inject_make_trips(struct cli *cli, const struct round_trip_bench *b, struct inject_report *r)
{
	const size_t n = r->n_points < INJECT_ROUND_TRIPS ? r->n_points : INJECT_ROUND_TRIPS;
	int more = 1;

	for (size_t i = 0; i < n && more > 0 && !cli_interrupted(); i++)
		more = make_trip(cli, b, r, &r->points[i * r->n_points / n]);
	r->cancelled = cli_interrupted();
	return more < 0 ? more : 0;
}

int inject_round_trips(struct cli *cli, const struct round_trip_bench *b, struct inject_report *r)
{
	struct error e = {0};
	int result;

	if (round_trip_begin(&e) < 0) {
		(void)snprintf(r->no_round_trips, sizeof(r->no_round_trips), "%s", e.text);
		return 0;
	}
	result = inject_make_trips(cli, b, r);
	round_trip_end();
	return result;
}
