// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Findings in each front end: cxl-spa's text and JSON, Redfish's Conditions, the System's findings,
 * the registry, the page and the metrics have the severity and the name of the row of a code.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "cli/explain_output.h"
#include "daemon/metrics_scrape.h"
#include "model/finding_text.h"
#include "common/array.h"
#include "common/strutil.h"
#include "model/health.h"
#include "model/service_health.h"
#include "redfish/core/registry_version.h"
#include "redfish/resources/finding_message.h"
#include "redfish/resources/host/findings_list.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"

#define MANAGER	 ROOT "/Managers/Service"
#define REGISTRY ROOT "/Registries/" OWN_REGISTRY_ID "/" OWN_REGISTRY_ID ".json"

enum { OUTPUT_MAX = 16384 };

static struct fixture f;

static void setup(void)
{
	fixture_init(&f, NULL);
}

static void setup_ready(void)
{
	setup();
	fixture_ready(&f);
}

static void teardown(void)
{
	fixture_done(&f);
}

static const char *sentence(const struct finding *finding)
{
	static char text[FINDING_TEXT_MAX];

	return finding_sentence(finding, text);
}

/* ---- a finding of each code --------------------------------------------------------------------
 */

static struct finding_arg argument_of_type(enum finding_arg_type type)
{
	static const struct finding_item item = {.position = OPT_U64(3), .name = "mem1"};

	switch (type) {
	case FINDING_ARG_NAME:
		return finding_name("decoder5.0");
	case FINDING_ARG_TEXT:
		return finding_text("why it is so");
	case FINDING_ARG_REASON:
		return finding_reason(REASON_NO_PRMT);
	case FINDING_ARG_NUMBER:
		return finding_number(2);
	case FINDING_ARG_HEX:
		return finding_hex(0x1000);
	case FINDING_ARG_SIZE:
		return finding_size(OPT_U64(4096));
	case FINDING_ARG_RANGE:
		return finding_range(OPT_U64(0x1000), OPT_U64(0x1000));
	case FINDING_ARG_LIST:
		return finding_list(&item);
	case FINDING_ARG_EVENT_TYPE:
		return finding_event_type(EVENT_DRAM);
	case FINDING_ARG_ENTRY:
		return finding_entry(7);
	case FINDING_ARG_INCIDENT:
		return finding_incident(3);
	case FINDING_ARG_TIME:
		return finding_time(1000000000);
	case FINDING_ARG_SEVERITY:
		return finding_of_severity(HEALTH_CRITICAL);
	case FINDING_ARG_NONE:
		break;
	}
	return (struct finding_arg){0};
}

static struct finding finding_of_code(enum finding_code code)
{
	struct finding one = {.code = code, .object = "mem0"};

	for (size_t i = 0; i < FINDING_ARGS_MAX; i++)
		one.args[i] = argument_of_type(finding_row(code)->args[i].type);
	ck_assert(finding_is_typed(&one));
	return one;
}

/* "REGION_NO_DAX_DEVICE" as Redfish writes names: "RegionNoDAXDevice". */
static void redfish_name(const char *name, char ret[static 64])
{
	static const char *const acronyms[] = {"CEDT", "CXL", "DAX", "DPA",
					       "LD",   "MLD", "SPA", "VCS"};

	*ret = '\0';
	while (*name) {
		size_t len = strcspn(name, "_");
		bool acronym = false;

		for (size_t i = 0; i < ARRAY_SIZE(acronyms); i++)
			acronym |= strlen(acronyms[i]) == len && !memcmp(acronyms[i], name, len);
		for (size_t i = 0; i < len; i++)
			*ret++ = i && !acronym ? (char)tolower(name[i]) : name[i];
		name += len + (name[len] == '_');
	}
	*ret = '\0';
}

/* Each run of white space becomes one blank, since sentences are wrapped. */
static void squeeze(char *text)
{
	char *to = text;

	for (const char *p = text; *p; p++)
		if (!isspace((unsigned char)*p))
			*to++ = *p;
		else if (to == text || to[-1] != ' ')
			*to++ = ' ';
	*to = '\0';
}

/* Writes the text of one finding as `cxl-spa explain` prints it. */
static void explain(const struct finding *one, bool json, char text[static OUTPUT_MAX])
{
	const struct verdict verdict = {"exact by decoder", "OK"};
	const struct cli cli = {.json = json};
	struct findings list = {0};
	FILE *file = tmpfile();
	int out = dup(STDOUT_FILENO);

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(findings_init(&list, NULL, NULL, NULL, (struct firmware_timeout){0}), 0);
	*finding_array_add(&list.list) = *one;
	(void)fflush(stdout);
	ck_assert_int_ge(dup2(fileno(file), STDOUT_FILENO), 0);
	ck_assert_int_eq(explain_print(&list, "mem0", &verdict, NULL, &(struct refusal){0}, &cli),
			 0);
	(void)fflush(stdout);
	ck_assert_int_ge(dup2(out, STDOUT_FILENO), 0);
	(void)close(out);
	rewind(file);
	text[fread(text, 1, OUTPUT_MAX - 1, file)] = '\0';
	(void)fclose(file);
	findings_done(&list);
}

static json_t *written(struct json_writer *w)
{
	json_t *value = json_loadb(w->text, w->len, 0, NULL);

	json_writer_done(w);
	ck_assert_ptr_nonnull(value);
	return value;
}

static const char *member(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* ---- each code in each front end --------------------------------------------------------------
 */

/* Fails the test unless the front end shows the code as its row is. */
typedef void expect_fn(enum finding_code code);

static void each_code(expect_fn *expect)
{
	for (int i = 0; i < FINDING_CODE_COUNT; i++)
		expect((enum finding_code)i);
}

static void expect_level(enum finding_code code)
{
	const struct finding_row *row = finding_row(code);

	ck_assert_msg((row->level == FINDING_PROBLEM) == (row->severity > HEALTH_OK), "%s",
		      row->name);
}

START_TEST(a_row_has_a_severity_that_agrees_with_its_level)
{
	each_code(expect_level);
}
END_TEST

static void expect_text(enum finding_code code)
{
	static const char *const titles[] = {
		[FINDING_FACT] = "", [FINDING_PROBLEM] = "problem: ", [FINDING_ADVICE] = "next: "};
	const struct finding one = finding_of_code(code);
	char text[OUTPUT_MAX], wanted[FINDING_TEXT_MAX + 32], line[FINDING_TEXT_MAX];

	explain(&one, false, text);
	squeeze(text);
	(void)snprintf(line, sizeof(line), "%s", sentence(&one));
	line[strcspn(line, "\n")] = '\0';
	(void)snprintf(wanted, sizeof(wanted), " mem0 %s%s", titles[finding_level(one.code)], line);
	squeeze(wanted);
	ck_assert_msg(strstr(text, wanted), "%s: %s", finding_row(one.code)->name, text);
}

START_TEST(explain_names_the_level_and_has_the_text)
{
	each_code(expect_text);
}
END_TEST

static void expect_json(enum finding_code code)
{
	const struct finding one = finding_of_code(code);
	const enum finding_level level = finding_level(one.code);
	char text[OUTPUT_MAX];
	json_t *answer, *item;

	explain(&one, true, text);
	answer = json_loads(text, 0, NULL);
	item = json_array_get(json_object_get(answer, "findings"), 0);
	ck_assert_int_eq(json_integer_value(json_object_get(answer, "problems")),
			 level == FINDING_PROBLEM);
	if (level == FINDING_ADVICE) {
		ck_assert_ptr_null(item);
	} else {
		ck_assert_str_eq(member(item, "code"), finding_row(one.code)->name);
		ck_assert_str_eq(member(item, "severity"),
				 level == FINDING_PROBLEM ? "problem" : "info");
		ck_assert_str_eq(member(item, "text"), sentence(&one));
	}
	json_decref(answer);
}

START_TEST(the_json_of_explain_has_the_name_and_the_level)
{
	each_code(expect_json);
}
END_TEST

/* The arguments of a log entry are properties of the condition, and its type is a MessageId's key.
 */
static bool has_entry(const struct finding *one)
{
	for (size_t i = 0; i < FINDING_ARGS_MAX; i++)
		if (one->args[i].type == FINDING_ARG_ENTRY)
			return true;
	return false;
}

/* Return: the sentence as a message of the registry has it. */
static const char *message_of(const struct finding *one)
{
	static char text[FINDING_TEXT_MAX + 2];

	(void)snprintf(text, sizeof(text), "%s.", sentence(one));
	text[0] = (char)toupper(text[0]);
	return text;
}

static void expect_condition(enum finding_code code)
{
	const struct finding one = finding_of_code(code);
	char id[FINDING_MESSAGE_ID_MAX], name[64], wanted[96];
	struct json_writer w = {0};
	json_t *condition;

	redfish_name(finding_row(one.code)->name, name);
	(void)snprintf(wanted, sizeof(wanted), OWN_REGISTRY_NAME ".%s", name);
	if (!finding_message_id(one.code, id))
		return;
	ck_assert_str_eq(id, wanted);
	put_finding_condition(service_view(f.service), &one, NULL, &w);
	condition = written(&w);
	ck_assert_str_eq(member(condition, "MessageId"), wanted);
	ck_assert_str_eq(member(condition, "Severity"), health_name(finding_severity(&one)));
	ck_assert_ptr_nonnull(member(condition, "Resolution"));
	if (!has_entry(&one))
		ck_assert_str_eq(member(condition, "Message"), message_of(&one));
	ck_assert_int_eq(json_object_get(condition, "LogEntry") != NULL, has_entry(&one));
	ck_assert_int_eq(json_object_get(condition, "Timestamp") != NULL, has_entry(&one));
	json_decref(condition);
}

START_TEST(a_condition_has_the_name_the_severity_and_the_text)
{
	each_code(expect_condition);
}
END_TEST

static void expect_system(enum finding_code code)
{
	const struct finding one = finding_of_code(code);
	char id[FINDING_MESSAGE_ID_MAX];
	struct json_writer w = {0};
	json_t *item;

	put_finding(service_view(f.service), &one, &one + 1, &w);
	item = written(&w);
	ck_assert_str_eq(member(item, "Code"), finding_row(one.code)->name);
	ck_assert_pstr_eq(member(item, "MessageId"), finding_message_id(one.code, id));
	ck_assert_str_eq(member(item, "Severity"), health_name(finding_severity(&one)));
	if (member(item, "MessageId") && !has_entry(&one))
		ck_assert_str_eq(member(item, "Message"), message_of(&one));
	if (!member(item, "MessageId"))
		ck_assert_str_eq(member(item, "Message"), sentence(&one));
	ck_assert_int_eq(json_is_array(json_object_get(item, "MessageArgs")),
			 member(item, "MessageId") != NULL);
	json_decref(item);
}

START_TEST(a_finding_of_the_system_has_the_names_the_severity_and_the_text)
{
	each_code(expect_system);
}
END_TEST

static void expect_registry(enum finding_code code)
{
	const struct finding_row *row = finding_row(code);
	const json_t *message;
	char name[64];

	redfish_name(row->name, name);
	message = json_object_get(value_at(&f, "Messages"), name);
	ck_assert_msg((message != NULL) == (row->message.key != NULL), "%s", name);
	if (!message)
		return;
	ck_assert_str_eq(member(message, "MessageSeverity"), health_name(row->severity));
	ck_assert_str_eq(member(message, "Description"), row->message.description);
	ck_assert_ptr_nonnull(member(message, "Resolution"));
	ck_assert_uint_eq(json_array_size(json_object_get(message, "ArgDescriptions")),
			  (size_t)json_integer_value(json_object_get(message, "NumberOfArgs")));
}

START_TEST(the_registry_has_the_name_and_the_severity)
{
	ck_assert_uint_eq(get(&f, REGISTRY), 200);
	each_code(expect_registry);
}
END_TEST

/* It shows what the service sends. From unresolved events it links to the log, and incidents have
 * their own section, by the message's key. */
START_TEST(the_page_names_no_finding)
{
	static const char *const files[] = {"devices", "findings", "log",
					    "main",    "map",	   "topology"};
	const char *srcdir = getenv("srcdir");
	char path[512], *text = malloc(1 << 20);

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		FILE *file;

		(void)snprintf(path, sizeof(path), "%s/page/%s.js", srcdir ? srcdir : "..",
			       files[i]);
		file = fopen(path, "r");
		ck_assert_msg(file != NULL, "%s", path);
		text[fread(text, 1, (1 << 20) - 1, file)] = '\0';
		(void)fclose(file);
		for (int code = 0; code < FINDING_CODE_COUNT; code++) {
			const struct finding_row *row = finding_row((enum finding_code)code);

			ck_assert_msg(!strchr(row->name, '_') || !strstr(text, row->name), "%s: %s",
				      path, row->name);
			if (code == FINDING_UNRESOLVED_EVENTS || code == FINDING_MORE_INCIDENTS)
				continue;
			ck_assert_msg(!row->message.key || !strstr(text, row->message.key),
				      "%s: %s", path, row->message.key);
		}
	}
	free(text);
}
END_TEST

/* ---- health, by the device, in Redfish and in the metrics --------------------------------------
 */

static const struct metric_family *family(const struct metric_families *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (str_equal(list->rows[i].name, name))
			return &list->rows[i];
	ck_abort_msg("no family %s", name);
}

/* Return: cxl_device_health of mem0. */
static double metric_of_device_health(void)
{
	struct metrics_scrape x = {.view = service_view(f.service)};
	double value = -1;

	ck_assert_int_eq(metrics_find_devices(&x), 0);
	ck_assert(family(&metric_device_families, "cxl_device_health")
			  ->of_device(&x.devices[0], &value));
	free(x.devices);
	return value;
}

/* Return: cxl_region_health of region0. */
static double metric_of_region_health(void)
{
	const struct metrics_scrape x = {.view = service_view(f.service)};
	double value = -1;

	ck_assert(family(&metric_region_families, "cxl_region_health")
			  ->of_region(&x, f.region, &value));
	return value;
}

/* Fails the test unless the resource, and the metric, have the health of the code, which is its
 * only Condition. */
static void expect_health(const char *uri, double (*metric)(void), enum finding_code code)
{
	const struct finding_row *row = finding_row(code);
	char id[FINDING_MESSAGE_ID_MAX];

	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, uri), 200);
	ck_assert_uint_eq(json_array_size(value_at(&f, "Status/Conditions")), 1);
	ck_assert_str_eq(at(&f, "Status/Conditions/0/MessageId"), finding_message_id(code, id));
	ck_assert_str_eq(at(&f, "Status/Conditions/0/Severity"), health_name(row->severity));
	ck_assert_str_eq(at(&f, "Status/Health"), health_name(row->severity));
	ck_assert_int_eq((int)metric(), (int)row->severity);
}

static const struct {
	enum finding_code code;
	struct mailbox mailbox;
} device_rows[] = {
#define MEDIA(code_, state)                                                                        \
	{                                                                                          \
		FINDING_##code_,                                                                   \
		{                                                                                  \
			.has_health = true, .media = { state, true }                               \
		}                                                                                  \
	}
	MEDIA(MEDIA_NOT_READY, MEDIA_NOT_READY),
	MEDIA(WRITE_PERSISTENCY_LOST, MEDIA_PERSISTENCE_LOST),
	MEDIA(ALL_DATA_LOST, MEDIA_DATA_LOST),
	MEDIA(WRITE_PERSISTENCY_LOSS_ON_POWER_LOSS, MEDIA_POWERLOSS_PERSISTENCE_LOSS),
	MEDIA(WRITE_PERSISTENCY_LOSS_ON_SHUTDOWN, MEDIA_SHUTDOWN_PERSISTENCE_LOSS),
	MEDIA(WRITE_PERSISTENCY_LOSS_IMMINENT, MEDIA_PERSISTENCE_LOSS_IMMINENT),
	MEDIA(ALL_DATA_LOSS_ON_POWER_LOSS, MEDIA_POWERLOSS_DATA_LOSS),
	MEDIA(ALL_DATA_LOSS_ON_SHUTDOWN, MEDIA_SHUTDOWN_DATA_LOSS),
	MEDIA(ALL_DATA_LOSS_IMMINENT, MEDIA_DATA_LOSS_IMMINENT),
#undef MEDIA
#define FLAG(code_, flag)                                                                          \
	{                                                                                          \
		FINDING_##code_,                                                                   \
		{                                                                                  \
			.has_health = true, .flag = true                                           \
		}                                                                                  \
	}
	FLAG(MAINTENANCE_NEEDED, maintenance_needed),
	FLAG(PERFORMANCE_DEGRADED, performance_degraded),
	FLAG(REPLACEMENT_NEEDED, replacement_needed),
	FLAG(CAPACITY_DEGRADED, capacity_degraded),
	FLAG(CORRECTED_VOLATILE_ERRORS, corrected_volatile_warning),
	FLAG(CORRECTED_PERSISTENT_ERRORS, corrected_persistent_warning),
#undef FLAG
#define AT_LEVEL(code_, member_, level)                                                            \
	{                                                                                          \
		FINDING_##code_,                                                                   \
		{                                                                                  \
			.has_health = true, .member_ = { level, true }                             \
		}                                                                                  \
	}
	AT_LEVEL(LIFE_USED_WARNING, life_used_level, LEVEL_WARNING),
	AT_LEVEL(LIFE_USED_CRITICAL, life_used_level, LEVEL_CRITICAL),
	AT_LEVEL(TEMPERATURE_WARNING, temperature_level, LEVEL_WARNING),
	AT_LEVEL(TEMPERATURE_CRITICAL, temperature_level, LEVEL_CRITICAL),
#undef AT_LEVEL
	{FINDING_DEVICE_NOT_ANSWERING, {.unresponsive = true}},
};

START_TEST(a_device_has_the_severity_of_its_finding_in_redfish_and_metrics)
{
	f.readings.mailboxes[0] = &device_rows[_i].mailbox;
	expect_health(MEM0, metric_of_device_health, device_rows[_i].code);
}
END_TEST

static void lose_a_target(void)
{
	struct region_target *t = (struct region_target *)(uintptr_t)&f.region->targets[1];

	t->memdev = NULL;
	t->decoder = NULL;
	t->decoder_name = NULL;
}

static void make_incomplete(void)
{
	lose_a_target();
	f.region->commit = REGION_NOT_COMMITTED;
}

static void uncommit(void)
{
	f.region->commit = REGION_NOT_COMMITTED;
}

static void unbind(void)
{
	f.region->enabled = false;
}

static void take_dax_device(void)
{
	f.region->dax = NULL;
}

static void take_address(void)
{
	f.region->resource.present = false;
}

static const struct {
	enum finding_code code;
	void (*build)(void);
} region_rows[] = {
	{FINDING_REGION_DEVICE_GONE, lose_a_target},
	{FINDING_REGION_INCOMPLETE, make_incomplete},
	{FINDING_REGION_NOT_COMMITTED, uncommit},
	{FINDING_REGION_NO_DRIVER, unbind},
	{FINDING_REGION_NO_DAX_DEVICE, take_dax_device},
	{FINDING_REGION_NO_ADDRESS, take_address},
};

START_TEST(a_region_has_the_severity_of_its_finding_in_redfish_and_metrics)
{
	region_rows[_i].build();
	expect_health(REGION, metric_of_region_health, region_rows[_i].code);
}
END_TEST

START_TEST(a_missing_handler_is_the_same_in_both)
{
	struct finding list[FIRMWARE_FINDINGS_MAX];
	struct firmware_status status;
	struct firmware *firmware;

	/* The module is not loaded. */
	ck_assert_int_eq(firmware_new("/nonexistent/cxl_prm", &firmware), 0);
	firmware_status(firmware, &status);
	ck_assert_uint_ge(firmware_findings(&status, list), 1);
	ck_assert_int_eq(list[0].code, FINDING_FIRMWARE_UNAVAILABLE);
	f.model.firmware = firmware;
	model_normalize(f.region);
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, MANAGER), 200);
	ck_assert_uint_eq(json_array_size(value_at(&f, "Status/Conditions")), 1);
	ck_assert_str_eq(at(&f, "Status/Conditions/0/MessageId"),
			 OWN_REGISTRY_NAME ".FirmwareUnavailable");
	ck_assert_str_eq(at(&f, "Status/Conditions/0/MessageArgs/0"), status.text);
	fixture_done(&f);
	(void)firmware_free(firmware);
	fixture_init(&f, NULL);
}
END_TEST

/* ---- sentences of cxl-spa ----------------------------------------------------------------------
 */

START_TEST(every_code_has_a_sentence)
{
	for (int i = 0; i < FINDING_CODE_COUNT; i++)
		ck_assert_ptr_nonnull(finding_row((enum finding_code)i)->text);
	for (int i = 0; i < FINDING_REASONS; i++)
		ck_assert_ptr_nonnull(finding_reason_text((enum finding_reason)i));
}
END_TEST

/* Checks the rules of references that the formatter relies on. */
static void expect_reference(const struct finding_row *row, const char *p, bool in_clause)
{
	const size_t i = (size_t)(p[1] - '1');

	ck_assert_msg(i < FINDING_ARGS_MAX && row->args[i].what, "%s: %s", row->name, p);
	ck_assert_msg(in_clause || !row->args[i].optional, "%s: %s", row->name, p);
	if (p[2] != '{')
		return;
	ck_assert_msg(row->args[i].type == FINDING_ARG_NUMBER, "%s: %s", row->name, p);
	ck_assert_msg(strchr(p, '|') && strchr(strchr(p, '|'), '}'), "%s: %s", row->name, p);
	ck_assert_msg(!row->message.key, "%s: a message has no plurals", row->name);
}

START_TEST(every_format_is_well_formed)
{
	for (int i = 0; i < FINDING_CODE_COUNT; i++) {
		const struct finding_row *row = finding_row((enum finding_code)i);
		int depth = 0;

		for (const char *p = row->text; *p; p++) {
			depth += (*p == '[') - (*p == ']');
			ck_assert_msg(depth == 0 || depth == 1, "%s", row->text);
			if (*p == '%')
				expect_reference(row, p, depth == 1);
		}
		ck_assert_msg(depth == 0, "%s", row->text);
	}
}
END_TEST

START_TEST(a_sentence_has_the_right_plurals_and_leaves_out_what_is_absent)
{
	struct finding summary = {
		.code = FINDING_HOST_SUMMARY,
		.object = "host",
		.args = {finding_name("7.3.4"), finding_number(1), finding_number(0),
			 finding_number(2)},
	};
	struct finding memdev = {
		.code = FINDING_MEMDEV_IDENTITY,
		.object = "mem0",
		.args = {finding_name("0000:0d:00.0"),
			 finding_hex(0xabc0),
			 {0},
			 finding_size(OPT_U64(256 << 20))},
	};

	ck_assert_str_eq(sentence(&summary),
			 "Linux 7.3.4 shows 1 window, 0 regions and 2 memory devices");
	summary.args[0] = finding_name(NULL);
	summary.args[3] = finding_number(1);
	ck_assert_str_eq(sentence(&summary), "Linux shows 1 window, 0 regions and 1 memory device");
	ck_assert_str_eq(sentence(&memdev), "at 0000:0d:00.0, serial 0xabc0, 256 MiB of pmem");
}
END_TEST

START_TEST(a_list_is_written_with_positions_details_and_ranges)
{
	const struct finding_item second = {
		.name = "System RAM", .start = OPT_U64(0x1000), .size = OPT_U64(0x1000)};
	const struct finding_item first = {
		.position = OPT_U64(3), .name = "mem1", .detail = "decoder5.0", .next = &second};
	const struct finding targets = {
		.code = FINDING_REGION_TARGETS,
		.object = "region0",
		.args = {finding_list(&first)},
	};

	ck_assert_str_eq(sentence(&targets),
			 "targets by position: 3 mem1 (decoder5.0), System RAM 0x1000-0x1fff");
}
END_TEST

START_TEST(unresolved_entries_are_counted_in_a_sentence)
{
	struct finding events = {
		.code = FINDING_UNRESOLVED_EVENTS,
		.object = "mem0",
		.args = {finding_number(1), finding_event_type(EVENT_DRAM), finding_entry(7),
			 finding_time(1000000000), finding_of_severity(HEALTH_WARNING)},
	};
	char expected[128];

	(void)snprintf(
		expected, sizeof(expected),
		"unresolved log entries of type %s: 1, the newest number 7, of 1970-01-01T00:00:01Z",
		event_type_name(EVENT_DRAM));
	ck_assert_str_eq(sentence(&events), expected);
	events.args[2] = events.args[3] = (struct finding_arg){0};
	(void)snprintf(expected, sizeof(expected), "unresolved log entries of type %s: 1",
		       event_type_name(EVENT_DRAM));
	ck_assert_str_eq(sentence(&events), expected);
}
END_TEST

START_TEST(a_long_argument_cuts_the_sentence)
{
	char text[2 * FINDING_TEXT_MAX];
	const struct finding note = {
		.code = FINDING_HOST_NOTE, .object = "host", .args = {finding_text(text)}};

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	ck_assert_uint_eq(strlen(sentence(&note)), FINDING_TEXT_MAX - 1);
}
END_TEST

static void add_codes(Suite *suite)
{
	TCase *t = tcase_create("codes");

	tcase_add_checked_fixture(t, setup_ready, teardown);
	tcase_add_test(t, a_row_has_a_severity_that_agrees_with_its_level);
	tcase_add_test(t, explain_names_the_level_and_has_the_text);
	tcase_add_test(t, the_json_of_explain_has_the_name_and_the_level);
	tcase_add_test(t, a_condition_has_the_name_the_severity_and_the_text);
	tcase_add_test(t, a_finding_of_the_system_has_the_names_the_severity_and_the_text);
	tcase_add_test(t, the_registry_has_the_name_and_the_severity);
	tcase_add_test(t, the_page_names_no_finding);
	suite_add_tcase(suite, t);
}

static void add_health(Suite *suite)
{
	TCase *t = tcase_create("health");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, a_device_has_the_severity_of_its_finding_in_redfish_and_metrics, 0,
			    (int)ARRAY_SIZE(device_rows));
	tcase_add_loop_test(t, a_region_has_the_severity_of_its_finding_in_redfish_and_metrics, 0,
			    (int)ARRAY_SIZE(region_rows));
	tcase_add_test(t, a_missing_handler_is_the_same_in_both);
	suite_add_tcase(suite, t);
}

SUITE(check_front_ends)
{
	Suite *suite = suite_create("front ends");
	TCase *text = tcase_create("text");

	add_codes(suite);
	add_health(suite);
	tcase_add_test(text, every_code_has_a_sentence);
	tcase_add_test(text, every_format_is_well_formed);
	tcase_add_test(text, a_sentence_has_the_right_plurals_and_leaves_out_what_is_absent);
	tcase_add_test(text, a_list_is_written_with_positions_details_and_ranges);
	tcase_add_test(text, unresolved_entries_are_counted_in_a_sentence);
	tcase_add_test(text, a_long_argument_cuts_the_sentence);
	suite_add_tcase(suite, text);
	return suite;
}
