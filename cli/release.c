// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/release.h"

#include <inttypes.h>

#include "cli/output.h"

/* ---- text -------------------------------------------------------------------------------------
 */

static void print_bytes(const char *what, struct opt_u64 bytes)
{
	char text[SIZE_TEXT_MAX];

	if (!bytes.present)
		return;
	out_indent(1);
	out("%s: %s", what, size_text(bytes, text));
	out_end();
}

static void print_holder(const struct memory_holder *h)
{
	out_indent(1);
	if (h->pid)
		out("held by process %" PRIu32 " (%s)", h->pid, h->name);
	else
		out("held by %s", h->name);
	out_end();
}

void release_text(const struct release *r)
{
	static const char *const answers[] = {"yes", "no", "not known"};

	out("can it be released? ");
	out_styled(r->verdict == RELEASE_NO ? STYLE_BAD : STYLE_GOOD, "%s", answers[r->verdict]);
	out_end();
	print_bytes("online", r->online);
	print_bytes("movable", r->movable);
	print_bytes("pinned by the kernel", r->pinned);
	for (size_t i = 0; i < r->n_holders; i++)
		print_holder(&r->holders[i]);
	for (size_t i = 0; i < r->n_reasons; i++) {
		out_indent(1);
		out_wrapped(r->reasons[i], 2, 2);
		out_end();
	}
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

static void put_holder(struct json_writer *w, const struct memory_holder *h)
{
	put_object(w, NULL);
	put_opt_number(w, "pid", h->pid ? OPT_U64(h->pid) : (struct opt_u64){0});
	put_string(w, "name", h->name);
	put_end(w);
}

static void put_block(struct json_writer *w, const struct memory_block *b)
{
	const bool counted = b->error == 0;
	char name[RELEASE_BLOCK_NAME];

	put_object(w, NULL);
	put_string(w, "name", memory_block_name(b, name));
	put_string(w, "zone", b->zone);
	put_opt_number(
		w, "unmovable_pages",
		(struct opt_u64){.present = counted, .value = block_pages_unmovable(&b->pages)});
	for (size_t i = 0; i < PAGE_KINDS; i++) {
		static const char *const keys[PAGE_KINDS] = {
			"slab_pages",	 "page_table_pages", "reserved_pages", "other_pages",
			"unclear_pages", "movable_pages",    "free_pages"};

		put_opt_number(w, keys[i],
			       (struct opt_u64){.present = counted, .value = b->pages.n[i]});
	}
	put_end(w);
}

void put_release(struct json_writer *w, const char *key, const struct release *r)
{
	put_object(w, key);
	put_string(w, "verdict", release_verdict_name(r->verdict));
	put_opt_number(w, "online_bytes", r->online);
	put_opt_number(w, "movable_bytes", r->movable);
	put_opt_number(w, "pinned_bytes", r->pinned);
	put_array(w, "blocks");
	for (size_t i = 0; i < r->n_blocks; i++)
		put_block(w, &r->blocks[i]);
	put_end(w);
	put_array(w, "holders");
	for (size_t i = 0; i < r->n_holders; i++)
		put_holder(w, &r->holders[i]);
	put_end(w);
	put_array(w, "reasons");
	for (size_t i = 0; i < r->n_reasons; i++)
		put_string(w, NULL, r->reasons[i]);
	put_end(w);
	put_end(w);
}
