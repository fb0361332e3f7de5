// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa explain: which object is meant, collecting findings, and printing them.
#include "cli/explain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/operands.h"
#include "cli/output.h"
#include "common/cleanup.h"
#include "common/json_writer.h"
#include "common/log.h"
#include "common/strutil.h"

enum { FINDING_TEXT_MAX = 1024 };

/* The targets of a region often say the same of it; once is enough. */
static bool is_said(const struct findings *findings, const char *object, const char *text)
{
	for (size_t i = findings->n; i > 0; i--) {
		const struct finding *f = &findings->items[i - 1];

		if (!str_equal(f->object, object))
			return false;
		if (str_equal(f->text, text))
			return true;
	}
	return false;
}

__attribute__((format(printf, 4, 0))) static void
add(struct explanation *x, enum severity severity, const char *object, const char *fmt, va_list ap)
{
	char text[FINDING_TEXT_MAX];
	struct finding *f;

	(void)vsnprintf(text, sizeof(text), fmt, ap);
	if (is_said(&x->findings, object, text))
		return;
	f = findings_add(&x->findings);
	if (!f) {
		x->no_memory = true;
		return;
	}
	*f = (struct finding){severity, object, arena_strdup(x->arena, text)};
	if (!f->text) {
		x->findings.n--;
		x->no_memory = true;
	}
}

#define DEFINE_EXPLAIN(name, severity)                                                             \
	void name(struct explanation *x, const char *object, const char *fmt, ...)                 \
	{                                                                                          \
		va_list ap;                                                                        \
                                                                                                   \
		va_start(ap, fmt);                                                                 \
		add(x, severity, object, fmt, ap);                                                 \
		va_end(ap);                                                                        \
	}                                                                                          \
	struct cxlr_swallow_semicolon_##name

DEFINE_EXPLAIN(explain_info, SEVERITY_INFO);
DEFINE_EXPLAIN(explain_problem, SEVERITY_PROBLEM);
DEFINE_EXPLAIN(explain_advice, SEVERITY_ADVICE);

/* The findings of one object that follow each other. */
struct block {
	const struct finding *first;
	size_t n;
	bool printed;
};

DEFINE_ARRAY(struct block, blocks);

static bool blocks_equal(const struct block *a, const struct block *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->first[i].severity != b->first[i].severity ||
		    !str_equal(a->first[i].text, b->first[i].text))
			return false;
	return true;
}

static int make_blocks(struct findings *findings, struct blocks *ret)
{
	struct block *b = NULL;

	ARRAY_FOREACH(f, findings) {
		if (!b || !str_equal(b->first->object, f->object)) {
			b = blocks_add(ret);
			if (!b)
				return -ENOMEM;
			*b = (struct block){.first = f};
		}
		b->n++;
	}
	return 0;
}

static void print_finding(const struct finding *f)
{
	out_indent(1);
	if (f->severity == SEVERITY_PROBLEM)
		out_styled(STYLE_BAD, "problem: ");
	else if (f->severity == SEVERITY_ADVICE)
		out_styled(STYLE_GOOD, "next: ");
	out("%s", f->text);
	out_end();
}

/* Prints block @i under the names of all objects of which the same is said. */
static void print_block(struct blocks *blocks, size_t i)
{
	struct block *b = &blocks->items[i];

	out_styled(STYLE_NAME, "%s", b->first->object);
	for (size_t k = i + 1; k < blocks->n; k++) {
		if (blocks->items[k].printed || !blocks_equal(b, &blocks->items[k]))
			continue;
		out(", ");
		out_styled(STYLE_NAME, "%s", blocks->items[k].first->object);
		blocks->items[k].printed = true;
	}
	out_end();
	for (size_t k = 0; k < b->n; k++)
		print_finding(&b->first[k]);
}

void explain_text(struct explanation *x)
{
	struct blocks blocks = {0};

	if (make_blocks(&x->findings, &blocks) < 0)
		log_err("explain: out of memory");
	for (size_t i = 0; i < blocks.n; i++)
		if (!blocks.items[i].printed)
			print_block(&blocks, i);
	blocks_done(&blocks);
}

int explain_json(struct explanation *x, const char *subject)
{
	static const char *const severities[] = {"info", "problem", "advice"};
	_cleanup_writer_ struct json_writer w = {.break_depth = 2};

	put_object(&w, NULL);
	put_string(&w, "subject", subject);
	put_array(&w, "findings");
	ARRAY_FOREACH(f, &x->findings) {
		put_object(&w, NULL);
		put_string(&w, "severity", severities[f->severity]);
		put_string(&w, "object", f->object);
		put_string(&w, "text", f->text);
		put_end(&w);
	}
	put_end(&w);
	put_end(&w);
	return out_json(&w);
}

/* One that is not explained as part of a memory device, whose order is said there. */
static void explain_lone_decoder(struct explanation *x, const struct decoder *decoder)
{
	explain_decoder(x, decoder);
	if (decoder->port->kind == PORT_ENDPOINT)
		explain_decoder_order(x, decoder->name, decoder);
}

/* Return: the subject's name, or NULL after saying that there is no such object. */
static const char *collect(struct explanation *x, const char *operand)
{
	const struct memdev *memdev;
	const struct decoder *decoder;
	const struct region *region;
	struct error e = {0};

	if (!operand) {
		explain_host(x);
		return "host";
	}
	if (operand_is_memdev(operand)) {
		if (operand_memdev(x->host, operand, &memdev, &e) < 0) {
			log_err("explain: %s", e.text);
			return NULL;
		}
		explain_memdev(x, memdev, true);
		return memdev->name;
	}
	region = host_region(x->host, operand);
	decoder = host_decoder(x->host, operand);
	if (region)
		explain_region(x, region);
	else if (decoder)
		explain_lone_decoder(x, decoder);
	else
		log_err("explain: %.64s: no such region, decoder or memory device (see cxl-spa "
			"list)",
			operand);
	return region ? region->name : decoder ? decoder->name : NULL;
}

int command_explain(struct cli *cli, int n, char **operands)
{
	struct explanation x = {.cli = cli};
	const char *subject;
	int status = STATUS_ERROR;

	if (cli_open(cli) != STATUS_OK)
		return STATUS_ERROR;
	x.host = cli->host;
	x.translator = cli->translator;
	x.timeout = cli->timeout;
	x.arena = arena_new();
	if (!x.arena) {
		log_err("explain: out of memory");
		return STATUS_ERROR;
	}
	subject = collect(&x, n ? operands[0] : NULL);
	if (subject && !x.no_memory) {
		if (!cli->json)
			explain_text(&x);
		else if (explain_json(&x, subject) < 0)
			x.no_memory = true;
		status = STATUS_OK;
	}
	if (x.no_memory) {
		log_err("explain: out of memory");
		status = STATUS_ERROR;
	}
	findings_done(&x.findings);
	(void)arena_free(x.arena);
	return status;
}
