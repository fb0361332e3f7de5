// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa explain: which object is meant, and printing the findings of model/ about it.
#include "cli/cli.h"

#include <errno.h>

#include "cli/finding_text.h"
#include "cli/operands.h"
#include "cli/output.h"
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
static int make_lines(struct findings *f, struct lines *ret)
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

/* ---- text -------------------------------------------------------------------------------------
 */

/* The findings of one object that follow each other. */
struct block {
	const struct line *first;
	size_t n;
	bool printed;
};

DEFINE_ARRAY(struct block, blocks);

static bool blocks_equal(const struct block *a, const struct block *b)
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
static int make_blocks(struct lines *lines, struct blocks *ret)
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

static void print_line(const struct line *line)
{
	enum finding_severity severity = finding_severity(line->finding->code);

	out_indent(1);
	if (severity == FINDING_PROBLEM)
		out_styled(STYLE_BAD, "problem: ");
	else if (severity == FINDING_ADVICE)
		out_styled(STYLE_GOOD, "next: ");
	out("%s", line->text);
	out_end();
}

/* Prints block @i under the names of all objects with the same findings. */
static void print_block(struct blocks *blocks, size_t i)
{
	struct block *b = &blocks->items[i];

	out_styled(STYLE_NAME, "%s", b->first->finding->object);
	for (size_t k = i + 1; k < blocks->n; k++) {
		if (blocks->items[k].printed || !blocks_equal(b, &blocks->items[k]))
			continue;
		out(", ");
		out_styled(STYLE_NAME, "%s", blocks->items[k].first->finding->object);
		blocks->items[k].printed = true;
	}
	out_end();
	for (size_t k = 0; k < b->n; k++)
		print_line(&b->first[k]);
}

/* Return: 0 or -ENOMEM. */
static int explain_put_text(struct lines *lines)
{
	struct blocks blocks = {0};
	int r = make_blocks(lines, &blocks);

	for (size_t i = 0; i < blocks.n && r >= 0; i++)
		if (!blocks.items[i].printed)
			print_block(&blocks, i);
	blocks_done(&blocks);
	return r;
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

/* Return: 0 or -ENOMEM. */
static int explain_put_json(struct lines *lines, const char *subject)
{
	static const char *const severities[] = {
		[FINDING_INFO] = "info",
		[FINDING_PROBLEM] = "problem",
		[FINDING_ADVICE] = "advice",
	};
	_cleanup_writer_ struct json_writer w = {.break_depth = 2};

	put_object(&w, NULL);
	put_string(&w, "subject", subject);
	put_array(&w, "findings");
	ARRAY_FOREACH(line, lines) {
		put_object(&w, NULL);
		put_string(&w, "severity", severities[finding_severity(line->finding->code)]);
		put_string(&w, "object", line->finding->object);
		put_string(&w, "text", line->text);
		put_end(&w);
	}
	put_end(&w);
	put_end(&w);
	return out_json(&w);
}

/* ---- the subject ------------------------------------------------------------------------------
 */

/* A decoder as the subject: without its memory device, which has the findings of the order. */
static void collect_decoder(struct findings *f, const struct decoder *d)
{
	findings_of_decoder(f, d);
	if (d->port->kind == PORT_ENDPOINT)
		findings_of_decoder_order(f, d->name, d);
}

/* Return: the name of the subject, or NULL after an error message. */
static const char *collect(struct findings *f, const char *operand)
{
	const struct memdev *memdev;
	const struct decoder *decoder;
	const struct region *region;
	struct error e = {0};

	if (!operand) {
		findings_of_host(f);
		return "host";
	}
	if (operand_is_memdev(operand)) {
		if (operand_memdev(f->host, operand, &memdev, &e) < 0) {
			log_err("explain: %s", e.text);
			return NULL;
		}
		findings_of_memdev(f, memdev, true);
		return memdev->name;
	}
	region = host_region(f->host, operand);
	decoder = host_decoder(f->host, operand);
	if (region)
		findings_of_region(f, region);
	else if (decoder)
		collect_decoder(f, decoder);
	else
		log_err("explain: %.64s: no such region, decoder or memory device (see cxl-spa "
			"list)",
			operand);
	return region ? region->name : decoder ? decoder->name : NULL;
}

/* Return: 0 or -ENOMEM. */
static int explain_print(struct findings *f, const char *subject, bool json)
{
	struct lines lines = {0};
	int r = f->no_memory ? -ENOMEM : make_lines(f, &lines);

	if (r >= 0)
		r = json ? explain_put_json(&lines, subject) : explain_put_text(&lines);
	lines_done(&lines);
	return r;
}

int command_explain(struct cli *cli, int n, char **operands)
{
	const char *subject = NULL;
	struct findings f;
	int r;

	if (cli_open(cli) != STATUS_OK)
		return STATUS_ERROR;
	r = findings_init(&f, cli->host, cli->translator, cli->firmware, cli->timeout);
	if (r >= 0)
		subject = collect(&f, n ? operands[0] : NULL);
	if (subject)
		r = explain_print(&f, subject, cli->json);
	findings_done(&f);
	if (r < 0)
		log_err("explain: out of memory");
	return r < 0 || !subject ? STATUS_ERROR : STATUS_OK;
}
