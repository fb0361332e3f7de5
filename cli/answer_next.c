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
 * How the kernel takes a page out of use. Soft: it reads what is in it (soft_offline_page() of
 * mm/memory-failure.c), which a machine check ends where the device cannot correct it.
 */
struct offlining {
	const char *file, *result;
};

/* Return: NULL where it is not known whether the page can be read, or it is in order. */
static const struct offlining *find_offlining(const struct event_record *rec)
{
	static const struct offlining soft = {
		"soft_offline_page",
		"the kernel moves what is in it elsewhere, and uses it no more"};
	static const struct offlining hard = {
		"hard_offline_page",
		"the kernel ends the processes that use it, and uses it no more; what is in it is lost"};
	const struct opt_u64 descriptor = event_number(rec, FIELD_DESCRIPTOR);

	switch (event_type_now(rec)) {
	case EVENT_POISON:
		return event_number(rec, FIELD_TRACE_TYPE).present ? &hard : NULL;
	case EVENT_GENERAL_MEDIA:
	case EVENT_DRAM:
		if (!descriptor.present)
			return NULL;
		return descriptor.value & EVENT_DESCRIPTOR_UNCORRECTABLE ? &hard : &soft;
	default:
		return NULL;
	}
}

/* Prints the commands that take memory of the kernel offline. Return: whether there was something
 * to print. */
static bool print_offlining(const struct shown_answer *shown, const struct stored_event *ev)
{
	const struct offlining *way = find_offlining(&ev->record);
	struct event_page_range pages[EVENT_EXTENTS_MAX];
	struct event_extent extents[EVENT_EXTENTS_MAX];
	const uint64_t page_size = shown->host->page_size;
	uint64_t n_pages = 0;
	size_t n;

	if (!ev->answer.exact || !way)
		return false;
	n = event_page_ranges(extents, event_extents(ev, extents), page_size, pages);
	for (size_t i = 0; i < n; i++) {
		if (!is_online_ram(shown->answer->dax, pages[i].first, pages[i].last))
			return false;
		n_pages += (pages[i].last - pages[i].first) / page_size + 1;
	}
	if (!n)
		return false;
	out("echo 0x%" PRIx64 " >/sys/devices/system/memory/%s  (as root", pages[0].first,
	    way->file);
	if (n_pages == 2)
		out(", and likewise for the other page");
	else if (n_pages > 2)
		out(", and likewise for the other %" PRIu64 " pages", n_pages - 1);
	out(": %s)", way->result);
	return true;
}

void answer_next_text(const struct shown_answer *shown, const struct stored_event *ev)
{
	const struct answer *a = shown->answer;
	const enum provenance_of whose = shown->trace->from.host;

	print_device(a->memdev, &ev->record);
	out_indent(2);
	out_styled(STYLE_GOOD, "next: ");
	if (!a->memdev)
		out("translate the record on its own host, or by --host ARCHIVE with a capture of that");
	else if (whose != PROVENANCE_THIS)
		out("find out whether the record is of this host; if it is of this boot, add --this-boot");
	else if (!a->region)
		out("cxl-spa explain %s  (what of the device is mapped)", a->memdev->name);
	else if (!print_offlining(shown, ev))
		out("cxl-spa explain %s  (how it is mapped, and who uses its memory)",
		    a->region->name);
	out_end();
}
