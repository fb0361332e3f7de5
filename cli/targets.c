// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa targets: a group of targets, as the file service discovery of Prometheus reads it.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/operands.h"
#include "cli/output.h"
#include "common/arena.h"
#include "common/host_name.h"
#include "common/json_writer.h"
#include "common/log.h"
#include "common/option_files.h"
#include "common/strutil.h"

/* ---- HOST:PORT ---- */

/* A port is needed, and the host is one for all: without a zone. Return: whether it is such. */
static bool read_target(const char *text, struct authority *ret)
{
	return authority_parse(text, strlen(text), ret) == 0 && ret->port > 0 &&
	       ret->kind != AUTHORITY_ZONE;
}

/* ---- this host ---- */

/* Return: 0 with the value in @arena; -ENOENT where no key `metrics` is set; that of a file. */
static int read_metrics(struct arena *arena, const char **ret, struct error *e)
{
	static const struct option_row row = {.name = "metrics", .set = option_set_text};
	int r = option_files_read_key(&row, arena, ret, sizeof(*ret), e);

	if (r < 0 || *ret)
		return r;
	return error_set(
		e, ENOENT,
		"this host's configuration has no metrics; add metrics = http://ADDRESS:9464 to " CONFIG_FILE
		", and reload cxl-redfishd");
}

/* The series of this host are told apart by its name, wherever they were scraped. */
static int put_listener(struct json_writer *w, const char *url, struct error *e)
{
	const char *target = str_after_prefix(url, "http://");
	char name[HOST_NAME_BYTES] = "";
	struct authority a;

	if (!target || !read_target(target, &a))
		return error_set(
			e, EINVAL,
			"metrics are served at %s, and Prometheus cannot be given that; set metrics = http://ADDRESS:9464",
			url);
	if (gethostname(name, sizeof(name) - 1) < 0 || host_name_check(name, NULL) < 0)
		return error_set(e, EINVAL, "this host has no name; set one with hostnamectl");
	if (strncmp(a.host, "127.", 4) == 0 || str_equal(a.host, "::1"))
		log_warning("targets: only a Prometheus on this host reaches %s", target);
	put_array(w, "targets");
	if (str_equal(a.host, "0.0.0.0") || str_equal(a.host, "::"))
		put_format(w, NULL, "%s:%d", name, a.port);
	else
		put_string(w, NULL, target);
	put_end(w);
	put_object(w, "labels");
	put_format(w, "instance", "%s:%d", name, a.port);
	put_end(w);
	return 0;
}

static int put_this_host(struct json_writer *w, struct error *e)
{
	struct arena *arena = arena_new();
	const char *url = NULL;
	int r = arena ? read_metrics(arena, &url, e) : error_set(e, ENOMEM, "out of memory");

	if (r == 0)
		r = put_listener(w, url, e);
	(void)arena_free(arena);
	return r;
}

/* ---- hosts of a list ---- */

static int put_target(struct json_writer *w, const char *text, struct error *e)
{
	struct authority unused;

	if (!read_target(text, &unused))
		return error_set(e, EINVAL, "'%.64s' is no target; write HOST:PORT", text);
	put_string(w, NULL, text);
	return 0;
}

static int put_lines(struct json_writer *w, struct error *e)
{
	char line[OPERAND_LINE_MAX + 1];
	int r, status = 0;

	for (size_t number = 1; status == 0 && (r = operand_line(stdin, line)) != 0; number++) {
		if (r == 1 && line[0] != '\0')
			status = put_target(w, line, e);
		else if (r < 0)
			status = error_set(e, r, "%s",
					   r == -EIO ? strerror(errno)
						     : "the line is too long, or has a NUL byte");
		if (status < 0)
			error_prefix(e, "standard input, line %zu", number);
	}
	return status;
}

static int put_hosts(struct json_writer *w, int n, char **operands, struct error *e)
{
	int r = 0;

	put_array(w, "targets");
	for (int i = 0; r == 0 && i < n; i++)
		r = str_equal(operands[i], "-") ? put_lines(w, e) : put_target(w, operands[i], e);
	put_end(w);
	return r;
}

int command_targets(struct cli *cli, int n, char **operands)
{
	_cleanup_writer_ struct json_writer w = {.break_depth = 1};
	struct error e = {0};
	int r;

	(void)cli;
	put_array(&w, NULL);
	put_object(&w, NULL);
	r = n ? put_hosts(&w, n, operands, &e) : put_this_host(&w, &e);
	put_end(&w);
	put_end(&w);
	if (r < 0) {
		log_err("targets: %s", e.text);
		return r == -ENOENT ? STATUS_PARTIAL : STATUS_ERROR;
	}
	return out_json(&w);
}
