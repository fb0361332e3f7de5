// SPDX-License-Identifier: LGPL-2.1-or-later
/* The knowledge that a subscriber has of the Status of all resources, by the events that it gets
 * alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/eventing/resource_event.h"
#include "redfish/eventing/sent_statuses.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"

#define MEM1 SYSTEM "/Memory/cxl-000000000000abc1"

static struct fixture f;
static struct mailbox healthy, critical, warning, silent;
static const struct view *shown; /* a reference */
static struct readings pool[2];	 /* of this view and the one before */
static size_t n_shown;
static json_t *known; /* URI -> Status, as the subscriber has it */

static void setup(void)
{
	fixture_init(&f, NULL);
	healthy = (struct mailbox){
		.has_health = true,
		.media = OPT_INT(MEDIA_NORMAL),
		.life_used_level = OPT_INT(LEVEL_NORMAL),
		.temperature_level = OPT_INT(LEVEL_NORMAL),
		.temperature = OPT_INT(30),
	};
	critical = warning = healthy;
	critical.replacement_needed = true;
	warning.maintenance_needed = true;
	silent = (struct mailbox){.unresponsive = true};
	known = json_object();
	for (size_t i = 0; i < ARRAY_SIZE(f.memdevs); i++)
		f.memdevs[i]->enabled = true;
}

static void teardown(void)
{
	(void)view_unref(shown);
	shown = NULL;
	json_decref(known);
	fixture_done(&f);
}

/* Return: the Status of the resource in the view, empty without; a reference. */
static json_t *status_in(const struct view *v, struct resource *r)
{
	_cleanup_writer_ struct json_writer w = {0};
	json_t *body, *status;

	if (r->type->render && !r->type->content_type) {
		const struct representation *rep = view_representation(v, r);

		body = json_loadb(rep->bytes, rep->len, JSON_REJECT_DUPLICATES, NULL);
	} else {
		put_object(&w, NULL);
		if (r->type->status)
			r->type->status(v, r, &w);
		put_end(&w);
		body = json_loadb(w.text, w.len, JSON_REJECT_DUPLICATES, NULL);
	}
	ck_assert_msg(body, "%s", r->uri);
	status = json_object_get(body, "Status");
	status = status ? json_incref(status) : json_object();
	json_decref(body);
	return status;
}

static const char *text_of(const json_t *status, const char *key)
{
	const char *text = json_string_value(json_object_get(status, key));

	return text ? text : "unknown";
}

/* How healthy a resource is, with what it contains. Some have their own Health beside that. */
static const char *health_of(const struct resource *r, const json_t *status)
{
	const char *schema = r->type->schema;
	const bool rolls_up =
		json_object_get(status, "HealthRollup") || str_equal(schema, "Connection") ||
		str_equal(schema, "Fabric") || str_equal(schema, "Switch") ||
		(str_equal(schema, "MemoryChunks") && str_after_prefix(r->uri, SYSTEM));

	return text_of(status, rolls_up ? "HealthRollup" : "Health");
}

static void learn(const char *uri, const char *key, const char *value)
{
	json_t *one = json_object_get(known, uri);

	if (!one) {
		one = json_object();
		json_object_set_new(known, uri, one);
	}
	json_object_set_new(one, key, json_string(value));
}

/* The subscriber reads all resources. */
static void read_all(void)
{
	struct resource *r;

	for (size_t i = 0; (r = resource_at(shown->index, i)); i++) {
		json_t *status = status_in(shown, r);

		if (!r->action && json_object_size(status) > 0) {
			learn(r->uri, "State", text_of(status, "State"));
			learn(r->uri, "Health", health_of(r, status));
		}
		json_decref(status);
	}
}

static void take(const json_t *record)
{
	const char *id = json_string_value(json_object_get(record, "MessageId"));
	const json_t *args = json_object_get(record, "MessageArgs");
	const char *uri = json_string_value(
		json_object_get(json_object_get(record, "OriginOfCondition"), "@odata.id"));
	const char *value = json_string_value(json_array_get(args, 1)), *said;

	ck_assert(id && uri);
	if (str_equal(id, "ResourceEvent.1.4.ResourceStateChanged"))
		learn(uri, "State", value);
	else if ((said = str_after_prefix(id, "ResourceEvent.1.4.ResourceStatusChanged"))) {
		ck_assert_str_eq(said, value);
		learn(uri, "Health", value);
	} else if (str_equal(id, "CXLHost.1.0.StatusNotKnown"))
		learn(uri, str_equal(value, "State") ? "State" : "Health", "unknown");
}

/* Return: how many events there were about the resource; NULL: about any. */
static size_t take_all(const json_t *messages, const char *uri)
{
	const json_t *message;
	size_t i, n = 0;

	json_array_foreach(messages, i, message) {
		const json_t *record = json_object_get(message, "Record");
		const json_t *origin = json_object_get(record, "OriginOfCondition");

		take(record);
		n += !uri ||
		     str_equal(uri, json_string_value(json_object_get(origin, "@odata.id")));
	}
	return n;
}

/* The subscriber and the resources say the same. */
static void expect_agreement(void)
{
	struct resource *r;
	size_t n = 0;

	for (size_t i = 0; (r = resource_at(shown->index, i)); i++) {
		json_t *status = status_in(shown, r);
		const json_t *has = json_object_get(known, r->uri);

		if (!r->action && json_object_size(status) > 0) {
			n++;
			ck_assert_msg(str_equal(text_of(has, "State"), text_of(status, "State")),
				      "%s is %s, known is %s", r->uri, text_of(status, "State"),
				      text_of(has, "State"));
			ck_assert_msg(str_equal(text_of(has, "Health"), health_of(r, status)),
				      "%s is %s, known is %s", r->uri, health_of(r, status),
				      text_of(has, "Health"));
		}
		json_decref(status);
	}
	ck_assert_uint_gt(n, 40);
}

/* Shows a view with these inputs. Return: its events; a reference. */
static json_t *show(const struct mailbox *mem0, const struct mailbox *others,
		    const struct view_inputs *more)
{
	const struct view *before = shown;
	struct readings *readings = &pool[n_shown++ % ARRAY_SIZE(pool)];
	struct view_inputs in = *more;
	struct view *now;
	struct resource_events events;

	readings->memdevs = f.memdevs;
	readings->mailboxes[0] = mem0;
	for (size_t i = 1; i < ARRAY_SIZE(readings->mailboxes); i++)
		readings->mailboxes[i] = others;
	in.host = &f.model.host;
	in.readings = readings;
	ck_assert_int_eq(translator_new(in.host, NULL, &in.translator, NULL), 0);
	ck_assert_int_eq(view_new(f.table, &in, &now, NULL), 0);
	(void)translator_unref(in.translator);
	events = resource_events(before, now);
	ck_assert_int_eq(json_array_extend(events.news, events.first), 0);
	json_decref(events.first);
	(void)view_unref(before);
	shown = now;
	return events.news;
}

static const struct view_inputs no_faults;

/* Return: how many events there are about @uri. */
static size_t change(const struct mailbox *mem0, const struct mailbox *others, const char *uri)
{
	json_t *events = show(mem0, others, &no_faults);
	size_t n = take_all(events, uri);

	json_decref(events);
	expect_agreement();
	return n;
}

static void begin(const struct mailbox *all)
{
	json_decref(show(all, all, &no_faults));
	read_all();
}

START_TEST(a_subscriber_knows_the_status_of_all_resources_after_each_change)
{
	const struct mailbox *const states[] = {&healthy, &critical, &warning, &silent, NULL};
	const size_t n = ARRAY_SIZE(states);

	begin(&healthy);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			for (size_t others = 0; others < n; others++) {
				(void)change(states[i], states[others], NULL);
				(void)change(states[k], states[others], NULL);
			}
}
END_TEST

START_TEST(health_that_is_not_known_any_more_is_an_event)
{
	static const char *const resources[] = {
		MEM0,
		ROOT "/Chassis/cxl-000000000000abc0/PCIeDevices/1",
		ROOT "/Chassis/cxl-000000000000abc0/PCIeDevices/1/CXLLogicalDevices/0",
		ROOT "/Chassis/cxl-000000000000abc0",
		ROOT "/Chassis/cxl-000000000000abc0/FabricAdapters/1",
		ROOT "/Chassis/cxl-000000000000abc0/MemoryDomains/1",
		ROOT "/Chassis/Host",
		SYSTEM,
		ROOT "/Fabrics/CXL",
		SYSTEM "/MemoryDomains/decoder0.0",
		REGION};

	for (size_t i = 0; i < ARRAY_SIZE(resources); i++) {
		begin(&healthy);
		ck_assert_uint_eq(change(&critical, &healthy, resources[i]), 1);
		ck_assert_uint_eq(change(NULL, &healthy, resources[i]), 1);
		ck_assert_uint_eq(change(NULL, &healthy, resources[i]), 0);
		ck_assert_uint_eq(change(&healthy, &healthy, resources[i]), 1);
	}
}
END_TEST

START_TEST(the_state_of_a_sensor_is_followed)
{
	static const char sensor[] = ROOT "/Chassis/cxl-000000000000abc0/Sensors/Temperature";

	begin(&healthy);
	healthy.temperature.present = true;
	ck_assert_uint_eq(change(NULL, &healthy, sensor), 1);
	ck_assert_uint_eq(change(&healthy, &healthy, sensor), 1);
}
END_TEST

START_TEST(faults_of_the_service_are_followed)
{
	static const char *const logs[] = {SYSTEM "/LogServices/CXL", MEM0 "/DeviceLog"};
	struct view_inputs in = {0};
	json_t *events;

	begin(&healthy);
	for (int i = 0; i < RECORDING_FAULTS; i++) {
		in.recording_faults = (struct recording_faults){0};
		(void)snprintf(in.recording_faults.text[i], RECORDING_FAULT_TEXT_MAX, "a cause");
		events = show(&healthy, &healthy, &in);
		(void)take_all(events, NULL);
		json_decref(events);
		expect_agreement();
		for (size_t k = 0; k < ARRAY_SIZE(logs) && i == RECORDING_FAULT_NOT_STORED; k++)
			ck_assert_str_ne(text_of(json_object_get(known, logs[k]), "State"),
					 "Enabled");
	}
	ck_assert_uint_eq(change(&healthy, &healthy, ROOT "/Managers/Service"), 1);
}
END_TEST

START_TEST(health_of_the_audit_log_is_followed)
{
	static const char audit[] = ROOT "/Managers/Service/LogServices/Audit";
	static const enum health_level levels[] = {HEALTH_CRITICAL, HEALTH_WARNING, HEALTH_OK};
	struct view_inputs in = {0};

	begin(&healthy);
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++) {
		json_t *events;

		in.service_faults.audit = levels[i];
		events = show(&healthy, &healthy, &in);
		ck_assert_uint_eq(take_all(events, NULL), 1);
		json_decref(events);
		ck_assert_str_eq(text_of(json_object_get(known, audit), "Health"),
				 health_name(levels[i]));
		expect_agreement();
	}
}
END_TEST

START_TEST(only_what_differs_from_the_last_message_is_told_at_the_start)
{
	struct view_inputs in = {.host = &f.model.host};
	struct resource_events events;
	size_t n[2] = {0}, i;
	const json_t *message;
	struct view *first;
	json_t *told = json_object();

	ck_assert_int_eq(translator_new(in.host, NULL, &in.translator, NULL), 0);
	ck_assert_int_eq(view_new(f.table, &in, &first, NULL), 0);
	(void)translator_unref(in.translator);
	json_decref(show(&critical, &healthy, &no_faults));
	events = resource_events(first, shown);
	ck_assert_uint_eq(json_array_size(events.news), 0);
	/* An earlier process had said this: one is still so, the other is not. */
	json_object_set_new(
		told, MEM0 "#Health",
		json_string("The health of resource '" MEM0 "' has changed to Critical."));
	json_object_set_new(told, MEM1 "#Health", json_string("The health is Critical."));
	json_array_foreach(events.first, i, message) {
		char *body = json_dumps(message, JSON_COMPACT);
		const json_t *record = json_object_get(message, "Record");
		const json_t *origin = json_object_get(record, "OriginOfCondition");
		const char *uri = text_of(origin, "@odata.id");
		const bool is_ok = str_equal(text_of(record, "MessageSeverity"), "OK");
		const bool expected = str_equal(uri, MEM1) || (!is_ok && !str_equal(uri, MEM0));

		ck_assert_msg(sent_status_differs(told, body) == expected, "%s", body);
		ck_assert(sent_status_differs(NULL, body));
		n[expected]++;
		free(body);
	}
	ck_assert_uint_gt(n[0], 20);
	ck_assert_uint_gt(n[1], 5);
	json_decref(told);
	resource_events_done(&events);
	(void)view_unref(first);
}
END_TEST

START_TEST(the_first_view_tells_all_health_that_it_has)
{
	json_t *events = show(&critical, &healthy, &no_faults);

	/* As an earlier process may have told a subscriber. */
	learn(REGION, "Health", "Critical");
	(void)take_all(events, NULL);
	json_decref(events);
	ck_assert_str_eq(text_of(json_object_get(known, MEM0), "Health"), "Critical");
	ck_assert_str_eq(text_of(json_object_get(known, MEM1), "Health"), "OK");
	ck_assert_str_eq(text_of(json_object_get(known, REGION), "State"), "unknown");
}
END_TEST

SUITE(check_resource_events)
{
	Suite *s = suite_create("resource_events");
	TCase *t = tcase_create("status");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, a_subscriber_knows_the_status_of_all_resources_after_each_change);
	tcase_add_test(t, health_that_is_not_known_any_more_is_an_event);
	tcase_add_test(t, the_state_of_a_sensor_is_followed);
	tcase_add_test(t, faults_of_the_service_are_followed);
	tcase_add_test(t, health_of_the_audit_log_is_followed);
	tcase_add_test(t, only_what_differs_from_the_last_message_is_told_at_the_start);
	tcase_add_test(t, the_first_view_tells_all_health_that_it_has);
	suite_add_tcase(s, t);
	return s;
}
