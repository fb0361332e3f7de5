// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/incident_now.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void add_page(struct incident_now *now, uint64_t page, uint64_t dpa)
{
	for (size_t k = 0; k < now->n_pages; k++)
		if (now->pages[k] == page)
			return;
	now->addresses[now->n_pages] = dpa;
	now->pages[now->n_pages++] = page;
}

/*
 * The mapping may be another one than when the errors happened. A device without a serial number of
 * its own may be another one, too: its addresses of now are not exact.
 */
static int find_pages(const struct incident *i, const struct host *host,
		      const struct translator *translator, const struct memdev_ids *ids,
		      struct firmware_timeout *timeout, struct incident_now *now)
{
	const bool is_identified = now->memdev && memdev_unique_serial(ids, now->memdev).present;
	bool any_interval = false;

	for (size_t k = 0; k < i->n_pages && now->memdev; k++) {
		const uint64_t dpa = i->pages[k].dpa;
		struct answers answers = {0};
		int r = timeout ? translate_dpa_wait(translator, now->memdev, dpa, dpa, timeout,
						     &answers)
				: translate_dpa(translator, now->memdev, dpa, dpa, &answers);

		if (r == 0 && answers.n == 1 && answers.items[0].exact && is_identified)
			add_page(now, host_page(host, answers.items[0].spa), dpa);
		if (r == 0 && answers.n == 1 && answers.items[0].has_spa) {
			any_interval |= !answers.items[0].exact || !is_identified;
			now->source = answers.items[0].source;
		}
		answers_done(&answers);
		if (r < 0)
			return r;
	}
	now->certainty = any_interval ? "interval" : now->n_pages ? "exact" : "unknown";
	return 0;
}

int incident_now(const struct incident *i, const struct host *host,
		 const struct translator *translator, const struct memdev_ids *ids,
		 struct firmware_timeout *timeout, struct incident_now *ret)
{
	struct incident_now now = {.memdev = memdev_by_id(ids, i->device),
				   .source = i->source,
				   .page_size = host->page_size,
				   .by_dpa = true,
				   .lost = i->kind != INCIDENT_MEDIA_CORRECTED};
	int r;

	now.place = incident_place_of(i, now.evidence);
	r = find_pages(i, host, translator, ids, timeout, &now);
	if (r < 0)
		return r;
	now.act = incident_act_of(i, now.place, now.n_pages > 0, &now.reason);
	*ret = now;
	return 0;
}

bool incident_now_has_page(const struct incident_now *now, uint64_t spa)
{
	const uint64_t page = spa & ~(now->page_size - 1);

	for (size_t k = 0; k < now->n_pages; k++)
		if (now->pages[k] == page)
			return true;
	return false;
}

/* The marks by which people find the device, and those that are missing. */
static const char *how_to_find(const struct memdev *m)
{
	static const char *const texts[2][2][2] = {
		{{"no slot, serial or part number is known: go by the PCI address",
		  "no slot or serial number is known: go by the PCI address"},
		 {"no slot or part number is known: its label has the serial number",
		  "no slot is known: its label has both numbers"}},
		{{"no serial or part number is known: go by the slot",
		  "no serial number is known: go by the slot"},
		 {"no part number is known: its label has the serial number",
		  "its label has both numbers"}},
	};
	const bool has_serial = m->serial.present && m->serial.value;

	return texts[m->slot || m->slot_label][has_serial][m->part_number != NULL];
}

__attribute__((format(printf, 2, 3))) static void add(char ret[static INCIDENT_ACT_TEXT_MAX],
						      const char *format, ...)
{
	const size_t n = strlen(ret);
	va_list ap;

	va_start(ap, format);
	(void)vsnprintf(ret + n, INCIDENT_ACT_TEXT_MAX - n, format, ap);
	va_end(ap);
}

/* The slot and the label of the device to take out. */
static void put_replace(const struct memdev *m, char ret[static INCIDENT_ACT_TEXT_MAX])
{
	(void)snprintf(ret, INCIDENT_ACT_TEXT_MAX, "%s (%.32s", incident_act_words(ACT_REPLACE),
		       m->bdf ? m->bdf : m->name);
	if (m->slot)
		add(ret, ", slot %.24s", m->slot);
	if (m->slot_label)
		add(ret, ", slot label %.48s", m->slot_label);
	if (m->locator)
		add(ret, ", locator %.48s", m->locator);
	if (m->serial.present && m->serial.value)
		add(ret, ", serial 0x%" PRIx64, m->serial.value);
	if (m->part_number)
		add(ret, ", part number %.48s", m->part_number);
	add(ret, "; %s", how_to_find(m));
	if (m->slot && m->slot_has_light)
		add(ret,
		    "; the light of its slot: LocationIndicatorActive by Redfish, or echo 2 >/sys/bus/pci/slots/%.24s/attention",
		    m->slot);
	add(ret, ")");
}

/* The page, and the command; soft, it would read what is lost, see docs/operations.md. */
static void put_offline(const struct incident_now *now, char ret[static INCIDENT_ACT_TEXT_MAX])
{
	const bool by_dpa = now->by_dpa && now->memdev;
	char page[32] = "its pages";
	int n;

	if (now->n_pages == 1)
		(void)snprintf(page, sizeof(page), "page 0x%" PRIx64, now->pages[0]);
	n = snprintf(ret, INCIDENT_ACT_TEXT_MAX,
		     "take %s out of use (cxl-spa page offline%s%s%.16s", page,
		     now->lost ? " --hard" : "", by_dpa ? " " : "",
		     by_dpa ? now->memdev->name : "");
	for (size_t k = 0; k < now->n_pages; k++)
		n += snprintf(ret + n, INCIDENT_ACT_TEXT_MAX - (size_t)n, " 0x%" PRIx64,
			      now->addresses[k]);
	(void)snprintf(ret + n, INCIDENT_ACT_TEXT_MAX - (size_t)n, ")");
}

/* The files of the kernel's driver, since Linux 6.16; not all kernels have it. */
static void put_repair(const struct memdev *m, char ret[static INCIDENT_ACT_TEXT_MAX])
{
	(void)snprintf(
		ret, INCIDENT_ACT_TEXT_MAX,
		"%s (/sys/bus/edac/devices/cxl_%.16s/mem_repair*, or without these the tool of the device's vendor)",
		incident_act_words(ACT_REPAIR), m->name);
}

const char *incident_act_text(const struct incident_now *now,
			      char ret[static INCIDENT_ACT_TEXT_MAX])
{
	if (now->act == ACT_OFFLINE_PAGE && now->n_pages > 0)
		put_offline(now, ret);
	else if (now->act == ACT_REPLACE && now->memdev)
		put_replace(now->memdev, ret);
	else if (now->act == ACT_REPAIR && now->memdev)
		put_repair(now->memdev, ret);
	else
		(void)snprintf(ret, INCIDENT_ACT_TEXT_MAX, "%s", incident_act_words(now->act));
	return ret;
}

struct words {
	const char *one, *many;
};

const char *incident_count_text(const struct incident *i, char ret[static INCIDENT_COUNT_TEXT_MAX])
{
	static const struct words words[INCIDENT_KINDS] = {
		[INCIDENT_MEDIA_UNCORRECTABLE] = {"uncorrectable media error",
						  "uncorrectable media errors"},
		[INCIDENT_MEDIA_CORRECTED] = {"corrected media error", "corrected media errors"},
		[INCIDENT_POISON] = {"report of poison", "reports of poison"},
		[INCIDENT_LINK] = {"link error", "link errors"},
		[INCIDENT_TEMPERATURE] = {"report of the temperature",
					  "reports of the temperature"},
		[INCIDENT_WEAR] = {"report of wear", "reports of wear"},
		[INCIDENT_CAPACITY] = {"report of the media's state",
				       "reports of the media's state"},
		[INCIDENT_MAINTENANCE] = {"request of maintenance", "requests of maintenance"},
		[INCIDENT_CONFIGURATION] = {"access that is not allowed",
					    "accesses that are not allowed"},
	};
	static const struct words unknown = {"media error of unknown severity",
					     "media errors of unknown severity"};
	static const struct words found = {"problem of the configuration",
					   "problems of the configuration"};
	const struct words *w = incident_is_loss_known(i) ? &words[i->kind] : &unknown;

	if (i->anchor.type == ANCHOR_FINDING && i->kind == INCIDENT_CONFIGURATION)
		w = &found;

	(void)snprintf(ret, INCIDENT_COUNT_TEXT_MAX, "%s%" PRIu64 " %s%s%s",
		       i->count_is_minimum ? "at least " : "", i->count,
		       i->fatal && i->count == 1 ? "fatal " : "", i->count == 1 ? w->one : w->many,
		       i->fatal && i->count != 1 ? " (at least one is fatal)" : "");
	return ret;
}

const char *incident_what_text(const struct incident *i, const struct incident_finding *finding,
			       char ret[static INCIDENT_WHAT_TEXT_MAX])
{
	char count[INCIDENT_COUNT_TEXT_MAX];

	if (!finding || !finding->text[0] || !incident_is_only_found(i))
		(void)snprintf(ret, INCIDENT_WHAT_TEXT_MAX, "%s", incident_count_text(i, count));
	else if (i->count > 1)
		(void)snprintf(ret, INCIDENT_WHAT_TEXT_MAX, "%s (%" PRIu64 " times)", finding->text,
			       i->count);
	else
		(void)snprintf(ret, INCIDENT_WHAT_TEXT_MAX, "%s", finding->text);
	return ret;
}
