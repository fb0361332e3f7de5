// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/triage_incident.h"

#include <stdio.h>

#include "cli/event_store.h"
#include "pages/page_flags.h"
#include "sysfs/page_use.h"

/* A report that names a system address names the page itself, if it is of this boot. */
static void use_reported_page(struct triage_incident *t)
{
	struct incident_now *now = &t->now;

	now->n_pages = 0;
	if (t->is_page_present)
		now->pages[now->n_pages++] = t->reported_page.value;
	now->source = t->incident.source;
	now->by_dpa = t->reported_dpa.present && t->memdev && now->memdev == t->memdev;
	now->addresses[0] = now->by_dpa ? t->reported_dpa.value : t->reported_spa;
}

static void look_at_report(struct triage_incident *t)
{
	struct incident_now *now = &t->now;

	if (t->is_unproven)
		now->n_pages = 0;
	else
		use_reported_page(t);
	now->certainty = now->n_pages ? "exact" : "unknown";
	now->act = incident_act_of(&t->incident, now->place, now->n_pages > 0, &now->reason);
}

/* Return: whether the kernel of this machine uses the page no more, as far as root can see it. */
static bool is_out(const struct cli *cli, uint64_t page)
{
	struct page_use use;

	return !cli->host_path && page_use_get(cli->root, page / cli->host->page_size, &use) == 0 &&
	       use.flags & PAGE_FLAG_HWPOISON;
}

static bool are_all_out(const struct cli *cli, const struct incident_now *now)
{
	for (size_t k = 0; k < now->n_pages; k++)
		if (!is_out(cli, now->pages[k]))
			return false;
	return now->n_pages > 0;
}

/* No page is taken out twice, and none that cxl-spa page would refuse. */
static void check_offlining(const struct cli *cli, struct triage_incident *t)
{
	struct incident_now *now = &t->now;

	if (now->act != ACT_OFFLINE_PAGE)
		return;
	if (t->is_other_memory) {
		now->act = ACT_WATCH;
		now->reason =
			"The page is no CXL memory; the kernel, or rasdaemon, takes such pages out of use.";
	} else if (t->is_taken || are_all_out(cli, now)) {
		now->act = ACT_WATCH;
		now->reason =
			"Its page is out of use already, until the next restart; cxl-spa page list shows whether cxl-redfishd takes it out again then.";
	}
}

/*
 * The device that an incident is about. A slot of another machine, or a serial number that is not
 * unique, names a device there: one of that name here is another one.
 */
static const char *device_of(const struct memdev_ids *ids, const struct triage_incident *t)
{
	const struct memdev *here = memdev_by_id(ids, t->incident.device);

	if (t->memdev)
		return memdev_id(ids, t->memdev);
	if (t->is_of_log && t->host != TRIAGE_THIS_HOST && here &&
	    !memdev_unique_serial(ids, here).present)
		return "";
	return t->incident.device;
}

int triage_look(struct cli *cli, const struct memdev_ids *ids, struct triage_incident *t)
{
	struct incident named = t->incident;
	struct incident_now *now = &t->now;
	int r;

	t->is_recorded = event_store_is_recorded(cli);
	(void)snprintf(named.device, sizeof(named.device), "%s", device_of(ids, t));
	r = incident_now(&named, cli->host, cli->addresses.translator, ids, &cli->addresses.timeout,
			 now);
	if (r < 0)
		return r;
	if (t->incident.found)
		now->finding = &t->finding;
	if (t->reported_page.present || t->is_unproven)
		look_at_report(t);
	check_offlining(cli, t);
	return 0;
}

const char *triage_pci_host(const struct triage_incident *t)
{
	const struct memdev *m = t->now.memdev;

	return m && m->bdf ? m->bdf : t->incident.host;
}
