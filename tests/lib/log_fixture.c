// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/log_fixture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "redfish/resources/resources.h"
#include "tests/lib/store_util.h"
#include "tests/lib/wait.h"

static const uint8_t boot_id[EVENT_BOOT_ID_SIZE] = {1, 2, 3, 4};

static void make_directory(struct log_fixture *l)
{
	(void)snprintf(l->directory, sizeof(l->directory), "log_fixture.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(l->directory));
	(void)snprintf(l->path, sizeof(l->path), "%s/events.db", l->directory);
	l->options = (struct store_options){.path = l->path, .max_records = 1000};
}

void log_init(struct log_fixture *l)
{
	log_init_with(l, fixture_limits());
}

void log_init_with(struct log_fixture *l, const struct service_limits *limits)
{
	log_init_for(l, NULL, limits);
}

void log_init_for(struct log_fixture *l, struct accounts *accounts,
		  const struct service_limits *limits)
{
	*l = (struct log_fixture){0};
	fixture_init_with(&l->f, accounts, limits, &redfish_resources);
	make_directory(l);
}

static void note_committed(void *userdata, const struct stored_event *events, size_t n)
{
	struct log_fixture *l = userdata;

	for (size_t i = 0; i < n; i++) {
		ck_assert_int_eq(events[i].outcome, STORE_FINAL);
		l->newest = events[i].seq;
	}
	l->stored += n;
}

static void note_finished(void *userdata, const struct store_final *finals, size_t n)
{
	(void)userdata;
	(void)finals;
	(void)n;
}

static void wait_for_store(struct log_fixture *l)
{
	struct store_status status = {0};

	for (unsigned int i = 0; !status.path[0]; i++) {
		ck_assert_uint_lt(i, 2 * WAIT_MAX_MS);
		(void)usleep(500);
		event_log_status(l->log, &status);
	}
}

static void start_store(struct log_fixture *l, struct service *s)
{
	const struct store_callbacks callbacks = {note_committed, note_finished, l};
	struct event_log_traits traits = {
		.max_records = l->options.max_records,
		.policy = l->options.policy,
		.persistent = OPT_BOOL(true),
	};

	memcpy(traits.boot_id, boot_id, sizeof(boot_id));
	ck_assert_int_eq(store_writer_new(&l->options, &callbacks, &l->writer, NULL), 0);
	ck_assert_int_eq(event_log_new(l->writer, &traits, &l->log, NULL), 0);
	wait_for_store(l);
	s->event_log = l->log;
}

void log_ready(struct log_fixture *l)
{
	start_store(l, l->f.service);
	fixture_ready(&l->f);
}

void log_start(struct log_fixture *l, struct service *s)
{
	make_directory(l);
	start_store(l, s);
}

void log_end(struct log_fixture *l)
{
	char command[128];

	(void)event_log_free(l->log);
	(void)store_writer_free(l->writer);
	(void)snprintf(command, sizeof(command), "rm -rf %s", l->directory);
	ck_assert_int_eq(system(command), 0);
}

void log_done(struct log_fixture *l)
{
	fixture_done(&l->f);
	log_end(l);
}

void log_event(unsigned int i, struct stored_event *ret)
{
	made_event(i, ret);
	strcpy(ret->device, MEM0_ID);
	strcpy(ret->record.memdev, "mem0");
	memcpy(ret->boot_id, boot_id, sizeof(boot_id));
	ret->record.number[FIELD_SERIAL] = 0xabc0;
	ret->severity = EVENT_WARNING;
	ret->answer.region_resource = OPT_U64(MODEL_WINDOW_BASE);
	ret->answer.has_region_uuid = false;
}

void log_wait_stored(const struct log_fixture *l, uint64_t n)
{
	for (unsigned int i = 0; l->stored < n; i++) {
		ck_assert_uint_lt(i, 2 * WAIT_MAX_MS);
		(void)usleep(500);
	}
}

uint64_t log_put(struct log_fixture *l, const struct stored_event *ev)
{
	uint64_t before = l->stored;

	ck_assert_int_eq(store_writer_add(l->writer, ev), 0);
	log_wait_stored(l, before + 1);
	return l->newest;
}

void log_put_many(struct log_fixture *l, unsigned int first, unsigned int n)
{
	uint64_t before = l->stored;
	struct stored_event ev;

	for (unsigned int i = 0; i < n; i++) {
		log_event(first + i, &ev);
		ck_assert_int_eq(store_writer_add(l->writer, &ev), 0);
	}
	log_wait_stored(l, before + n);
}

unsigned int log_ask(struct log_fixture *l, const struct http_request *req)
{
	return ask(&l->f, req);
}

unsigned int log_get(struct log_fixture *l, const char *path)
{
	return log_ask(l, &(struct http_request){.method = METHOD_GET, .path = path});
}

unsigned int log_send(struct log_fixture *l, enum http_method method, const char *path,
		      const char *body)
{
	return log_ask(l, &(struct http_request){.method = method,
						 .path = path,
						 .body = body,
						 .body_len = body ? strlen(body) : 0});
}

unsigned int log_query(struct log_fixture *l, const char *path, const char *query)
{
	struct http_request req = {.method = METHOD_GET, .path = path};
	char text[512], *at = text, *one;

	ck_assert_uint_lt(strlen(query), sizeof(text));
	strcpy(text, query);
	while ((one = strsep(&at, "&"))) {
		char *value = strchr(one, '=');

		if (value)
			*value++ = '\0';
		req.options[req.n_options++] = (struct http_option){one, value};
	}
	return log_ask(l, &req);
}
