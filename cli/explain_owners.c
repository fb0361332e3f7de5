// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa explain START-END: who owns each part of a range.
#include "cli/explain_output.h"

#include <inttypes.h>

#include "cli/output.h"
#include "cli/progress.h"
#include "common/json_writer.h"
#include "common/strutil.h"

static size_t count_faults(const struct owners *owners)
{
	size_t n = 0;

	for (size_t i = 0; i < owners->n; i++)
		n += owners->items[i].is_fault;
	return n;
}

static void owners_verdict(const struct owners *owners, char text[static 64])
{
	const size_t n = count_faults(owners);

	if (n)
		(void)snprintf(text, 64, "%zu problem%s in %zu range%s", n, plural_s(n), owners->n,
			       plural_s(owners->n));
	else
		(void)snprintf(text, 64, "%zu range%s, no problem found", owners->n,
			       plural_s(owners->n));
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
		   word_of(o->releasable, o->usable.present ? "nothing to release" : "not known"));
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
	put_end(w);
}

static int put_owners(const struct owners *owners, const char *subject, const char *verdict)
{
	_cleanup_writer_ struct json_writer w = {.break_depth = 2, .absent_is_null = true};

	put_object(&w, NULL);
	put_string(&w, "subject", subject);
	put_string(&w, "verdict", verdict);
	put_opt_number(&w, "problems", OPT_U64(count_faults(owners)));
	put_array(&w, "findings");
	put_end(&w);
	put_array(&w, "owners");
	for (size_t i = 0; i < owners->n; i++)
		put_owner(&w, &owners->items[i]);
	put_end(&w);
	put_end(&w);
	return out_json(&w);
}

int explain_print_owners(const struct owners *owners, const char *subject, const struct cli *cli)
{
	char verdict[64];
	int r = 0;

	cli_progress_end();
	owners_verdict(owners, verdict);
	if (cli->json) {
		r = put_owners(owners, subject, verdict);
	} else {
		out("%s", verdict);
		out_end();
		for (size_t i = 0; i < owners->n; i++)
			print_owner(&owners->items[i]);
	}
	return r >= 0 && cli->check && count_faults(owners) ? STATUS_PARTIAL : r;
}
