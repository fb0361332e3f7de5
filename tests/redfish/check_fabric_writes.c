// SPDX-License-Identifier: LGPL-2.1-or-later
/* Changes of the fabric by Redfish, made on the model of a switch: see pooled_fixture.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/log.h"
#include "common/strutil.h"
#include "redfish/core/resource_table.h"
#include "redfish/core/uris.h"
#include "tests/lib/accounts_fixture.h"
#include "tests/lib/pooled_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

#define FORCE	  "{\"Oem\":{\"CXLHost\":{\"Force\":true}}}"
#define PORT_P(n) SWITCH_PORT "P" #n
#define RESET(p)  p "/Actions/Port.Reset"
#define PPB(p)	  p "/Actions/Port.ResetPPB"
#define SEEN_LD	  ROOT "/Chassis/cxl-3d10000000000101/PCIeDevices/1/CXLLogicalDevices/0"
#define SEEN_SLD  ROOT "/Chassis/cxl-3d10000000000002/PCIeDevices/1/CXLLogicalDevices/0"
#define LINK(uri) "{\"@odata.id\":\"" uri "\"}"
#define CONNECT(from, to)                                                                          \
	"{\"ConnectionType\":\"Memory\",\"Links\":{\"InitiatorEndpoints\":[" LINK(                 \
		from) "],\"TargetEndpoints\":[" LINK(to) "]}}"
#define ALLOCATE(mib, ld)                                                                          \
	"{\"MemoryChunkSizeMiB\":" #mib ",\"Links\":{\"CXLLogicalDevices\":[" LINK(ld) "]}}"

static void start_all(void)
{
	start_pooled(NULL);
}

static const uint8_t *qos(void)
{
	return pooled.model->ports[1].device.qos;
}

static const struct model_vppb *vppb(unsigned int vcs, unsigned int i)
{
	return &pooled.model->vcs[vcs].vppbs[i];
}

static void expect_number(const char *uri, const char *path, json_int_t value)
{
	ck_assert_uint_eq(get(&f, uri), 200);
	ck_assert_int_eq(json_integer_value(value_at(&f, path)), value);
}

/* ---- what may be changed at all ---------------------------------------------------------------
 */

enum { N_QOS = 3 };

/* Requests with a right body; requests of QoS first. */
static const struct {
	enum http_method method;
	const char *uri, *of, *body;
} writes[] = {
	{METHOD_PATCH, MLD_PORT, MLD_PORT,
	 "{\"CXL\":{\"Congestion\":{\"EgressModeratePercentage\":"
	 "11}}}"},
	{METHOD_PATCH, MLD_DEVICE, MLD_DEVICE,
	 "{\"CXLDevice\":{\"TemporaryThroughputReductionEnabled\":true}}"},
	{METHOD_PATCH, MLD_LD(2), MLD_LD(2), "{\"QoS\":{\"AllocatedBandwidth\":33}}"},
	{METHOD_POST, RESET(PORT_P(3)), PORT_P(3), "{}"},
	{METHOD_POST, PPB(PORT_P(3)), PORT_P(3), NULL},
	{METHOD_PATCH, VPPB(0, 3), VPPB(0, 3), "{\"Links\":{\"Port\":" LINK(PORT_P(3)) "}}"},
	{METHOD_POST, VPPB(0, 4) "/Actions/Oem/CXLHostVirtualPCI2PCIBridge.GenerateAEREvent",
	 VPPB(0, 4), "{\"Severity\":\"Correctable\",\"ErrorBit\":0}"},
	{METHOD_POST, CONNECTIONS, CONNECTIONS, CONNECT(I_HOST, MLD_T(3))},
	{METHOD_DELETE, BINDING(0, 2), BINDING(0, 2), NULL},
	{METHOD_DELETE, MLD_CHUNKS "/LD2", MLD_CHUNKS "/LD2", NULL},
	{METHOD_POST, MLD_CHUNKS, MLD_CHUNKS, ALLOCATE(512, MLD_LD(2))},
};

static const char *allow(const char *uri)
{
	(void)change(METHOD_OPTIONS, uri, NULL, NULL);
	return f.res.body->allow;
}

START_TEST(without_permission_each_change_is_405_with_the_reason)
{
	pooled.forbidden = true;
	show_pooled();
	for (size_t i = 0; i < ARRAY_SIZE(writes); i++) {
		ck_assert_msg(change(writes[i].method, writes[i].uri, writes[i].of,
				     writes[i].body) == 405,
			      "%s: %u", writes[i].uri, f.res.status);
		expect_message(0, "NotChangeable", "--allow=fabric");
		ck_assert_ptr_null(strstr(f.res.body->allow, "PATCH"));
		ck_assert_ptr_null(strstr(f.res.body->allow, "POST"));
		ck_assert_ptr_null(strstr(f.res.body->allow, "DELETE"));
	}
	ck_assert_str_eq(allow(MLD_PORT), "GET, HEAD");
	ck_assert_uint_eq(get(&f, PORT_P(3)), 200);
	ck_assert_ptr_null(value_at(&f, "Actions"));
	expect(MLD_DOMAIN, "AllowsMemoryChunkCreation", "false");
	ck_assert_uint_eq(switch_model_count(pooled.model, 0x5102), 0);
	ck_assert_uint_eq(switch_model_count(pooled.model, 0x5201), 0);
}
END_TEST

/* ---- wrong bodies ---- */

static const char *const wrong_values[] = {
	"null",
	"true",
	"-1",
	"0.5",
	"256",
	"65536",
	"4294967307",
	"9223372036854775807",
	"1e300",
	"\"\"",
	"\"x\"",
	"\"../../..\"",
	"[]",
	"[null]",
	"[[]]",
	"{}",
	"{\"@odata.id\":7}",
	"{\"@odata.id\":\"\"}",
	"{\"@odata.id\":\"/redfish/v1\"}",
	"{\"@odata.id\":\"" SWITCH_PORT "P77\"}",
	"{\"@odata.id\":\"" MLD_PORT "\"}",
	"[{\"@odata.id\":\"" FABRIC "/Endpoints/T-none\"}]",
};

static void expect_refused(size_t w, const json_t *body, const char *what)
{
	char *text = json_dumps(body, JSON_COMPACT);
	unsigned int status = change(writes[w].method, writes[w].uri, writes[w].of, text);

	ck_assert_msg(status >= 400 && status < 500, "%s: %u for %s: %s", what, status,
		      writes[w].uri, text);
	free(text);
}

/* Puts each of the values at each place of the body, one at a time. */
static void spoil_values(size_t w, json_t *root, json_t *at)
{
	const char *key;
	json_t *right;
	void *next;

	json_object_foreach_safe(at, next, key, right)
	{
		json_incref(right);
		for (size_t i = 0; i < ARRAY_SIZE(wrong_values); i++) {
			json_t *wrong = json_loads(wrong_values[i], JSON_DECODE_ANY, NULL);

			ck_assert_ptr_nonnull(wrong);
			/* It is right, or unbinds what is unbound. */
			if (json_equal(wrong, right) ||
			    (json_is_null(wrong) && str_equal(key, "Port"))) {
				json_decref(wrong);
				continue;
			}
			(void)json_object_set_new(at, key, wrong);
			expect_refused(w, root, key);
		}
		(void)json_object_set_new(at, key, right);
		if (json_is_object(right) && !json_object_get(right, "@odata.id"))
			spoil_values(w, root, right);
	}
	(void)json_object_set_new(at, "Unknown", json_integer(1));
	expect_refused(w, root, "Unknown");
	(void)json_object_del(at, "Unknown");
}

START_TEST(a_wrong_value_anywhere_is_refused_and_nothing_is_sent)
{
	json_t *body = writes[_i].body ? json_loads(writes[_i].body, 0, NULL) : json_object();

	ck_assert_ptr_nonnull(body);
	if (writes[_i].method != METHOD_DELETE) /* has no body */
		spoil_values((size_t)_i, body, body);
	for (uint16_t opcode = 0x5102; opcode <= 0x5409; opcode++)
		if (opcode == 0x5102 || (opcode >= 0x5201 && opcode <= 0x5203) ||
		    opcode == 0x5402 || opcode == 0x5404 || opcode == 0x5407 || opcode == 0x5409)
			ck_assert_uint_eq(switch_model_count(pooled.model, opcode), 0);
	json_decref(body);
}
END_TEST

START_TEST(a_recorded_switch_is_not_changed_and_named)
{
	pooled.recorded = true;
	show_pooled();
	for (size_t i = 0; i < ARRAY_SIZE(writes); i++) {
		ck_assert_uint_eq(
			change(writes[i].method, writes[i].uri, writes[i].of, writes[i].body), 405);
		expect_message(0, "NotChangeable",
			       i == 7 ? NULL
				      : "the answers of the switch " MAILBOX " are recorded");
	}
}
END_TEST

START_TEST(what_may_be_changed_is_shown)
{
	ck_assert_str_eq(allow(MLD_PORT), "GET, HEAD, PATCH");
	ck_assert_str_eq(allow(CONNECTIONS), "GET, HEAD, POST");
	ck_assert_str_eq(allow(BINDING(0, 1)), "GET, HEAD, DELETE");
	ck_assert_str_eq(allow(VPPB(0, 3)), "GET, HEAD, PATCH");
	expect(PORT_P(3), "Actions/#Port.Reset/target", RESET(PORT_P(3)));
	expect(PORT_P(3), "Actions/#Port.Reset/ResetType@Redfish.AllowableValues/0",
	       "ForceRestart");
	expect(PORT_P(3), "Actions/#Port.ResetPPB/target", PPB(PORT_P(3)));
	expect(MLD_DOMAIN, "AllowsMemoryChunkCreation", "true");
	/* Without anything that the switch could change. */
	ck_assert_str_eq(allow(CPU_PORT), "GET, HEAD");
	ck_assert_uint_eq(change(METHOD_PATCH, CPU_PORT, CPU_PORT, "{\"Name\":\"x\"}"), 405);
	ck_assert_uint_eq(change(METHOD_DELETE, CONNECTION, CONNECTION, NULL), 405);
	expect_message(0, "NotChangeable", "cxl destroy-region");
}
END_TEST

START_TEST(each_change_demands_if_match)
{
	for (size_t i = 0; i < ARRAY_SIZE(writes); i++) {
		ck_assert_msg(change(writes[i].method, writes[i].uri, NULL, writes[i].body) == 428,
			      "%s: %u", writes[i].uri, f.res.status);
		expect_message(0, "PreconditionRequired", NULL);
		/* The ETag of another resource. */
		ck_assert_uint_eq(change(writes[i].method, writes[i].uri, ROOT, writes[i].body),
				  412);
	}
	ck_assert_uint_eq(switch_model_count(pooled.model, 0x5102), 0);
}
END_TEST

START_TEST(each_change_is_made)
{
	for (size_t i = 0; i < ARRAY_SIZE(writes); i++) {
		ck_assert_msg(
			change(writes[i].method, writes[i].uri, writes[i].of, writes[i].body) < 300,
			"%s: %u %s", writes[i].uri, f.res.status, f.res.body->bytes);
		ck_assert(f.in_job);
	}
}
END_TEST

/* ---- QoS --------------------------------------------------------------------------------------
 */

START_TEST(congestion_is_set_and_the_rest_kept)
{
	ck_assert_uint_eq(patch_pooled(MLD_PORT,
				       "{\"CXL\":{\"Congestion\":{\"EgressSeverePercentage\":77,"
				       "\"CongestionTelemetryEnabled\":true}}}"),
			  200);
	ck_assert_int_eq(json_integer_value(value_at(&f, "CXL/Congestion/EgressSeverePercentage")),
			 77);
	ck_assert_str_eq(at(&f, "CXL/Congestion/CongestionTelemetryEnabled"), "true");
	ck_assert_mem_eq(qos(), ((uint8_t[]){1, 10, 77, 8, 0, 0, 64}), 7);
	ck_assert_uint_eq(patch_pooled(MLD_PORT,
				       "{\"CXL\":{\"Congestion\":{\"EgressModeratePercentage\":"
				       "1,\"BackpressureSampleInterval\":15,"
				       "\"MaxSustainedRequestCmpBias\":65535,"
				       "\"CompletionCollectionInterval\":255}}}"),
			  200);
	ck_assert_mem_eq(qos(), ((uint8_t[]){1, 1, 77, 15, 0xff, 0xff, 255}), 7);
	ck_assert_uint_eq(
		patch_pooled(MLD_DEVICE,
			     "{\"CXLDevice\":{\"TemporaryThroughputReductionEnabled\":true}}"),
		200);
	ck_assert_str_eq(at(&f, "CXLDevice/TemporaryThroughputReductionEnabled"), "true");
	ck_assert_mem_eq(qos(), ((uint8_t[]){3, 1, 77, 15, 0xff, 0xff, 255}), 7);
}
END_TEST

START_TEST(values_of_qos_that_are_wrong_are_named_and_nothing_is_set)
{
	ck_assert_uint_eq(patch_pooled(MLD_PORT,
				       "{\"CXL\":{\"Congestion\":{\"EgressModeratePercentage\":"
				       "0,\"BackpressureSampleInterval\":16,"
				       "\"CongestionTelemetryEnabled\":1,\"Bogus\":1},"
				       "\"QoSTelemetryCapabilities\":{}},\"Id\":\"x\"}"),
			  400);
	expect_message(0, "PropertyValueOutOfRange", "#/CXL/Congestion/EgressModeratePercentage");
	expect_message(1, "PropertyValueOutOfRange", "#/CXL/Congestion/BackpressureSampleInterval");
	expect_message(2, "PropertyValueTypeError", "#/CXL/Congestion/CongestionTelemetryEnabled");
	expect_message(3, "PropertyUnknown", "#/CXL/Congestion/Bogus");
	expect_message(4, "PropertyNotWritable", "#/CXL/QoSTelemetryCapabilities");
	expect_message(5, "PropertyNotWritable", "#/Id");
	ck_assert_uint_eq(patch_pooled(MLD_PORT, "{\"CXL\":{\"Congestion\":{}}}"), 400);
	expect_message(0, "NoOperation", NULL);
	ck_assert_uint_eq(patch_pooled(MLD_LD(1), "{\"QoS\":{\"LimitPercent\":101}}"), 400);
	ck_assert_uint_eq(patch_pooled(MLD_LD(1), "{\"QoS\":{\"LimitPercent\":null}}"), 400);
	ck_assert_uint_eq(switch_model_count(pooled.model, 0x5404), 0);
	ck_assert_uint_eq(switch_model_count(pooled.model, 0x5409), 0);
}
END_TEST

START_TEST(bandwidth_reads_back_as_it_was_set)
{
	char body[100];

	for (unsigned int percent = 0; percent <= 100; percent += 10) {
		(void)snprintf(body, sizeof(body),
			       "{\"QoS\":{\"AllocatedBandwidth\":%u,\"LimitPercent\":%u}}", percent,
			       100 - percent);
		ck_assert_uint_eq(patch_pooled(MLD_LD(3), body), 200);
		ck_assert_int_eq(json_integer_value(value_at(&f, "QoS/AllocatedBandwidth")),
				 percent);
		ck_assert_int_eq(json_integer_value(value_at(&f, "QoS/LimitPercent")),
				 100 - percent);
	}
	/* The LD that this host sees is no other resource. */
	ck_assert_uint_eq(get(&f, SEEN_LD), 404);
	ck_assert_uint_eq(patch_pooled(MLD_LD(0), "{\"QoS\":{\"LimitPercent\":40}}"), 200);
	ck_assert_int_eq(json_integer_value(value_at(&f, "QoS/LimitPercent")), 40);
	ck_assert_uint_eq(patch_pooled(SEEN_SLD, "{\"QoS\":{\"LimitPercent\":40}}"), 405);
	/* The others keep theirs. */
	ck_assert_uint_eq(pooled.model->ports[1].device.lds[2].allocated, 64);
	ck_assert_uint_eq(pooled.model->ports[1].device.lds[2].limit, 255);
}
END_TEST

START_TEST(a_device_that_takes_another_value_is_reported)
{
	pooled.model->ports[1].device.telemetry = 1;
	ck_assert_uint_eq(
		patch_pooled(MLD_DEVICE,
			     "{\"CXLDevice\":{\"TemporaryThroughputReductionEnabled\":true}}"),
		409);
	expect_message(0, "SwitchChangeFailed", "Set QoS Control: the device reports other values");
	expect_message(0, "SwitchChangeFailed", MAILBOX);
	/* The first of two values was set. */
	switch_model_fault(pooled.model, &(struct model_fault){.kind = MODEL_RETURN_CODE,
							       .opcode = 0x5409,
							       .level = 1,
							       .value = 4});
	ck_assert_uint_eq(
		patch_pooled(MLD_LD(3), "{\"QoS\":{\"AllocatedBandwidth\":5,\"LimitPercent\":5}}"),
		409);
	expect_message(0, "SwitchChangeFailed", "the first value was set; Set QoS BW Limit");
	expect_number(MLD_LD(3), "QoS/AllocatedBandwidth", 5);
}
END_TEST

/* ---- ports ------------------------------------------------------------------------------------
 */

START_TEST(a_port_is_reset_by_its_actions)
{
	ck_assert_uint_eq(change(METHOD_POST, RESET(PORT_P(3)), PORT_P(3),
				 "{\"ResetType\":\"ForceRestart\"}"),
			  204);
	ck_assert_uint_eq(pooled.model->ports[3].n_perst, 1);
	ck_assert_uint_eq(pooled.model->ports[3].link_flags & 2, 0);
	ck_assert_uint_eq(change(METHOD_POST, PPB(PORT_P(3)), PORT_P(3), NULL), 204);
	ck_assert_uint_eq(pooled.model->ports[3].n_ppb_resets, 1);
}
END_TEST

START_TEST(parameters_of_a_reset_that_are_wrong_are_named)
{
	ck_assert_uint_eq(
		change(METHOD_POST, RESET(PORT_P(3)), PORT_P(3), "{\"ResetType\":\"Off\",\"X\":1}"),
		400);
	expect_message(0, "ActionParameterValueNotInList", "#/ResetType");
	expect_message(1, "ActionParameterUnknown", "#/X");
	ck_assert_uint_eq(
		change(METHOD_POST, RESET(PORT_P(3)), PORT_P(3), "{\"ResetType\":[\"Off\"]}"), 400);
	expect_message(0, "ActionParameterValueTypeError", "#/ResetType");
	ck_assert_uint_eq(
		change(METHOD_POST, PPB(PORT_P(3)), PORT_P(3), "{\"ResetType\":\"ForceRestart\"}"),
		400);
	expect_message(0, "ActionParameterUnknown", "#/ResetType");
	ck_assert_uint_eq(switch_model_count(pooled.model, 0x5102), 0);
}
END_TEST

START_TEST(a_reset_that_takes_memory_is_refused_with_all_reasons)
{
	static const char *const port = SWITCH_PORT "P1";

	ck_assert_uint_eq(change(METHOD_POST, RESET(SWITCH_PORT "P1"), port, "{}"), 409);
	expect_message(0, "MemoryInUse", "region1 of mem4 is mapped");
	expect_message(1, "MemoryInUse", "vPPB 1 of VCS 1 is bound");
	ck_assert_uint_eq(pooled.model->ports[1].n_perst, 0);
	ck_assert_uint_eq(change(METHOD_POST, RESET(SWITCH_PORT "P1"), port, FORCE), 204);
	ck_assert_uint_eq(pooled.model->ports[1].n_perst, 1);
	/* Force does not make a switch do what it cannot do. */
	ck_assert_uint_eq(change(METHOD_POST, PPB(SWITCH_PORT "D2"), SWITCH_PORT "D2", FORCE), 409);
	expect_message(0, "SwitchChangeFailed", "Invalid Input");
}
END_TEST

/* ---- vPPBs ------------------------------------------------------------------------------------
 */

START_TEST(a_vppb_is_bound_to_an_ld_and_unbound)
{
	ck_assert_uint_eq(patch_pooled(VPPB(1, 2),
				       "{\"Links\":{\"Port\":" LINK(
					       PORT_P(1)) "},\"Oem\":{\"CXLHost\":{\"LDId\":2}}}"),
			  200);
	ck_assert_str_eq(at(&f, "BindingStatus"), "BoundLD");
	ck_assert_uint_eq(vppb(1, 2)->ld, 2);
	/* It is so already. */
	ck_assert_uint_eq(patch_pooled(VPPB(1, 2),
				       "{\"Links\":{\"Port\":" LINK(
					       PORT_P(1)) "},\"Oem\":{\"CXLHost\":{\"LDId\":2}}}"),
			  200);
	ck_assert_uint_eq(patch_pooled(VPPB(1, 2), "{\"Links\":{\"Port\":null}}"), 409);
	expect_message(0, "MemoryInUse", "#/Links/Port");
	ck_assert_uint_eq(patch_pooled(VPPB(1, 2),
				       "{\"Links\":{\"Port\":null},\"Oem\":{\"CXLHost\":{"
				       "\"Force\":true}}}"),
			  200);
	ck_assert_str_eq(at(&f, "BindingStatus"), "Unbound");
	ck_assert_uint_eq(vppb(1, 2)->binding, 0);
	ck_assert_uint_eq(patch_pooled(VPPB(1, 2), "{\"Links\":{\"Port\":null}}"), 200);
}
END_TEST

START_TEST(a_link_that_cannot_be_bound_is_named)
{
	static const struct {
		const char *body, *key, *pointer;
	} cases[] = {
		{"{\"Links\":{\"Port\":" LINK(CPU_PORT) "}}", "PropertyValueError", "#/Links/Port"},
		{"{\"Links\":{\"Port\":" LINK("/x") "}}", "PropertyValueError", "#/Links/Port"},
		{"{\"Links\":{\"Port\":" LINK(SWITCH_PORT "U1") "}}", "PropertyValueError",
		 "#/Links/Port"},
		{"{\"Links\":{\"Port\":7}}", "PropertyValueTypeError", "#/Links/Port"},
		{"{\"Links\":{\"Port\":" LINK(PORT_P(1)) "}}", "PropertyMissing",
		 "#/Oem/CXLHost/LDId"},
		{"{\"Links\":{\"Port\":" LINK(PORT_P(1)) "},\"Oem\":{\"CXLHost\":{\"LDId\":9}}}",
		 "PropertyValueNotInList", "#/Oem/CXLHost/LDId"},
		{"{\"Links\":{\"Port\":" LINK(PORT_P(3)) "},\"Oem\":{\"CXLHost\":{\"LDId\":0}}}",
		 "PropertyValueConflict", "#/Oem/CXLHost/LDId"},
		{"{\"Links\":{\"Endpoints\":[]}}", "PropertyNotWritable", "#/Links/Endpoints"},
		{"{\"Oem\":{\"CXLHost\":{\"Force\":true}}}", "PropertyMissing", "#/Links/Port"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert_msg(patch_pooled(VPPB(1, 2), cases[i].body) == 400, "%s: %u",
			      cases[i].body, f.res.status);
		expect_message(0, cases[i].key, cases[i].pointer);
	}
	ck_assert_uint_eq(patch_pooled(VPPB(0, 0), "{\"Links\":{\"Port\":null}}"), 400);
	expect_message(0, "PropertyNotWritable", "#/Links/Port");
	ck_assert_uint_eq(patch_pooled(VPPB(0, 2), "{\"Links\":{\"Port\":" LINK(PORT_P(3)) "}}"),
			  409);
	expect_message(0, "ResourceInUse", NULL);
	ck_assert_uint_eq(switch_model_count(pooled.model, 0x5201), 0);
}
END_TEST

START_TEST(a_vppb_in_use_is_not_unbound)
{
	ck_assert_uint_eq(patch_pooled(VPPB(0, 1), "{\"Links\":{\"Port\":null}}"), 409);
	expect_message(0, "MemoryInUse", "region1");
	ck_assert_uint_eq(change(METHOD_DELETE, BINDING(0, 1), BINDING(0, 1), NULL), 409);
	expect_message(0, "MemoryInUse", "region1");
	/* The decision is made on what is read then, not on what the request saw. */
	pooled.region->enabled = false;
	pooled.region->commit = REGION_NOT_COMMITTED;
	ck_assert_uint_eq(change(METHOD_DELETE, BINDING(0, 1), BINDING(0, 1), NULL), 204);
	ck_assert_uint_eq(vppb(0, 1)->binding, 0);
	ck_assert_uint_eq(get(&f, BINDING(0, 1)), 404);
}
END_TEST

static struct {
	uint64_t numbers[VIEW_INPUT_COUNT];
	enum view_input order[8];
	size_t n;
} asked;

static uint64_t note_request(void *userdata, enum view_input input, const char *memdev)
{
	(void)userdata, (void)memdev;
	ck_assert_uint_lt(asked.n, ARRAY_SIZE(asked.order));
	asked.order[asked.n++] = input;
	asked.numbers[input]++;
	view_holder_advance(f.service->view_holder, asked.numbers);
	return asked.numbers[input];
}

/* The change waited for others, or for the switch to be read. */
static uint64_t forbid(void *userdata, enum view_input input, const char *memdev)
{
	pooled.forbidden = true;
	show_pooled();
	return note_request(userdata, input, memdev);
}

START_TEST(permission_that_is_withdrawn_before_a_change_counts)
{
	memset(&asked, 0, sizeof(asked));
	view_holder_advance(f.service->view_holder, asked.numbers);
	view_holder_set_requester(f.service->view_holder, forbid, NULL);
	ck_assert_uint_eq(change(METHOD_POST, RESET(PORT_P(3)), PORT_P(3), FORCE), 403);
	expect_message(0, "SwitchChangeFailed", "--allow=fabric");
	ck_assert_uint_eq(pooled.model->ports[3].n_perst, 0);
}
END_TEST

/* It may map memory while the switch is read, which takes longer. */
START_TEST(the_host_is_read_last_before_a_change)
{
	memset(&asked, 0, sizeof(asked));
	view_holder_advance(f.service->view_holder, asked.numbers);
	view_holder_set_requester(f.service->view_holder, note_request, NULL);
	ck_assert_uint_eq(change(METHOD_DELETE, BINDING(0, 1), BINDING(0, 1), NULL), 409);
	expect_message(0, "MemoryInUse", "region1");
	ck_assert_uint_eq(asked.n, 2);
	ck_assert_int_eq(asked.order[0], VIEW_INPUT_SWITCHES);
	ck_assert_int_eq(asked.order[1], VIEW_INPUT_TOPOLOGY);
}
END_TEST

START_TEST(another_manager_may_have_been_faster)
{
	/* Since the last reading; a request whose entity tag still matches. */
	pooled.model->vcs[0].vppbs[3] = (struct model_vppb){.binding = 2, .port = 3};
	view_holder_set_requester(f.service->view_holder, NULL, NULL);
	ck_assert_uint_eq(patch_pooled(VPPB(0, 3), "{\"Links\":{\"Port\":" LINK(PORT_P(4)) "}}"),
			  409);
	expect_message(0, "SwitchChangeFailed", "vPPB 3 of VCS 0 is bound to port 3 now");
}
END_TEST

START_TEST(failed_background_operations_are_reported)
{
	switch_model_fault(pooled.model, &(struct model_fault){.kind = MODEL_BACKGROUND_CODE,
							       .opcode = 0x5201,
							       .times = 1,
							       .value = 4});
	ck_assert_uint_eq(patch_pooled(VPPB(0, 3), "{\"Links\":{\"Port\":" LINK(PORT_P(4)) "}}"),
			  409);
	expect_message(0, "SwitchChangeFailed", "Bind vPPB (5201h): Internal Error");
	expect(VPPB(0, 3), "BindingStatus", "Unbound");
}
END_TEST

START_TEST(a_switch_that_is_gone_is_500_and_said)
{
	/* The reading before the change and the reading of the view go on without it. */
	view_holder_set_requester(f.service->view_holder, NULL, NULL);
	switch_model_fault(pooled.model,
			   &(struct model_fault){.kind = MODEL_VANISHES, .level = -1});
	ck_assert_uint_eq(patch_pooled(VPPB(0, 3), "{\"Links\":{\"Port\":" LINK(PORT_P(4)) "}}"),
			  500);
	expect_message(0, "SwitchChangeFailed", "the switch does not respond");
	f.service->switch_access = NULL;
	ck_assert_uint_eq(patch_pooled(MLD_LD(3), "{\"QoS\":{\"LimitPercent\":5}}"), 500);
	expect_message(0, "SwitchChangeFailed", "cannot reach switches");
}
END_TEST

/* A mailbox that is busy: the test has the model's lock. */
START_TEST(a_slow_change_is_a_task_and_no_read_waits_for_it)
{
	struct http_request req = {
		.method = METHOD_PATCH,
		.path = VPPB(0, 3),
		.headers = {[HEADER_CONTENT_TYPE] = "application/json",
			    [HEADER_PREFER] = "respond-async"},
		.body = "{\"Links\":{\"Port\":" LINK(PORT_P(4)) "}}",
	};
	char etag[128], monitor[RESOURCE_URI_MAX];
	struct http_reply reply;
	struct local_call call;

	ck_assert_uint_eq(get(&f, VPPB(0, 3)), 200);
	(void)snprintf(etag, sizeof(etag), "%s", f.res.body->etag);
	req.headers[HEADER_IF_MATCH] = etag;
	req.body_len = strlen(req.body);
	switch_model_lock(pooled.model);
	local_call_init(&call, &reply);
	local_call_start(&call, f.service, &req);
	ck_assert_uint_eq(get(&f, VPPB(0, 3)), 200);
	ck_assert_uint_eq(get(&f, SYSTEM), 200);
	local_call_wait(&call);
	ck_assert_uint_eq(reply.status, 202);
	(void)snprintf(monitor, sizeof(monitor), "%s", http_reply_value(&reply, "Location"));
	http_reply_done(&reply);
	expect(VPPB(0, 3), "BindingStatus", "Unbound");
	switch_model_unlock(pooled.model);
	for (unsigned int i = 0; get(&f, monitor) == 202; i++) {
		ck_assert_uint_lt(i, WAIT_MAX_MS);
		(void)usleep(1000);
	}
	ck_assert_uint_eq(f.res.status, 200);
	expect(VPPB(0, 3), "BindingStatus", "BoundPhysicalPort");
}
END_TEST

#define AER(n) VPPB(0, n) "/Actions/Oem/CXLHostVirtualPCI2PCIBridge.GenerateAEREvent"

START_TEST(an_aer_event_is_generated)
{
	ck_assert_uint_eq(change(METHOD_POST, AER(2), VPPB(0, 2),
				 "{\"Severity\":\"Uncorrectable\",\"ErrorBit\":14,\"Header\":"
				 "\"4a000000000000000000000000000000000000000000000000000000000000"
				 "ff\"}"),
			  204);
	ck_assert_uint_eq(pooled.model->aer[1], 2);
	ck_assert_uint_eq(pooled.model->aer[4], 14);
	ck_assert_uint_eq(pooled.model->aer[7], 0x80);
	ck_assert_uint_eq(pooled.model->aer[8], 0x4a);
	ck_assert_uint_eq(pooled.model->aer[39], 0xff);
	/* An error that could take memory. */
	ck_assert_uint_eq(change(METHOD_POST, AER(1), VPPB(0, 1),
				 "{\"Severity\":\"Uncorrectable\",\"ErrorBit\":14}"),
			  409);
	expect_message(0, "MemoryInUse", "region1");
	ck_assert_uint_eq(change(METHOD_POST, AER(1), VPPB(0, 1),
				 "{\"Severity\":\"Correctable\",\"ErrorBit\":0}"),
			  204);
	ck_assert_uint_eq(change(METHOD_POST, AER(2), VPPB(0, 2),
				 "{\"Severity\":\"x\",\"ErrorBit\":32,\"Header\":\"0\"}"),
			  400);
	expect_message(0, "ActionParameterValueNotInList", "#/Severity");
	expect_message(1, "ActionParameterValueError", "#/ErrorBit");
	expect_message(2, "ActionParameterValueFormatError", "#/Header");
	ck_assert_uint_eq(change(METHOD_POST, AER(2), VPPB(0, 2), "{\"ErrorBit\":1}"), 400);
	expect_message(0, "ActionParameterMissing", "#/Severity");
}
END_TEST

/* ---- connections ------------------------------------------------------------------------------
 */

START_TEST(a_connection_binds_an_ld_to_a_free_vppb)
{
	ck_assert_uint_eq(change(METHOD_POST, CONNECTIONS, CONNECTIONS, CONNECT(I_HOST, MLD_T(3))),
			  201);
	ck_assert_str_eq(at(&f, "@odata.id"), BINDING(0, 3));
	ck_assert_str_eq(at(&f, "ConnectionType"), "Memory");
	ck_assert_str_eq(at(&f, "Links/InitiatorEndpoints/0/@odata.id"), I_HOST);
	ck_assert_str_eq(at(&f, "Links/TargetEndpoints/0/@odata.id"), MLD_T(3));
	ck_assert_str_eq(at(&f, "MemoryChunkInfo/0/MemoryChunk/@odata.id"), MLD_CHUNKS "/LD3");
	ck_assert_str_eq(at(&f, "Oem/CXLHost/VPPB/@odata.id"), VPPB(0, 3));
	ck_assert_uint_eq(vppb(0, 3)->binding, 3);
	ck_assert_uint_eq(vppb(0, 3)->ld, 3);
	ck_assert_uint_eq(get(&f, MLD_T(3)), 200);
	ck_assert_str_eq(at(&f, "Links/Connections/0/@odata.id"), BINDING(0, 3));
	/* Once more. */
	ck_assert_uint_eq(change(METHOD_POST, CONNECTIONS, CONNECTIONS, CONNECT(I_HOST, MLD_T(3))),
			  409);
	expect_message(0, "ResourceAlreadyExists", "switch-0000-0d-00.0-VCS0-vPPB3");
	/* To the other host, when this one has it. */
	ck_assert_uint_eq(change(METHOD_POST, CONNECTIONS, CONNECTIONS, CONNECT(I_OTHER, MLD_T(3))),
			  409);
	expect_message(0, "MemoryInUse", "#/Links/TargetEndpoints");
	ck_assert_uint_eq(change(METHOD_POST, CONNECTIONS, CONNECTIONS, CONNECT(I_OTHER, MLD_T(2))),
			  201);
	ck_assert_str_eq(at(&f, "@odata.id"), BINDING(1, 2));
	ck_assert_str_eq(at(&f, "Links/InitiatorEndpoints/0/@odata.id"), I_OTHER);
	/* It has no vPPB left. */
	pooled.model->vcs[0].vppbs[3] = (struct model_vppb){0};
	show_pooled();
	ck_assert_uint_eq(change(METHOD_POST, CONNECTIONS, CONNECTIONS, CONNECT(I_OTHER, MLD_T(3))),
			  403);
	expect_message(0, "CreateLimitReachedForResource", NULL);
}
END_TEST

START_TEST(connections_of_devices_that_the_host_sees_link_their_endpoints)
{
	expect(BINDING(0, 1), "Links/TargetEndpoints/0/@odata.id",
	       FABRIC "/Endpoints/T-cxl-3d10000000000101");
	expect(BINDING(0, 2), "Links/TargetEndpoints/0/@odata.id",
	       FABRIC "/Endpoints/T-cxl-3d10000000000002");
	ck_assert_uint_eq(change(METHOD_DELETE, BINDING(0, 2), BINDING(0, 2), NULL), 204);
	ck_assert_uint_eq(vppb(0, 2)->binding, 0);
	/* The kernel of this host does not see it any more. */
	f.model.host.n_memdevs--;
	show_pooled();
	ck_assert_uint_eq(change(METHOD_POST, CONNECTIONS, CONNECTIONS,
				 CONNECT(I_HOST, FABRIC "/Endpoints/T-dev-3d10000000000002")),
			  201);
	ck_assert_uint_eq(vppb(0, 2)->port, 2);
}
END_TEST

START_TEST(a_connection_that_cannot_be_made_is_refused_by_its_property)
{
	static const struct {
		const char *body, *key, *pointer;
	} cases[] = {
		{"{}", "CreateFailedMissingReqProperties", "#/ConnectionType"},
		{"{\"ConnectionType\":\"Storage\",\"Links\":{}}", "PropertyValueNotInList",
		 "#/ConnectionType"},
		{"{\"ConnectionType\":\"Memory\",\"Links\":{}}", "CreateFailedMissingReqProperties",
		 "#/Links/InitiatorEndpoints"},
		{"{\"ConnectionType\":\"Memory\",\"Links\":{\"InitiatorEndpoints\":[],"
		 "\"TargetEndpoints\":[" LINK(MLD_T(3)) "]}}",
		 "ArraySizeTooShort", "#/Links/InitiatorEndpoints"},
		{"{\"ConnectionType\":\"Memory\",\"Links\":{\"InitiatorEndpoints\":[" LINK(
			 I_HOST) "],\"TargetEndpoints\":[" LINK(MLD_T(2)) "," LINK(MLD_T(3)) "]}}",
		 "ArraySizeTooLong", "#/Links/TargetEndpoints"},
		{CONNECT(I_HOST, MLD_T(FM)), "PropertyValueError", "#/Links/TargetEndpoints"},
		{CONNECT(I_HOST, I_HOST), "PropertyValueError", "#/Links/TargetEndpoints"},
		{CONNECT(I_ADAPTER, MLD_T(3)), "PropertyValueError", "#/Links/InitiatorEndpoints"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert_msg(change(METHOD_POST, CONNECTIONS, CONNECTIONS, cases[i].body) == 400,
			      "%s: %u", cases[i].body, f.res.status);
		expect_message(0, cases[i].key, cases[i].pointer);
	}
	ck_assert_uint_eq(switch_model_count(pooled.model, 0x5201), 0);
}
END_TEST

/* ---- memory of the MLD ------------------------------------------------------------------------
 */

START_TEST(memory_is_taken_from_an_ld_and_allocated_again)
{
	const struct model_ld *ld = &pooled.model->ports[1].device.lds[3];

	ck_assert_uint_eq(change(METHOD_DELETE, MLD_CHUNKS "/LD3", MLD_CHUNKS "/LD3", NULL), 204);
	ck_assert_uint_eq(ld->range1, 0);
	ck_assert_uint_eq(get(&f, MLD_CHUNKS "/LD3"), 404);
	ck_assert_uint_eq(change(METHOD_POST, MLD_CHUNKS, MLD_CHUNKS, ALLOCATE(1024, MLD_LD(3))),
			  201);
	ck_assert_str_eq(at(&f, "@odata.id"), MLD_CHUNKS "/LD3");
	ck_assert_int_eq(json_integer_value(value_at(&f, "MemoryChunkSizeMiB")), 1024);
	ck_assert_uint_eq(ld->range1, 4);
	ck_assert_uint_eq(change(METHOD_POST, MLD_CHUNKS, MLD_CHUNKS, ALLOCATE(1024, MLD_LD(3))),
			  409);
	expect_message(0, "ResourceAlreadyExists", NULL);
}
END_TEST

START_TEST(memory_that_was_allocated_meanwhile_is_left)
{
	struct model_ld *ld = &pooled.model->ports[1].device.lds[3];

	ck_assert_uint_eq(change(METHOD_DELETE, MLD_CHUNKS "/LD3", MLD_CHUNKS "/LD3", NULL), 204);
	/* By another manager, or by the change before in the queue. */
	memset(&asked, 0, sizeof(asked));
	view_holder_advance(f.service->view_holder, asked.numbers);
	view_holder_set_requester(f.service->view_holder, note_request, NULL);
	ld->range1 = 4;
	ck_assert_uint_eq(change(METHOD_POST, MLD_CHUNKS, MLD_CHUNKS, ALLOCATE(256, MLD_LD(3))),
			  409);
	expect_message(0, "SwitchChangeFailed", "LD 3 has memory now");
	ck_assert_uint_eq(ld->range1, 4);
}
END_TEST

START_TEST(memory_of_an_ld_in_use_is_not_taken)
{
	ck_assert_uint_eq(change(METHOD_DELETE, MLD_CHUNKS "/LD0", MLD_CHUNKS "/LD0", NULL), 409);
	expect_message(0, "MemoryInUse", "region1");
	ck_assert_uint_eq(change(METHOD_DELETE, MLD_CHUNKS "/LD1", MLD_CHUNKS "/LD1", NULL), 409);
	expect_message(0, "MemoryInUse", "the host of this VCS may use it");
	ck_assert_uint_ne(pooled.model->ports[1].device.lds[1].range1, 0);
}
END_TEST

START_TEST(memory_that_cannot_be_allocated_is_refused)
{
	ck_assert_uint_eq(change(METHOD_DELETE, MLD_CHUNKS "/LD3", MLD_CHUNKS "/LD3", NULL), 204);
	ck_assert_uint_eq(change(METHOD_POST, MLD_CHUNKS, MLD_CHUNKS, ALLOCATE(300, MLD_LD(3))),
			  400);
	expect_message(0, "PropertyValueOutOfRange", "#/MemoryChunkSizeMiB");
	ck_assert_uint_eq(change(METHOD_POST, MLD_CHUNKS, MLD_CHUNKS, ALLOCATE(256, MLD_LD(9))),
			  400);
	expect_message(0, "PropertyValueError", "#/Links/CXLLogicalDevices");
	ck_assert_uint_eq(change(METHOD_POST, MLD_CHUNKS, MLD_CHUNKS, "{}"), 400);
	expect_message(0, "CreateFailedMissingReqProperties", "#/MemoryChunkSizeMiB");
	/* More than there is. */
	ck_assert_uint_eq(
		change(METHOD_POST, MLD_CHUNKS, MLD_CHUNKS, ALLOCATE(104857600, MLD_LD(3))), 409);
	expect_message(0, "SwitchChangeFailed", "Set LD Allocations (5402h): Invalid Input");
	ck_assert_uint_eq(get(&f, MLD_CHUNKS "/LD3"), 404);
}
END_TEST

/* ---- force ------------------------------------------------------------------------------------
 */

static struct accounts_fixture accounts;
static char token[TOKEN_CHARS];

static void start_with_accounts(void)
{
	log_setup("check_fabric_writes", LOG_LEVEL_ERR);
	start_accounts(&accounts, "check_fabric_writes");
	start_pooled(accounts.accounts);
}

static void stop_with_accounts(void)
{
	stop_pooled();
	stop_accounts(&accounts);
}

START_TEST(only_an_administrator_may_force)
{
	static const char *const port = SWITCH_PORT "P1";

	pooled.token = log_in(&f, "ops", "Operator", token);
	ck_assert_uint_eq(change(METHOD_POST, RESET(SWITCH_PORT "P1"), port, FORCE), 403);
	expect_message(0, "InsufficientPrivilege", "#/Oem/CXLHost/Force");
	/* Otherwise an Operator may. */
	ck_assert_uint_eq(change(METHOD_POST, RESET(PORT_P(3)), PORT_P(3), "{}"), 204);
	ck_assert_uint_eq(patch_pooled(MLD_LD(3), "{\"QoS\":{\"LimitPercent\":5}}"), 200);
	pooled.token = log_in(&f, "admin2", "Administrator", token);
	ck_assert_uint_eq(change(METHOD_POST, RESET(SWITCH_PORT "P1"), port, FORCE), 204);
	pooled.token = log_in(&f, "reader", "ReadOnly", token);
	ck_assert_uint_eq(change(METHOD_POST, RESET(PORT_P(3)), PORT_P(3), "{}"), 403);
	ck_assert_uint_eq(patch_pooled(MLD_LD(3), "{\"QoS\":{\"LimitPercent\":5}}"), 403);
	pooled.token = NULL;
	ck_assert_uint_eq(pooled.model->ports[1].n_perst, 1);
}
END_TEST

/* Whatever the body says else. */
START_TEST(an_operator_forces_nothing_and_a_reader_changes_nothing)
{
	pooled.token = log_in(&f, "ops", "Operator", token);
	for (size_t i = 0; i < ARRAY_SIZE(writes); i++) {
		json_t *body = json_loads(writes[i].body ? writes[i].body : "{}", 0, NULL);
		char *text;

		ck_assert_ptr_nonnull(body);
		(void)json_object_update_new(body, json_loads(FORCE, 0, NULL));
		text = json_dumps(body, JSON_COMPACT);
		/* Changes of QoS take no memory, and know no Force; DELETE has no body. */
		if (writes[i].method != METHOD_DELETE)
			ck_assert_msg(change(writes[i].method, writes[i].uri, writes[i].of, text) ==
					      (i < N_QOS ? 400 : 403),
				      "%s: %u", writes[i].uri, f.res.status);
		free(text);
		json_decref(body);
	}
	pooled.token = log_in(&f, "reader", "ReadOnly", token);
	for (size_t i = 0; i < ARRAY_SIZE(writes); i++)
		ck_assert_msg(change(writes[i].method, writes[i].uri, writes[i].of,
				     writes[i].body) == 403,
			      "%s: %u", writes[i].uri, f.res.status);
	pooled.token = NULL;
}
END_TEST

SUITE(check_fabric_writes)
{
	Suite *s = suite_create("fabric_writes");
	TCase *t = tcase_create("writes"), *a = tcase_create("accounts");

	tcase_add_checked_fixture(t, start_all, stop_pooled);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, without_permission_each_change_is_405_with_the_reason);
	tcase_add_loop_test(t, a_wrong_value_anywhere_is_refused_and_nothing_is_sent, 0,
			    ARRAY_SIZE(writes));
	tcase_add_test(t, a_recorded_switch_is_not_changed_and_named);
	tcase_add_test(t, what_may_be_changed_is_shown);
	tcase_add_test(t, each_change_demands_if_match);
	tcase_add_test(t, each_change_is_made);
	tcase_add_test(t, congestion_is_set_and_the_rest_kept);
	tcase_add_test(t, values_of_qos_that_are_wrong_are_named_and_nothing_is_set);
	tcase_add_test(t, bandwidth_reads_back_as_it_was_set);
	tcase_add_test(t, a_device_that_takes_another_value_is_reported);
	tcase_add_test(t, a_port_is_reset_by_its_actions);
	tcase_add_test(t, parameters_of_a_reset_that_are_wrong_are_named);
	tcase_add_test(t, a_reset_that_takes_memory_is_refused_with_all_reasons);
	tcase_add_test(t, a_vppb_is_bound_to_an_ld_and_unbound);
	tcase_add_test(t, a_link_that_cannot_be_bound_is_named);
	tcase_add_test(t, a_vppb_in_use_is_not_unbound);
	tcase_add_test(t, the_host_is_read_last_before_a_change);
	tcase_add_test(t, permission_that_is_withdrawn_before_a_change_counts);
	tcase_add_test(t, another_manager_may_have_been_faster);
	tcase_add_test(t, failed_background_operations_are_reported);
	tcase_add_test(t, a_switch_that_is_gone_is_500_and_said);
	tcase_add_test(t, a_slow_change_is_a_task_and_no_read_waits_for_it);
	tcase_add_test(t, an_aer_event_is_generated);
	tcase_add_test(t, a_connection_binds_an_ld_to_a_free_vppb);
	tcase_add_test(t, connections_of_devices_that_the_host_sees_link_their_endpoints);
	tcase_add_test(t, a_connection_that_cannot_be_made_is_refused_by_its_property);
	tcase_add_test(t, memory_is_taken_from_an_ld_and_allocated_again);
	tcase_add_test(t, memory_that_was_allocated_meanwhile_is_left);
	tcase_add_test(t, memory_of_an_ld_in_use_is_not_taken);
	tcase_add_test(t, memory_that_cannot_be_allocated_is_refused);
	suite_add_tcase(s, t);
	tcase_add_checked_fixture(a, start_with_accounts, stop_with_accounts);
	tcase_set_timeout(a, 60);
	tcase_add_test(a, only_an_administrator_may_force);
	tcase_add_test(a, an_operator_forces_nothing_and_a_reader_changes_nothing);
	suite_add_tcase(s, a);
	return s;
}
