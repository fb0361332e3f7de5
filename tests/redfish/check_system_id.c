// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Another Id of the host: names that are accepted, the Id of a machine, URIs both ways, requests by
 * the URIs that clients see, and what is stored and survives a change of the Id.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "redfish/core/system_id.h"
#include "redfish/eventing/delivery_filter.h"
#include "redfish/eventing/subscription.h"
#include "tests/lib/change_fixture.h"
#include "tests/lib/pooled_fixture.h"
#include "tests/lib/suites.h"

#define NODE	    ROOT "/Systems/node7"
#define NODE_FABRIC ROOT "/Fabrics/node7"
#define LINK(uri)   "{\"@odata.id\":\"" uri "\"}"

static struct error error;
static char path[] = "/tmp/check_system_id.XXXXXX";

/* ---- the Id -----------------------------------------------------------------------------------
 */

#define LETTERS_64 "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-0123456789-"

static const struct {
	const char *text, *id; /* NULL: refused */
	const char *why;
} texts[] = {
	{"Host", "Host", NULL},
	{"name:Host", "Host", NULL},
	{"name:a", "a", NULL},
	{"name:-", "-", NULL},
	{"name:" LETTERS_64, LETTERS_64, NULL},
	{"name:Rack7-node-12", "Rack7-node-12", NULL},
	{"name:machine", "machine", NULL},
	{"name:cxl-00000000deadbee", "cxl-00000000deadbee", NULL},
	{"name:" LETTERS_64 "x", NULL, "1 to 64"},
	{"name:", NULL, "1 to 64"},
	{"name:a b", NULL, "1 to 64"},
	{"name:a/b", NULL, "1 to 64"},
	{"name:a.b", NULL, "1 to 64"},
	{"name:a_b", NULL, "1 to 64"},
	{"name:..", NULL, "1 to 64"},
	{"name:%41", NULL, "1 to 64"},
	{"name:caf\xc3\xa9", NULL, "1 to 64"},
	{"name:cxl-00000000deadbeef", NULL, "Id of a memory device"},
	{"name:x-dev-00000000deadbeef-1", NULL, "Id of a memory device"},
	{"", NULL, "Host, machine or name:NAME"},
	{"host", NULL, "Host, machine or name:NAME"},
	{"Machine", NULL, "Host, machine or name:NAME"},
	{"node7", NULL, "Host, machine or name:NAME"},
};

START_TEST(names_are_checked)
{
	const int r = system_id_check(texts[_i].text, &error);
	char id[SYSTEM_ID_MAX + 1];

	if (!texts[_i].id) {
		ck_assert_int_eq(r, -EINVAL);
		ck_assert_msg(strstr(error.text, texts[_i].why), "%s", error.text);
		return;
	}
	ck_assert_msg(r == 0, "%s: %s", texts[_i].text, error.text);
	ck_assert_int_eq(system_id_make(texts[_i].text, "/nowhere", id, &error), 0);
	ck_assert_str_eq(id, texts[_i].id);
}
END_TEST

static void write_machine(const char *text)
{
	FILE *file = fopen(path, "we");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

static void make_file(void)
{
	const int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(close(fd), 0);
}

static void remove_file(void)
{
	(void)unlink(path);
}

#define DIGITS "0123456789abcdef0123456789abcdef"

/* By openssl dgst -sha256 -mac HMAC, as the manual page of the service says. */
START_TEST(a_machine_has_the_hash_of_its_id)
{
	static const char *const same[] = {DIGITS "\n", DIGITS, DIGITS "\nand more\n",
					   "0123456789ABCDEF0123456789ABCDEF\n"};
	char id[SYSTEM_ID_MAX + 1];

	for (size_t i = 0; i < ARRAY_SIZE(same); i++) {
		write_machine(same[i]);
		ck_assert_int_eq(system_id_make("machine", path, id, &error), 0);
		ck_assert_str_eq(id, "9e03c87bf46f6f8b");
	}
}
END_TEST

static const struct {
	const char *text;
	int code;
	const char *why;
} bad_machines[] = {
	{"", -ENODATA, "is empty"},
	{"\n", -EINVAL, "32 hexadecimal digits"},
	{"uninitialized\n", -EINVAL, "32 hexadecimal digits"},
	{"00000000000000000000000000000000\n", -EINVAL, "32 hexadecimal digits"},
	{"0123456789abcdef0123456789abcde\n", -EINVAL, "32 hexadecimal digits"},
	{DIGITS "0\n", -EINVAL, "32 hexadecimal digits"},
	{"01234567-89ab-cdef-0123-456789abcdef\n", -EINVAL, "32 hexadecimal digits"},
	{"0123456789abcdeg0123456789abcdef\n", -EINVAL, "32 hexadecimal digits"},
	{DIGITS " \n", -EINVAL, "32 hexadecimal digits"},
	{DIGITS DIGITS DIGITS DIGITS "\n", -EINVAL, "32 hexadecimal digits"},
};

START_TEST(a_machine_without_id_has_the_way_out)
{
	char id[SYSTEM_ID_MAX + 1];

	write_machine(bad_machines[_i].text);
	ck_assert_int_eq(system_id_make("machine", path, id, &error), bad_machines[_i].code);
	ck_assert_msg(strstr(error.text, bad_machines[_i].why), "%s", error.text);
	ck_assert_msg(strstr(error.text, path), "%s", error.text);
	ck_assert_msg(strstr(error.text, "system-id = name:NAME"), "%s", error.text);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(system_id_make("machine", path, id, &error), -ENOENT);
	ck_assert_msg(strstr(error.text, "No such file"), "%s", error.text);
}
END_TEST

/* ---- URIs -------------------------------------------------------------------------------------
 */

static const struct {
	const char *uri, *shown; /* NULL: the same */
} uris[] = {
	{ROOT "/Systems/Host", NODE},
	{ROOT "/Systems/Host/", NODE "/"},
	{ROOT "/Systems/Host?$select=Id", NODE "?$select=Id"},
	{ROOT "/Systems/Host#/Status", NODE "#/Status"},
	{ROOT "/Systems/Host/LogServices/CXL/Entries/7", NODE "/LogServices/CXL/Entries/7"},
	{ROOT "/Systems/Host/Memory/cxl-00000000deadbeef", NODE "/Memory/cxl-00000000deadbeef"},
	{ROOT "/Systems/Host/Memory/0000-0d-00.0/MemoryMetrics",
	 NODE "/Memory/node7-0000-0d-00.0/MemoryMetrics"},
	{ROOT "/Systems/Host/Memory/mem0", NODE "/Memory/node7-mem0"},
	{ROOT "/Systems/Host/Memory/{Memory}#/Oem", NODE "/Memory/{Memory}#/Oem"},
	{ROOT "/Systems/Host/Memory", NODE "/Memory"},
	{ROOT "/Systems/Host/Memory/", NODE "/Memory/"},
	{ROOT "/Systems/Host/MemoryDomains/decoder0.0/MemoryChunks/region0",
	 NODE "/MemoryDomains/decoder0.0/MemoryChunks/region0"},
	{ROOT "/Systems/Host/FabricAdapters/pci0000-0c/Ports/D0",
	 NODE "/FabricAdapters/node7-pci0000-0c/Ports/D0"},
	{ROOT "/Chassis/Host", ROOT "/Chassis/node7"},
	{ROOT "/Chassis/cxl-00000000deadbeef/PCIeDevices/1", NULL},
	{ROOT "/Chassis/dev-00000000deadbeef", NULL},
	{ROOT "/Chassis/0000-0d-00.0/FabricAdapters/1/Ports/1",
	 ROOT "/Chassis/node7-0000-0d-00.0/FabricAdapters/1/Ports/1"},
	{ROOT "/Managers/Service/LogServices/Audit", ROOT "/Managers/node7/LogServices/Audit"},
	{ROOT "/Fabrics/CXL/Switches/switch-0000-0d-00.0/Ports/U1",
	 NODE_FABRIC "/Switches/node7-switch-0000-0d-00.0/Ports/U1"},
	{ROOT "/Fabrics/CXL/Endpoints/T-cxl-00000000deadbeef",
	 NODE_FABRIC "/Endpoints/T-cxl-00000000deadbeef"},
	{ROOT "/Fabrics/CXL/Endpoints/I-CPU0", NODE_FABRIC "/Endpoints/node7-I-CPU0"},
	{ROOT "/Fabrics/CXL/Zones/1", NODE_FABRIC "/Zones/node7-1"},
	{ROOT "/Fabrics/CXL/Connections/region0", NODE_FABRIC "/Connections/node7-region0"},
	{ROOT "/UpdateService/FirmwareInventory/0000-0d-00.0-1",
	 ROOT "/UpdateService/FirmwareInventory/node7-0000-0d-00.0-1"},
	{ROOT "/UpdateService/FirmwareInventory/cxl-00000000deadbeef-1", NULL},
	{ROOT "/TelemetryService/MetricReports/mem0-Day",
	 ROOT "/TelemetryService/MetricReports/node7-mem0-Day"},
	{ROOT "/", NULL},
	{ROOT "/Systems", NULL},
	{ROOT "/Systems/HostX", NULL},
	{ROOT "/TaskService/Tasks/7", NULL},
	{"Systems/Host", NULL},
	{"", NULL},
};

static void use_node7(void)
{
	system_id_set("node7");
}

static void use_default(void)
{
	system_id_set(SYSTEM_ID_DEFAULT);
}

START_TEST(uris_are_turned_both_ways)
{
	const char *shown = uris[_i].shown ? uris[_i].shown : uris[_i].uri;
	char text[SHOWN_URI_MAX], back[RESOURCE_URI_MAX];

	ck_assert_str_eq(system_id_show(uris[_i].uri, text), shown);
	ck_assert(system_id_read(shown, back));
	ck_assert_str_eq(back, uris[_i].uri);
	/* A URI with an Id that clients do not see names nothing. */
	ck_assert_int_eq(system_id_read(uris[_i].uri, back), !uris[_i].shown);
	use_default();
	ck_assert_str_eq(system_id_show(uris[_i].uri, text), uris[_i].uri);
	ck_assert(system_id_read(uris[_i].uri, back));
	ck_assert_str_eq(back, uris[_i].uri);
}
END_TEST

static const char *const strangers[] = {
	NODE "/Memory/mem0",
	NODE "/Memory/node7mem0",
	NODE "/Memory/node7-cxl-00000000deadbeef",
	ROOT "/Systems/Host/Memory/node7-mem0",
	ROOT "/Chassis/node7-Host",
	ROOT "/Chassis/node7-",
	ROOT "/Managers/Service",
	ROOT "/Fabrics/CXL/Switches/node7-switch-0000-0d-00.0",
};

START_TEST(uris_of_no_resource_are_none)
{
	char back[RESOURCE_URI_MAX];

	ck_assert_msg(!system_id_read(strangers[_i], back), "%s is %s", strangers[_i], back);
}
END_TEST

START_TEST(a_uri_that_is_too_long_is_none)
{
	char text[SHOWN_URI_MAX + 16] = NODE "/Memory/node7-", back[RESOURCE_URI_MAX];
	const size_t n = strlen(text), own = strlen(ROOT "/Systems/Host/Memory/");

	memset(text + n, 'm', RESOURCE_URI_MAX - 1 - own);
	ck_assert(system_id_read(text, back));
	ck_assert_uint_eq(strlen(back), RESOURCE_URI_MAX - 1);
	memset(text + n, 'm', RESOURCE_URI_MAX - own);
	ck_assert(!system_id_read(text, back));
	memset(text + n, 'm', sizeof(text) - 1 - n);
	ck_assert(!system_id_read(text, back));
	ck_assert_ptr_eq(system_id_read_any(text, back), text);
}
END_TEST

/* ---- requests ---------------------------------------------------------------------------------
 */

static void start_node7(void)
{
	use_node7();
	start_usual_changes();
}

static void stop_node7(void)
{
	stop_changes();
	use_default();
}

#define NODE_CHUNKS   NODE "/MemoryDomains/decoder0.0/MemoryChunks"
#define NODE_MEM(n)   NODE "/Memory/cxl-000000000000abc" #n
#define SETS_OF(a, b) "{\"InterleaveSets\":[{\"Memory\":" LINK(a) "},{\"Memory\":" LINK(b) "}]}"

START_TEST(a_region_is_made_by_uris_with_the_id)
{
	ck_assert_msg(ask_change(&f, METHOD_POST, NODE_CHUNKS, NODE_CHUNKS,
				 SETS_OF(NODE_MEM(2), NODE_MEM(3)), NULL) == 201,
		      "%u: %.*s", f.res.status, ANSWER);
	ck_assert_str_eq(http_reply_value(&f.res, "Location"), NODE_CHUNKS "/region1");
	ck_assert_str_eq(at(&f, "@odata.id"), NODE_CHUNKS "/region1");
	ck_assert_str_eq(at(&f, "InterleaveSets/0/Memory/@odata.id"), NODE_MEM(2));
	ck_assert_str_eq(last_change(1)->region.positions[0].name, "mem2");
	ck_assert_uint_eq(ask_change(&f, METHOD_PATCH, NODE_CHUNKS "/region0",
				     NODE_CHUNKS "/region0", OFFLINE, NULL),
			  200);
	ck_assert_str_eq(at(&f, "@odata.id"), NODE_CHUNKS "/region0");
	(void)last_change(2);
}
END_TEST

START_TEST(the_old_id_is_no_resource)
{
	ck_assert_uint_eq(get(&f, SYSTEM), 404);
	expect_extended(&f, 0, "ResourceMissingAtURI", SYSTEM);
	ck_assert_uint_eq(post(&f, CHUNKS, SIZE_512), 404);
	ck_assert_uint_eq(post(&f, TRANSLATE_SPA, "{}"), 404);
	ck_assert_uint_eq(
		ask_change(&f, METHOD_POST, NODE_CHUNKS, NODE_CHUNKS, SETS_OF(MEM2, MEM3), NULL),
		400);
	expect_extended(&f, 0, "PropertyValueIncorrect", MEM2);
	(void)last_change(0);
	ck_assert_uint_eq(get(&f, NODE "/LogServices/CXL/Entries/77"), 404);
	expect_extended(&f, 0, "ResourceMissingAtURI", NODE "/LogServices/CXL/Entries/77");
}
END_TEST

START_TEST(a_host_has_its_id)
{
	const struct http_request members = {.method = METHOD_GET,
					     .path = NODE "/Memory",
					     .options = {{"$expand", "."}},
					     .n_options = 1};

	ck_assert_uint_eq(get(&f, NODE), 200);
	ck_assert_str_eq(at(&f, "Id"), "node7");
	ck_assert_str_eq(at(&f, "@odata.id"), NODE);
	ck_assert_str_eq(at(&f, "Links/Chassis/0/@odata.id"), ROOT "/Chassis/node7");
	ck_assert_str_eq(at(&f, "Links/ManagedBy/0/@odata.id"), ROOT "/Managers/node7");
	ck_assert_str_eq(at(&f, "Actions/Oem/#CXLHostComputerSystem.TranslateSPA/target"),
			 NODE "/Actions/Oem/CXLHostComputerSystem.TranslateSPA");
	ck_assert_str_eq(
		at(&f, "Actions/Oem/#CXLHostComputerSystem.TranslateSPA/@Redfish.ActionInfo"),
		NODE "/Oem/CXLHost/TranslateSPAActionInfo");
	ck_assert_uint_eq(get(&f, NODE "/Oem/CXLHost/TranslateSPAActionInfo"), 200);
	/* A link that is followed by the service. */
	ck_assert_uint_eq(ask(&f, &members), 200);
	ck_assert_str_eq(at(&f, "Members/0/Id"), "cxl-000000000000abc0");
}
END_TEST

static void start_pool(void)
{
	use_node7();
	start_pooled(NULL);
}

static void stop_pool(void)
{
	stop_pooled();
	use_default();
}

#define NODE_VPPB(n)  NODE_FABRIC "/Switches/node7-switch-0000-0d-00.0/VCSs/0/VPPBs/" #n
#define NODE_P(n)     NODE_FABRIC "/Switches/node7-switch-0000-0d-00.0/Ports/P" #n
#define NODE_BINDINGS NODE_FABRIC "/Connections"
#define CONNECT(from, to)                                                                          \
	"{\"ConnectionType\":\"Memory\",\"Links\":{\"InitiatorEndpoints\":[" LINK(                 \
		from) "],\"TargetEndpoints\":[" LINK(to) "]}}"

START_TEST(a_connection_is_made_by_uris_with_the_id)
{
	static const char made[] = NODE_BINDINGS "/node7-switch-0000-0d-00.0-VCS0-vPPB3";

	ck_assert_uint_eq(
		change(METHOD_POST, NODE_BINDINGS, NODE_BINDINGS,
		       CONNECT(I_HOST, NODE_FABRIC "/Endpoints/T-dev-3d10000000000001-3")),
		400);
	ck_assert_uint_eq(change(METHOD_POST, NODE_BINDINGS, NODE_BINDINGS,
				 CONNECT(NODE_FABRIC "/Endpoints/node7-I-CPU0",
					 NODE_FABRIC "/Endpoints/T-dev-3d10000000000001-3")),
			  201);
	ck_assert_str_eq(http_reply_value(&f.res, "Location"), made);
	ck_assert_uint_eq(get(&f, made), 200);
	ck_assert_str_eq(at(&f, "Id"), "node7-switch-0000-0d-00.0-VCS0-vPPB3");
}
END_TEST

START_TEST(a_port_is_bound_by_its_uri_with_the_id)
{
	ck_assert_uint_eq(
		patch_pooled(NODE_VPPB(3), "{\"Links\":{\"Port\":" LINK(SWITCH_PORT "P3") "}}"),
		400);
	ck_assert_uint_eq(patch_pooled(NODE_VPPB(3), "{\"Links\":{\"Port\":" LINK(NODE_P(3)) "}}"),
			  200);
	/* The host sees it now, as one of its own. */
	ck_assert_str_eq(at(&f, "Links/Port/@odata.id"),
			 NODE_FABRIC "/Switches/node7-switch-0000-0d-00.0/Ports/D3");
}
END_TEST

/* ---- what is stored ---------------------------------------------------------------------------
 */

static bool admitted(const json_t *properties, const char *origin)
{
	const struct event_item item = {.severity = "OK", .origin = origin};

	return subscription_admits(properties, &item);
}

static void expect_shown(const json_t *properties, const char *uri)
{
	struct json_writer w = {0};

	put_object(&w, NULL);
	put_subscription(&w, properties);
	put_end(&w);
	ck_assert(!w.failed);
	ck_assert_msg(memmem(w.text, w.len, uri, strlen(uri)), "%.*s", (int)w.len, w.text);
	json_writer_done(&w);
}

START_TEST(a_filter_names_the_same_resources_after_a_change_of_the_id)
{
	static const char *const ids[] = {"node7", SYSTEM_ID_DEFAULT, "rack1-9"};
	static const char *const shown[] = {NODE "/Memory/node7-0000-0d-00.0",
					    SYSTEM "/Memory/0000-0d-00.0",
					    ROOT "/Systems/rack1-9/Memory/rack1-9-0000-0d-00.0"};
	json_t *given = json_pack("{s:s,s:s,s:[{s:s}],s:b}", "Destination", "http://h/", "Protocol",
				  "Redfish", "OriginResources", "@odata.id", shown[0],
				  "SubordinateResources", 1);
	struct message message;
	json_t *made;

	ck_assert_int_eq(subscription_new(given, &made, &message), 0);
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		system_id_set(ids[i]);
		ck_assert(admitted(made, SYSTEM "/Memory/0000-0d-00.0"));
		ck_assert(admitted(made, SYSTEM "/Memory/0000-0d-00.0/MemoryMetrics"));
		ck_assert(!admitted(made, SYSTEM "/Memory/0000-0e-00.0"));
		expect_shown(made, shown[i]);
	}
	json_decref(made);
	json_decref(given);
}
END_TEST

START_TEST(a_filter_of_a_stream_names_what_clients_see)
{
	const struct event_item item = {.origin = SYSTEM "/Memory/mem0"};

	ck_assert(delivery_filter_admits("OriginResource eq '" NODE "/Memory/node7-mem0'", &item));
	ck_assert(!delivery_filter_admits("OriginResource eq '" SYSTEM "/Memory/mem0'", &item));
}
END_TEST

SUITE(check_system_id)
{
	Suite *s = suite_create("system id");
	TCase *t;

	t = tcase_create("the Id");
	tcase_add_checked_fixture(t, make_file, remove_file);
	tcase_add_loop_test(t, names_are_checked, 0, ARRAY_SIZE(texts));
	tcase_add_test(t, a_machine_has_the_hash_of_its_id);
	tcase_add_loop_test(t, a_machine_without_id_has_the_way_out, 0, ARRAY_SIZE(bad_machines));
	suite_add_tcase(s, t);

	t = tcase_create("URIs");
	tcase_add_checked_fixture(t, use_node7, use_default);
	tcase_add_loop_test(t, uris_are_turned_both_ways, 0, ARRAY_SIZE(uris));
	tcase_add_loop_test(t, uris_of_no_resource_are_none, 0, ARRAY_SIZE(strangers));
	tcase_add_test(t, a_uri_that_is_too_long_is_none);
	tcase_add_test(t, a_filter_names_the_same_resources_after_a_change_of_the_id);
	tcase_add_test(t, a_filter_of_a_stream_names_what_clients_see);
	suite_add_tcase(s, t);

	t = change_case(s, "requests", start_node7, stop_node7);
	tcase_add_test(t, a_region_is_made_by_uris_with_the_id);
	tcase_add_test(t, the_old_id_is_no_resource);
	tcase_add_test(t, a_host_has_its_id);

	t = tcase_create("fabric");
	tcase_add_checked_fixture(t, start_pool, stop_pool);
	tcase_add_test(t, a_connection_is_made_by_uris_with_the_id);
	tcase_add_test(t, a_port_is_bound_by_its_uri_with_the_id);
	suite_add_tcase(s, t);
	return s;
}
