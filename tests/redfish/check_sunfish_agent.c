// SPDX-License-Identifier: LGPL-2.1-or-later
/* The agent of a Sunfish core, with a clock of its own and no network. */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "otlp/outcome.h"
#include "redfish/sunfish/sunfish_agent.h"
#include "redfish/sunfish/sunfish_offer.h"
#include "tests/lib/suites.h"

#define CORE  "http://192.0.2.7:5000"
#define AGENT "http://192.0.2.1:8000"
#define ID    "0fa4bc06-79a8-4fec-bea5-26dfa7678c28"
#define OTHER "1fa4bc06-79a8-4fec-bea5-26dfa7678c28"

static struct sunfish_agent a;
static uint64_t now;

static void configure(const char *core, const char *agent)
{
	struct sunfish_settings s = {0};

	sunfish_set_core(&s, core);
	(void)snprintf(s.agent, sizeof(s.agent), "%s", agent);
	sunfish_agent_configure(&a, &s);
}

static void setup(void)
{
	const struct state_sunfish row = {.name = "0123", .generation = 1, .cursor = 7};

	a = (struct sunfish_agent){0};
	now = 1000000;
	configure(CORE, AGENT);
	sunfish_agent_take_row(&a, &row, 100);
}

/* The next request, and what has to pass before it. */
static enum sunfish_request next_request(void)
{
	enum sunfish_request r;
	uint64_t at;

	while ((r = sunfish_agent_next(&a, now, &at)) == SUNFISH_NOTHING) {
		ck_assert_uint_ne(at, UINT64_MAX);
		ck_assert_uint_gt(at, now);
		ck_assert_uint_le(at - now, OTLP_BACKOFF_MAX_MS);
		now = at;
	}
	return r;
}

static bool answer_with(enum sunfish_request request, unsigned int status, const char *body)
{
	struct push_answer answer = {.status = status, .text = "Connection refused"};
	uint64_t at;

	ck_assert_int_eq(next_request(), request);
	sunfish_agent_sent(&a, request);
	ck_assert_int_eq(sunfish_agent_next(&a, now, &at), SUNFISH_NOTHING);
	ck_assert_uint_eq(at, UINT64_MAX);
	answer.body_len = (uint32_t)strlen(body);
	memcpy(answer.body, body, strlen(body));
	return sunfish_agent_answer(&a, &answer, now);
}

static bool answer(enum sunfish_request request, unsigned int status)
{
	return answer_with(request, status, "{\"@odata.id\": \"/" ID "\"}");
}

static void register_now(void)
{
	ck_assert_int_eq(next_request(), SUNFISH_REGISTER);
	sunfish_agent_sent(&a, SUNFISH_REGISTER);
	sunfish_agent_assign(&a, ID);
	ck_assert(!sunfish_agent_answer(&a, &(struct push_answer){.status = 200}, now));
}

static void serve(void)
{
	register_now();
	answer(SUNFISH_OFFER, 200);
	sunfish_agent_has_offered(&a);
	ck_assert_int_eq(a.status.state, SUNFISH_STATE_SERVING);
}

/* An event that is never accepted; the cursor is before it. */
static void try_event(uint64_t seq)
{
	a.seq = seq;
	answer(SUNFISH_EVENT, 0);
	a.seq = seq;
}

START_TEST(registers_offers_and_serves)
{
	serve();
	ck_assert_uint_eq(a.offered, 1);
	a.seq = 9;
	answer(SUNFISH_EVENT, 204);
	ck_assert_uint_eq(a.row.cursor, 9);
	ck_assert_uint_eq(a.status.sent, 1);
}
END_TEST

START_TEST(without_a_core_nothing_is_sent)
{
	uint64_t at;

	configure(NULL, AGENT);
	ck_assert_int_eq(sunfish_agent_next(&a, now, &at), SUNFISH_NOTHING);
	ck_assert_int_eq(a.status.state, SUNFISH_STATE_OFF);
	configure(CORE, "");
	ck_assert_int_eq(sunfish_agent_next(&a, now, &at), SUNFISH_NOTHING);
	ck_assert(!sunfish_agent_is_on(&a));
}
END_TEST

START_TEST(a_registration_without_an_id_is_none)
{
	char before[SUNFISH_METHOD_MAX], now_is[SUNFISH_METHOD_MAX];

	sunfish_agent_method(&a, before);
	ck_assert_str_eq(before, "0123-1");
	/* The core may know the ConnectionMethod by now. */
	ck_assert(answer(SUNFISH_REGISTER, 200));
	sunfish_agent_method(&a, now_is);
	ck_assert_str_eq(now_is, "0123-2");
	ck_assert(answer(SUNFISH_REGISTER, 409));
	ck_assert_uint_eq(a.row.generation, 3);
	ck_assert(!answer(SUNFISH_REGISTER, 500));
	ck_assert(!answer(SUNFISH_REGISTER, 301));
	ck_assert_ptr_nonnull(strstr(a.status.reason, "redirections"));
	ck_assert(!answer(SUNFISH_REGISTER, 0));
	ck_assert_uint_eq(a.row.generation, 3);
	ck_assert_ptr_nonnull(strstr(a.status.reason, "Connection refused"));
	serve();
	ck_assert_str_eq(a.status.reason, "");
}
END_TEST

START_TEST(the_id_is_asked_for_again_and_again)
{
	uint64_t at;

	serve();
	ck_assert_int_eq(sunfish_agent_next(&a, now, &at), SUNFISH_EVENT);
	ck_assert_uint_ge(at - now, SUNFISH_CHECK_MS);
	ck_assert_uint_le(at - now, 2 * SUNFISH_CHECK_MS);
	now = at;
	ck_assert(!answer(SUNFISH_CHECK, 200));
	ck_assert_int_eq(next_request(), SUNFISH_EVENT);
}
END_TEST

START_TEST(a_core_that_has_forgotten_is_asked_anew)
{
	serve();
	now = a.check_ms;
	ck_assert(answer(SUNFISH_CHECK, 404));
	ck_assert_str_eq(a.row.source, "");
	ck_assert_uint_eq(a.row.generation, 2);
	ck_assert_uint_eq(a.row.cursor, 7);
	ck_assert_uint_le(a.not_before_ms - now, OTLP_BACKOFF_FIRST_MS);
	serve();
}
END_TEST

START_TEST(a_core_that_forgets_for_ever_is_asked_less_often)
{
	uint64_t most = 0;

	for (unsigned int i = 0; i < 100; i++) {
		register_now();
		ck_assert(!answer(SUNFISH_OFFER, 400));
		ck_assert(answer(SUNFISH_CHECK, 404));
		if (i > 20 && a.not_before_ms - now > most)
			most = a.not_before_ms - now;
	}
	ck_assert_uint_gt(most, OTLP_BACKOFF_MAX_MS / 2);
}
END_TEST

START_TEST(another_id_in_the_answer_is_not_ours)
{
	serve();
	now = a.check_ms;
	ck_assert(!answer_with(SUNFISH_CHECK, 200, "{\"Id\": \"" OTHER "\"}"));
	ck_assert_str_eq(a.row.source, ID);
	ck_assert_str_ne(a.status.reason, "");
	ck_assert(!answer_with(SUNFISH_CHECK, 200, ""));
	ck_assert(!answer(SUNFISH_CHECK, 200));
	ck_assert_str_eq(a.status.reason, "");
}
END_TEST

START_TEST(what_is_never_taken_is_left_after_some_attempts)
{
	serve();
	for (unsigned int i = 0; i < SUNFISH_ATTEMPTS_MAX; i++) {
		ck_assert_uint_eq(a.row.cursor, 7);
		try_event(8);
		answer(SUNFISH_CHECK, 200);
	}
	ck_assert_uint_eq(a.row.cursor, 8);
	ck_assert_uint_eq(a.status.skipped, 1);
	/* The next one has all of its own. */
	ck_assert_uint_eq(a.attempts, 0);
	try_event(9);
	answer(SUNFISH_CHECK, 200);
	ck_assert_uint_eq(a.row.cursor, 8);
	a.seq = 9;
	answer(SUNFISH_EVENT, 200);
	ck_assert_uint_eq(a.row.cursor, 9);
}
END_TEST

START_TEST(a_core_that_is_away_costs_no_attempt)
{
	serve();
	for (unsigned int i = 0; i < 10 * SUNFISH_ATTEMPTS_MAX; i++) {
		try_event(8);
		answer(SUNFISH_CHECK, 0);
		answer(SUNFISH_CHECK, 503);
		answer(SUNFISH_CHECK, 200);
	}
	ck_assert_uint_eq(a.row.cursor, 7);
	ck_assert_uint_eq(a.status.skipped, 0);
	a.seq = 8;
	answer(SUNFISH_EVENT, 200);
	ck_assert_uint_eq(a.row.cursor, 8);
}
END_TEST

START_TEST(a_root_that_is_never_taken_does_not_stop_the_rest)
{
	register_now();
	for (unsigned int i = 0; i < SUNFISH_ATTEMPTS_MAX; i++) {
		ck_assert_uint_eq(a.offered, 0);
		answer(SUNFISH_OFFER, 500);
		answer(SUNFISH_CHECK, 200);
	}
	ck_assert_uint_eq(a.offered, 1);
	answer(SUNFISH_OFFER, 200);
	ck_assert_uint_eq(a.offered, 2);
}
END_TEST

START_TEST(an_answer_for_another_id_is_not_used)
{
	serve();
	ck_assert_int_eq(next_request(), SUNFISH_EVENT);
	a.seq = 9;
	sunfish_agent_sent(&a, SUNFISH_EVENT);
	sunfish_agent_assign(&a, OTHER);
	ck_assert(!sunfish_agent_answer(&a, &(struct push_answer){.status = 200}, now));
	ck_assert_uint_eq(a.row.cursor, 7);
	ck_assert_uint_eq(a.offered, 0);
	ck_assert_int_eq(next_request(), SUNFISH_CHECK);
}
END_TEST

START_TEST(another_core_or_another_url_begins_anew)
{
	static const struct {
		const char *core, *agent;
		bool keeps;
	} rows[] = {
		{CORE "/", AGENT, true},
		{"http://192.0.2.9:5000", AGENT, false},
		{CORE, "http://192.0.2.1:8001", false},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		setup();
		serve();
		configure(rows[i].core, rows[i].agent);
		ck_assert_int_eq(a.row.source[0] != '\0', rows[i].keeps);
		ck_assert_int_eq(next_request(), rows[i].keeps ? SUNFISH_CHECK : SUNFISH_REGISTER);
	}
}
END_TEST

START_TEST(a_reload_loses_no_answer_of_the_same_core)
{
	static const char *const agents[] = {AGENT, "http://192.0.2.1:8001"};

	for (size_t i = 0; i < ARRAY_SIZE(agents); i++) {
		setup();
		serve();
		a.seq = 9;
		sunfish_agent_sent(&a, SUNFISH_EVENT);
		configure(CORE, agents[i]);
		ck_assert(!sunfish_agent_answer(&a, &(struct push_answer){.status = 200}, now));
		ck_assert_uint_eq(a.row.cursor, i == 0 ? 9 : 7);
	}
}
END_TEST

START_TEST(a_row_that_is_not_possible_is_not_used)
{
	struct state_sunfish row = {.name = "0123", .generation = 4, .core = CORE, .agent = AGENT};

	(void)snprintf(row.source, sizeof(row.source), "../../etc/passwd");
	row.cursor = 1000;
	sunfish_agent_take_row(&a, &row, 100);
	ck_assert_str_eq(a.row.source, "");
	ck_assert_uint_eq(a.row.generation, 5);
	ck_assert_uint_eq(a.row.cursor, 100);
	(void)snprintf(row.source, sizeof(row.source), ID);
	sunfish_agent_take_row(&a, &row, 100);
	ck_assert_str_eq(a.row.source, ID);
	ck_assert_int_eq(next_request(), SUNFISH_CHECK);
}
END_TEST

START_TEST(ids_are_those_of_a_uuid)
{
	static const char *const wrong[] = {"",
					    "x",
					    ID "0",
					    "0fa4bc06-79a8-4fec-bea5-26dfa7678c2",
					    "0fa4bc06/79a8-4fec-bea5-26dfa7678c28",
					    "0fa4bc06-79a8-4fec-bea5-26dfa7678c2g"};

	ck_assert(sunfish_id_is_sane(ID));
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		ck_assert(!sunfish_id_is_sane(wrong[i]));
}
END_TEST

START_TEST(urls_have_an_address)
{
	static const char *const right[] = {CORE, CORE "/", "https://192.0.2.7",
					    "http://[2001:db8::7]",
					    "http://[2001:db8::7]:5000/a/b"};
	static const char *const wrong[] = {"http://core:5000",		 "http://192.0.2.7x/",
					    "http://[2001:db8::7]x",	 "http://192.0.2/",
					    "ftp://192.0.2.7/",		 "http://192.0.2.7?x",
					    "http://[2001:db8::7%eth0]/"};
	struct error e;

	for (size_t i = 0; i < ARRAY_SIZE(right); i++)
		ck_assert_int_eq(sunfish_check_url(right[i], &e), 0);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		ck_assert_msg(sunfish_check_url(wrong[i], &e) < 0, "%s", wrong[i]);
}
END_TEST

/* ---- events -----------------------------------------------------------------------------------
 */

#define MEMORY "/redfish/v1/Systems/Host/Memory/1"

static const struct {
	const char *message, *origin, *schema;
	bool takes, keeps_origin; /* again, too */
} events[] = {
	{"CXLHost.1.0.DRAMEvent", MEMORY, "Memory", true, false},
	{"CXLHost.1.0.DRAMEvent", NULL, NULL, true, false},
	{"ResourceEvent.1.4.ResourceCreated", MEMORY, "Memory", true, true},
	{"ResourceEvent.1.4.ResourceCreated", NULL, NULL, false, false},
	{"ResourceEvent.1.4.ResourceRemoved", "/redfish/v1/Systems/Host/Memory/2", NULL, false,
	 false},
	{"TaskEvent.1.0.TaskStarted", "/redfish/v1/TaskService/Tasks/1", "Task", false, false},
	{"CXLHost.1.0.X", MEMORY "/LogServices/1/Entries/1", "LogEntry", false, false},
	{"CXLHost.1.0.X", "/redfish/v1/SystemsX/1", "Memory", false, false},
	{"X.1.0.TriggerEvent", MEMORY, "Memory", false, false},
	{"AggregationSourceDiscovered", MEMORY, "Memory", false, false},
	{NULL, MEMORY, "Memory", false, false},
};

START_TEST(events_are_for_the_core_by_their_origin)
{
	const struct event_item item = {
		.message_id = events[_i].message,
		.origin = events[_i].origin,
		.resource_type = events[_i].schema,
	};
	struct event_item out;

	ck_assert_int_eq(sunfish_takes(&item, false, &out), events[_i].takes);
	if (!events[_i].takes)
		return;
	ck_assert_ptr_eq(out.origin, item.origin);
	ck_assert(sunfish_takes(&item, true, &out));
	ck_assert_int_eq(out.origin != NULL, events[_i].keeps_origin);
}
END_TEST

SUITE(check_sunfish_agent)
{
	Suite *s = suite_create("sunfish agent");
	TCase *t = tcase_create("agent");

	tcase_add_checked_fixture(t, setup, NULL);
	tcase_add_test(t, registers_offers_and_serves);
	tcase_add_test(t, without_a_core_nothing_is_sent);
	tcase_add_test(t, a_registration_without_an_id_is_none);
	tcase_add_test(t, the_id_is_asked_for_again_and_again);
	tcase_add_test(t, a_core_that_has_forgotten_is_asked_anew);
	tcase_add_test(t, a_core_that_forgets_for_ever_is_asked_less_often);
	tcase_add_test(t, another_id_in_the_answer_is_not_ours);
	tcase_add_test(t, what_is_never_taken_is_left_after_some_attempts);
	tcase_add_test(t, a_core_that_is_away_costs_no_attempt);
	tcase_add_test(t, a_root_that_is_never_taken_does_not_stop_the_rest);
	tcase_add_test(t, an_answer_for_another_id_is_not_used);
	tcase_add_test(t, another_core_or_another_url_begins_anew);
	tcase_add_test(t, a_reload_loses_no_answer_of_the_same_core);
	tcase_add_test(t, a_row_that_is_not_possible_is_not_used);
	tcase_add_test(t, ids_are_those_of_a_uuid);
	tcase_add_test(t, urls_have_an_address);
	tcase_add_loop_test(t, events_are_for_the_core_by_their_origin, 0, (int)ARRAY_SIZE(events));
	suite_add_tcase(s, t);
	return s;
}
