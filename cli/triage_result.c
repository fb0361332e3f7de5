// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The output of a run of cxl-spa triage, and its failure.
#include <stdlib.h>
#include <string.h>

#include "cli/event_store.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/triage_run.h"
#include "common/log.h"

static int compare_urgency(const void *a, const void *b)
{
	const struct triage_incident *x = a, *y = b;

	return incident_urgency(&x->incident, x->now.act, &y->incident, y->now.act);
}

void triage_sort(struct triage_list *list)
{
	if (list->n > 1)
		qsort(list->items, list->n, sizeof(*list->items), compare_urgency);
}

static void print_in_full(const struct triage_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		if (i)
			out_end();
		triage_print(&list->items[i]);
	}
}

int triage_print_result(struct triage_run *run, bool in_full)
{
	struct triage_list *list = &run->list;

	cli_progress_end();
	if (run->cli->json)
		return triage_print_json(list, event_store_is_recorded(run->cli));
	if (in_full && list->n && !(run->reports && list->n > 1)) {
		print_in_full(list);
		return 0;
	}
	triage_print_list(list);
	if (run->reports)
		return 0;
	triage_print_log_host(run->log.host);
	if (!event_store_is_recorded(run->cli))
		triage_print_unrecorded(run->cli->host_path != NULL);
	else if (!list->n)
		triage_print_nothing();
	return 0;
}

int triage_fail(const char *what, const struct error *e, int r)
{
	cli_progress_end();
	log_err("triage: %s%s", what, e->text[0] ? e->text : strerror(-r));
	return STATUS_ERROR;
}
