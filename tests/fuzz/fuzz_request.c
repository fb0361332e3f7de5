// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Any request to the whole service, with an event log, subscriptions and streams, but without a
// transport:
//
//	METHOD URI
//	Header: value
//
//	body
#include <errno.h>
#include <stdio.h>
#include <strings.h>
#include <unistd.h>

#include "common/array.h"
#include "http/head.h"
#include "http/limits.h"
#include "http/stream.h"
#include "redfish/state/incident_notes.h"
#include "redfish/auth/authenticate.h"
#include "redfish/eventing/event_service.h"
#include "redfish/state/state.h"
#include "tests/fuzz/fuzz_table.h"
#include "tests/lib/log_fixture.h"

enum { INPUT_MAX = 64 * 1024, STREAM_READS = 4, EVENTS = 20, INPUTS_PER_EVENTS = 4096 };

static const struct event_service_options options = {
	.push_program = "/nonexistent", /* nothing is sent */
	.retry_attempts = 1,
	.retry_seconds = 3600,
};

/* Shared by all inputs: what one of them creates, a later one may find. */
static struct {
	struct log_fixture log;
	struct event_bus *bus;
	struct state *state;
	struct event_service *events;
	struct accounts *accounts;
	struct jobs *jobs; /* of `basic` */
	struct basic *basic;
} all;

/* Now and then there are new ones, since an input may clear the log. */
static void refill(void)
{
	static unsigned int inputs, events;

	if (inputs++ % INPUTS_PER_EVENTS != 0)
		return;
	log_put_many(&all.log, events, EVENTS);
	events += EVENTS;
	event_bus_publish(all.bus, all.log.newest);
}

/* libFuzzer ends without a call: files in the scratch directory are left to its user. */
static void setup(void)
{
	const char *origin = "https://page.example";
	char path[128];

	log_init(&all.log);
	log_ready(&all.log);
	FUZZ_MUST(event_bus_new(&all.bus, NULL) == 0);
	(void)snprintf(path, sizeof(path), "%s/state.db", all.log.directory);
	FUZZ_MUST(state_new(path, &all.state, NULL) == 0);
	FUZZ_MUST(event_service_new(all.log.f.service, all.log.log, all.bus, all.state, &options,
				    &all.events, NULL) == 0);
	all.log.f.service->event_service = all.events;
	service_set_state(all.log.f.service, all.state);
	incident_notes_set_state(all.log.f.service->incident_notes, all.state);
	origins_set(&all.log.f.service->origins, &origin, 1);
	FUZZ_MUST(accounts_new(NULL, "secret", &all.accounts, NULL) == 0);
	FUZZ_MUST(jobs_new(&job_limits_default, &all.jobs, NULL) == 0);
	FUZZ_MUST(basic_new(all.accounts, all.jobs, &all.basic, NULL) == 0);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	setup();
	return 0;
}

/* ---- a request --------------------------------------------------------------------------------
 */

static enum http_method method_of(const char *name)
{
	static const char *const names[] = {
		[METHOD_GET] = "GET",	  [METHOD_HEAD] = "HEAD",     [METHOD_POST] = "POST",
		[METHOD_PATCH] = "PATCH", [METHOD_DELETE] = "DELETE", [METHOD_OPTIONS] = "OPTIONS",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(name, names[i]) == 0)
			return (enum http_method)i;
	return METHOD_OTHER;
}

static int digit(char c)
{
	const char *digits = "0123456789abcdef";
	const char *at = c ? strchr(digits, c | 0x20) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* As the transport does it, in place. */
static void decode(char *s)
{
	char *to = s;

	for (; *s; s++) {
		int high = *s == '%' ? digit(s[1]) : -1, low = high < 0 ? -1 : digit(s[2]);

		*to++ = (char)(low < 0 ? *s : high << 4 | low);
		s += low < 0 ? 0 : 2;
	}
	*to = '\0';
}

static void read_uri(char *uri, struct http_request *req)
{
	char *query = uri, *one;

	req->fault = http_uri_fault(uri);
	req->path = strsep(&query, "?");
	decode(uri);
	while ((one = strsep(&query, "&"))) {
		char *value = strchr(one, '=');

		if (value)
			*value++ = '\0';
		decode(one);
		if (value)
			decode(value);
		if (http_is_option(one) && req->n_options < HTTP_OPTIONS_MAX)
			req->options[req->n_options++] = (struct http_option){one, value};
	}
}

static void read_header(char *line, struct http_request *req)
{
	static const char *const names[HTTP_HEADERS] = {
		[HEADER_ACCEPT] = "Accept",
		[HEADER_ACCEPT_ENCODING] = "Accept-Encoding",
		[HEADER_ACCESS_CONTROL_REQUEST_METHOD] = "Access-Control-Request-Method",
		[HEADER_AUTHORIZATION] = "Authorization",
		[HEADER_CONTENT_LENGTH] = "Content-Length",
		[HEADER_CONTENT_TYPE] = "Content-Type",
		[HEADER_EXPECT] = "Expect",
		[HEADER_HOST] = "Host",
		[HEADER_IF_MATCH] = "If-Match",
		[HEADER_IF_NONE_MATCH] = "If-None-Match",
		[HEADER_LAST_EVENT_ID] = "Last-Event-ID",
		[HEADER_ODATA_VERSION] = "OData-Version",
		[HEADER_ORIGIN] = "Origin",
		[HEADER_PREFER] = "Prefer",
		[HEADER_SEC_FETCH_SITE] = "Sec-Fetch-Site",
		[HEADER_TRANSFER_ENCODING] = "Transfer-Encoding",
		[HEADER_X_AUTH_TOKEN] = "X-Auth-Token",
	};
	char *value = line, *name = strsep(&value, ":");

	for (size_t i = 0; value && i < HTTP_HEADERS; i++)
		if (strcasecmp(name, names[i]) == 0)
			req->headers[i] = value + strspn(value, " ");
}

static struct http_pending *never_suspend(struct http_call *call)
{
	(void)call;
	return NULL;
}

/* @text: modified, and what @req refers to. */
static void read_request(char *text, char *body, size_t body_len, struct http_request *req)
{
	char *line = strsep(&text, "\n"), *method = strsep(&line, " ");
	struct http_call call = {never_suspend};

	req->method = method_of(method);
	read_uri(line ? line : method + strlen(method), req);
	while (text && (line = strsep(&text, "\n")))
		read_header(line, req);
	if (service_handler.wants_body(all.log.f.service, req, &call) == HTTP_BODY_KEEP) {
		req->body = body;
		req->body_len = body_len;
	} else if (body_len > 0 && req->fault == FAULT_NONE && req->method >= METHOD_POST) {
		req->fault = FAULT_BODY_NOT_READ;
	}
}

/* ---- its reply --------------------------------------------------------------------------------
 */

static void on_wake(void *userdata)
{
	(void)userdata;
}

static void read_stream(struct http_stream_source *source)
{
	char buf[4096];

	source->ops->watch(source, on_wake, NULL);
	for (size_t i = 0; i < STREAM_READS; i++) {
		ssize_t n = source->ops->read(source, buf, sizeof(buf), i % 2);

		FUZZ_MUST(n <= (ssize_t)sizeof(buf));
		if (n < 0)
			break;
	}
}

static void check_json(const struct representation *body)
{
	json_t *json;

	if (body->coding) {
		FUZZ_MUST(body->len > 2 && memcmp(body->bytes, "\x1f\x8b", 2) == 0);
		return;
	}
	json = json_loadb(body->bytes, body->len, JSON_REJECT_DUPLICATES, NULL);
	FUZZ_MUST(json);
	json_decref(json);
}

static void check_reply(const struct http_reply *reply)
{
	FUZZ_MUST(reply->status >= 200 && reply->status < 600 && reply->status != 500);
	if (reply->stream)
		read_stream(reply->stream);
	else if (reply->body && reply->body->len > 0 && reply->status != 304 &&
		 reply->body->content_type &&
		 strncmp(reply->body->content_type, "application/json", 16) == 0)
		check_json(reply->body);
	for (size_t i = 0; i < reply->n_headers; i++)
		FUZZ_MUST(!strpbrk(reply->text + reply->headers[i].value, "\r\n"));
}

/* The service itself has no accounts: inputs would see nothing of it. No hash is made. */
static void log_in(const struct http_request *req)
{
	struct http_call call = {never_suspend};
	unsigned int retry_s = 0;
	struct principal who;
	int r;

	r = basic_authenticate(all.basic, req, &who, &retry_s);
	FUZZ_MUST(r == 0 || r == -EACCES || r == -EBUSY || r == -EINPROGRESS);
	if (r == -EINPROGRESS)
		FUZZ_MUST(basic_check(all.basic, req, &call, &retry_s) < 0);
}

static void pass(const struct http_request *req)
{
	struct http_reply reply;
	struct local_call c;

	log_in(req);
	local_call_init(&c, &reply);
	local_call_start(&c, all.log.f.service, req);
	local_call_wait(&c);
	check_reply(&reply);
	http_reply_done(&reply);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text, *head_end, *body = NULL;
	struct http_request req = {0};

	if (size > INPUT_MAX)
		return 0;
	refill();
	text = malloc(size + 1);
	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	head_end = memmem(text, size, "\n\n", 2);
	if (head_end) {
		/* A copy of the right size: it has no NUL behind it. */
		size_t len = size - (size_t)(head_end + 2 - text);

		*head_end = '\0';
		body = malloc(len);
		memcpy(body, head_end + 2, len);
		read_request(text, body, len, &req);
	} else {
		read_request(text, NULL, 0, &req);
	}
	pass(&req);
	free(body);
	free(text);
	return 0;
}
