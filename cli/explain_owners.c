// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa explain START-END: who owns each part of a range.
#include "cli/explain_output.h"

#include <inttypes.h>

#include "cli/output.h"
#include "cli/progress.h"
#include "common/json_writer.h"
#include "common/names.h"

static size_t count_faults(const struct owners *owners)
{
	size_t n = 0;

	for (size_t i = 0; i < owners->n; i++)
		n += owners->items[i].is_fault;
	return n;
}

/* Ranges with problems are named by their addresses. */
static void owners_first_line(const struct owners *owners, const struct verdict *verdict,
			      struct verdict_line *ret)
{
	struct names names = {0};

	for (size_t i = 0; i < owners->n; i++)
		if (owners->items[i].is_fault)
			names_add(&names, "0x%" PRIx64 "-0x%" PRIx64, owners->items[i].first,
				  owners->items[i].last);
	verdict_line(verdict, count_faults(owners), "wrong owner", &names, ret);
}

/* ---- text -------------------------------------------------------------------------------------
 */

static const char *word_of(struct opt_bool value, const char *unknown)
{
	if (!value.present)
		return unknown;
	return value.value ? "yes" : "no";
}

static void print_line(const char *title, const char *text)
{
	out_indent(1);
	out("%s", title);
	out_wrapped(text, 2 + strlen(title), 2);
	out_end();
}

static void print_owner(const struct owner *o)
{
	char range[64];

	(void)snprintf(range, sizeof(range), "0x%" PRIx64 "-0x%" PRIx64, o->first, o->last);
	out_styled(STYLE_NAME, "%s", range);
	out_end();
	print_line(o->is_fault ? "problem: " : "", o->what);
	print_line("made by: ", o->made_by);
	print_line("usable by Linux: ", word_of(o->usable, "not known"));
	print_line("can be released: ",
		   word_of(o->releasable, o->usable.present && !o->release_reason
						  ? "nothing to release"
						  : "not known"));
	if (o->release_reason)
		print_line("because: ", o->release_reason);
	if (o->after_release)
		print_line("after release: ", o->after_release);
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

static void put_owner(struct json_writer *w, const struct owner *o)
{
	put_object(w, NULL);
	put_hex(w, "first", o->first);
	put_hex(w, "last", o->last);
	put_string(w, "what", o->what);
	put_string(w, "made_by", o->made_by);
	put_opt_bool(w, "usable", o->usable);
	put_opt_bool(w, "releasable", o->releasable);
	put_string(w, "after_release", o->after_release);
	if (o->release_reason)
		put_string(w, "release_reason", o->release_reason);
	put_end(w);
}

static int put_owners(const struct owners *owners, const char *subject,
		      const struct verdict_line *first)
{
	_cleanup_writer_ struct json_writer w = {.break_depth = 2, .absent_is_null = true};

	put_object(&w, NULL);
	explain_put_verdict(&w, subject, first, count_faults(owners));
	put_array(&w, "findings");
	put_end(&w);
	put_array(&w, "owners");
	for (size_t i = 0; i < owners->n; i++)
		put_owner(&w, &owners->items[i]);
	put_end(&w);
	put_end(&w);
	return out_json(&w);
}

int explain_print_owners(const struct owners *owners, const char *subject,
			 const struct verdict *verdict, const struct cli *cli)
{
	struct verdict_line first;
	int r = 0;

	cli_progress_end();
	owners_first_line(owners, verdict, &first);
	if (cli->json) {
		r = put_owners(owners, subject, &first);
	} else {
		out("%s", first.text);
		out_end();
		for (size_t i = 0; i < owners->n; i++)
			print_owner(&owners->items[i]);
	}
	return r >= 0 && cli->check && count_faults(owners) ? STATUS_PARTIAL : r;
}
