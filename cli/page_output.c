// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/page.h"

#include <inttypes.h>

#include "cli/event_list.h"
#include "cli/output.h"
#include "common/json_writer.h"

static struct opt_u64 moment_ns(const struct page_facts *f)
{
	return f->moment_ms.present ? OPT_U64(f->moment_ms.value * 1000000)
				    : (struct opt_u64){.present = false};
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

static void put_block(struct json_writer *w, const struct page_facts *f)
{
	if (f->block.present)
		put_format(w, "block", "memory%" PRIu64, f->block.value);
	else
		put_null(w, "block");
	put_string(w, "state",
		   !f->block_online.present ? NULL
		   : f->block_online.value  ? "online"
					    : "offline");
	put_string(w, "zone", f->zone);
	put_opt_int(w, "numa_node", f->numa_node);
}

static void put_use(struct json_writer *w, const struct page_facts *f)
{
	char text[PAGE_CONSEQUENCE_MAX];

	put_string(w, "kind", frame_kind_name(f->kind));
	put_string(w, "cgroup", f->cgroup_state == PAGE_CGROUP_KNOWN ? f->cgroup : NULL);
	put_string(w, "consequence",
		   f->consequence == CONSEQUENCE_NOT_KNOWN ? NULL
							   : page_consequence_text(f, true, text));
	event_put_time(w, "moment", moment_ns(f));
}

static void put_page(struct json_writer *w, const struct page_item *p)
{
	const struct page_facts *f = &p->facts;

	put_object(w, NULL);
	put_string(w, "memdev", f->memdev[0] ? f->memdev : NULL);
	put_opt_hex(w, "serial", f->serial);
	put_opt_hex(w, "dpa", f->dpa);
	put_opt_hex(w, "spa", f->spa);
	put_opt_hex(w, "pfn", f->pfn);
	put_opt_hex(w, "alias_pfn", f->alias_pfn);
	put_block(w, f);
	put_use(w, f);
	put_string(w, "outcome", p->acted ? page_outcome_name(p->result.outcome) : NULL);
	put_string(w, "reason", p->reason);
	if (p->incident)
		put_number(w, "incident", p->incident);
	else
		put_null(w, "incident");
	put_end(w);
}

static int put_pages(const struct page_item *items, size_t n)
{
	_cleanup_writer_ struct json_writer w = {.break_depth = 1, .absent_is_null = true};

	put_array(&w, NULL);
	for (size_t i = 0; i < n; i++)
		put_page(&w, &items[i]);
	put_end(&w);
	return out_json(&w);
}

/* ---- text -------------------------------------------------------------------------------------
 */

static void print_address(const struct page_item *p)
{
	const struct page_facts *f = &p->facts;

	if (f->memdev[0] && f->dpa.present)
		out_styled(STYLE_NAME, "%s DPA 0x%" PRIx64, f->memdev, f->dpa.value);
	else
		out_styled(STYLE_NAME, p->is_frame ? "pfn:0x%" PRIx64 : "0x%" PRIx64, p->address);
	if (f->spa.present)
		out(": SPA 0x%" PRIx64 ", page pfn:0x%" PRIx64, f->spa.value, f->pfn.value);
	if (f->alias_pfn.present)
		out(", cached as pfn:0x%" PRIx64, f->alias_pfn.value);
	out_end();
}

static void print_block(const struct page_facts *f)
{
	if (!f->block.present)
		return;
	out_indent(1);
	out("memory%" PRIu64 " is %s", f->block.value,
	    f->block_online.value ? "online" : "offline");
	if (f->zone)
		out(", zone %s", f->zone);
	if (f->numa_node.present)
		out(", NUMA node %d", f->numa_node.value);
	out_end();
}

static void print_cgroup(const struct page_facts *f)
{
	switch (f->cgroup_state) {
	case PAGE_CGROUP_KNOWN:
		out(" of ");
		write_plain(stdout, f->cgroup);
		break;
	case PAGE_CGROUP_GONE:
		out(" of a cgroup that no longer exists");
		break;
	case PAGE_CGROUP_NOT_FOUND:
		out(" of a cgroup that is not among the first %d", PAGE_CGROUP_DIRECTORIES_MAX);
		break;
	case PAGE_CGROUP_NONE:
	case PAGE_CGROUP_UNKNOWN:
		break;
	}
}

static void print_use(const struct page_facts *f)
{
	char text[PAGE_CONSEQUENCE_MAX], time[EVENT_TIME_TEXT_MAX];

	if (f->consequence == CONSEQUENCE_NOT_KNOWN)
		return;
	out_indent(1);
	out("kind %s", frame_kind_name(f->kind));
	print_cgroup(f);
	if (f->moment_ms.present)
		out(", at %s", event_time_text(moment_ns(f), time));
	out_end();
	out_indent(1);
	out("an uncorrectable access there: ");
	write_plain(stdout, page_consequence_text(f, f->kind != FRAME_DEVICE_DAX, text));
	out_end();
}

static void print_incident(const struct page_item *p)
{
	if (!p->incident)
		return;
	out_indent(1);
	out("incident %" PRIu64 ": cxl-spa triage %" PRIu64, p->incident, p->incident);
	out_end();
}

static void print_page(const struct page_item *p)
{
	print_address(p);
	if (p->acted) {
		out_indent(1);
		out_styled(p->result.error ? STYLE_BAD : STYLE_GOOD, "%s",
			   page_outcome_name(p->result.outcome));
		out_end();
	}
	if (!p->acted || p->result.error) {
		print_block(&p->facts);
		print_use(&p->facts);
	}
	print_incident(p);
	if (p->reason) {
		out_indent(1);
		out_wrapped(p->reason, 2, 1);
		out_end();
	}
}

int cli_pages_print(const struct cli *cli, const struct page_item *items, size_t n)
{
	if (cli->json)
		return put_pages(items, n);
	for (size_t i = 0; i < n; i++)
		print_page(&items[i]);
	return 0;
}
