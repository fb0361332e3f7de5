// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa explain: which object is meant, and printing the findings of model/ about it.
#include "cli/cli.h"

#include <errno.h>
#include <string.h>

#include "model/finding_text.h"
#include "common/names.h"
#include "cli/object.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/release.h"
#include "cli/switches.h"
#include "common/array.h"
#include "common/json_writer.h"
#include "common/log.h"
#include "common/strutil.h"
#include "model/findings.h"

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
	return finding_severity(line->finding->code) == FINDING_PROBLEM;
}

static size_t explain_count_problems(struct lines *lines)
{
	size_t n = 0;

	ARRAY_FOREACH(line, lines)
		n += line_is_problem(line);
	return n;
}

/* "2 problems: region0, mem3", each object once. */
static void explain_verdict(struct lines *lines, char text[static FINDING_TEXT_MAX])
{
	size_t n = explain_count_problems(lines);
	struct names names = {0};
	const char *last = NULL;

	ARRAY_FOREACH(line, lines) {
		/* The findings of an object follow each other. */
		if (!line_is_problem(line) || str_equal(line->finding->object, last))
			continue;
		last = line->finding->object;
		names_add(&names, "%s", last);
	}
	if (n)
		(void)snprintf(text, FINDING_TEXT_MAX, "%zu problem%s: %s", n, plural_s(n),
			       names_end(&names));
	else
		(void)snprintf(text, FINDING_TEXT_MAX, "no problem found");
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
		[FINDING_INFO] = "", [FINDING_PROBLEM] = "problem: ", [FINDING_ADVICE] = "next: "};
	enum finding_severity severity = finding_severity(line->finding->code);
	const char *title = follows ? "then: " : titles[severity];
	char sentence[FINDING_TEXT_MAX];

	(void)snprintf(sentence, sizeof(sentence), "%.*s", (int)strcspn(line->text, "\n"),
		       line->text);
	out_indent(1);
	out_styled(severity == FINDING_PROBLEM ? STYLE_BAD : STYLE_GOOD, "%s", title);
	out_wrapped(sentence, 2 + strlen(title), 2);
	out_end();
	explain_print_commands(line->text);
}

static bool line_is_advice(const struct line *line)
{
	return finding_severity(line->finding->code) == FINDING_ADVICE;
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

/* Whether the devices are healthy is not looked at. JSON keeps the words that scripts know. */
#define NO_PROBLEM_TEXT "no problem of the mapping found; health of the devices: cxl-spa health"

/* Return: 0 or -ENOMEM. */
static int explain_put_text(struct lines *lines, const char *verdict, const struct release *release)
{
	struct blocks blocks = {0};
	int r = explain_make_blocks(lines, &blocks);

	out_wrapped(explain_count_problems(lines) ? verdict : NO_PROBLEM_TEXT, 0, 1);
	out_end();
	for (size_t i = 0; i < blocks.n && r >= 0; i++)
		if (!blocks.items[i].printed)
			explain_print_block(&blocks, i);
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
		put_string(w, "code", finding_code_name(line->finding->code));
		put_string(w, "severity", line_is_problem(line) ? "problem" : "info");
		put_string(w, "object", line->finding->object);
		put_string(w, "text", line->text);
		put_string(w, "next",
			   finding_next_step(line->finding, f->list.items + f->list.n, next));
		put_end(w);
	}
	put_end(w);
}

/* Return: 0 or -ENOMEM. */
static int explain_put_json(const struct findings *f, struct lines *lines, const char *subject,
			    const char *verdict, const struct release *release)
{
	_cleanup_writer_ struct json_writer w = {.break_depth = 2, .absent_is_null = true};

	put_object(&w, NULL);
	put_string(&w, "subject", subject);
	put_string(&w, "verdict", verdict);
	put_opt_number(&w, "problems", OPT_U64(explain_count_problems(lines)));
	explain_put_findings(&w, f, lines);
	if (release)
		put_release(&w, "release", release);
	put_end(&w);
	return out_json(&w);
}

/* ---- the subject ------------------------------------------------------------------------------
 */

/* A decoder as the subject: without its memory device, which has the findings of the order. */
static void explain_collect_decoder(struct findings *f, const struct decoder *d)
{
	findings_of_decoder(f, d);
	if (d->port->kind == PORT_ENDPOINT)
		findings_of_decoder_order(f, d->name, d);
}

static void explain_collect_vcs(struct findings *f, const struct fabric_vcs *vcs)
{
	findings_of_vcs(f, vcs);
	for (size_t i = 0; i < vcs->n_vppbs; i++)
		findings_of_vppb(f, &vcs->vppbs[i]);
}

static void explain_collect_object(struct findings *f, const struct object *o)
{
	switch (o->kind) {
	case OBJECT_MEMDEV:
		findings_of_memdev(f, o->memdev, true);
		break;
	case OBJECT_REGION:
		findings_of_region(f, o->region);
		break;
	case OBJECT_DECODER:
		explain_collect_decoder(f, o->decoder);
		break;
	case OBJECT_PORT:
		findings_of_port(f, o->port);
		break;
	case OBJECT_DPORT:
		findings_of_dport(f, o->port, o->dport);
		break;
	case OBJECT_DAX_DEVICE:
		findings_of_dax_device(f, o->dax_device);
		break;
	case OBJECT_DAX_REGION:
		findings_of_dax_region(f, o->name, o->dax_region);
		break;
	case OBJECT_FUNCTION:
		findings_of_function(f, o->function);
		break;
	case OBJECT_SWITCH:
		findings_of_switch(f, o->sw);
		break;
	case OBJECT_SWITCH_PORT:
		findings_of_switch_port(f, o->switch_port);
		break;
	case OBJECT_LD:
		findings_of_ld(f, o->ld);
		break;
	case OBJECT_VCS:
		explain_collect_vcs(f, o->vcs);
		break;
	case OBJECT_VPPB:
		findings_of_vppb(f, o->vppb);
		break;
	}
}

/*
 * @release: of a region; NULL otherwise
 *
 * Return: STATUS_OK, STATUS_PARTIAL with --check and a problem, or -ENOMEM.
 */
static int explain_print(struct findings *f, const char *subject, const struct release *release,
			 const struct cli *cli)
{
	char verdict[FINDING_TEXT_MAX];
	struct lines lines = {0};
	int r = f->no_memory ? -ENOMEM : explain_make_lines(f, &lines);

	cli_progress_end();
	if (r >= 0) {
		explain_verdict(&lines, verdict);
		r = cli->json ? explain_put_json(f, &lines, subject, verdict, release)
			      : explain_put_text(&lines, verdict, release);
	}
	if (r >= 0 && cli->check && explain_count_problems(&lines))
		r = STATUS_PARTIAL;
	lines_done(&lines);
	return r;
}

/* Prints the findings of a region, and what would prevent that it is released. */
static int explain_print_region(struct findings *f, const struct region *region,
				const struct cli *cli)
{
	const struct memory_use *use = NULL;
	struct release release;
	struct error e = {0};
	int r;

	r = memory_use_read(cli->host, &use, &e);
	cli_progress_end();
	if (r < 0)
		log_warning("explain: who uses the memory of %s is not known: %s", region->name,
			    e.text);
	region_release(region, use, &release);
	r = explain_print(f, region->name, &release, cli);
	(void)memory_use_unref(use);
	return r;
}

/* Return: as explain_print(). */
static int explain_object(const struct cli *cli, const struct object *o)
{
	struct findings f;
	int r;

	r = findings_init(&f, cli->host, cli->translator, cli->firmware, cli->timeout);
	f.fabric = cli->fabric;
	if (r >= 0 && o)
		explain_collect_object(&f, o);
	else if (r >= 0)
		findings_of_host(&f);
	if (r >= 0 && o && o->kind == OBJECT_REGION)
		r = explain_print_region(&f, o->region, cli);
	else if (r >= 0)
		r = explain_print(&f, o ? o->name : "host", NULL, cli);
	findings_done(&f);
	return r;
}

int command_explain(struct cli *cli, int n, char **operands)
{
	struct error e = {0};
	struct object object;
	int r;

	cli_progress_begin("explain");
	if (cli_open(cli) != STATUS_OK || cli_open_switches(cli) != STATUS_OK)
		return STATUS_ERROR;
	if (n && object_find(cli->host, cli->fabric, operands[0], &object, &e) < 0) {
		cli_progress_end();
		log_err("explain: %s", e.text);
		return STATUS_ERROR;
	}
	r = explain_object(cli, n ? &object : NULL);
	cli_progress_end();
	if (r >= 0)
		return r;
	log_err("explain: out of memory");
	return STATUS_ERROR;
}
