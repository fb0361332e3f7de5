// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Prints what a service on a captured host has, for the golden files in tests/hosts and for tests
 * that compare it with what a client finds: `dump_redfish PATH`, sorted by URI. A line "GET URI" or
 * "POST URI" for each; behind GET the resource, without what another build or moment would change.
 *
 * Exit status: 0; 1 when the host cannot be read; 77 when namespaces are forbidden here.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "capture/captured_host.h"
#include "common/array.h"
#include "common/strutil.h"
#include "mailbox/switch_reader.h"
#include "redfish/resources/resources.h"
#include "redfish/service/service.h"
#include "redfish/view/view_holder.h"
#include "redfish/view/view.h"

DEFINE_CLEANUP(struct host_root, host_root_free);
DEFINE_CLEANUP(struct mailbox_client, mailbox_client_free);
DEFINE_CLEANUP(struct service, service_free);
DEFINE_ARRAY(struct resource *, list);

enum { LINE_MAX_CHARS = 120 };

/* The time at which all conditions are first seen: 2026-01-01 00:00:00 UTC. */
static const uint64_t now_ns = 1767225600000000000;

static int uri_order(const void *a, const void *b)
{
	struct resource *const *x = a, *const *y = b;

	return str_natural_cmp((*x)->uri, (*y)->uri);
}

/* A body that is the same on every host only makes the files long, and schemas are files already.
 */
static bool has_body(const struct resource *r)
{
	return r->type->schema && !str_equal(r->type->schema, "JsonSchemaFile") &&
	       !str_equal(r->type->schema, "PrivilegeRegistry");
}

/* Prints JSON with what fits into a line on one: the text is for people. */
static void print_json(const json_t *value, unsigned int indent)
{
	char *flat = json_dumps(value, JSON_ENCODE_ANY);
	const bool fits = flat && (indent > 0 || !json_is_object(value)) &&
			  strlen(flat) + indent <= LINE_MAX_CHARS;
	const char *key, *separator = "";
	json_t *item;
	size_t i;

	if (fits || (!json_is_object(value) && !json_is_array(value))) {
		printf("%s", flat ? flat : "null");
	} else if (json_is_array(value)) {
		json_array_foreach(value, i, item) {
			printf("%s\n%*s", i > 0 ? "," : "[", (int)indent + 2, "");
			print_json(item, indent + 2);
		}
		printf("\n%*s]", (int)indent, "");
	} else {
		json_object_foreach((json_t *)(uintptr_t)value, key, item) {
			printf("%s\n%*s\"%s\": ", *separator ? separator : "{", (int)indent + 2, "",
			       key);
			print_json(item, indent + 2);
			separator = ",";
		}
		printf("\n%*s}", (int)indent, "");
	}
	free(flat);
}

static json_t *ask(struct service *s, const struct resource *r, json_error_t *e)
{
	const struct http_request req = {.method = METHOD_GET, .path = r->uri};
	struct http_call never_suspended = {0};
	struct http_reply res;
	json_t *body = NULL;

	http_reply_init(&res);
	(void)service_handler.handle(s, &req, &res, &never_suspended);
	if (res.body)
		body = json_loadb(res.body->bytes, res.body->len, JSON_REJECT_DUPLICATES, e);
	http_reply_done(&res);
	return body;
}

static int print_body(struct service *s, const struct resource *r)
{
	json_error_t e = {.text = "no answer"};
	json_t *body = ask(s, r, &e);

	if (!body) {
		fprintf(stderr, "dump_redfish: %s: %s\n", r->uri, e.text);
		return -EINVAL;
	}
	(void)json_object_del(body, "@odata.etag");
	if (str_equal(r->type->schema, "Manager"))
		(void)json_object_set_new(body, "FirmwareVersion", json_string("this version"));
	if (json_object_get(body, "DateTime"))
		(void)json_object_set_new(body, "DateTime", json_string("now"));
	print_json(body, 0);
	printf("\n");
	json_decref(body);
	return 0;
}

static int print_all(struct service *s)
{
	struct resource *r, **slot;
	struct list all = {0};
	int error = 0;

	for (size_t i = 0;
	     (r = resource_at(view_holder_view(s->view_holder)->index, i)) && error == 0; i++) {
		slot = list_add(&all);
		if (slot)
			*slot = r;
		else
			error = -ENOMEM;
	}
	if (all.n > 1)
		qsort(all.items, all.n, sizeof(all.items[0]), uri_order);
	for (size_t i = 0; i < all.n && error == 0; i++) {
		r = all.items[i];
		/* Answered with the reason why it cannot be used; nothing links it. */
		if (r->action && r->unchangeable)
			continue;
		printf("%s %s\n", r->action ? "POST" : "GET", r->uri);
		if (!r->action && has_body(r))
			error = print_body(s, r);
	}
	list_done(&all);
	return error;
}

/* The recorded answers of switches, if the host has any. */
static int read_switches(const struct host_root *root, const struct switch_readings **ret)
{
	struct switch_reader *reader = switch_reader_new();
	struct switch_readings *readings = NULL;
	struct switch_access *access = NULL;
	int r = reader ? switch_access_new(root, NULL, NULL, &access) : -ENOMEM;

	if (r == 0)
		r = switch_reader_read(reader, access, SWITCH_READ_ALL, &readings);
	if (r == 0 && readings->n_switches > 0)
		*ret = readings;
	else
		(void)switch_readings_unref(readings);
	(void)switch_access_free(access);
	(void)switch_reader_free(reader);
	return r;
}

/* Makes the view of a daemon that has asked the devices once. */
static int make_view(const char *path, struct host_root **ret_root, struct view **ret,
		     struct error *e)
{
	_cleanup_(mailbox_client_freep) struct mailbox_client *client = NULL;
	_cleanup_view_inputs_ struct view_inputs in = {0};
	struct readings *readings;
	int r;

	r = host_root_open(path, ret_root, e);
	if (r >= 0)
		r = host_read(*ret_root, &in.host, e);
	if (r >= 0)
		r = mailbox_client_new(*ret_root, &client, e);
	if (r >= 0)
		r = translator_new(in.host, NULL, &in.translator, e);
	if (r < 0)
		return r;
	r = read_switches(*ret_root, &in.switches);
	if (r == 0)
		r = readings_read(client, in.host, NULL, NULL, &readings);
	if (r < 0)
		return error_set(e, r, "%s", strerror(-r));
	in.readings = readings;
	r = view_new(&redfish_resources, &in, ret, e);
	if (r == 0)
		view_date_conditions(*ret, NULL, now_ns);
	return r;
}

int main(int argc, char **argv)
{
	_cleanup_(host_root_freep) struct host_root *root = NULL;
	_cleanup_(service_freep) struct service *s = NULL;
	struct view *v;
	struct error e;
	int r;

	if (argc != 2) {
		fprintf(stderr, "usage: dump_redfish PATH\n");
		return EXIT_FAILURE;
	}
	r = make_view(argv[1], &root, &v, &e);
	if (r >= 0)
		r = service_new(NULL, &service_limits_default, &s, &e);
	if (r >= 0)
		r = view_holder_set(s->view_holder, v);
	if (r < 0) {
		fprintf(stderr, "dump_redfish: %s\n", e.text);
		return r == -EPERM ? 77 : EXIT_FAILURE;
	}
	return print_all(s) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
