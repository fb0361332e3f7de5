// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/explain_output.h"

#include <errno.h>
#include <string.h>

#include "common/array.h"
#include "common/json_writer.h"
#include "common/names.h"
#include "common/strutil.h"
#include "cli/output.h"
#include "cli/pager.h"
#include "cli/progress.h"
#include "cli/verdict.h"
#include "model/finding_text.h"

/* A finding and its sentence, which belongs to the arena of the findings. */
struct line {
	const struct finding *finding;
	const char *text;
};

DEFINE_ARRAY(struct line, lines);

/* Return: 0 or -ENOMEM. */
static int explain_make_lines(struct findings *f, struct lines *ret)
{
	char text[FINDING_TEXT_MAX];

	ARRAY_FOREACH(finding, &f->list) {
		struct line *line = lines_add(ret);

		if (!line)
			return -ENOMEM;
		line->finding = finding;
		line->text = arena_strdup(f->arena, finding_sentence(finding, text));
		if (!line->text)
			return -ENOMEM;
	}
	return 0;
}

/* ---- the verdict ------------------------------------------------------------------------------
 */

static bool line_is_problem(const struct line *line)
{
	return finding_level(line->finding->code) == FINDING_PROBLEM;
}

static size_t explain_count_problems(struct lines *lines)
{
	size_t n = 0;

	ARRAY_FOREACH(line, lines)
		n += line_is_problem(line);
	return n;
}

/* Each object with problems is named once. */
static void explain_first_line(struct lines *lines, const struct verdict *verdict,
			       struct verdict_line *ret)
{
	struct names names = {0};
	const char *last = NULL;

	ARRAY_FOREACH(line, lines) {
		/* The findings of an object follow each other. */
		if (!line_is_problem(line) || str_equal(line->finding->object, last))
			continue;
		last = line->finding->object;
		names_add(&names, "%s", last);
	}
	verdict_line(verdict, explain_count_problems(lines), "problem", &names, ret);
}

/* ---- text -------------------------------------------------------------------------------------
 */

/* The findings of one object that follow each other. */
struct block {
	const struct line *first;
	size_t n;
	bool printed;
};

DEFINE_ARRAY(struct block, blocks);

static bool explain_blocks_equal(const struct block *a, const struct block *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->first[i].finding->code != b->first[i].finding->code ||
		    !str_equal(a->first[i].text, b->first[i].text))
			return false;
	return true;
}

/* Return: 0 or -ENOMEM. */
static int explain_make_blocks(struct lines *lines, struct blocks *ret)
{
	struct block *b = NULL;

	ARRAY_FOREACH(line, lines) {
		if (!b || !str_equal(b->first->finding->object, line->finding->object)) {
			b = blocks_add(ret);
			if (!b)
				return -ENOMEM;
			*b = (struct block){.first = line};
		}
		b->n++;
	}
	return 0;
}

/* Commands are not divided, so that they can be copied. */
static void explain_print_commands(const char *text)
{
	while ((text = strchr(text, '\n'))) {
		text++;
		out_indent(4);
		out("%.*s", (int)strcspn(text, "\n"), text);
		out_end();
	}
}

/* @follows: an advice that continues the one before it */
static void explain_print_line(const struct line *line, bool follows)
{
	static const char *const titles[] = {
		[FINDING_FACT] = "", [FINDING_PROBLEM] = "problem: ", [FINDING_ADVICE] = "next: "};
	enum finding_level level = finding_level(line->finding->code);
	const char *title = follows ? "then: " : titles[level];
	char sentence[FINDING_TEXT_MAX];

	(void)snprintf(sentence, sizeof(sentence), "%.*s", (int)strcspn(line->text, "\n"),
		       line->text);
	out_indent(1);
	out_styled(level == FINDING_PROBLEM ? STYLE_BAD : STYLE_GOOD, "%s", title);
	out_wrapped(sentence, 2 + strlen(title), 2);
	out_end();
	explain_print_commands(line->text);
}

static bool line_is_advice(const struct line *line)
{
	return finding_level(line->finding->code) == FINDING_ADVICE;
}

/* Prints a name of a heading, at @column. Return: the column behind it. */
static size_t explain_print_name(const char *name, size_t column)
{
	size_t len = strlen(name);

	if (column && column + 3 + len > out_columns()) {
		out(",");
		out_end();
		column = 0;
	} else if (column) {
		out(", ");
		column += 2;
	}
	out_styled(STYLE_NAME, "%s", name);
	return column + len;
}

/* Prints block @i under the names of all objects with the same findings. */
static void explain_print_block(struct blocks *blocks, size_t i)
{
	struct block *b = &blocks->items[i];
	size_t column = explain_print_name(b->first->finding->object, 0);

	for (size_t k = i + 1; k < blocks->n; k++) {
		if (blocks->items[k].printed || !explain_blocks_equal(b, &blocks->items[k]))
			continue;
		column = explain_print_name(blocks->items[k].first->finding->object, column);
		blocks->items[k].printed = true;
	}
	out_end();
	for (size_t k = 0; k < b->n; k++)
		explain_print_line(&b->first[k], k > 0 && line_is_advice(&b->first[k]) &&
							 line_is_advice(&b->first[k - 1]));
}

/* Return: 0 or -ENOMEM. */
static int explain_put_text(const struct findings *f, struct lines *lines, const char *subject,
			    const struct verdict_line *first, const struct release *release,
			    const struct refusal *refusal)
{
	struct blocks blocks = {0};
	int r = explain_make_blocks(lines, &blocks);

	out("%s", first->text); /* one line, whatever its length */
	out_end();
	for (size_t i = 0; i < blocks.n && r >= 0; i++)
		if (!blocks.items[i].printed)
			explain_print_block(&blocks, i);
	refusal_text(f->host, refusal, subject, refusal_advice(refusal, f->arena));
	if (release)
		release_text(release);
	blocks_done(&blocks);
	return r;
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

static void explain_put_findings(struct json_writer *w, const struct findings *f,
				 struct lines *lines)
{
	char next[FINDING_NEXT_MAX];

	put_array(w, "findings");
	ARRAY_FOREACH(line, lines) {
		if (line_is_advice(line))
			continue;
		put_object(w, NULL);
		put_string(w, "code", finding_row(line->finding->code)->name);
		put_string(w, "severity", line_is_problem(line) ? "problem" : "info");
		put_string(w, "object", line->finding->object);
		put_string(w, "text", line->text);
		put_string(w, "next",
			   finding_next_step(line->finding, f->list.items + f->list.n, next));
		put_end(w);
	}
	put_end(w);
}

void explain_put_verdict(struct json_writer *w, const char *subject,
			 const struct verdict_line *first, size_t n_problems)
{
	put_string(w, "subject", subject);
	put_string(w, "verdict", first->text);
	put_string(w, "mapping", first->mapping);
	put_string(w, "health", first->health);
	put_opt_number(w, "problems", OPT_U64(n_problems));
}

/* Return: 0 or -ENOMEM. */
static int explain_put_json(const struct findings *f, struct lines *lines, const char *subject,
			    const struct verdict_line *first, const struct release *release,
			    const struct refusal *refusal)
{
	_cleanup_writer_ struct json_writer w = {.break_depth = 2, .absent_is_null = true};

	put_object(&w, NULL);
	explain_put_verdict(&w, subject, first, explain_count_problems(lines));
	explain_put_findings(&w, f, lines);
	if (refusal->n)
		put_refusal(&w, f->host, refusal, subject, refusal_advice(refusal, f->arena));
	if (release)
		put_release(&w, "release", release);
	put_end(&w);
	return out_json(&w);
}

/* ---- both --------------------------------------------------------------------------------------
 */

int explain_print(struct findings *f, const char *subject, const struct verdict *verdict,
		  const struct release *release, const struct refusal *refusal,
		  const struct cli *cli)
{
	struct verdict_line first;
	struct lines lines = {0};
	int r = f->no_memory ? -ENOMEM : explain_make_lines(f, &lines);

	explain_first_line(&lines, verdict, &first);
	cli_progress_end();
	if (!cli->no_pager)
		pager_start();
	if (r >= 0)
		r = cli->json ? explain_put_json(f, &lines, subject, &first, release, refusal)
			      : explain_put_text(f, &lines, subject, &first, release, refusal);
	if (r >= 0 && cli->check && explain_count_problems(&lines))
		r = STATUS_PARTIAL;
	lines_done(&lines);
	return r;
}
