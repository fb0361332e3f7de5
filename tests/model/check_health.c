// SPDX-License-Identifier: LGPL-2.1-or-later
/* The health of devices, of several devices together, and of what the service depends on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "events/module_severity.h"
#include "events/store_found.h"
#include "model/found_rows.h"
#include "model/health.h"
#include "model/service_health.h"
#include "tests/lib/model_host.h"
#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"

static struct mailbox mb;
static struct health h;

static void setup(void)
{
	mb = (struct mailbox){
		.has_health = true,
		.media = OPT_INT(MEDIA_NORMAL),
		.life_used_level = OPT_INT(LEVEL_NORMAL),
		.temperature_level = OPT_INT(LEVEL_NORMAL),
	};
}

static void look(void)
{
	struct opt_int level = health_level_of_device(&mb, NULL, "cxl-0");

	health_of_device("mem0", &mb, NULL, "cxl-0", &h);
	for (size_t i = 0; i < h.n; i++)
		ck_assert(finding_is_typed(&h.findings[i]));
	ck_assert_int_eq(level.present, h.level.present);
	ck_assert_int_eq(level.value, h.level.value);
}

static void expect_one(enum finding_code code, enum health_level level)
{
	look();
	ck_assert_uint_eq(h.n, 1);
	ck_assert_str_eq(finding_row(h.findings[0].code)->name, finding_row(code)->name);
	ck_assert_str_eq(h.findings[0].object, "mem0");
	ck_assert_int_eq(finding_severity(&h.findings[0]), level);
	ck_assert(h.level.present);
	ck_assert_int_eq(h.level.value, level);
	ck_assert_int_eq(finding_level(code), FINDING_PROBLEM);
}

/* ---- one device -------------------------------------------------------------------------------
 */

START_TEST(a_device_without_faults_is_ok)
{
	look();
	ck_assert_uint_eq(h.n, 0);
	ck_assert(h.level.present);
	ck_assert_int_eq(h.level.value, HEALTH_OK);
}
END_TEST

START_TEST(a_device_without_readings_has_no_health)
{
	health_of_device("mem0", NULL, NULL, "cxl-0", &h);
	ck_assert_uint_eq(h.n, 0);
	ck_assert(!h.level.present);
	mb.has_health = false;
	mb.replacement_needed = true; /* not valid then */
	look();
	ck_assert_uint_eq(h.n, 0);
	ck_assert(!h.level.present);
}
END_TEST

START_TEST(reserved_values_leave_a_device_unknown_unless_it_is_unhealthy)
{
	mb.media.present = false;
	look();
	ck_assert(!h.level.present);
	mb.media = OPT_INT(MEDIA_STATES);
	mb.life_used_level.present = false;
	look();
	ck_assert(!h.level.present);
	mb.maintenance_needed = true;
	expect_one(FINDING_MAINTENANCE_NEEDED, HEALTH_WARNING);
}
END_TEST

START_TEST(a_device_that_does_not_answer_is_a_warning)
{
	mb = (struct mailbox){.unresponsive = true};
	expect_one(FINDING_DEVICE_NOT_ANSWERING, HEALTH_WARNING);
}
END_TEST

START_TEST(each_state_of_the_media_has_its_code_and_level)
{
	static const struct {
		enum finding_code code;
		enum health_level level;
	} states[MEDIA_STATES] = {
		[MEDIA_NOT_READY] = {FINDING_MEDIA_NOT_READY, HEALTH_CRITICAL},
		[MEDIA_PERSISTENCE_LOST] = {FINDING_WRITE_PERSISTENCY_LOST, HEALTH_CRITICAL},
		[MEDIA_DATA_LOST] = {FINDING_ALL_DATA_LOST, HEALTH_CRITICAL},
		[MEDIA_POWERLOSS_PERSISTENCE_LOSS] = {FINDING_WRITE_PERSISTENCY_LOSS_ON_POWER_LOSS,
						      HEALTH_WARNING},
		[MEDIA_SHUTDOWN_PERSISTENCE_LOSS] = {FINDING_WRITE_PERSISTENCY_LOSS_ON_SHUTDOWN,
						     HEALTH_WARNING},
		[MEDIA_PERSISTENCE_LOSS_IMMINENT] = {FINDING_WRITE_PERSISTENCY_LOSS_IMMINENT,
						     HEALTH_CRITICAL},
		[MEDIA_POWERLOSS_DATA_LOSS] = {FINDING_ALL_DATA_LOSS_ON_POWER_LOSS, HEALTH_WARNING},
		[MEDIA_SHUTDOWN_DATA_LOSS] = {FINDING_ALL_DATA_LOSS_ON_SHUTDOWN, HEALTH_WARNING},
		[MEDIA_DATA_LOSS_IMMINENT] = {FINDING_ALL_DATA_LOSS_IMMINENT, HEALTH_CRITICAL},
	};

	for (int state = MEDIA_NOT_READY; state < MEDIA_STATES; state++) {
		mb.media = OPT_INT(state);
		expect_one(states[state].code, states[state].level);
	}
}
END_TEST

START_TEST(each_flag_has_its_code_and_level)
{
	const struct {
		bool *flag;
		enum finding_code code;
		enum health_level level;
	} flags[] = {
		{&mb.maintenance_needed, FINDING_MAINTENANCE_NEEDED, HEALTH_WARNING},
		{&mb.performance_degraded, FINDING_PERFORMANCE_DEGRADED, HEALTH_WARNING},
		{&mb.replacement_needed, FINDING_REPLACEMENT_NEEDED, HEALTH_CRITICAL},
		{&mb.capacity_degraded, FINDING_CAPACITY_DEGRADED, HEALTH_WARNING},
		{&mb.corrected_volatile_warning, FINDING_CORRECTED_VOLATILE_ERRORS, HEALTH_WARNING},
		{&mb.corrected_persistent_warning, FINDING_CORRECTED_PERSISTENT_ERRORS,
		 HEALTH_WARNING},
	};

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		*flags[i].flag = true;
		expect_one(flags[i].code, flags[i].level);
		*flags[i].flag = false;
	}
}
END_TEST

START_TEST(each_level_has_its_code)
{
	mb.life_used_level = OPT_INT(LEVEL_WARNING);
	expect_one(FINDING_LIFE_USED_WARNING, HEALTH_WARNING);
	mb.life_used_level = OPT_INT(LEVEL_CRITICAL);
	expect_one(FINDING_LIFE_USED_CRITICAL, HEALTH_CRITICAL);
	mb.life_used_level = OPT_INT(LEVEL_NORMAL);
	mb.temperature_level = OPT_INT(LEVEL_WARNING);
	expect_one(FINDING_TEMPERATURE_WARNING, HEALTH_WARNING);
	mb.temperature_level = OPT_INT(LEVEL_CRITICAL);
	expect_one(FINDING_TEMPERATURE_CRITICAL, HEALTH_CRITICAL);
}
END_TEST

START_TEST(a_threshold_of_corrected_errors_is_an_argument_when_known)
{
	mb.corrected_volatile_warning = true;
	look();
	ck_assert_int_eq(h.findings[0].args[0].type, FINDING_ARG_NONE);
	mb.alerts[ALERT_CORRECTED_VOLATILE].warning = OPT_INT(500);
	look();
	ck_assert_int_eq(h.findings[0].args[0].type, FINDING_ARG_NUMBER);
	ck_assert_uint_eq(h.findings[0].args[0].number, 500);
}
END_TEST

START_TEST(a_device_may_have_all_findings_at_once)
{
	mb = (struct mailbox){
		.has_health = true,
		.unresponsive = true,
		.maintenance_needed = true,
		.performance_degraded = true,
		.replacement_needed = true,
		.capacity_degraded = true,
		.corrected_volatile_warning = true,
		.corrected_persistent_warning = true,
		.media = OPT_INT(MEDIA_DATA_LOST),
		.life_used_level = OPT_INT(LEVEL_CRITICAL),
		.temperature_level = OPT_INT(LEVEL_CRITICAL),
	};
	look();
	ck_assert_uint_eq(h.n, HEALTH_DEVICE_FINDINGS_MAX);
	ck_assert_int_eq(h.level.value, HEALTH_CRITICAL);
}
END_TEST

/* ---- incidents and other entries of the log ----------------------------------------------------
 */

static struct model here;
static struct translator *translator;
static struct arena *arena;
static struct event_health *events;
static struct open_incidents *incidents;
static struct health_log said_by_log;

static void forget_log(void)
{
	events = event_health_unref(events);
	incidents = open_incidents_unref(incidents);
	arena = arena_free(arena);
}

/* A host without devices: those of the log are not there. */
static const struct health_log *read_log(void)
{
	bool more;

	forget_log();
	arena = arena_new();
	/* Counts are written now and then. */
	ck_assert_int_eq(store_expire(store, 0, &more, &error), 0);
	ck_assert_int_eq(event_health_read(reader, &events, NULL), 0);
	ck_assert_int_eq(open_incidents_read(reader, &incidents, NULL), 0);
	said_by_log = (struct health_log){
		.events = events,
		.incidents = host_incidents_new(arena, incidents, &here.host, translator,
						memdev_ids_new(arena, &here.host), NULL),
	};
	ck_assert_ptr_nonnull(said_by_log.incidents);
	return &said_by_log;
}

static void setup_log(void)
{
	store_setup();
	model_init(&here);
	ck_assert_int_eq(translator_new(&here.host, NULL, &translator, NULL), 0);
	reopen();
}

static void teardown_log(void)
{
	forget_log();
	translator = translator_unref(translator);
	model_done(&here);
	store_teardown();
}

/* Records without a location: their anchor is the block of the address. */
static void as_of_block(struct stored_event *ev, uint64_t dpa)
{
	strcpy(ev->device, "cxl-0");
	ev->severity = EVENT_WARNING;
	ev->record.type = EVENT_GENERAL_MEDIA;
	for (unsigned int f = FIELD_CHANNEL; f <= FIELD_COLUMN; f++)
		ev->record.present &= ~(UINT64_C(1) << f);
	ev->record.number[FIELD_LOG] = EVENT_LOG_WARNING;
	ev->record.number[FIELD_DPA] = dpa;
	ev->record.number[FIELD_DESCRIPTOR] = 0;
	ev->record.number[FIELD_TRANSACTION_TYPE] = 0;
	ev->record.number[FIELD_TYPE] = 0;
	ev->record.number[FIELD_HDR_FLAGS] = 0;
}

static void as_one_cause(struct stored_event *ev)
{
	as_of_block(ev, 0x1000);
}

static void as_critical(struct stored_event *ev)
{
	as_of_block(ev, UINT64_C(64) << 20);
	ev->severity = EVENT_CRITICAL;
}

static void as_well(struct stored_event *ev)
{
	as_of_block(ev, 0x1000);
	strcpy(ev->device, "cxl-1");
	ev->severity = EVENT_OK;
}

static void as_lost(struct stored_event *ev)
{
	ev->device[0] = '\0';
	ev->severity = EVENT_WARNING;
	ev->record.type = EVENT_LOST;
}

static void as_worse(struct stored_event *ev)
{
	as_one_cause(ev);
	ev->severity = EVENT_CRITICAL;
}

static uint64_t next_block;

static void as_next_block(struct stored_event *ev)
{
	as_of_block(ev, next_block << 21);
	ev->severity = next_block == 3 ? EVENT_CRITICAL : EVENT_WARNING;
}

static void as_next_device(struct stored_event *ev)
{
	as_of_block(ev, 0x1000);
	(void)snprintf(ev->device, sizeof(ev->device), "cxl-%04u", (unsigned int)next_block);
}

static void acknowledge(uint64_t incident)
{
	ck_assert_int_eq(store_acknowledge(store, incident, true, &error), 0);
}

/* Return: the only incident of a device. */
static uint64_t incident_of(const char *device)
{
	const struct device_incidents *d = open_incidents_of(incidents, device);

	ck_assert_ptr_nonnull(d);
	ck_assert_uint_eq(d->n, 1);
	return d->named[0].incident.id;
}

START_TEST(entries_of_one_cause_are_one_finding)
{
	uint64_t newest = 0;

	for (uint64_t i = 0; i < 10; i++)
		newest = put(i, as_one_cause).seq;
	(void)put(10, as_critical);
	(void)put(11, as_well);
	health_of_device("mem0", NULL, read_log(), "cxl-0", &h);
	ck_assert_uint_eq(h.n, 2);
	ck_assert_int_eq(h.level.value, HEALTH_CRITICAL);
	ck_assert_int_eq(h.findings[0].code, FINDING_OPEN_INCIDENT);
	ck_assert_int_eq(finding_severity(&h.findings[0]), HEALTH_CRITICAL);
	ck_assert(finding_is_typed(&h.findings[1]));
	ck_assert_int_eq(finding_severity(&h.findings[1]), HEALTH_WARNING);
	ck_assert_str_eq(h.findings[1].args[0].text,
			 "10 corrected media errors of cxl-0, which is not there now");
	ck_assert_str_eq(h.findings[1].args[4].text, "open");
	ck_assert_uint_eq(h.findings[1].args[5].number, newest);
	ck_assert_int_eq(h.findings[1].args[6].type, FINDING_ARG_TIME);
	ck_assert_int_eq(h.incidents[1]->now.act, ACT_WATCH);
	/* Events of severity OK are no findings. */
	health_of_device("mem1", NULL, &said_by_log, "cxl-1", &h);
	ck_assert_uint_eq(h.n, 0);
	ck_assert(!h.level.present);
}
END_TEST

START_TEST(acknowledged_incidents_stay_and_raise_no_alert)
{
	const struct mailbox well = {.has_health = true,
				     .media = OPT_INT(MEDIA_NORMAL),
				     .life_used_level = OPT_INT(LEVEL_NORMAL),
				     .temperature_level = OPT_INT(LEVEL_NORMAL)};

	(void)put(0, as_one_cause);
	ck_assert_int_eq(health_to_alert(&well, read_log(), "cxl-0").value, HEALTH_WARNING);
	acknowledge(incident_of("cxl-0"));
	ck_assert_int_eq(health_to_alert(&well, read_log(), "cxl-0").value, HEALTH_OK);
	health_of_device("mem0", &well, &said_by_log, "cxl-0", &h);
	ck_assert_uint_eq(h.n, 1);
	ck_assert_int_eq(h.level.value, HEALTH_WARNING);
	ck_assert_str_eq(h.findings[0].args[4].text, "acknowledged");
	/* It becomes worse. */
	(void)put(1, as_worse);
	ck_assert_int_eq(health_to_alert(&well, read_log(), "cxl-0").value, HEALTH_CRITICAL);
}
END_TEST

static void as_temperature(struct stored_event *event)
{
	as_one_cause(event);
	event->record.type = EVENT_MEMORY_MODULE;
	event->record.number[FIELD_EVENT_TYPE] = 3;
	event->record.present |= UINT64_C(1) << FIELD_EVENT_TYPE;
}

/* The temperature of cxl-0 and the capacity of cxl-1 are found. */
static void find_two(void)
{
	struct incident_found two[] = {
		{.device = "cxl-0", .host = "", .code = "TEMPERATURE_WARNING", .object = "mem0"},
		{.device = "cxl-1", .host = "", .code = "CAPACITY_UNMAPPED", .object = "mem1"},
	};
	struct store_found found = {.items = two, .n = 2};

	for (size_t i = 0; i < 2; i++) {
		two[i].severity = EVENT_WARNING;
		two[i].text = "text";
		ck_assert(
			found_identity(i ? FINDING_CAPACITY_UNMAPPED : FINDING_TEMPERATURE_WARNING,
				       "", &two[i].kind, &two[i].anchor));
	}
	ck_assert_msg(store_set_found(store, &found, &error) == 0, "%s", error.text);
}

START_TEST(a_finding_that_is_an_incident_is_one_condition)
{
	const struct mailbox hot = {.has_health = true,
				    .media = OPT_INT(MEDIA_NORMAL),
				    .life_used_level = OPT_INT(LEVEL_NORMAL),
				    .temperature_level = OPT_INT(LEVEL_WARNING)};

	find_two();
	health_of_device("mem0", &hot, read_log(), "cxl-0", &h);
	ck_assert_uint_eq(h.n, 1);
	ck_assert_int_eq(h.findings[0].code, FINDING_TEMPERATURE_WARNING);
	ck_assert_ptr_nonnull(h.found[0]);
	ck_assert_ptr_null(h.incidents[0]);
	ck_assert_int_eq(health_to_alert(&hot, &said_by_log, "cxl-0").value, HEALTH_WARNING);
	acknowledge(h.found[0]->id);
	ck_assert_int_eq(health_to_alert(&hot, read_log(), "cxl-0").value, HEALTH_OK);
	health_of_device("mem0", &hot, &said_by_log, "cxl-0", &h);
	ck_assert_int_eq(h.level.value, HEALTH_WARNING);
	/* With a record of the same cause the incident has both. */
	(void)put(0, as_temperature);
	health_of_device("mem0", &hot, read_log(), "cxl-0", &h);
	ck_assert_uint_eq(h.n, 1);
	ck_assert_int_eq(h.findings[0].code, FINDING_OPEN_INCIDENT);
	ck_assert_ptr_nonnull(h.incidents[0]);
}
END_TEST

START_TEST(a_finding_that_is_no_condition_leaves_the_health_as_it_is)
{
	const struct mailbox well = {.has_health = true,
				     .media = OPT_INT(MEDIA_NORMAL),
				     .life_used_level = OPT_INT(LEVEL_NORMAL),
				     .temperature_level = OPT_INT(LEVEL_NORMAL)};

	find_two();
	health_of_device("mem1", &well, read_log(), "cxl-1", &h);
	ck_assert_uint_eq(h.n, 0);
	ck_assert_int_eq(h.level.value, HEALTH_OK);
	ck_assert_int_eq(health_to_alert(&well, &said_by_log, "cxl-1").value, HEALTH_OK);
	health_of_host_events(&said_by_log, &h);
	ck_assert_uint_eq(h.n, 0);
}
END_TEST

START_TEST(the_most_urgent_incidents_are_named_and_the_others_counted)
{
	enum { N = INCIDENTS_NAMED_MAX + 5 };

	for (next_block = 0; next_block < N; next_block++)
		(void)put(next_block, as_next_block);
	health_of_device("mem0", NULL, read_log(), "cxl-0", &h);
	ck_assert_uint_eq(h.n, INCIDENTS_NAMED_MAX + 1);
	ck_assert_int_eq(finding_severity(&h.findings[0]), HEALTH_CRITICAL);
	ck_assert_int_eq(finding_severity(&h.findings[1]), HEALTH_WARNING);
	ck_assert_int_eq(h.findings[INCIDENTS_NAMED_MAX].code, FINDING_MORE_INCIDENTS);
	ck_assert(finding_is_typed(&h.findings[INCIDENTS_NAMED_MAX]));
	ck_assert_uint_eq(h.findings[INCIDENTS_NAMED_MAX].args[0].number, 5);
	ck_assert_int_eq(finding_severity(&h.findings[INCIDENTS_NAMED_MAX]), HEALTH_WARNING);
	/* All are in the counts. */
	ck_assert_uint_eq(incident_tally_unhealthy(&open_incidents_of(incidents, "cxl-0")->tally),
			  N);
}
END_TEST

START_TEST(further_devices_are_counted_together)
{
	options.max_records = 10000;
	reopen();
	for (next_block = 0; next_block < INCIDENT_DEVICES_MAX + 3; next_block++)
		(void)put(next_block, as_next_device);
	(void)read_log();
	ck_assert_uint_eq(incident_tally_unhealthy(&open_incidents_of(incidents, "")->tally), 3);
	health_of_host_events(&said_by_log, &h);
	ck_assert_uint_eq(h.n, INCIDENTS_NAMED_MAX + 1);
	ck_assert_uint_eq(h.findings[INCIDENTS_NAMED_MAX].args[0].number,
			  INCIDENT_DEVICES_MAX + 3 - INCIDENTS_NAMED_MAX);
}
END_TEST

START_TEST(counts_alone_are_no_news)
{
	struct open_incidents *before;

	(void)put(0, as_one_cause);
	(void)read_log();
	before = open_incidents_ref(incidents);
	ck_assert(!open_incidents_equal(NULL, before));
	(void)read_log();
	ck_assert(open_incidents_equal(before, incidents));
	(void)put(1, as_one_cause);
	(void)read_log();
	ck_assert(!open_incidents_equal(before, incidents));
	ck_assert(open_incidents_alike(before, incidents));
	acknowledge(incident_of("cxl-0"));
	(void)read_log();
	ck_assert(!open_incidents_alike(before, incidents));
	(void)open_incidents_unref(before);
}
END_TEST

START_TEST(the_newest_entry_that_is_not_resolved_is_named)
{
	const uint64_t first = put(0, as_one_cause).seq, second = put(1, as_one_cause).seq;

	ck_assert_int_eq(store_resolve(store, second, true, NULL), 0);
	health_of_device("mem0", NULL, read_log(), "cxl-0", &h);
	ck_assert_uint_eq(h.n, 1);
	ck_assert_uint_eq(h.findings[0].args[5].number, first);
}
END_TEST

START_TEST(an_entry_that_is_gone_is_not_named)
{
	options.max_records = 2;
	reopen();
	(void)put(0, as_one_cause);
	(void)put(1, as_lost);
	(void)put(2, as_lost);
	health_of_device("mem0", NULL, read_log(), "cxl-0", &h);
	ck_assert_uint_eq(h.n, 1);
	ck_assert_int_eq(h.findings[0].args[5].type, FINDING_ARG_NONE);
}
END_TEST

static void as_flagged(struct stored_event *ev)
{
	strcpy(ev->device, "cxl-0");
	ev->severity = EVENT_CRITICAL;
	ev->record.type = EVENT_GENERIC;
	ev->record.number[FIELD_HDR_FLAGS] = EVENT_FLAG_STATES;
	ev->record.present |= UINT64_C(1) << FIELD_HDR_FLAGS;
}

START_TEST(states_in_records_of_an_incident_are_findings_with_its_entry)
{
	static const enum finding_code codes[] = {
		FINDING_PERMANENT_CONDITION,
		FINDING_MAINTENANCE_NEEDED,
		FINDING_PERFORMANCE_DEGRADED,
		FINDING_REPLACEMENT_NEEDED,
	};
	const struct mailbox said = {.has_health = true, .maintenance_needed = true};
	const uint64_t flagged = put(0, as_flagged).seq;

	(void)put(1, as_critical);
	health_of_device("mem0", NULL, read_log(), "cxl-0", &h);
	ck_assert_uint_eq(h.n, 2 + ARRAY_SIZE(codes));
	for (size_t i = 0; i < ARRAY_SIZE(codes); i++) {
		ck_assert(finding_is_typed(&h.findings[2 + i]));
		ck_assert_int_eq(h.findings[2 + i].code, codes[i]);
		ck_assert_uint_eq(h.findings[2 + i].args[0].number, flagged);
	}
	/* The report of the device itself is one finding. */
	health_of_device("mem0", &said, &said_by_log, "cxl-0", &h);
	ck_assert_uint_eq(h.n, 2 + ARRAY_SIZE(codes));

	ck_assert_int_eq(store_resolve(store, flagged, true, NULL), 0);
	health_of_device("mem0", NULL, read_log(), "cxl-0", &h);
	ck_assert_uint_eq(h.n, 1);
}
END_TEST

START_TEST(entries_of_no_incident_are_counted_by_type)
{
	uint64_t newest;

	(void)put(0, as_lost);
	newest = put(1, as_lost).seq;
	(void)put(2, as_one_cause);
	health_of_host_events(read_log(), &h);
	ck_assert_uint_eq(h.n, 2);
	ck_assert_int_eq(h.level.value, HEALTH_WARNING);
	/* The device is not there, so its incident is the host's. */
	ck_assert_int_eq(h.findings[0].code, FINDING_OPEN_INCIDENT);
	ck_assert_str_eq(h.findings[0].object, "host");
	ck_assert_int_eq(h.findings[1].code, FINDING_UNRESOLVED_EVENTS);
	ck_assert_str_eq(h.findings[1].object, "host");
	ck_assert_uint_eq(h.findings[1].args[0].number, 2);
	ck_assert_int_eq(h.findings[1].args[1].event_type, EVENT_LOST);
	ck_assert_uint_eq(h.findings[1].args[2].number, newest);
	said_by_log = (struct health_log){0};
	health_of_host_events(&said_by_log, &h);
	ck_assert_uint_eq(h.n, 0);
	ck_assert_int_eq(h.level.value, HEALTH_OK);
}
END_TEST

/* ---- several devices --------------------------------------------------------------------------
 */

START_TEST(a_rollup_is_the_worst_and_known_only_when_all_are)
{
	struct health_rollup rollup = {0};

	ck_assert(!health_rollup_level(&rollup).present);
	health_rollup_add(&rollup, OPT_INT(HEALTH_OK));
	ck_assert(health_rollup_level(&rollup).present);
	ck_assert_int_eq(health_rollup_level(&rollup).value, HEALTH_OK);
	health_rollup_add(&rollup, (struct opt_int){0});
	ck_assert(!health_rollup_level(&rollup).present);
	health_rollup_add(&rollup, OPT_INT(HEALTH_CRITICAL));
	health_rollup_add(&rollup, OPT_INT(HEALTH_WARNING));
	ck_assert_int_eq(health_rollup_level(&rollup).value, HEALTH_CRITICAL);
}
END_TEST

/* ---- the service ------------------------------------------------------------------------------
 */

START_TEST(a_ready_handler_is_no_problem)
{
	const struct firmware_status s = {
		.state = FIRMWARE_READY,
		.text = "ready",
		.known = true,
		.rate = 100,
		.throttled = 7,
	};
	struct finding list[FIRMWARE_FINDINGS_MAX];

	ck_assert_uint_eq(firmware_findings(&s, list), 2);
	ck_assert_int_eq(list[0].code, FINDING_FIRMWARE_READY);
	ck_assert_str_eq(list[0].args[0].text, "ready");
	ck_assert_int_eq(list[1].code, FINDING_FIRMWARE_CALLS);
	ck_assert_uint_eq(list[1].args[0].number, 100);
	ck_assert_uint_eq(list[1].args[4].number, 7);
}
END_TEST

START_TEST(each_state_of_the_handler_but_ready_is_a_problem)
{
	struct finding list[FIRMWARE_FINDINGS_MAX];

	for (int state = FIRMWARE_READY + 1; state < FIRMWARE_STATES; state++) {
		const struct firmware_status s = {.state = (enum firmware_state)state, .text = "x"};
		size_t n = firmware_findings(&s, list);
		const char *advice = firmware_state_advice(s.state);

		ck_assert_int_eq(list[0].code, state == FIRMWARE_SLOW
						       ? FINDING_FIRMWARE_SLOW
						       : FINDING_FIRMWARE_UNAVAILABLE);
		ck_assert_int_eq(finding_level(list[0].code), FINDING_PROBLEM);
		ck_assert_uint_eq(n, advice ? 2 : 1);
		if (advice)
			ck_assert_str_eq(list[n - 1].args[0].text, advice);
	}
}
END_TEST

START_TEST(rejected_answers_and_errors_are_problems_of_their_own)
{
	const struct firmware_status s = {
		.state = FIRMWARE_READY,
		.text = "ready",
		.rejected = "SPA outside all windows",
		.n_failing = 3,
		.failing = "mem0: error",
	};
	struct finding list[FIRMWARE_FINDINGS_MAX];

	ck_assert_uint_eq(firmware_findings(&s, list), 3);
	ck_assert_int_eq(list[1].code, FINDING_FIRMWARE_ANSWER_REJECTED);
	ck_assert_str_eq(list[1].args[0].text, s.rejected);
	ck_assert_int_eq(list[2].code, FINDING_FIRMWARE_ERROR);
	ck_assert_uint_eq(list[2].args[0].number, 3);
	ck_assert_str_eq(list[2].args[1].text, s.failing);
}
END_TEST

START_TEST(each_fault_of_recording_is_a_finding)
{
	static const enum finding_code codes[RECORDING_FAULTS] = {
		[RECORDING_FAULT_NOT_RECORDED] = FINDING_EVENTS_NOT_RECORDED,
		[RECORDING_FAULT_NO_EVENTS] = FINDING_EVENTS_NOT_IN_KERNEL,
		[RECORDING_FAULT_PARTLY] = FINDING_EVENTS_PARTLY_RECORDED,
		[RECORDING_FAULT_LOST] = FINDING_EVENTS_LOST,
		[RECORDING_FAULT_LOST_AT_END] = FINDING_EVENTS_LOST_AT_END,
		[RECORDING_FAULT_NOT_STORED] = FINDING_EVENTS_NOT_STORED,
		[RECORDING_FAULT_REPLACED] = FINDING_EVENT_STORE_REPLACED,
		[RECORDING_FAULT_LOG_FULL] = FINDING_EVENT_LOG_FULL,
	};
	struct finding list[RECORDING_FAULTS];

	for (unsigned int i = 0; i < RECORDING_FAULTS; i++) {
		struct recording_faults faults = {0};

		ck_assert_uint_eq(recording_findings(&faults, list), 0);
		strcpy(faults.text[i], "because");
		ck_assert_uint_eq(recording_findings(&faults, list), 1);
		ck_assert_int_eq(list[0].code, codes[i]);
		ck_assert_str_eq(list[0].args[0].text, "because");
	}
}
END_TEST

START_TEST(each_fault_of_the_service_is_a_finding)
{
	static const enum finding_code codes[SERVICE_FAULTS] = {
		[SERVICE_FAULT_HELPER] = FINDING_HELPER_UNAVAILABLE,
		[SERVICE_FAULT_STATE] = FINDING_STATE_UNAVAILABLE,
		[SERVICE_FAULT_CONFIG] = FINDING_CONFIG_REFUSED,
		[SERVICE_FAULT_NO_CXL] = FINDING_CXL_MISSING,
		[SERVICE_FAULT_POLICY] = FINDING_PAGE_POLICY_IDLE,
		[SERVICE_FAULT_COLLECTOR] = FINDING_COLLECTOR_BLOCKED,
	};
	struct finding list[SERVICE_FAULTS];

	for (unsigned int i = 0; i < SERVICE_FAULTS; i++) {
		struct service_faults faults = {0};

		ck_assert_uint_eq(service_findings(&faults, list), 0);
		strcpy(faults.text[i], "because");
		ck_assert_uint_eq(service_findings(&faults, list), 1);
		ck_assert_int_eq(list[0].code, codes[i]);
		ck_assert_str_eq(list[0].args[0].text, "because");
	}
}
END_TEST

static void add_service_tests(TCase *t)
{
	tcase_add_test(t, a_rollup_is_the_worst_and_known_only_when_all_are);
	tcase_add_test(t, a_ready_handler_is_no_problem);
	tcase_add_test(t, each_state_of_the_handler_but_ready_is_a_problem);
	tcase_add_test(t, rejected_answers_and_errors_are_problems_of_their_own);
	tcase_add_test(t, each_fault_of_recording_is_a_finding);
	tcase_add_test(t, each_fault_of_the_service_is_a_finding);
}

/* ---- records ---- */

static enum health_level level_of(enum module_part part, unsigned int value)
{
	return (enum health_level)module_part_severity(part, value);
}

static void expect_level_of_flag(bool *flag, unsigned int bit)
{
	*flag = true;
	look();
	ck_assert_int_eq(h.level.value, level_of(MODULE_PART_HEALTH, bit));
	ck_assert_int_gt(h.level.value, HEALTH_OK);
	*flag = false;
}

START_TEST(a_record_of_a_module_is_as_severe_as_the_finding_about_its_device)
{
	expect_level_of_flag(&mb.maintenance_needed, 0);
	expect_level_of_flag(&mb.performance_degraded, 1);
	expect_level_of_flag(&mb.replacement_needed, 2);
	expect_level_of_flag(&mb.capacity_degraded, 3);
	for (int media = MEDIA_NORMAL; media < MEDIA_STATES; media++) {
		mb.media = OPT_INT(media);
		look();
		ck_assert_int_eq(h.level.value, level_of(MODULE_PART_MEDIA, (unsigned int)media));
	}
	mb.media = OPT_INT(MEDIA_NORMAL);
	for (int level = LEVEL_NORMAL; level < LEVELS; level++) {
		mb.life_used_level = OPT_INT(level);
		look();
		ck_assert_int_eq(h.level.value, level_of(MODULE_PART_LIFE, (unsigned int)level));
		mb.life_used_level = OPT_INT(LEVEL_NORMAL);
		mb.temperature_level = OPT_INT(level);
		look();
		ck_assert_int_eq(h.level.value,
				 level_of(MODULE_PART_TEMPERATURE, (unsigned int)level));
		mb.temperature_level = OPT_INT(LEVEL_NORMAL);
	}
	mb.corrected_volatile_warning = true;
	look();
	ck_assert_int_eq(h.level.value, level_of(MODULE_PART_CORRECTED_VOLATILE, 1));
	mb.corrected_volatile_warning = false;
	mb.corrected_persistent_warning = true;
	look();
	ck_assert_int_eq(h.level.value, level_of(MODULE_PART_CORRECTED_PERSISTENT, 1));
}
END_TEST

SUITE(check_health)
{
	Suite *suite = suite_create("health");
	TCase *t = tcase_create("devices"), *log = tcase_create("log"),
	      *service = tcase_create("service");

	tcase_add_checked_fixture(t, setup, NULL);
	tcase_add_test(t, a_device_without_faults_is_ok);
	tcase_add_test(t, a_record_of_a_module_is_as_severe_as_the_finding_about_its_device);
	tcase_add_test(t, a_device_without_readings_has_no_health);
	tcase_add_test(t, reserved_values_leave_a_device_unknown_unless_it_is_unhealthy);
	tcase_add_test(t, a_device_that_does_not_answer_is_a_warning);
	tcase_add_test(t, each_state_of_the_media_has_its_code_and_level);
	tcase_add_test(t, each_flag_has_its_code_and_level);
	tcase_add_test(t, each_level_has_its_code);
	tcase_add_test(t, a_threshold_of_corrected_errors_is_an_argument_when_known);
	tcase_add_test(t, a_device_may_have_all_findings_at_once);
	suite_add_tcase(suite, t);
	tcase_add_checked_fixture(log, setup_log, teardown_log);
	tcase_add_test(log, entries_of_one_cause_are_one_finding);
	tcase_add_test(log, acknowledged_incidents_stay_and_raise_no_alert);
	tcase_add_test(log, a_finding_that_is_an_incident_is_one_condition);
	tcase_add_test(log, a_finding_that_is_no_condition_leaves_the_health_as_it_is);
	tcase_add_test(log, the_most_urgent_incidents_are_named_and_the_others_counted);
	tcase_add_test(log, further_devices_are_counted_together);
	tcase_add_test(log, counts_alone_are_no_news);
	tcase_add_test(log, the_newest_entry_that_is_not_resolved_is_named);
	tcase_add_test(log, an_entry_that_is_gone_is_not_named);
	tcase_add_test(log, states_in_records_of_an_incident_are_findings_with_its_entry);
	tcase_add_test(log, entries_of_no_incident_are_counted_by_type);
	suite_add_tcase(suite, log);
	add_service_tests(service);
	suite_add_tcase(suite, service);
	return suite;
}
