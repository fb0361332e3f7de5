// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/triage_incident.h"

#include <stdio.h>

#include "cli/event_store.h"

/* A report that names a system address names the page itself, if it is of this boot. */
static void use_reported_page(struct triage_incident *t)
{
	struct incident_now *now = &t->now;

	now->n_pages = 0;
	if (t->is_page_present)
		now->pages[now->n_pages++] = t->reported_page.value;
	now->source = t->incident.source;
}

int triage_look(struct cli *cli, const struct memdev_ids *ids, struct triage_incident *t)
{
	struct incident named = t->incident;
	struct incident_now *now = &t->now;
	int r;

	t->is_recorded = event_store_is_recorded(cli);
	if (t->memdev)
		(void)snprintf(named.device, sizeof(named.device), "%s", memdev_id(ids, t->memdev));
	r = incident_now(&named, cli->host, cli->translator, ids, &cli->timeout, now);
	if (t->incident.found)
		now->finding = &t->finding;
	if (r < 0 || (!t->reported_page.present && !t->is_unproven))
		return r;
	if (t->is_unproven)
		now->n_pages = 0;
	else
		use_reported_page(t);
	now->certainty = now->n_pages ? "exact" : "unknown";
	now->act = incident_act_of(&t->incident, now->place, now->n_pages > 0, &now->reason);
	return r;
}

const char *triage_pci_host(const struct triage_incident *t)
{
	const struct memdev *m = t->now.memdev;

	return m && m->bdf ? m->bdf : t->incident.host;
}
