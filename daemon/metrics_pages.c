// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Families about pages that are to stay out of use.
#include "daemon/metrics_scrape.h"

struct page_family {
	struct metrics_scrape *x;
	const struct metric_family *f;
};

/* A device whose name is changed in a label could be two samples with the same labels. */
static void put_tally(void *userdata, const struct page_tally *tally)
{
	const struct page_family *p = userdata;
	struct metric_labels labels = {0};

	if (!metric_value_is_plain(tally->device))
		return;
	metric_label(&labels, "device", tally->device);
	for (uint32_t i = 0; i < REMEMBERED_STATES; i++)
		metric_sample_with(&p->x->out, p->f, &labels, "outcome", remembered_state_name(i),
				   (double)tally->n[i]);
}

static void put_offlined(struct metrics_scrape *x, const struct metric_family *f)
{
	struct page_family p = {x, f};

	if (x->keeper)
		page_keeper_each_tally(x->keeper, put_tally, &p);
}

static const struct metric_family page_rows[] = {
	{"cxl_pages_offlined", METRIC_GAUGE, "device,outcome",
	 "Pages of memory that are to stay out of use, by the outcome of the last attempt.",
	 .put = put_offlined},
};

const struct metric_families metric_page_families = METRIC_FAMILIES(page_rows);
