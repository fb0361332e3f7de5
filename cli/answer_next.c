// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/answer_next.h"

#include <inttypes.h>

#include "cli/output.h"
#include "events/event_advice.h"
#include "events/event_extents.h"

/* Prints the device; if it is no longer there, the record's description of it. */
static void print_device(const struct memdev *m, const struct event_record *rec)
{
	const char *bdf = m ? m->bdf : rec->host;
	const struct opt_u64 serial = m ? m->serial : event_number(rec, FIELD_SERIAL);

	if (!bdf || !bdf[0])
		return;
	out_indent(2);
	out("device %s", bdf);
	if (m && m->slot)
		out(", slot %s", m->slot);
	if (serial.present)
		out(", serial 0x%" PRIx64, serial.value);
	out_end();
}

/* Where offline blocks are not all known, none is taken to be online. */
static bool is_online_ram(const struct dax_device *dax, uint64_t first, uint64_t last)
{
	if (!dax || dax->mode != DAX_MODE_SYSTEM_RAM || dax->n_offline_more ||
	    !dax->online_blocks.present || dax->online_blocks.value == 0)
		return false;
	for (size_t i = 0; i < dax->n_offline; i++)
		if (first <= dax->offline[i].last && last >= dax->offline[i].first)
			return false;
	return true;
}

/*
 * Prints the command that takes memory of the kernel out of use while it can be read. Return:
 * whether there was something to print.
 */
static bool print_offlining(const struct shown_answer *shown, const struct stored_event *ev)
{
	struct event_page_range pages[EVENT_EXTENTS_MAX];
	struct event_extent extents[EVENT_EXTENTS_MAX];
	const uint64_t page_size = shown->host->page_size;
	uint64_t n_pages = 0;
	size_t n;

	if (!ev->answer.exact)
		return false;
	n = event_page_ranges(extents, event_extents(ev, extents), page_size, pages);
	for (size_t i = 0; i < n; i++) {
		if (!is_online_ram(shown->answer->dax, pages[i].first, pages[i].last))
			return false;
		n_pages += (pages[i].last - pages[i].first) / page_size + 1;
	}
	if (!n)
		return false;
	out("echo 0x%" PRIx64 " >/sys/devices/system/memory/soft_offline_page  (as root",
	    pages[0].first);
	if (n_pages == 2)
		out(", and likewise for the other page");
	else if (n_pages > 2)
		out(", and likewise for the other %" PRIu64 " pages", n_pages - 1);
	out(": the kernel moves what is in it elsewhere, and uses it no more)");
	return true;
}

static void begin_step(const char *word)
{
	out_indent(2);
	out_styled(STYLE_GOOD, "%s: ", word);
}

/* The sentences have two blanks between. */
static void print_advice(const char *advice)
{
	begin_step("next");
	for (; *advice; advice++)
		if (advice[0] != ' ' || advice[1] != ' ')
			out("%c", *advice);
	out_end();
}

void answer_next_text(const struct shown_answer *shown, const struct stored_event *ev)
{
	const struct answer *a = shown->answer;
	const enum provenance_of whose = shown->trace->from.host;
	char text[EVENT_ADVICE_MAX];
	bool retire;
	const char *advice = event_advice(&ev->record, text, &retire);

	if (!a->memdev || whose != PROVENANCE_THIS)
		advice = NULL;
	print_device(a->memdev, &ev->record);
	if (advice)
		print_advice(advice);
	begin_step(advice ? "then" : "next");
	if (!a->memdev)
		out("translate the record on its own host, or by --host ARCHIVE with a capture of that");
	else if (whose != PROVENANCE_THIS)
		out("find out whether the record is of this host; if it is of this boot, add --this-boot");
	else if (!a->mapping)
		out("cxl-spa explain %s  (what of the device is mapped)", a->memdev->name);
	else if (!retire || !print_offlining(shown, ev))
		out("cxl-spa explain %s  (how it is mapped, and who uses its memory)",
		    a->mapping->name);
	out_end();
}
