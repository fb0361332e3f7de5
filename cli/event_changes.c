// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Changes of the log by cxl-spa events: entries and incidents are resolved, incidents acknowledged.
// The service makes them, because it alone writes the log.
#include "cli/event_changes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "cli/service.h"
#include "common/json_writer.h"
#include "common/log.h"
#include "common/strutil.h"

enum { NOTE_BYTES_MAX = 256 };

/* As redfish/core/uris.h has them, which is above this directory. */
#define ENTRY "%s/LogServices/%s/Entries/%" PRIu64

struct event_change {
	const char *log;  /* its Id */
	const char *what; /* "entry" */
	const char *done; /* "is resolved" */
	bool resolves, acknowledges;
};

static const struct event_change resolve_entry = {"CXL", "entry", "is resolved", true, false};
static const struct event_change resolve_incident = {"Incidents", "incident", "is resolved", true,
						     false};
static const struct event_change acknowledge = {"Incidents", "incident", "is acknowledged", false,
						true};

/* The log that is changed. */
struct changed_log {
	const char *socket;	    /* of its service */
	char host[SERVICE_URI_MAX]; /* which it is of: a URI */
};

bool event_changes_wanted(const struct event_options *o)
{
	return o->resolve.n || o->resolve_incident.n || o->acknowledge.n || o->note;
}

static int check_number(const char *option, const char *text, struct error *e)
{
	uint64_t n;

	if (text[0] == '0' || parse_u64(text, &n) < 0 || strspn(text, "0123456789") != strlen(text))
		return error_set(e, EINVAL, "--%s requires the number of an %s, not '%s'", option,
				 option[0] == 'r' && option[7] == '\0' ? "entry" : "incident",
				 text);
	return 0;
}

static int check_list(const char *option, const struct option_list *list, struct error *e)
{
	int r = 0;

	for (size_t i = 0; i < list->n && r == 0; i++)
		r = check_number(option, list->items[i], e);
	return r;
}

static int check_note(const char *note, struct error *e)
{
	if (strlen(note) > NOTE_BYTES_MAX)
		return error_set(e, EINVAL, "--note has more than %d bytes", NOTE_BYTES_MAX);
	for (const unsigned char *c = (const unsigned char *)note; *c; c++)
		if (*c < ' ' || *c == 0x7f)
			return error_set(e, EINVAL,
					 "--note requires one line without control characters");
	return 0;
}

static int check_changes(const struct cli *cli, int n, char **operands, struct error *e)
{
	const struct event_options *o = &cli->events;
	int r = 0;

	if (cli->host_path || o->state)
		return error_set(e, EINVAL,
				 "the service changes its own log: --%s cannot be used with it",
				 cli->host_path ? "host" : "state");
	if (o->follow || o->summary || cli->json)
		return error_set(e, EINVAL,
				 "a change prints no entries: --%s cannot be used with it",
				 o->follow    ? "follow"
				 : o->summary ? "summary"
					      : "json");
	if (o->note && !o->resolve_incident.n && !o->acknowledge.n)
		return error_set(
			e, EINVAL,
			"--note belongs to an incident: use it with --acknowledge or --resolve-incident");
	if (n && !o->resolve.n)
		return error_set(e, EINVAL, "unexpected operand '%s'", operands[0]);
	for (int i = 0; i < n && r == 0; i++)
		r = check_number("resolve", operands[i], e);
	if (r == 0)
		r = check_list("resolve", &o->resolve, e);
	if (r == 0)
		r = check_list("resolve-incident", &o->resolve_incident, e);
	if (r == 0)
		r = check_list("acknowledge", &o->acknowledge, e);
	return r == 0 && o->note ? check_note(o->note, e) : r;
}

static void put_body(const struct event_change *c, const char *note, struct json_writer *w)
{
	put_object(w, NULL);
	if (c->resolves)
		put_bool(w, "Resolved", true);
	if (c->acknowledges || note) {
		put_object(w, "Oem");
		put_object(w, "CXLHost");
		if (c->acknowledges)
			put_bool(w, "Acknowledged", true);
		if (note)
			put_string(w, "Note", note);
		put_end(w);
		put_end(w);
	}
	put_end(w);
}

/* Return: 0; a negative errno, reported. */
static int change_one(const struct changed_log *to, const struct event_change *c,
		      const char *number, const char *note)
{
	_cleanup_writer_ struct json_writer w = {0};
	struct error e = {0};
	char uri[SERVICE_URI_MAX + 64];
	uint64_t n = 0;
	int r;

	(void)parse_u64(number, &n);
	(void)snprintf(uri, sizeof(uri), ENTRY, to->host, c->log, n);
	put_body(c, note, &w);
	r = w.failed ? error_set(&e, ENOMEM, "out of memory")
		     : service_patch(to->socket, uri, (struct json_span){w.text, w.len}, &e);
	if (r == 0) {
		out("%s %s %s", c->what, number, c->done);
		out_end();
	} else if (r == -ENOENT) {
		log_err("events: there is no %s %s", c->what, number);
	} else {
		log_err("events: %s %s: %s", c->what, number, e.text);
	}
	return r;
}

/* Without the service the others fail for the same reason. */
static bool is_final(int r)
{
	return r == -ECONNREFUSED || r == -EACCES;
}

/* Return: 0; otherwise the error of the last one that failed. */
static int change_all(const struct changed_log *to, const struct event_change *c,
		      const char *const *items, size_t n, const char *note, int result)
{
	for (size_t i = 0; i < n && !is_final(result); i++) {
		const int r = change_one(to, c, items[i], note);

		result = r < 0 ? r : result;
	}
	return result;
}

int event_changes_run(struct cli *cli, int n, char **operands)
{
	const struct event_options *o = &cli->events;
	struct changed_log to = {.socket = o->socket ? o->socket : SERVICE_SOCKET};
	struct error e = {0};
	int r = check_changes(cli, n, operands, &e);

	if (r < 0) {
		log_err("events: %s", e.text);
		return STATUS_ERROR;
	}
	r = service_host(to.socket, to.host, &e);
	if (r < 0) {
		log_err("events: %s", e.text);
		return STATUS_PARTIAL;
	}
	r = change_all(&to, &resolve_entry, o->resolve.items, o->resolve.n, NULL, 0);
	r = change_all(&to, &resolve_entry, (const char *const *)operands, (size_t)n, NULL, r);
	r = change_all(&to, &resolve_incident, o->resolve_incident.items, o->resolve_incident.n,
		       o->note, r);
	r = change_all(&to, &acknowledge, o->acknowledge.items, o->acknowledge.n, o->note, r);
	return r < 0 ? STATUS_PARTIAL : STATUS_OK;
}
