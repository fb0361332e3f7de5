// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/triage_incident.h"

#include "common/strutil.h"

static const struct memdev *find_device(const struct host *host, const struct memdev_ids *ids,
					const char *device)
{
	for (size_t i = 0; i < host->n_memdevs; i++)
		if (str_equal(memdev_id(ids, host->memdevs[i]), device))
			return host->memdevs[i];
	return NULL;
}

static void add_page_now(struct triage_incident *t, uint64_t page)
{
	for (size_t k = 0; k < t->n_pages_now; k++)
		if (t->pages_now[k] == page)
			return;
	t->pages_now[t->n_pages_now++] = page;
}

/* The mapping may be another one than when the errors happened. */
static int find_pages_now(struct cli *cli, struct triage_incident *t)
{
	const struct incident *i = &t->incident;
	bool any_interval = false;

	t->n_pages_now = 0;
	if (t->reported_page && t->is_page_present)
		add_page_now(t, t->reported_page);
	for (size_t k = 0; k < i->n_pages && t->memdev && !t->reported_page; k++) {
		struct answers answers = {0};
		int r = translate_dpa_wait(cli->translator, t->memdev, i->pages[k].dpa,
					   i->pages[k].dpa, &cli->timeout, &answers);

		if (r == 0 && answers.n == 1 && answers.items[0].exact)
			add_page_now(t, host_page(cli->host, answers.items[0].spa));
		if (r == 0 && answers.n == 1 && answers.items[0].has_spa) {
			any_interval |= !answers.items[0].exact;
			t->source = answers.items[0].source;
		}
		answers_done(&answers);
		if (r < 0)
			return r;
	}
	t->certainty = any_interval ? "interval" : t->n_pages_now ? "exact" : "unknown";
	return 0;
}

int triage_look(struct cli *cli, const struct memdev_ids *ids, struct triage_incident *t)
{
	int r;

	if (!t->memdev && t->incident.device[0])
		t->memdev = find_device(cli->host, ids, t->incident.device);
	t->place = incident_place_of(&t->incident, t->evidence);
	t->source = t->incident.source;
	r = find_pages_now(cli, t);
	if (r < 0)
		return r;
	t->act = incident_act_of(&t->incident, t->place, t->n_pages_now > 0, &t->reason);
	return 0;
}
