// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa page list, export and import: the pages that are to stay out of use.
#include "cli/event_list.h"
#include "cli/page_list.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/output.h"
#include "common/arena.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/log.h"
#include "common/option_files.h"
#include "common/sql_file.h"
#include "common/strutil.h"
#include "common/time_text.h"
#include "redfish/pages/page_limit_options.h"

/* ---- output -----------------------------------------------------------------------------------
 */

static void put_page(struct json_writer *w, const struct remembered_page *p)
{
	char created[EVENT_TIME_TEXT_MAX];

	put_object(w, NULL);
	put_number(w, "id", p->id);
	put_string(w, "device", p->device);
	if (p->serial)
		put_hex(w, "serial", p->serial);
	else
		put_null(w, "serial");
	put_hex(w, "dpa", p->dpa);
	put_number(w, "length", p->length);
	put_string(w, "cause", page_cause_name(p->cause));
	put_string(w, "mode", p->hard ? "hard" : "soft");
	put_bool(w, "only_free", p->only_free);
	if (p->incident)
		put_number(w, "incident", p->incident);
	else
		put_null(w, "incident");
	if (p->created_ns)
		put_string(w, "created", event_time_text(OPT_U64(p->created_ns), created));
	else
		put_null(w, "created");
	put_string(w, "state", remembered_state_name(p->state));
	if (p->spa)
		put_hex(w, "last_spa", p->spa);
	else
		put_null(w, "last_spa");
	if (p->online_us)
		put_number(w, "online_us", p->online_us);
	else
		put_null(w, "online_us");
	put_string(w, "reason", p->text);
	put_end(w);
}

static int print_json(const struct remembered_pages *list)
{
	_cleanup_writer_ struct json_writer w = {0};

	put_object(&w, NULL);
	put_array(&w, "remembered");
	for (size_t i = 0; i < list->n; i++)
		put_page(&w, &list->items[i]);
	put_end(&w);
	put_end(&w);
	return out_json(&w);
}

static int print_text(const struct remembered_pages *list)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct remembered_page *p = &list->items[i];

		out_styled(STYLE_NAME, "%" PRIu64, p->id);
		out(" %s DPA 0x%" PRIx64 " %s %s", p->device, p->dpa, page_cause_name(p->cause),
		    remembered_state_name(p->state));
		if (p->spa)
			out(" SPA 0x%" PRIx64, p->spa);
		if (p->online_us)
			out(", %" PRIu64 " us after memory%" PRIu64 " came online", p->online_us,
			    p->block);
		if (p->incident)
			out(" incident %" PRIu64, p->incident);
		out_end();
		if (!p->text[0])
			continue;
		out_indent(1);
		out("%s", p->text);
		out_end();
	}
	if (list->n == 0) {
		out("no page is remembered");
		out_end();
	}
	return 0;
}

/* ---- a file -----------------------------------------------------------------------------------
 */

/* Return: 0 with the bytes of the file, or of standard input; -E2BIG. */
static int read_file(const char *path, char **ret, size_t *ret_len, struct error *e)
{
	FILE *f = str_equal(path, "-") ? stdin : fopen(path, "re");
	char *text = malloc(PAGE_IMPORT_BYTES_MAX + 1);
	int r = 0;

	if (!f)
		r = error_set(e, errno, "%s", strerror(errno));
	else if (!text)
		r = error_set(e, ENOMEM, "out of memory");
	if (f && text) {
		*ret_len = fread(text, 1, PAGE_IMPORT_BYTES_MAX + 1, f);
		if (ferror(f))
			r = error_set(e, EIO, "it cannot be read");
		else if (*ret_len > PAGE_IMPORT_BYTES_MAX)
			r = error_set(e, E2BIG, "it has more than %d bytes", PAGE_IMPORT_BYTES_MAX);
	}
	if (f && f != stdin)
		(void)fclose(f);
	if (r < 0)
		free(text);
	else
		*ret = text;
	return r;
}

/* ---- the limits -------------------------------------------------------------------------------
 */

/* Keys of the service's configuration. */
struct keys {
	struct page_limits limits;
};

struct page_limits page_list_limits(void)
{
	static const struct option_row rows[] = {PAGE_LIMIT_OPTION_ROWS(struct keys, limits)};
	static const struct option_table table = {rows, ARRAY_SIZE(rows)};
	struct arena *arena = arena_new();
	struct keys keys = {page_limits_default};
	struct error e = {.text = "out of memory"};
	const bool known =
		arena && option_files_read_keys(&table, arena, &keys, sizeof(keys), &e) == 0;

	(void)arena_free(arena);
	if (known)
		return keys.limits;
	log_warning(
		"page: the limits are their defaults, as the configuration of cxl-redfishd has a mistake or cannot be read: %s",
		e.text);
	return page_limits_default;
}

/* ---- the database -----------------------------------------------------------------------------
 */

int page_list_open_state(const struct cli *cli, struct state **ret, struct error *e)
{
	const char *state = cli->events.state;
	char path[SQL_PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/" STATE_FILE, state ? state : STATE_DEFAULT) >=
	    (int)sizeof(path))
		return error_set(e, ENAMETOOLONG, "the path of --state is too long");
	if (access(path, R_OK | W_OK) < 0)
		return error_set(
			e, errno,
			"%s: %s: run this as root, where cxl-redfishd has run with this state directory",
			path, strerror(errno));
	return state_new_beside(path, ret, e);
}

static int show(const struct cli *cli, bool json, struct error *e)
{
	struct remembered_pages list = {0};
	struct state *state = NULL;
	int r = page_list_open_state(cli, &state, e);

	if (r == 0)
		r = state_read_pages(state, &list, e);
	if (r == 0)
		r = json ? print_json(&list) : print_text(&list);
	if (r == -ENOMEM)
		(void)error_set(e, ENOMEM, "out of memory");
	remembered_pages_done(&list);
	(void)state_free(state);
	return r;
}

static int import(struct cli *cli, const char *path, struct error *e)
{
	_cleanup_free_ char *text = NULL;
	struct remembered_pages list = {0};
	struct state *state = NULL;
	size_t len = 0, added = 0;
	int r = host_root_open_live(&cli->root, e);

	if (r == 0)
		r = cli_read_host(cli, e);
	if (r == 0) {
		r = read_file(path, &text, &len, e);
		if (r == 0)
			r = page_list_parse(text, len, cli->host, &list, e);
		if (r < 0)
			error_prefix(e, "%.128s", path);
	}
	if (r == 0)
		r = page_list_open_state(cli, &state, e);
	if (r == 0)
		r = state_import_pages(state, &list, page_list_limits().total, &added, e);
	if (r == 0) {
		out("%zu of %zu pages are new; cxl-redfishd takes them out of use when it starts, or reads the topology again (systemctl reload cxl-redfishd)",
		    added, list.n);
		out_end();
	}
	remembered_pages_done(&list);
	(void)state_free(state);
	return r;
}

/* ---- the verbs --------------------------------------------------------------------------------
 */

bool page_list_has(const char *verb)
{
	return str_equal(verb, "list") || str_equal(verb, "export") || str_equal(verb, "import");
}

int command_page_list(struct cli *cli, int n, char **operands)
{
	const bool imports = str_equal(operands[0], "import");
	struct error e = {0};
	int r;

	if (cli->host_path)
		r = error_set(&e, EINVAL,
			      "%s is about the pages of this machine, and --host of another one",
			      operands[0]);
	else if (n != (imports ? 2 : 1))
		r = error_set(&e, EINVAL,
			      imports ? "import takes one FILE, or - for standard input"
				      : "list and export take no operand");
	else if (imports)
		r = import(cli, operands[1], &e);
	else
		r = show(cli, cli->json || str_equal(operands[0], "export"), &e);
	if (r < 0)
		log_err("page: %s", e.text);
	return r < 0 ? STATUS_ERROR : STATUS_OK;
}
