// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/redfish_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/clock.h"
#include "common/strutil.h"
#include "redfish/resources/resources.h"
#include "tests/lib/wait.h"

enum { TAG_MAX = 128 };

static const int nodes[] = {0, 1};
static const struct cpu_package package = {.id = 0, .nodes = nodes, .n_nodes = 2};

const struct service_limits *fixture_limits(void)
{
	static struct service_limits limits;

	limits = service_limits_default;
	limits.task_after_ms = limits.firmware_call_ms = WAIT_MAX_MS;
	limits.jobs.queue_ms = limits.jobs.run_ms = WAIT_MAX_MS;
	return &limits;
}

void fixture_init(struct fixture *f, struct accounts *accounts)
{
	fixture_init_with(f, accounts, fixture_limits(), &redfish_resources);
}

void fixture_use_healthy(struct fixture *f, struct mailbox mailboxes[static 4])
{
	for (size_t i = 0; i < ARRAY_SIZE(f->memdevs); i++) {
		mailboxes[i] = (struct mailbox){
			.has_health = true,
			.media = OPT_INT(MEDIA_NORMAL),
			.life_used_level = OPT_INT(LEVEL_NORMAL),
			.temperature_level = OPT_INT(LEVEL_NORMAL),
		};
		f->readings.mailboxes[i] = &mailboxes[i];
		f->memdevs[i]->enabled = true;
	}
}

void fixture_init_with(struct fixture *f, struct accounts *accounts,
		       const struct service_limits *limits, const struct resource_table *table)
{
	struct port *bridges[2];
	struct decoder *window;
	struct dax_device *dax;

	*f = (struct fixture){.table = table};
	http_reply_init(&f->res);
	model_init(&f->model);
	f->model.host.root = &f->model.root_directory;
	f->model.host.packages = &package;
	f->model.host.n_packages = 1;
	bridges[0] = model_bridge(&f->model);
	bridges[1] = model_bridge(&f->model);
	window = model_window(&f->model, bridges, 2);
	for (unsigned int i = 0; i < 4; i++)
		f->memdevs[i] = model_memdev(&f->model, bridges[i % 2]);
	f->readings.memdevs = f->memdevs;
	f->memdevs[0]->numa_node = OPT_INT(0);
	f->region = model_region(&f->model, window, MODEL_WINDOW_BASE, f->memdevs, 2);
	f->region->mode = DECODER_MODE_RAM;
	dax = model_dax(&f->model, f->region, 1);
	dax->mode = DAX_MODE_SYSTEM_RAM;
	dax->online_blocks = dax->total_blocks = OPT_U64(4);
	model_cedt(&f->model, 0, NULL, 0);
	ck_assert_int_eq(service_new(accounts, limits, &f->service, NULL), 0);
}

void fixture_ready(struct fixture *f)
{
	struct view_inputs in = {
		.host = &f->model.host,
		.readings = &f->readings,
		.switches = f->switches,
		.changes_allowed = f->changes_allowed,
		.memory_use = f->memory_use,
	};
	struct view *v;

	ck_assert_int_eq(translator_new(in.host, f->model.firmware, &in.translator, NULL), 0);
	if (f->model.firmware)
		firmware_status(f->model.firmware, &in.firmware);
	ck_assert_int_eq(view_new(f->table, &in, &v, NULL), 0);
	view_date_conditions(v, service_view(f->service), clock_realtime_ns());
	(void)translator_unref(in.translator);
	ck_assert_int_eq(service_set_view(f->service, v), 0);
}

static void forget(struct fixture *f)
{
	json_decref(f->body);
	f->body = NULL;
	http_reply_done(&f->res);
}

void allow_changes(struct fixture *f, unsigned int configured, unsigned int helper)
{
	f->changes_allowed = (struct changes_allowed){configured, helper};
	fixture_ready(f);
}

void fixture_done(struct fixture *f)
{
	forget(f);
	(void)service_free(f->service);
	model_done(&f->model);
}

static void on_complete(struct http_pending *self, struct http_reply *reply)
{
	struct local_call *c =
		(struct local_call *)((char *)self - offsetof(struct local_call, pending));

	http_reply_move(c->reply, reply);
	atomic_fetch_add(&c->completed, 1);
}

static void local_call_pass(struct local_call *c)
{
	struct http_reply now;

	http_reply_init(&now);
	c->suspended = false;
	if (service_handler.handle(c->service, &c->req, &now, &c->base) == HTTP_LATER) {
		http_reply_done(&now);
		return;
	}
	ck_assert(!c->suspended);
	on_complete(&c->pending, &now);
}

/* An HTTP server would do it on one of its own threads. */
static void on_again(struct http_pending *self, int verdict)
{
	struct local_call *c =
		(struct local_call *)((char *)self - offsetof(struct local_call, pending));

	c->req.verdict = verdict;
	local_call_pass(c);
}

static struct http_pending *on_suspend(struct http_call *base)
{
	struct local_call *c = (struct local_call *)base;

	ck_assert(!c->suspended);
	c->suspended = true;
	return &c->pending;
}

void local_call_init(struct local_call *c, struct http_reply *reply)
{
	*c = (struct local_call){{on_suspend}, {on_complete, on_again, -1}, .reply = reply};
	http_reply_init(reply);
}

void local_call_start(struct local_call *c, struct service *s, const struct http_request *req)
{
	c->service = s;
	c->req = *req;
	local_call_pass(c);
}

void local_call_wait(struct local_call *c)
{
	for (unsigned int i = 0; atomic_load(&c->completed) == 0; i++) {
		ck_assert_uint_lt(i, 2 * WAIT_MAX_MS);
		(void)usleep(500);
	}
	ck_assert_uint_eq(atomic_load(&c->completed), 1);
}

unsigned int ask(struct fixture *f, const struct http_request *req)
{
	struct local_call c;

	forget(f);
	local_call_init(&c, &f->res);
	local_call_start(&c, f->service, req);
	local_call_wait(&c);
	f->in_job = c.suspended;
	ck_assert_ptr_nonnull(f->res.body);
	f->body = json_loadb(f->res.body->bytes, f->res.body->len, JSON_REJECT_DUPLICATES, NULL);
	ck_assert(f->res.body->coding || (f->body != NULL) == (f->res.body->len > 0) ||
		  !str_after_prefix(f->res.body->content_type, "application/json"));
	return f->res.status;
}

unsigned int get(struct fixture *f, const char *path)
{
	return ask(f, &(struct http_request){.method = METHOD_GET, .path = path});
}

unsigned int post(struct fixture *f, const char *path, const char *body)
{
	return ask(f, &(struct http_request){
			      .method = METHOD_POST,
			      .path = path,
			      .headers = {[HEADER_CONTENT_TYPE] = "application/json"},
			      .body = body,
			      .body_len = strlen(body),
		      });
}

static unsigned int ask_if(struct fixture *f, enum http_method method, const char *uri,
			   const char *etag, const char *body, const char *token)
{
	struct http_request req = {
		.method = method,
		.path = uri,
		.headers = {[HEADER_IF_MATCH] = etag, [HEADER_X_AUTH_TOKEN] = token},
		.body = body,
		.body_len = body ? strlen(body) : 0,
		.client = {.transport = HTTP_OVER_UNIX, .has_credentials = true},
	};

	if (body)
		req.headers[HEADER_CONTENT_TYPE] = "application/json";
	return ask(f, &req);
}

unsigned int ask_change(struct fixture *f, enum http_method method, const char *uri, const char *of,
			const char *body, const char *token)
{
	char etag[TAG_MAX];

	if (!of)
		return ask_if(f, method, uri, NULL, body, token);
	ck_assert_msg(ask_if(f, METHOD_GET, of, NULL, NULL, token) == 200, "%s: status %u", of,
		      f->res.status);
	(void)snprintf(etag, sizeof(etag), "%s", f->res.body->etag);
	return ask_if(f, method, uri, etag, body, token);
}

void expect_extended(const struct fixture *f, size_t i, const char *key, const char *text)
{
	const json_t *m = json_array_get(value_at(f, "error/@Message.ExtendedInfo"), i);
	const char *id = json_string_value(json_object_get(m, "MessageId"));
	char *all = json_dumps(m, 0);

	ck_assert_msg(id && str_equal(strrchr(id, '.') + 1, key), "%zu is not %s: %s", i, key,
		      all ? all : "no message");
	ck_assert_msg(!text || strstr(all, text), "'%s' is not in %s", text, all);
	free(all);
}

json_t *value_at(const struct fixture *f, const char *path)
{
	json_t *j = f->body;
	char key[64];

	while (j && *path) {
		size_t n = strcspn(path, "/");

		ck_assert_uint_lt(n, sizeof(key));
		memcpy(key, path, n);
		key[n] = '\0';
		j = json_is_array(j) ? json_array_get(j, strtoul(key, NULL, 10))
				     : json_object_get(j, key);
		path += n + (path[n] == '/');
	}
	return j;
}

const char *at(const struct fixture *f, const char *path)
{
	const json_t *j = value_at(f, path);

	if (json_is_boolean(j))
		return json_is_true(j) ? "true" : "false";
	return json_string_value(j);
}

const char *message(const struct fixture *f)
{
	const char *id = at(f, "error/@Message.ExtendedInfo/0/MessageId");

	ck_assert_ptr_nonnull(id);
	ck_assert_str_eq(at(f, "error/code"), id);
	ck_assert_str_eq(at(f, "error/message"), at(f, "error/@Message.ExtendedInfo/0/Message"));
	id = str_after_prefix(id, "Base.1.22.");
	ck_assert_ptr_nonnull(id);
	return id;
}

/* The fixture of fabric_fixture.h and change_fixture.h. */
struct fixture f;
