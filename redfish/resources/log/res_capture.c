// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Captures of the host, as `cxl-spa capture` makes them: a LogService of the Manager and one of the
// System, whose entries are archives that clients have collected. They are not in the view: each
// is there for a while, for one download.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/clock.h"
#include "common/log.h"
#include "common/opt.h"
#include "common/strutil.h"
#include "http/stream.h"
#include "redfish/service/diagnostics.h"
#include "redfish/service/download.h"
#include "redfish/service/exchange.h"
#include "redfish/core/odata.h"
#include "redfish/core/registry.h"
#include "redfish/core/resource_table.h"
#include "redfish/core/system_id.h"
#include "redfish/service/body_check.h"
#include "redfish/resources/log/log_entry.h"
#include "redfish/resources/log/log_service.h"
#include "redfish/resources/mapping.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/service/service.h"
#include "redfish/core/uris.h"
#include "redfish/view/view.h"

#define COLLECT	 "LogService.CollectDiagnosticData"
#define TYPE	 "DiagnosticDataType"
#define OEM_TYPE "OEMDiagnosticDataType"
#define OEM	 "OEM"
#define CAPTURE	 "CXLHostCapture"
#define MASKED	 "CXLHostCaptureMasked"
#define FILE_URI "%s/capture.tar.zst"

/* "Manager" and "OS" are of DSP0268's LogService; what is collected is the same. */
static const char *const manager_types[] = {"Manager", OEM, NULL};
static const char *const system_types[] = {"OS", OEM, NULL};
static const char *const oem_types[] = {CAPTURE, MASKED, NULL};

static struct diagnostics *diagnostics_of(const struct exchange *x)
{
	return x->service->diagnostics;
}

static enum diagnostic_place place_of(const struct resource *r)
{
	return str_after_prefix(r->uri, URI_MANAGER) ? DIAGNOSTIC_OF_MANAGER : DIAGNOSTIC_OF_SYSTEM;
}

static const char *uri_of(enum diagnostic_place place)
{
	return place == DIAGNOSTIC_OF_MANAGER ? URI_MANAGER_CAPTURES : URI_HOST_CAPTURES;
}

static const char *const *types_of(enum diagnostic_place place)
{
	return place == DIAGNOSTIC_OF_MANAGER ? manager_types : system_types;
}

static int refuse(struct exchange *x, unsigned int status, const char *why)
{
	(void)exchange_refuse(x, MESSAGE_DIAGNOSTICS_NOT_AVAILABLE, why, NULL, NULL);
	x->message.status = status;
	return -EINVAL;
}

/* ---- LogService -------------------------------------------------------------------------------
 */

static int get_captures(struct exchange *x)
{
	const bool enabled = diagnostics_are_set(diagnostics_of(x));
	struct json_writer *w = &x->w;

	put_string(w, "Name", "Captures");
	put_string(
		w, "Description",
		"Archives of the machine, as cxl-spa capture writes them: each is kept for an hour, for one download by the account that collected it. The logs of the manager and of the system share the number of records; those that were downloaded make place for others");
	put_bool(w, "ServiceEnabled", enabled);
	put_clock(w);
	put_state(w, enabled ? "Enabled" : "Disabled");
	put_string(w, "LogEntryType", "Event");
	put_array(w, "LogPurposes");
	put_string(w, NULL, "Diagnostic");
	put_end(w);
	put_number(w, "MaxNumberOfRecords", DIAGNOSTICS_MAX);
	put_string(w, "OverWritePolicy", "Unknown");
	put_bool(w, "Persistency", false);
	put_link(w, "Entries", "%s/Entries", x->resource->uri);
	put_actions(x->resource, w);
	return 0;
}

/* ---- CollectDiagnosticData --------------------------------------------------------------------
 */

struct capture_job {
	struct diagnostics *all;
	struct diagnostic what;
	bool ended;
};

/* Before its client knows of it, who may order the next one at once. */
static void capture_job_end(struct capture_job *c)
{
	if (!c->ended)
		diagnostics_end(c->all);
	c->ended = true;
}

static void collecting_free(void *state)
{
	capture_job_end(state);
	free(state);
}

static int on_step(void *userdata, uint64_t done, uint64_t total)
{
	struct exchange *x = userdata;

	if (job_is_cancelled(x->job))
		return -ECANCELED;
	if (clock_monotonic_ms() >= job_deadline_ms(x->job))
		return -ETIME;
	if (total > 0)
		exchange_progress(x, done, total, "files");
	return 0;
}

static int refuse_failed(struct exchange *x, int r, struct error *e)
{
	const unsigned int status = r == -ENOSPC || r == -EDQUOT ? 507 : r == -EBUSY ? 503 : 500;

	if (r == -ETIME)
		(void)error_set(e, ETIME, "it was not collected within %d minutes",
				DIAGNOSTICS_RUN_MS / 60000);
	log_warning("diagnostic data was not collected for %s: %s", exchange_client(x),
		    e->text[0] ? e->text : strerror(-r));
	return refuse(x, status, e->text[0] ? e->text : strerror(-r));
}

static int collect(struct exchange *x, void *state)
{
	struct capture_job *c = state;
	struct error e = {0};
	uint64_t id;
	int r;

	r = diagnostics_collect(c->all, &c->what, on_step, x, &id, &e);
	capture_job_end(c);
	if (r == -ECANCELED)
		return r;
	if (r < 0)
		return refuse_failed(x, r, &e);
	(void)snprintf(x->location, sizeof(x->location), "%s/Entries/%" PRIu64,
		       uri_of(c->what.place), id);
	log_info("diagnostic data was collected for %s: %s", exchange_client(x), x->location);
	return 0;
}

static const struct continuation collection = {
	.class = JOB_DIAGNOSTICS,
	.is_task = true,
	.can_cancel = true,
	.run_ms = DIAGNOSTICS_RUN_MS,
	.run = collect,
	.free = collecting_free,
};

static const char *const *types_here(const struct resource *r)
{
	return types_of(place_of(r));
}

static const struct parameter collect_rows[] = {
	{.name = TYPE, .type = PARAMETER_TEXT, .required = true, .values_of = types_here},
	{.name = OEM_TYPE, .type = PARAMETER_TEXT, .values = oem_types},
	/* For sending the archive elsewhere. */
	{.name = "TargetURI", .unsupported = true},
	{.name = "UserName", .unsupported = true},
	{.name = "Password", .unsupported = true},
	{.name = "TransferProtocol", .unsupported = true},
};

static const struct parameters collect_parameters = {
	PARAMETER_ROWS(collect_rows),
	.description = OEM_TYPE " must be given with " OEM ": " MASKED
				" replaces what identifies the machine, the other types do not"};

static int read_parameters(struct exchange *x, struct diagnostic *what)
{
	const char *oem = body_text(x, OEM_TYPE);

	what->standard = !str_equal(body_text(x, TYPE), OEM);
	what->masked = str_equal(oem, MASKED);
	if (what->standard && oem)
		body_note(x, MESSAGE_ACTION_PARAMETER_VALUE_CONFLICT, OEM_TYPE);
	else if (!what->standard && !oem)
		body_note(x, MESSAGE_ACTION_PARAMETER_MISSING, OEM_TYPE);
	return exchange_noted(x);
}

static int refuse_begin(struct exchange *x, int r)
{
	switch (r) {
	case -EBUSY:
		return exchange_refuse(x, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "10", NULL,
				       NULL);
	case -EUSERS:
		return refuse(
			x, 503,
			"as many archives as can be kept have not been downloaded; download them, or remove their entries");
	default:
		return refuse(x, 503, "the service has no state directory for it (--state)");
	}
}

static int run_collect(struct exchange *x)
{
	struct capture_job *c = calloc(1, sizeof(*c));
	int r;

	if (!c)
		return -ENOMEM;
	c->all = diagnostics_of(x);
	c->what.place = place_of(x->resource);
	r = read_parameters(x, &c->what);
	if (r >= 0)
		r = diagnostics_begin(c->all);
	if (r < 0) {
		free(c);
		return r == -EINVAL || r == -ENOMEM ? r : refuse_begin(x, r);
	}
	c->what.account = x->principal.account;
	(void)snprintf(c->what.user, sizeof(c->what.user), "%s", x->principal.name);
	(void)snprintf(c->what.from, sizeof(c->what.from), "%s", x->principal.from);
	return exchange_continue(x, &collection, c);
}

static int run_clear(struct exchange *x)
{
	const char *etag = log_clear_etag(x);
	char entries[RESOURCE_URI_MAX];
	int r = 0;

	(void)snprintf(entries, sizeof(entries), "%s/Entries", uri_of(place_of(x->resource)));
	if (etag)
		r = log_check_entries(x, entries, etag);
	if (r < 0)
		return r;
	diagnostics_clear(diagnostics_of(x), place_of(x->resource));
	return 0;
}

static const struct action capture_actions[] = {
	{"LogService.ClearLog", &log_clear_parameters, .standard = true, .run = run_clear},
	{COLLECT, &collect_parameters, .standard = true, .needs_body = true, .run = run_collect},
};

/* ---- Entries ----------------------------------------------------------------------------------
 */

static void put_capture_oem(const struct exchange *x, const struct diagnostic *d,
			    struct json_writer *w)
{
	static const char *const states[] = {
		[DIAGNOSTIC_KEPT] = "Available",
		[DIAGNOSTIC_SENDING] = "Downloading",
		[DIAGNOSTIC_SENT] = "Downloaded",
	};

	put_oem_begin(w, "#CXLHostLogEntry.v1_0_0.LogEntry");
	put_object(w, "Capture");
	put_string(w, "State", states[d->state]);
	put_string(w, "Source", diagnostics_are_recorded(diagnostics_of(x)) ? "recorded" : "live");
	put_bool(w, "Masked", d->masked);
	put_number(w, "Files", d->files);
	put_number(w, "Links", d->links);
	put_number(w, "Bytes", d->bytes);
	put_opt_time(w, "ExpirationTime", OPT_U64(d->expires_ns));
	put_array(w, "Missing");
	for (size_t i = 0; i < d->n_named; i++)
		put_string(w, NULL, d->named[i]);
	put_end(w);
	put_number(w, "MissingCount", d->missed);
	put_end(w);
	put_oem_end(w);
}

static const char *type_of(const struct diagnostic *d)
{
	return d->standard ? types_of(d->place)[0] : OEM;
}

/* @uri: of the entry */
static void put_capture(const struct exchange *x, const struct diagnostic *d, const char *uri,
			struct json_writer *w)
{
	const char *const args[] = {type_of(d)};

	put_format(w, "Name", "Capture %" PRIu64, d->id);
	put_string(w, "EntryType", "Event");
	put_string(w, "Severity", health_name(registry_severity(REGISTRY_DIAGNOSTICS_COLLECTED)));
	put_opt_time(w, "Created", OPT_U64(d->created_ns));
	put_opt_time(w, "EventTimestamp", OPT_U64(d->created_ns));
	put_registry_message(REGISTRY_DIAGNOSTICS_COLLECTED, args, w);
	put_string(w, TYPE, type_of(d));
	if (!d->standard)
		put_string(w, OEM_TYPE, d->masked ? MASKED : CAPTURE);
	if (d->state != DIAGNOSTIC_SENT) {
		put_uri(w, "AdditionalDataURI", FILE_URI, uri);
		put_number(w, "AdditionalDataSizeBytes", d->size);
	}
	put_string(w, "OriginatorType", "Client");
	/* As in the audit log. */
	if (x->principal.privileges & PRIVILEGE_CONFIGURE_MANAGER) {
		if (d->from[0])
			put_string(w, "Originator", d->from);
		if (d->user[0])
			put_string(w, "Username", d->user);
	}
	put_capture_oem(x, d, w);
}

static int get_capture_entries(struct exchange *x)
{
	struct diagnostics *all = diagnostics_of(x);
	const enum diagnostic_place place = place_of(x->resource);
	uint64_t ids[DIAGNOSTICS_MAX];
	size_t n = diagnostics_list(all, place, ids), shown = 0;
	struct json_writer *w = &x->w;
	char uri[RESOURCE_URI_MAX];
	struct diagnostic d;

	put_string(w, "Name", x->resource->type->title);
	put_array(w, "Members");
	for (size_t i = 0; i < n; i++) {
		if (!diagnostics_get(all, place, ids[i], &d))
			continue;
		(void)snprintf(uri, sizeof(uri), "%s/%" PRIu64, x->resource->uri, d.id);
		put_object(w, NULL);
		put_uri(w, "@odata.id", "%s", uri);
		put_string(w, "@odata.type", LOG_ENTRY_TYPE);
		put_format(w, "Id", "%" PRIu64, d.id);
		put_capture(x, &d, uri, w);
		put_end(w);
		shown++;
	}
	put_end(w);
	put_number(w, "Members@odata.count", shown);
	return 0;
}

/* Only the canonical form of a number is an Id. Return: 0: there is no such entry. */
static uint64_t id_of(const struct exchange *x)
{
	const char *text = exchange_id(x, 0);
	uint64_t id;

	if (!text || strspn(text, "0123456789") != strlen(text) || text[0] == '0' ||
	    parse_u64(text, &id) < 0)
		return 0;
	return id;
}

static int get_capture(struct exchange *x)
{
	struct diagnostic d;

	if (!diagnostics_get(diagnostics_of(x), place_of(x->resource), id_of(x), &d))
		return exchange_missing(x);
	put_capture(x, &d, x->resource->uri, &x->w);
	return 0;
}

static int remove_capture(struct exchange *x)
{
	return diagnostics_remove(diagnostics_of(x), place_of(x->resource), id_of(x))
		       ? 0
		       : exchange_missing(x);
}

/* ---- the archive ------------------------------------------------------------------------------
 */

static int refuse_open(struct exchange *x, int r)
{
	switch (r) {
	case -ENOENT:
		return exchange_missing(x);
	case -EACCES:
		return refuse(x, 403, "it is for the account that collected it; collect another");
	case -EBUSY:
		(void)exchange_header(x, "Retry-After", "1");
		return refuse(x, 503, "it is being downloaded");
	case -ESTALE:
		return refuse(x, 410, "it was downloaded, which is possible once");
	default:
		return r;
	}
}

static int open_file(struct exchange *x, struct http_stream_source **ret)
{
	struct diagnostics *all = diagnostics_of(x);
	const bool only_head = x->method == METHOD_HEAD;
	const uint64_t id = id_of(x);
	char name[64], shown[SHOWN_URI_MAX];
	uint64_t size;
	int fd = -1, r;

	r = diagnostics_open(all, place_of(x->resource), id, &x->principal, only_head ? NULL : &fd,
			     &size);
	if (r < 0)
		return refuse_open(x, r);
	(void)snprintf(name, sizeof(name), "attachment; filename=\"capture-%" PRIu64 ".tar.zst\"",
		       id);
	(void)exchange_header(x, "Content-Disposition", name);
	*ret = download_new(all, x->service->jobs, only_head ? 0 : id, fd, size);
	if (!*ret)
		return -ENOMEM;
	if (!only_head)
		log_info("diagnostic data is downloaded by %s: %s", exchange_client(x),
			 system_id_show(x->resource->uri, shown));
	return 0;
}

/* ---- rows -------------------------------------------------------------------------------------
 */

#define CAPTURE_ROWS(uri)                                                                          \
	{.pattern = uri,                                                                           \
	 SCHEMA("LogService", "v1_9_0"),                                                           \
	 .get = get_captures,                                                                      \
	 ACTIONS(capture_actions)},                                                                \
		{.pattern = uri "/Entries",                                                        \
		 COLLECTION_SCHEMA("LogEntryCollection", "LogEntry", "Log Entries"),               \
		 .get = get_capture_entries},                                                      \
		{.pattern = uri "/Entries/{LogEntry}",                                             \
		 SCHEMA("LogEntry", LOG_ENTRY_VERSION),                                            \
		 .dynamic = true,                                                                  \
		 .get = get_capture,                                                               \
		 .remove = remove_capture},                                                        \
	{                                                                                          \
		.pattern = uri URI_CAPTURE_FILE, .dynamic = true, .open = open_file,               \
		.content_type = "application/zstd",                                                \
	}

static const struct resource_type capture_types[] = {
	CAPTURE_ROWS(URI_HOST_CAPTURES),
	CAPTURE_ROWS(URI_MANAGER_CAPTURES),
};

const struct resource_rows capture_rows = RESOURCE_ROWS(capture_types);
