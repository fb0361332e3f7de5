// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/refusal.h"

#include <stdio.h>
#include <string.h>

#include "cli/output.h"

enum { LINE_MAX_BYTES = 768 };

static void print_line(const char *text)
{
	out_indent(1);
	out_wrapped(text, 2, 2);
	out_end();
}

static void print_level(const struct refusal_level *l)
{
	char text[LINE_MAX_BYTES];

	if (l->agrees == REFUSAL_AGREES)
		(void)snprintf(text, sizeof(text), "%s agrees: %s", l->object, l->found);
	else
		(void)snprintf(text, sizeof(text), "%s %s: Linux expects %s; there is: %s",
			       l->object, l->agrees == REFUSAL_DIFFERS ? "differs" : "is not known",
			       l->expected, l->found);
	print_line(text);
}

static void print_kernel(const struct host *host, const char *line)
{
	char text[LINE_MAX_BYTES];

	if (line)
		(void)snprintf(text, sizeof(text), "the kernel's log says: %s", line);
	else if (host->kernel_log_absent)
		(void)snprintf(text, sizeof(text), "the kernel's log is not known: %s",
			       host->kernel_log_absent);
	else
		(void)snprintf(text, sizeof(text), "the kernel's log does not name it");
	print_line(text);
}

void refusal_text(const struct host *host, const struct refusal *r, const char *subject,
		  const char *advice)
{
	char text[LINE_MAX_BYTES];

	if (!r->n)
		return;
	out("what Linux expects, from the root down:");
	out_end();
	for (size_t i = 0; i < r->n; i++)
		print_level(&r->levels[i]);
	print_line(r->first_difference ? r->first_difference
				       : "no level differs, as far as is known");
	print_kernel(host, refusal_kernel_says(host, r, subject));
	(void)snprintf(text, sizeof(text), "way out: %s%s%s", refusal_way_out_name(r->way_out),
		       advice ? ": " : "", advice ? advice : "");
	print_line(text);
}

static void put_level(struct json_writer *w, const struct refusal_level *l)
{
	put_object(w, NULL);
	put_string(w, "object", l->object);
	put_string(w, "expected", l->expected);
	put_string(w, "found", l->found);
	put_opt_bool(w, "agrees",
		     (struct opt_bool){.present = l->agrees != REFUSAL_UNKNOWN,
				       .value = l->agrees == REFUSAL_AGREES});
	put_end(w);
}

void put_refusal(struct json_writer *w, const struct host *host, const struct refusal *r,
		 const char *subject, const char *advice)
{
	put_object(w, "refusal");
	put_array(w, "levels");
	for (size_t i = 0; i < r->n; i++)
		put_level(w, &r->levels[i]);
	put_end(w);
	put_string(w, "first_difference", r->first_difference);
	put_string(w, "kernel_says", refusal_kernel_says(host, r, subject));
	put_string(w, "kernel_log_absent", host->kernel_log_absent);
	put_object(w, "way_out");
	put_string(w, "kind", refusal_way_out_name(r->way_out));
	put_string(w, "text", advice);
	put_end(w);
	put_end(w);
}
