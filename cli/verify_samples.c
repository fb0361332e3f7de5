// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The samples of a self-test, each translated as a user of cxl-spa would translate it.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"
#include "cli/verify_inject.h"
#include "common/cleanup.h"
#include "selftest/marker.h"

enum { PREFETCH_MAX = 4096 }; /* DPAs of one device at a time */

const struct memdev *inject_memdev(const struct inject_report *r, unsigned int position)
{
	return r->region->targets[position].memdev;
}

/* ---- firmware is asked in batches --------------------------------------------------------------
 */

static void prefetch(struct cli *cli, const struct inject_report *r)
{
	uint64_t dpas[PREFETCH_MAX];

	for (unsigned int p = 0; p < r->plan.ways; p++) {
		size_t n = 0;

		for (size_t i = 0; i < r->n_samples && n < PREFETCH_MAX; i++)
			if (r->samples[i].plan.by_dpa && r->samples[i].plan.position == p)
				dpas[n++] = r->samples[i].plan.address;
		translate_prefetch(cli->addresses.translator, inject_memdev(r, p), dpas, n,
				   &cli->addresses.timeout);
	}
}

/* ---- one answer -------------------------------------------------------------------------------
 */

static int ask(struct cli *cli, const struct memdev *m, uint64_t address, struct answer *ret)
{
	struct answers answers = {0};
	int r = m ? translate_dpa_wait(cli->addresses.translator, m, address, address,
				       &cli->addresses.timeout, &answers)
		  : translate_spa_wait(cli->addresses.translator, address, address,
				       &cli->addresses.timeout, &answers);

	if (r == 0)
		*ret = answers.items[0];
	answers_done(&answers);
	return r;
}

int inject_spa_of(struct cli *cli, const struct memdev *m, uint64_t dpa, uint64_t *ret)
{
	struct answer a;
	int r = ask(cli, m, dpa, &a);

	if (r < 0 || !a.exact || !a.has_spa)
		return r;
	*ret = a.spa;
	return 1;
}

/* Why an answer cannot be tried; NULL: it can. */
static const char *why_not(const struct inject_report *r, const struct answer *a,
			   const struct judge_point *p)
{
	const struct plan_region *plan = &r->plan;

	if (!a->exact || !a->has_spa || !a->has_dpa || !a->memdev)
		return a->reason[0] ? a->reason : "no translation source has an answer";
	if (a->has_alias)
		return "DRAM caches the memory (extended linear cache), so a program cannot see what the device has";
	if (a->mapping != r->region || p->position == plan->ways)
		return "the answer is of another region, or of a device that is not in this one";
	if (p->spa < plan->first || p->spa > plan->last)
		return "the SPA of the answer is outside of the memory that is tested";
	if (p->dpa < plan->devices[p->position].first || p->dpa > plan->devices[p->position].last)
		return "the DPA of the answer is outside of the share that the region has of the device";
	if (p->spa % MARKER_LINE || p->dpa % MARKER_LINE)
		return "the answer is not the first byte of a line";
	return NULL;
}

static unsigned int position_of(const struct inject_report *r, const struct memdev *m)
{
	unsigned int p = 0;

	while (p < r->plan.ways && inject_memdev(r, p) != m)
		p++;
	return p;
}

static int make_point(struct cli *cli, struct inject_report *r, size_t i)
{
	struct inject_sample *s = &r->samples[i];
	struct judge_point p;
	struct answer a;
	const char *why;

	if (ask(cli, s->plan.by_dpa ? inject_memdev(r, s->plan.position) : NULL, s->plan.address,
		&a) < 0)
		return -ENOMEM;
	p = (struct judge_point){.spa = a.spa, .dpa = a.dpa, .position = position_of(r, a.memdev)};
	why = why_not(r, &a, &p);
	if (why) {
		if (r->unanswered++ == 0) {
			r->first_unanswered = i;
			(void)snprintf(r->unanswered_reason, sizeof(r->unanswered_reason), "%s",
				       why);
		}
		return 0;
	}
	s->source = a.source;
	s->point = r->n_points;
	r->sources[a.source]++;
	r->points[r->n_points] = p;
	r->sample_of[r->n_points++] = i;
	return 0;
}

/* ---- all of them ------------------------------------------------------------------------------
 */

static int take_samples(struct inject_report *r)
{
	_cleanup_free_ struct plan_sample *plan = NULL;
	size_t n;

	if (plan_make(&r->plan, &plan, &n) < 0)
		return -ENOMEM;
	r->samples = calloc(n, sizeof(*r->samples));
	r->points = calloc(n, sizeof(*r->points));
	r->judgements = calloc(n, sizeof(*r->judgements));
	r->sample_of = calloc(n, sizeof(*r->sample_of));
	if (!r->samples || !r->points || !r->judgements || !r->sample_of)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		r->samples[i].plan = plan[i];
	r->n_samples = n;
	return 0;
}

int inject_make_points(struct cli *cli, struct inject_report *r)
{
	if (take_samples(r) < 0)
		return -ENOMEM;
	prefetch(cli, r);
	for (size_t i = 0; i < r->n_samples && !cli_interrupted(); i++) {
		cli_progress_step(i, 2 * r->n_samples);
		if (make_point(cli, r, i) < 0)
			return -ENOMEM;
	}
	r->cancelled = cli_interrupted();
	return 0;
}
