// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/change.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "change/client.h"
#include "cli/list.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "common/json_writer.h"
#include "common/log.h"
#include "pages/bad_pages.h"

void cli_change_of_region(struct cli_change *c, enum change_kind kind, const struct region *r)
{
	*c = (struct cli_change){.change = {.kind = (uint32_t)kind, .identity = r->inode}};
	(void)snprintf(c->change.object, sizeof(c->change.object), "%s", r->name);
}

void cli_warn_of_bad_pages(const struct cli *cli, enum change_kind kind, const struct region *r)
{
	struct bad_pages bad;
	char text[BAD_PAGES_TEXT_MAX];

	if (!cli->root->captured && bad_pages_count(cli->host, r, &bad) == 0 && bad.pages > 0)
		log_warning("%s: %s", r->name,
			    bad_pages_text(&bad, kind == CHANGE_MEMORY_OFFLINE, text));
}

void cli_change_refuse(struct cli_change *c, const struct error *e)
{
	c->tried = true;
	memcpy(c->result.object, c->change.object, sizeof(c->result.object));
	(void)change_result_set(&c->result, e->code, CHANGE_REFUSED, "%s", e->text);
}

/* ---- progress ---------------------------------------------------------------------------------
 */

struct progress {
	const char *what, *object;
	bool shown;
};

static bool changes_cancelled(void *userdata)
{
	(void)userdata;
	return cli_interrupted();
}

/* One line that is written again and again; only on a terminal. */
static void changes_progress(void *userdata, const struct change_progress *c)
{
	struct progress *p = userdata;

	(void)fprintf(stderr, "\r%s ", p->what);
	write_plain(stderr, c->part[0] ? c->part : p->object);
	(void)fprintf(stderr, ": %" PRIu64, c->done);
	if (c->total)
		(void)fprintf(stderr, " of %" PRIu64, c->total);
	(void)fputc(' ', stderr);
	write_plain(stderr, c->unit);
	(void)fputs("\033[K", stderr);
	(void)fflush(stderr);
	p->shown = true;
}

static void end_progress(const struct progress *p)
{
	if (p->shown)
		(void)fputs("\r\033[K", stderr);
}

/* ---- making them ------------------------------------------------------------------------------
 */

static int run_one(struct change_client *client, struct cli_change *c)
{
	struct progress p = {.what = change_kind_name(c->change.kind), .object = c->change.object};
	const struct change_call call = {
		.change = &c->change,
		.image = -1,
		.progress = isatty(STDERR_FILENO) ? changes_progress : NULL,
		.cancelled = changes_cancelled,
		.userdata = &p,
	};
	int r;

	if (c->tried)
		return c->result.error;
	if (cli_interrupted()) {
		const struct error e = {.code = ECANCELED, .text = "cancelled by a signal"};

		cli_change_refuse(c, &e);
		return c->result.error;
	}
	r = change_client_run(client, &call, &c->result);
	end_progress(&p);
	c->tried = true;
	return r;
}

/* Only root can make changes. The message has no host name or path that could be missing. */
static bool may_change(struct cli_change *c)
{
	struct error e = {0};

	if (c->tried || geteuid() == 0)
		return true;
	(void)error_set(
		&e, EACCES,
		"%s: only root can change how CXL memory is mapped and used: run this as root, or ask cxl-redfishd for it",
		c->change.object);
	cli_change_refuse(c, &e);
	return false;
}

int cli_changes_run(struct cli *cli, struct cli_change *changes, size_t n)
{
	struct change_client *client = change_client_new_direct(cli->root);
	int status = STATUS_OK;

	if (!client) {
		log_err("out of memory");
		return STATUS_ERROR;
	}
	cli_catch_interrupt();
	for (size_t i = 0; i < n && status == STATUS_OK; i++)
		if (!may_change(&changes[i]) || run_one(client, &changes[i]) < 0)
			status = STATUS_PARTIAL;
	change_client_free(client);
	return status;
}

/* ---- what became of them ----------------------------------------------------------------------
 */

static const char *outcome_name(const struct cli_change *c)
{
	return c->tried ? change_outcome_name(c->result.outcome) : "not tried";
}

static const struct region *created_region(const struct host *host, const struct cli_change *c)
{
	if (!host || c->change.kind != CHANGE_REGION_CREATE || !c->tried || c->result.error)
		return NULL;
	return host_region(host, c->result.object);
}

static void put_change(struct json_writer *w, const struct host *host, const struct cli_change *c)
{
	const struct region *r = created_region(host, c);

	put_object(w, NULL);
	put_string(w, "change", change_kind_name(c->change.kind));
	put_string(w, "object", c->tried ? c->result.object : c->change.object);
	put_string(w, "outcome", outcome_name(c));
	if (c->result.text[0])
		put_string(w, "reason", c->result.text);
	else
		put_null(w, "reason");
	if (r)
		list_put_region(w, "region", r);
	put_end(w);
}

static int put_changes(const struct host *host, const struct cli_change *changes, size_t n)
{
	_cleanup_writer_ struct json_writer w = {.break_depth = 1, .absent_is_null = true};

	put_array(&w, NULL);
	for (size_t i = 0; i < n; i++)
		put_change(&w, host, &changes[i]);
	put_end(&w);
	return out_json(&w);
}

static void print_done(const struct host *host, const struct cli_change *c)
{
	const struct region *r = created_region(host, c);
	const struct object o = {.kind = OBJECT_REGION, .name = c->result.object, .region = r};

	if (r) {
		list_object_text(host, &o);
		return;
	}
	out_styled(STYLE_NAME, "%s", c->result.object);
	out(": %s: done", change_kind_name(c->change.kind));
	if (c->result.text[0])
		out("; %s", c->result.text);
	out_end();
}

int cli_changes_print(const struct cli *cli, const struct host *host,
		      const struct cli_change *changes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct cli_change *c = &changes[i];

		if (c->tried && c->result.error)
			log_err("%s%s%s", c->result.outcome > CHANGE_REFUSED ? outcome_name(c) : "",
				c->result.outcome > CHANGE_REFUSED ? ": " : "", c->result.text);
		else if (c->tried && !cli->json)
			print_done(host, c);
		else if (!c->tried)
			log_err("%s: %s: not tried", c->change.object,
				change_kind_name(c->change.kind));
	}
	return cli->json ? put_changes(host, changes, n) : 0;
}
