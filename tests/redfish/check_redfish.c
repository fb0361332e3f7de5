// SPDX-License-Identifier: LGPL-2.1-or-later
/* The protocol without HTTP: the steps a request goes through, and the resources. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "http/representation.h"
#include "redfish/auth/accounts.h"
#include "redfish/core/resource_table.h"
#include "redfish/core/uris.h"
#include "redfish/view/view.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"

/* base64 of "admin:secret" */
#define LOGIN "Basic YWRtaW46c2VjcmV0"

static struct fixture f;
static struct accounts *accounts;

static void start(void)
{
	fixture_init(&f, NULL);
	fixture_ready(&f);
}

static void stop(void)
{
	fixture_done(&f);
}

static void start_with_login(void)
{
	ck_assert_int_eq(accounts_new(NULL, "secret", &accounts, NULL), 0);
	fixture_init(&f, accounts);
	fixture_ready(&f);
}

static void stop_with_login(void)
{
	fixture_done(&f);
	accounts = accounts_free(accounts);
}

/* ---- steps ------------------------------------------------------------------------------------
 */

START_TEST(before_the_first_view_the_service_is_unavailable)
{
	struct fixture g;

	fixture_init(&g, NULL);
	ck_assert_uint_eq(get(&g, ROOT "/"), 503);
	ck_assert_str_eq(message(&g), "ServiceTemporarilyUnavailable");
	fixture_done(&g);
}
END_TEST

START_TEST(the_open_uris_need_no_login)
{
	static const char *const open[] = {
		"/redfish",	   "/redfish/",		ROOT, ROOT "/", ROOT "/odata",
		ROOT "/$metadata", ROOT "/openapi.yaml"};

	for (size_t i = 0; i < ARRAY_SIZE(open); i++) {
		ck_assert_msg(get(&f, open[i]) == 200, "%s", open[i]);
		ck_assert_uint_eq(
			ask(&f, &(struct http_request){.method = METHOD_HEAD, .path = open[i]}),
			200);
	}
}
END_TEST

START_TEST(all_other_uris_are_401_without_login_even_those_that_do_not_exist)
{
	static const char *const closed[] = {SYSTEM,
					     MEM0,
					     ROOT "/nonsense",
					     "/",
					     "/redfish/v2",
					     ROOT "/Systems/",
					     ROOT "/schemas/CXLHostMemory_v1.xml",
					     TRANSLATE_DPA};

	for (size_t i = 0; i < ARRAY_SIZE(closed); i++) {
		ck_assert_msg(get(&f, closed[i]) == 401, "%s", closed[i]);
		ck_assert_str_eq(message(&f), "AccessUnauthorized");
		ck_assert_ptr_null(f.res.body->allow);
	}
	ck_assert_uint_eq(post(&f, TRANSLATE_DPA, "{}"), 401);
	/* Resources that are readable without login are not writable without it. */
	ck_assert_uint_eq(post(&f, ROOT "/", "{}"), 401);
}
END_TEST

START_TEST(authentication_comes_before_preconditions)
{
	struct http_request req = {.method = METHOD_GET,
				   .path = SYSTEM,
				   .headers[HEADER_IF_NONE_MATCH] = "*",
				   .headers[HEADER_ODATA_VERSION] = "5"};

	ck_assert_uint_eq(ask(&f, &req), 401);
	req.headers[HEADER_AUTHORIZATION] = LOGIN;
	ck_assert_uint_eq(ask(&f, &req), 412);
	req.headers[HEADER_ODATA_VERSION] = "4.0";
	ck_assert_uint_eq(ask(&f, &req), 304);
}
END_TEST

START_TEST(only_the_right_credential_logs_in)
{
	static const struct {
		const char *authorization;
		unsigned int status;
	} cases[] = {
		{LOGIN, 200},
		{"basic YWRtaW46c2VjcmV0", 200},
		{"Basic  YWRtaW46c2VjcmV0", 200},
		{"Basic YWRtaW46d3Jvbmc=", 401}, /* admin:wrong */
		{"Basic cm9vdDpzZWNyZXQ=", 401}, /* root:secret */
		{"Basic YWRtaW46c2VjcmV0Cg==", 401},
		{"Basic YWRtaW46c2VjcmV", 401},
		{"Bearer YWRtaW46c2VjcmV0", 401},
		{"Basic", 401},
		{"Basic ", 401},
		{"", 401},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct http_request req = {.method = METHOD_GET,
					   .path = SYSTEM,
					   .headers[HEADER_AUTHORIZATION] = cases[i].authorization};

		ck_assert_msg(ask(&f, &req) == cases[i].status, "'%s' gives %u",
			      cases[i].authorization, f.res.status);
	}
}
END_TEST

START_TEST(unknown_resource_is_404_naming_the_uri)
{
	ck_assert_uint_eq(get(&f, SYSTEM "/Memory/nonsense"), 404);
	ck_assert_str_eq(message(&f), "ResourceMissingAtURI");
	ck_assert_str_eq(at(&f, "error/@Message.ExtendedInfo/0/MessageArgs/0"),
			 SYSTEM "/Memory/nonsense");
	ck_assert_uint_eq(get(&f, SYSTEM "/Memory//"), 400);
	ck_assert_uint_eq(get(&f, SYSTEM "x"), 404);
	ck_assert_uint_eq(get(&f, "/"), 404);
}
END_TEST

START_TEST(one_final_slash_is_tolerated)
{
	ck_assert_uint_eq(get(&f, MEM0 "/"), 200);
	ck_assert_str_eq(at(&f, "@odata.id"), MEM0);
}
END_TEST

START_TEST(a_method_that_is_not_allowed_is_405_with_allow)
{
	struct http_request other = {.method = METHOD_OTHER, .path = SYSTEM};

	ck_assert_uint_eq(post(&f, SYSTEM, "{}"), 405);
	ck_assert_str_eq(message(&f), "OperationNotAllowed");
	ck_assert_str_eq(f.res.body->allow, "GET, HEAD");
	ck_assert_uint_eq(ask(&f, &other), 405);
	ck_assert_uint_eq(get(&f, TRANSLATE_DPA), 405);
	ck_assert_str_eq(f.res.body->allow, "POST");
}
END_TEST

START_TEST(dot_segments_and_control_characters_are_refused)
{
	static const char *const bad[] = {
		ROOT "/../v1", ROOT "/./Systems", ROOT "/..", ROOT "//Systems",
		ROOT "/a\nb",  "redfish",	  ""};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		ck_assert_msg(get(&f, bad[i]) == 400, "'%s' gives %u", bad[i], f.res.status);
		ck_assert_str_eq(message(&f), "InvalidURI");
	}
}
END_TEST

START_TEST(headers_that_cannot_be_met_have_their_own_status)
{
	struct http_request req = {.method = METHOD_GET, .path = SYSTEM};

	req.headers[HEADER_ODATA_VERSION] = "4.1";
	ck_assert_uint_eq(ask(&f, &req), 412);
	req.headers[HEADER_ODATA_VERSION] = NULL;
	req.headers[HEADER_ACCEPT] = "text/html";
	ck_assert_uint_eq(ask(&f, &req), 406);
	req.headers[HEADER_ACCEPT] = "application/json;charset=utf-8";
	ck_assert_uint_eq(ask(&f, &req), 200);
	req.options[0].name = "$unknown";
	req.n_options = 1;
	ck_assert_uint_eq(ask(&f, &req), 501);
	ck_assert_str_eq(message(&f), "QueryParameterUnsupported");
	ck_assert_str_eq(at(&f, "error/@Message.ExtendedInfo/0/MessageArgs/0"), "$unknown");
}
END_TEST

START_TEST(the_metadata_document_is_xml_and_negotiated_as_such)
{
	struct http_request req = {.method = METHOD_GET,
				   .path = ROOT "/$metadata",
				   .headers[HEADER_ACCEPT] = "application/json"};

	ck_assert_uint_eq(ask(&f, &req), 406);
	req.headers[HEADER_ACCEPT] = "application/xml";
	ck_assert_uint_eq(ask(&f, &req), 200);
	ck_assert_str_eq(f.res.body->content_type, CONTENT_TYPE_XML);
}
END_TEST

START_TEST(faults_of_the_transport_are_refused_in_order)
{
	struct http_request req = {.method = METHOD_POST, .path = TRANSLATE_DPA};

	req.fault = FAULT_HEADER;
	req.fault_header = "Content-Length";
	ck_assert_uint_eq(ask(&f, &req), 400);
	ck_assert_str_eq(message(&f), "HeaderInvalid");
	req.fault = FAULT_URI_TOO_LONG;
	ck_assert_uint_eq(ask(&f, &req), 414);
	req.fault = FAULT_BODY_TOO_LARGE;
	ck_assert_uint_eq(ask(&f, &req), 413);
	ck_assert_str_eq(message(&f), "PayloadTooLarge");
	req.fault = FAULT_NO_MEMORY;
	ck_assert_uint_eq(ask(&f, &req), 503);
	/* Too long or not: there is nothing to write to. */
	req.fault = FAULT_BODY_TOO_LARGE;
	req.path = SYSTEM;
	ck_assert_uint_eq(ask(&f, &req), 405);
}
END_TEST

START_TEST(a_body_is_wanted_only_by_an_action_with_all_headers_right)
{
	struct http_request req = {.method = METHOD_POST, .path = TRANSLATE_DPA};

	ck_assert_int_eq(service_handler.wants_body(f.service, &req, NULL), HTTP_BODY_KEEP);
	req.headers[HEADER_CONTENT_TYPE] = "text/plain";
	ck_assert_int_eq(service_handler.wants_body(f.service, &req, NULL), HTTP_BODY_DISCARD);
	req.headers[HEADER_CONTENT_TYPE] = "application/json; charset=utf-8";
	ck_assert_int_eq(service_handler.wants_body(f.service, &req, NULL), HTTP_BODY_KEEP);
	req.path = SYSTEM;
	ck_assert_int_eq(service_handler.wants_body(f.service, &req, NULL), HTTP_BODY_DISCARD);
	req.method = METHOD_GET;
	ck_assert_int_eq(service_handler.wants_body(f.service, &req, NULL), HTTP_BODY_DISCARD);
}
END_TEST

START_TEST(an_etag_outlives_a_rebuild_that_changed_nothing_and_no_other)
{
	struct http_request req = {.method = METHOD_GET, .path = REGION};
	char etag[ETAG_MAX];

	ck_assert_uint_eq(ask(&f, &req), 200);
	strcpy(etag, f.res.body->etag);
	ck_assert_str_eq(at(&f, "@odata.etag"), etag);
	req.headers[HEADER_IF_NONE_MATCH] = etag;
	ck_assert_uint_eq(ask(&f, &req), 304);
	fixture_ready(&f);
	ck_assert_uint_eq(ask(&f, &req), 304);
	f.region->enabled = false;
	fixture_ready(&f);
	ck_assert_uint_eq(ask(&f, &req), 200);
	ck_assert_str_ne(f.res.body->etag, etag);
}
END_TEST

/* ---- resources --------------------------------------------------------------------------------
 */

START_TEST(every_resource_is_sound_json_under_its_own_uri)
{
	const struct view *v = service_view(f.service);
	const struct resource *r;
	size_t n = 0;

	for (size_t i = 0; (r = resource_at(v->index, i)); i++) {
		/* A stream has no end, and there is none without a store. */
		if (r->action || strcmp(r->uri, URI_SSE) == 0)
			continue;
		ck_assert_uint_eq(get(&f, r->uri), 200);
		if (strcmp(f.res.body->content_type, CONTENT_TYPE_XML) == 0)
			continue;
		ck_assert_msg(f.body != NULL, "%s is no JSON", r->uri);
		if (r->type->schema) {
			ck_assert_str_eq(at(&f, "@odata.id"), r->uri);
			ck_assert_ptr_nonnull(at(&f, "@odata.type"));
			ck_assert_ptr_nonnull(at(&f, "Name"));
		}
		n++;
	}
	ck_assert_uint_ge(n, 25);
}
END_TEST

/* Return: the action of the resource that the target belongs to, with the members beside the
 * target. */
static const json_t *action_of(const struct resource *target)
{
	char uri[RESOURCE_URI_MAX], name[RESOURCE_URI_MAX];
	const json_t *actions;

	(void)snprintf(uri, sizeof(uri), "%.*s",
		       (int)(strstr(target->uri, ACTION_PATH) - target->uri), target->uri);
	ck_assert_uint_eq(get(&f, uri), 200);
	(void)snprintf(name, sizeof(name), "#%s", target->action->name);
	actions = json_object_get(f.body, "Actions");
	if (!target->action->standard)
		actions = json_object_get(actions, "Oem");
	return json_object_get(actions, name);
}

/* Return: whether the action has parameters. */
static bool expect_info(const struct resource *target)
{
	const struct parameters *p = target->action->parameters;
	const json_t *action = action_of(target);
	const char *uri = json_string_value(json_object_get(action, "@Redfish.ActionInfo"));
	char info[RESOURCE_URI_MAX], path[64];
	size_t shown = 0;

	ck_assert_msg(action != NULL, "%s is not shown", target->uri);
	ck_assert_int_eq(uri != NULL, parameters_are_shown(p));
	if (!uri)
		return false;
	(void)snprintf(info, sizeof(info), "%s", uri);
	for (size_t i = 0; i < p->n; i++) {
		(void)snprintf(path, sizeof(path), "%s@Redfish.AllowableValues", p->rows[i].name);
		ck_assert_int_eq(json_array_size(json_object_get(action, path)) > 0,
				 parameter_values(&p->rows[i], target) != NULL);
	}
	ck_assert_msg(get(&f, info) == 200, "%s is missing", info);
	for (size_t i = 0; i < p->n; i++) {
		if (p->rows[i].unsupported)
			continue;
		(void)snprintf(path, sizeof(path), "Parameters/%zu/Name", shown++);
		ck_assert_str_eq(at(&f, path), p->rows[i].name);
	}
	ck_assert_uint_eq(json_array_size(json_object_get(f.body, "Parameters")), shown);
	return true;
}

START_TEST(each_action_with_parameters_has_an_action_info)
{
	const struct view *v = service_view(f.service);
	const struct resource *r;
	size_t n = 0;

	for (size_t i = 0; (r = resource_at(v->index, i)); i++)
		if (r->action && !r->action->receives && !r->unchangeable)
			n += expect_info(r);
	ck_assert_uint_ge(n, 8);
}
END_TEST

START_TEST(memory_shows_its_socket_its_partitions_and_its_decoders)
{
	ck_assert_uint_eq(get(&f, MEM0), 200);
	ck_assert_str_eq(at(&f, "Name"), "mem0");
	ck_assert_str_eq(at(&f, "SerialNumber"), "000000000000abc0");
	ck_assert_str_eq(at(&f, "Links/Processors/0/@odata.id"), SYSTEM "/Processors/CPU0");
	ck_assert_str_eq(at(&f, "Regions/0/RegionId"), "ram");
	ck_assert_str_eq(at(&f, "Oem/CXLHost/VolatileSizeBytes"), "0x10000000");
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Decoders/0/MemoryChunks/@odata.id"), REGION);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Decoders/0/TranslationSource"), "decoder");
	ck_assert_uint_eq(get(&f, SYSTEM "/Processors/CPU0"), 200);
	ck_assert_str_eq(at(&f, "Links/Memory/0/@odata.id"), MEM0);
}
END_TEST

START_TEST(unknown_values_are_left_out)
{
	f.memdevs[0]->pmem_size = (struct opt_u64){0};
	f.memdevs[0]->serial = (struct opt_u64){0};
	f.memdevs[0]->numa_node = (struct opt_int){0};
	f.region->mode = DECODER_MODE_NONE;
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, SYSTEM), 200);
	ck_assert_ptr_null(json_object_get(f.body, "UUID"));
	ck_assert_uint_eq(get(&f, SYSTEM "/Memory/0000-00-00.0"), 200);
	ck_assert_ptr_null(json_object_get(f.body, "CapacityMiB"));
	ck_assert_ptr_null(json_object_get(f.body, "NonVolatileSizeMiB"));
	ck_assert_ptr_null(json_object_get(f.body, "OperatingMemoryModes"));
	ck_assert_ptr_null(json_object_get(f.body, "Regions"));
	ck_assert_ptr_null(json_object_get(f.body, "SerialNumber"));
	ck_assert_ptr_null(json_object_get(f.body, "FirmwareRevision"));
	ck_assert_ptr_null(at(&f, "Links/Processors/0/@odata.id"));
	/* The schema requires this one, and allows it to be null. */
	ck_assert_uint_eq(get(&f, REGION), 200);
	ck_assert(json_is_null(json_object_get(f.body, "AddressRangeType")));
}
END_TEST

START_TEST(an_empty_position_is_no_interleave_set)
{
	region_target(f.region, 0)->memdev = NULL;
	region_target(f.region, 0)->decoder = NULL;
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, REGION), 200);
	ck_assert_uint_eq(json_array_size(json_object_get(f.body, "InterleaveSets")), 1);
	ck_assert_uint_eq(json_array_size(value_at(&f, "Oem/CXLHost/EmptyPositions")), 1);
	ck_assert_int_eq(json_integer_value(value_at(&f, "Oem/CXLHost/EmptyPositions/0")), 0);
	ck_assert_str_eq(at(&f, "InterleaveSets/0/Memory/@odata.id"),
			 SYSTEM "/Memory/cxl-000000000000abc1");
}
END_TEST

START_TEST(a_region_shows_its_normalized_decoders_and_its_dax_device)
{
	ck_assert_uint_eq(get(&f, REGION), 200);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/NormalizedAddressing"), "false");
	ck_assert_str_eq(at(&f, "RequestedOperationalState"), "Online");
	ck_assert_str_eq(at(&f, "Oem/CXLHost/DAXDevices/0/OperationalState"), "Online");
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Arithmetic"), "modulo");
	model_normalize(f.region);
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, REGION), 200);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/NormalizedAddressing"), "true");
	ck_assert_str_eq(at(&f, "Oem/CXLHost/TranslationSource"), "estimate");
}
END_TEST

struct changes {
	size_t removed, created;
	char memory[128]; /* the last one of Memory */
};

static void count_change(void *userdata, enum view_change change, const struct resource *r)
{
	struct changes *c = userdata;

	*(change == RESOURCE_REMOVED ? &c->removed : &c->created) += 1;
	if (str_equal(r->type->schema, "Memory"))
		(void)snprintf(c->memory, sizeof(c->memory), "%s", r->uri);
}

START_TEST(removed_and_added_devices_are_reported)
{
	static const char gone[] = SYSTEM "/Memory/cxl-000000000000abc3";
	char etag[sizeof(f.res.body->etag)];
	const struct view *whole, *less;
	struct changes c = {0};

	fixture_ready(&f);
	whole = view_ref(service_view(f.service));
	ck_assert_uint_eq(get(&f, SYSTEM "/Memory"), 200);
	(void)snprintf(etag, sizeof(etag), "%s", f.res.body->etag);
	f.model.host.n_memdevs--;
	fixture_ready(&f);
	less = view_ref(service_view(f.service));
	ck_assert_uint_eq(get(&f, gone), 404);
	ck_assert_uint_eq(get(&f, SYSTEM "/Memory"), 200);
	ck_assert_str_ne(f.res.body->etag, etag);
	view_compare(whole, less, count_change, &c);
	ck_assert_str_eq(c.memory, gone);
	ck_assert_uint_gt(c.removed, 1);
	ck_assert_uint_eq(c.created, 0);
	/* A reader of the old view finds it whole. */
	ck_assert_ptr_nonnull(view_representation(whole, resource_find(whole->index, gone)));

	f.model.host.n_memdevs++;
	fixture_ready(&f);
	c = (struct changes){0};
	view_compare(less, service_view(f.service), count_change, &c);
	ck_assert_str_eq(c.memory, gone);
	ck_assert_uint_eq(c.removed, 0);
	ck_assert_uint_gt(c.created, 1);
	c = (struct changes){0};
	view_compare(whole, service_view(f.service), count_change, &c);
	ck_assert_uint_eq(c.removed + c.created, 0);
	(void)view_unref(whole);
	(void)view_unref(less);
}
END_TEST

SUITE(check_redfish)
{
	Suite *s = suite_create("redfish");
	TCase *login = tcase_create("login"), *steps = tcase_create("steps");
	TCase *resources = tcase_create("resources");

	tcase_add_checked_fixture(login, start_with_login, stop_with_login);
	tcase_add_test(login, the_open_uris_need_no_login);
	tcase_add_test(login, all_other_uris_are_401_without_login_even_those_that_do_not_exist);
	tcase_add_test(login, authentication_comes_before_preconditions);
	tcase_add_test(login, only_the_right_credential_logs_in);
	suite_add_tcase(s, login);

	tcase_add_checked_fixture(steps, start, stop);
	tcase_add_test(steps, before_the_first_view_the_service_is_unavailable);
	tcase_add_test(steps, unknown_resource_is_404_naming_the_uri);
	tcase_add_test(steps, one_final_slash_is_tolerated);
	tcase_add_test(steps, a_method_that_is_not_allowed_is_405_with_allow);
	tcase_add_test(steps, dot_segments_and_control_characters_are_refused);
	tcase_add_test(steps, headers_that_cannot_be_met_have_their_own_status);
	tcase_add_test(steps, the_metadata_document_is_xml_and_negotiated_as_such);
	tcase_add_test(steps, faults_of_the_transport_are_refused_in_order);
	tcase_add_test(steps, a_body_is_wanted_only_by_an_action_with_all_headers_right);
	tcase_add_test(steps, an_etag_outlives_a_rebuild_that_changed_nothing_and_no_other);
	tcase_add_test(steps, removed_and_added_devices_are_reported);
	suite_add_tcase(s, steps);

	tcase_add_checked_fixture(resources, start, stop);
	tcase_add_test(resources, every_resource_is_sound_json_under_its_own_uri);
	tcase_add_test(resources, each_action_with_parameters_has_an_action_info);
	tcase_add_test(resources, memory_shows_its_socket_its_partitions_and_its_decoders);
	tcase_add_test(resources, unknown_values_are_left_out);
	tcase_add_test(resources, an_empty_position_is_no_interleave_set);
	tcase_add_test(resources, a_region_shows_its_normalized_decoders_and_its_dax_device);
	suite_add_tcase(s, resources);
	return s;
}
