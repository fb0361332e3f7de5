// SPDX-License-Identifier: LGPL-2.1-or-later
/* The page policy: which entries of the event log take a page out of use, and which never do. The
 * page helper is a counter. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/allow.h"
#include "common/clock.h"
#include "daemon/page_policy.h"
#include "daemon/page_reports.h"
#include "redfish/pages/state_pages.h"
#include "redfish/pages/page_plan.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

#define DEVICE "cxl-000000000000abc0"
enum { PAGE = 0x10000, TRANSACTION_SCRUB = 5 };

static const uint8_t boot_id[REMEMBERED_BOOT_SIZE] = {7};

static struct fixture f;
static char state_path[320];
static struct state *state;
static struct page_client *client;
static struct page_keeper *keeper;
static struct store_writer *writer;
static struct event_log *event_log;
static struct event_bus *bus;
static struct page_policy *policy;
static uint64_t n_events;

/* ---- the page helper, and the reports ---------------------------------------------------------
 */

enum { NOTHING = 1 }; /* no page has this address */

static atomic_uint n_calls, n_runs, n_reports;
static atomic_int busy;
/* Set before the policy starts. */
static uint64_t slab_dpa;
static bool has_gate; /* a report about an unknown address waits until it is open */
static unsigned int retry_ms;
static atomic_bool at_gate, is_open;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t run_dpa[PAGE_BATCH_MAX];
static bool run_only_free[PAGE_BATCH_MAX];
static char reports[128 * 1024];

static void run(void *userdata, const struct page_request *requests, size_t n,
		struct page_result *ret)
{
	(void)userdata;
	atomic_fetch_add(&n_calls, 1);
	for (size_t i = 0; i < n; i++) {
		ck_assert_uint_eq(requests[i].action, PAGE_SOFT);
		if (atomic_load(&busy))
			(void)page_result_set(&ret[i], EBUSY, PAGE_REFUSED, "The page is in use.");
		if (requests[i].dpa == slab_dpa)
			(void)page_result_set(&ret[i], EPERM, PAGE_REFUSED, "The page is slab.");
		run_dpa[atomic_load(&n_runs) % PAGE_BATCH_MAX] = requests[i].dpa;
		run_only_free[atomic_load(&n_runs) % PAGE_BATCH_MAX] = requests[i].only_free;
		atomic_fetch_add(&n_runs, 1);
	}
}

static unsigned int allowed(void *userdata)
{
	(void)userdata;
	return ALLOW_PAGES;
}

static const struct page_client_ops ops = {.run = run, .allowed = allowed};

static void on_report(void *userdata, const struct page_report *report)
{
	(void)userdata;
	(void)pthread_mutex_lock(&lock);
	(void)snprintf(reports + strlen(reports), sizeof(reports) - strlen(reports), "%s\n",
		       report->text);
	atomic_fetch_add(&n_reports, 1); /* with it, as a test may count once it has seen it */
	(void)pthread_mutex_unlock(&lock);
	if (has_gate && strstr(report->text, "unknown address")) {
		atomic_store(&at_gate, true);
		WAIT_UNTIL(atomic_load(&is_open));
	}
}

static bool was_reported(const char *part)
{
	bool found;

	(void)pthread_mutex_lock(&lock);
	found = strstr(reports, part) != NULL;
	(void)pthread_mutex_unlock(&lock);
	return found;
}

/* ---- the service ------------------------------------------------------------------------------
 */

static void on_committed(void *userdata, const struct stored_event *events, size_t n)
{
	(void)userdata;
	event_bus_publish(bus, n > 0 ? events[n - 1].seq : 0);
}

static void setup(void)
{
	const struct store_callbacks callbacks = {.committed = on_committed};
	struct event_log_traits traits = {.max_records = 1000};

	atomic_store(&n_calls, 0);
	atomic_store(&n_runs, 0);
	atomic_store(&n_reports, 0);
	slab_dpa = NOTHING;
	has_gate = false;
	retry_ms = 1;
	atomic_store(&at_gate, false);
	atomic_store(&is_open, false);
	atomic_store(&busy, 0);
	reports[0] = '\0';
	n_events = 0;
	store_setup();
	options.max_records = traits.max_records;
	(void)snprintf(state_path, sizeof(state_path), "%s/" STATE_FILE, directory);
	ck_assert_int_eq(state_new(state_path, &state, &error), 0);
	client = page_client_new(&ops, NULL);
	ck_assert_ptr_nonnull(client);
	ck_assert_int_eq(page_keeper_new(state, client, boot_id, &keeper), 0);
	fixture_init(&f, NULL);
	fixture_ready(&f);
	memcpy(traits.boot_id, boot_id, sizeof(boot_id));
	ck_assert_int_eq(event_bus_new(&bus, &error), 0);
	ck_assert_int_eq(store_writer_new(&options, &callbacks, &writer, &error), 0);
	ck_assert_int_eq(event_log_new(writer, &traits, &event_log, &error), 0);
}

static void stop(void)
{
	ck_assert(page_policy_free(policy, WAIT_MAX_MS));
	policy = NULL;
}

static void teardown(void)
{
	stop();
	event_log = event_log_free(event_log);
	writer = store_writer_free(writer);
	bus = event_bus_free(bus);
	fixture_done(&f);
	keeper = page_keeper_free(keeper);
	client = page_client_free(client);
	state = state_free(state);
	store_teardown();
}

static struct policy_mark mark_now(void)
{
	struct policy_mark mark;

	ck_assert_int_eq(state_read_policy(state, &mark, &error), 0);
	return mark;
}

/* Its first look is over when the mark has its mode. */
static void start_with(const struct page_rule *rule)
{
	const struct page_policy_options o = {
		.views = f.service->view_holder,
		.log = event_log,
		.bus = bus,
		.keeper = keeper,
		.report = on_report,
		.rule = *rule,
		.retry_ms = retry_ms,
	};

	ck_assert_int_eq(page_policy_new(&o, &policy, &error), 0);
	WAIT_UNTIL(mark_now().mode == rule->mode);
}

static void start(enum page_policy_mode mode)
{
	start_with(&(struct page_rule){.mode = mode});
}

static void set_mode(enum page_policy_mode mode)
{
	page_policy_set(policy, &(struct page_rule){.mode = mode});
	WAIT_UNTIL(mark_now().mode == mode);
}

/* An uncorrectable error of the host's read, as of now. */
static struct stored_event new_event(uint64_t dpa)
{
	struct stored_event ev;
	struct event_record *rec = &ev.record;

	made_event(++n_events, &ev);
	ev.pending = false;
	ev.answer.hpa_disagrees = false;
	memcpy(ev.boot_id, boot_id, sizeof(boot_id));
	(void)snprintf(ev.device, sizeof(ev.device), DEVICE);
	rec->time_ns = (clock_boottime_ms() + 1) * 1000000;
	event_record_set(rec, FIELD_SERIAL, 0xabc0);
	event_record_set(rec, FIELD_DPA, dpa);
	event_record_set(rec, FIELD_TYPE, 0);
	event_record_set(rec, FIELD_DESCRIPTOR, EVENT_DESCRIPTOR_UNCORRECTABLE);
	event_record_set(rec, FIELD_TRANSACTION_TYPE, 1);
	event_record_set(rec, FIELD_CME_THRESHOLD_EV_FLAGS, 0);
	return ev;
}

static struct stored_event corrected(uint64_t dpa, uint64_t transaction)
{
	struct stored_event ev = new_event(dpa);

	event_record_set(&ev.record, FIELD_DESCRIPTOR, 0);
	event_record_set(&ev.record, FIELD_TRANSACTION_TYPE, transaction);
	return ev;
}

static void add(struct stored_event ev)
{
	ck_assert_int_eq(store_writer_add(writer, &ev), 0);
}

static bool has_entries(uint64_t n)
{
	struct event_filter all = {0};
	struct store_reader *r;
	uint64_t found = 0;

	if (event_log_reader_get(event_log, &r, &error) < 0)
		return false;
	(void)store_count(r, &all, &found, &error);
	event_log_reader_put(event_log, r, false);
	return found >= n;
}

/* All entries before are decided about when the page of this one, which no other has, is out. */
static void expect_only(unsigned int n)
{
	const uint64_t dpa = 0x800000 + n_events * PAGE;

	add(new_event(dpa));
	WAIT_UNTIL(atomic_load(&n_runs) >= 1 &&
		   run_dpa[(atomic_load(&n_runs) - 1) % PAGE_BATCH_MAX] == dpa);
	ck_assert_uint_eq(atomic_load(&n_runs), n + 1);
}

/* ---- pages that go out ------------------------------------------------------------------------
 */

START_TEST(an_uncorrectable_error_takes_its_page_out)
{
	struct remembered_page p;

	start(PAGE_POLICY_SOFT);
	add(new_event(0x1040));
	WAIT_UNTIL(was_reported("is out of use"));
	ck_assert_uint_eq(run_dpa[0], 0x1040);
	ck_assert_int_eq(state_read_page(state, 1, &p, &error), 0);
	ck_assert_uint_eq(p.state, REMEMBERED_OUT);
	ck_assert_uint_eq(p.cause, PAGE_BY_POLICY);
	ck_assert_uint_ne(p.incident, 0);
	/* To move the page would read what is lost. */
	ck_assert(run_only_free[0] && p.only_free);
	expect_only(1);
}
END_TEST

START_TEST(a_page_with_lost_data_is_not_read_when_it_is_put_out_again)
{
	const struct view *v = service_view(f.service);
	struct page_round round;
	struct page_plan *plan;

	start(PAGE_POLICY_SOFT);
	add(new_event(0x1000));
	WAIT_UNTIL(was_reported("is out of use"));
	ck_assert_int_eq(page_plan_new(keeper, v->host, v->translator, NULL, &plan, &error), 0);
	ck_assert_int_eq(page_plan_apply(plan, NULL, NULL, &round, &error), 0);
	(void)page_plan_free(plan);
	ck_assert_uint_eq(atomic_load(&n_runs), 2);
	ck_assert(run_only_free[1]);
}
END_TEST

START_TEST(poison_takes_all_pages_of_its_range_out)
{
	struct stored_event ev;

	start(PAGE_POLICY_SOFT);
	ev = new_event(0x20000);
	ev.record.type = EVENT_POISON;
	event_record_set(&ev.record, FIELD_TRACE_TYPE, POISON_TRACE_LIST);
	event_record_set(&ev.record, FIELD_FLAGS, 0);
	event_record_set(&ev.record, FIELD_DPA_LENGTH, PAGE_RANGE_MAX);
	add(ev);
	/* Two devices take turns: a page has 2 KiB of each. */
	WAIT_UNTIL(atomic_load(&n_runs) == 2);
	ck_assert_uint_eq(run_dpa[0], 0x20000);
	ck_assert_uint_eq(run_dpa[1], 0x20800);
	ck_assert(run_only_free[0]);
	expect_only(2);
}
END_TEST

START_TEST(the_threshold_flag_of_the_device_takes_a_page_out)
{
	struct stored_event ev;

	start(PAGE_POLICY_SOFT);
	ev = corrected(0x1000, TRANSACTION_SCRUB);
	event_record_set(&ev.record, FIELD_DESCRIPTOR, EVENT_DESCRIPTOR_THRESHOLD);
	add(ev);
	WAIT_UNTIL(atomic_load(&n_runs) == 1);
	ck_assert(!run_only_free[0]);
}
END_TEST

START_TEST(corrected_errors_of_one_page_are_counted)
{
	start_with(&(struct page_rule){PAGE_POLICY_SOFT, 3, 1});
	for (unsigned int i = 0; i < 5; i++)
		add(corrected(0x5000, TRANSACTION_SCRUB));
	/* Two of each of two neighbours, in 2 KiB each. */
	for (uint64_t i = 0; i < 4; i++)
		add(corrected(0x1600 + i * 0x100, 1));
	expect_only(0);
	add(corrected(0x1000, 1));
	WAIT_UNTIL(atomic_load(&n_runs) == 2);
	ck_assert_uint_eq(run_dpa[1], 0x1000);
}
END_TEST

/* They are in two pages of 4 KiB. */
START_TEST(corrected_errors_of_a_page_of_64_kib_are_counted)
{
	f.model.host.page_size = 65536;
	start_with(&(struct page_rule){PAGE_POLICY_SOFT, 3, 1});
	for (uint64_t i = 0; i < 3; i++)
		add(corrected(0x1600 + i * 0x100, 1));
	WAIT_UNTIL(atomic_load(&n_runs) == 1);
	ck_assert_uint_eq(run_dpa[0], 0x1800);
}
END_TEST

START_TEST(without_a_number_corrected_errors_take_nothing_out)
{
	start(PAGE_POLICY_SOFT);
	for (unsigned int i = 0; i < 10; i++)
		add(corrected(0x1000, 1));
	expect_only(0);
}
END_TEST

START_TEST(repeated_errors_of_one_page_take_it_out_once)
{
	start(PAGE_POLICY_SOFT);
	for (unsigned int i = 0; i < 5; i++)
		add(new_event(0x1000));
	expect_only(1);
	WAIT_UNTIL(atomic_load(&n_reports) == 2);
	ck_assert(!was_reported("not taken"));
}
END_TEST

/* ---- pages that stay --------------------------------------------------------------------------
 */

static void to_other_boot(struct stored_event *ev)
{
	ev->boot_id[0] = 8;
}

static void to_unknown_boot(struct stored_event *ev)
{
	memset(ev->boot_id, 0, sizeof(ev->boot_id));
}

static void to_earlier(struct stored_event *ev)
{
	ev->record.time_ns = 1;
}

static void to_other_clock(struct stored_event *ev)
{
	(void)snprintf(ev->record.clock, sizeof(ev->record.clock), "local");
}

static void to_away(struct stored_event *ev)
{
	(void)snprintf(ev->device, sizeof(ev->device), "cxl-000000000000dddd");
}

static void to_no_device(struct stored_event *ev)
{
	ev->device[0] = '\0';
}

static void to_beyond(struct stored_event *ev)
{
	event_record_set(&ev->record, FIELD_DPA, UINT64_C(1) << 60);
}

static void to_largest(struct stored_event *ev)
{
	event_record_set(&ev->record, FIELD_DPA, UINT64_MAX - 63);
}

static void to_contradiction(struct stored_event *ev)
{
	ev->answer.hpa_disagrees = true;
}

static void to_no_descriptor(struct stored_event *ev)
{
	ev->record.present &= ~(UINT64_C(1) << FIELD_DESCRIPTOR);
}

static void to_link(struct stored_event *ev)
{
	event_record_set(&ev->record, FIELD_TYPE, 3); /* of a DRAM record: data path */
}

static void to_resolved(struct stored_event *ev)
{
	ev->resolved = true;
}

static void (*const changes[])(struct stored_event *) = {
	to_other_boot,	  to_unknown_boot, to_earlier,	to_other_clock,
	to_away,	  to_no_device,	   to_beyond,	to_contradiction,
	to_no_descriptor, to_largest,	   to_resolved, to_link,
};

START_TEST(an_event_that_proves_nothing_takes_nothing_out)
{
	start(PAGE_POLICY_SOFT);
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct stored_event ev = new_event(i * PAGE);

		changes[i](&ev);
		add(ev);
	}
	expect_only(0);
}
END_TEST

static bool has_clock(const char *expected)
{
	char clock[EVENT_CLOCK_MAX];

	return page_policy_clock(policy, clock) == (expected[0] != '\0') &&
	       strcmp(clock, expected) == 0;
}

START_TEST(another_clock_of_the_trace_instance_is_shown_until_it_is_boot)
{
	struct stored_event ev;

	start(PAGE_POLICY_SOFT);
	ck_assert(has_clock(""));
	ev = new_event(0x1000);
	to_other_clock(&ev);
	add(ev);
	WAIT_UNTIL(has_clock("local"));
	ev = new_event(0x2000);
	ev.record.clock[0] = '\0';
	add(ev);
	WAIT_UNTIL(has_clock("unknown"));
	expect_only(0);
	ck_assert(has_clock(""));
	/* Another one says it again; not that of a boot before. */
	ev = new_event(0x3000);
	to_other_clock(&ev);
	to_other_boot(&ev);
	add(ev);
	expect_only(1);
	ck_assert(has_clock(""));
	ev = new_event(0x4000);
	to_other_clock(&ev);
	add(ev);
	WAIT_UNTIL(has_clock("local"));
	set_mode(PAGE_POLICY_OFF);
	ck_assert(has_clock(""));
}
END_TEST

START_TEST(an_address_that_is_not_exact_is_reported_once)
{
	start(PAGE_POLICY_SOFT);
	for (unsigned int i = 0; i < 3; i++) {
		struct stored_event ev = new_event(0);

		to_beyond(&ev);
		add(ev);
	}
	expect_only(0);
	WAIT_UNTIL(atomic_load(&n_reports) == 2);
	ck_assert(was_reported("page of an unknown address"));
}
END_TEST

START_TEST(observe_reports_and_does_nothing)
{
	start(PAGE_POLICY_OBSERVE);
	for (unsigned int i = 0; i < 3; i++)
		add(new_event(0x1000));
	WAIT_UNTIL(was_reported("would be taken out of use"));
	/* And is no reason later, when the policy acts. */
	WAIT_UNTIL(mark_now().decided >= 3);
	ck_assert_uint_eq(atomic_load(&n_reports), 1);
	set_mode(PAGE_POLICY_SOFT);
	expect_only(0);
}
END_TEST

START_TEST(entries_from_before_it_was_switched_on_take_nothing_out)
{
	add(new_event(0x1000));
	WAIT_UNTIL(has_entries(1));
	start(PAGE_POLICY_SOFT);
	expect_only(0);
	set_mode(PAGE_POLICY_OFF);
	add(new_event(0x40000));
	WAIT_UNTIL(has_entries(3));
	set_mode(PAGE_POLICY_SOFT);
	expect_only(1);
}
END_TEST

START_TEST(a_restart_forgets_no_entry_and_decides_about_none_twice)
{
	const struct page_rule rule = {PAGE_POLICY_SOFT, 3, 1};

	start_with(&rule);
	add(new_event(0x1000));
	add(corrected(0x40000, 1));
	add(corrected(0x40000, 1));
	WAIT_UNTIL(mark_now().decided >= 3);
	stop();
	ck_assert_uint_eq(atomic_load(&n_runs), 1);
	add(new_event(0x80000));
	add(corrected(0x40000, 1));
	WAIT_UNTIL(has_entries(5));
	start_with(&rule);
	WAIT_UNTIL(atomic_load(&n_runs) == 3);
	ck_assert_uint_eq(run_dpa[1], 0x80000);
	ck_assert_uint_eq(run_dpa[2], 0x40000);
}
END_TEST

START_TEST(entries_of_a_log_that_was_replaced_take_nothing_out)
{
	struct policy_mark mark;

	start(PAGE_POLICY_SOFT);
	stop();
	mark = mark_now();
	mark.store++;
	ck_assert_int_eq(state_put_policy(state, STATE_DURABLE, &mark, &error), 0);
	add(new_event(0x1000));
	WAIT_UNTIL(has_entries(1));
	start(PAGE_POLICY_SOFT);
	WAIT_UNTIL(mark_now().store != mark.store);
	expect_only(0);
}
END_TEST

START_TEST(without_a_database_nothing_is_taken_out)
{
	const struct page_policy_options o = {.views = f.service->view_holder,
					      .log = event_log,
					      .keeper = keeper,
					      .rule = {.mode = PAGE_POLICY_SOFT}};

	ck_assert_int_eq(unlink(state_path), 0);
	ck_assert_int_eq(page_policy_new(&o, &policy, &error), 0);
	add(new_event(0x1000));
	WAIT_UNTIL(has_entries(1));
	stop();
	ck_assert_uint_eq(atomic_load(&n_runs), 0);
}
END_TEST

/* ---- several pages ----------------------------------------------------------------------------
 */

/* No page is over a limit, unless the test has one. */
static void set_limits(unsigned int hour, unsigned int block)
{
	const struct page_limits limits = {
		.hour = hour, .total = 1024, .block = block, .share_ppm = 1000000};

	page_keeper_set_limits(keeper, &limits);
}

/* The policy begins before the entries, and finds all of them at once when it starts again. */
static void start_after(unsigned int n)
{
	start(PAGE_POLICY_SOFT);
	stop();
	for (uint64_t i = 0; i < n; i++)
		add(new_event(i * PAGE));
	WAIT_UNTIL(has_entries(n));
	start(PAGE_POLICY_SOFT);
}

static unsigned int count_state(enum remembered_state wanted)
{
	struct remembered_pages list = {0};
	unsigned int n = 0;

	ck_assert_int_eq(state_read_pages(state, &list, &error), 0);
	for (size_t i = 0; i < list.n; i++)
		n += list.items[i].state == wanted;
	remembered_pages_done(&list);
	return n;
}

START_TEST(pages_that_are_due_together_are_one_request)
{
	set_limits(1024, 1024);
	start_after(PAGE_BATCH_MAX);
	WAIT_UNTIL(mark_now().decided >= PAGE_BATCH_MAX);
	ck_assert_uint_eq(atomic_load(&n_calls), 1);
	ck_assert_uint_eq(atomic_load(&n_runs), PAGE_BATCH_MAX);
	for (uint64_t i = 0; i < PAGE_BATCH_MAX; i++)
		ck_assert_uint_eq(run_dpa[i], i * PAGE);
	ck_assert_uint_eq(count_state(REMEMBERED_OUT), PAGE_BATCH_MAX);
	ck_assert_uint_eq(atomic_load(&n_reports), PAGE_BATCH_MAX);
}
END_TEST

START_TEST(pages_beyond_one_request_are_the_next)
{
	const unsigned int n = PAGE_BATCH_MAX + 6;

	set_limits(1024, 1024);
	start_after(n);
	WAIT_UNTIL(mark_now().decided >= n);
	ck_assert_uint_eq(atomic_load(&n_calls), 2);
	ck_assert_uint_eq(count_state(REMEMBERED_OUT), n);
}
END_TEST

START_TEST(limits_count_each_page_of_a_request)
{
	set_limits(3, 1024);
	start_after(8);
	WAIT_UNTIL(mark_now().decided >= 8);
	ck_assert_uint_eq(atomic_load(&n_calls), 1);
	ck_assert_uint_eq(atomic_load(&n_runs), 3);
	ck_assert_uint_eq(count_state(REMEMBERED_OUT), 3);
	ck_assert_uint_eq(atomic_load(&n_reports), 8);
}
END_TEST

START_TEST(a_page_that_is_refused_does_not_hold_up_the_others)
{
	set_limits(1024, 1024);
	slab_dpa = UINT64_C(2) * PAGE;
	start_after(5);
	WAIT_UNTIL(mark_now().decided >= 5);
	ck_assert_uint_eq(atomic_load(&n_calls), 1);
	ck_assert_uint_eq(count_state(REMEMBERED_OUT), 4);
	ck_assert_uint_eq(count_state(REMEMBERED_REFUSED), 1);
	ck_assert_uint_eq(atomic_load(&n_reports), 5);
	ck_assert(was_reported(
		"(device address 0x20000) is not taken out of use: The page is slab."));
	ck_assert(was_reported("(device address 0x30000) is out of use"));
}
END_TEST

START_TEST(a_page_that_is_refused_leaves_its_place_in_a_block)
{
	set_limits(1024, 2);
	slab_dpa = 0;
	start_after(4);
	WAIT_UNTIL(mark_now().decided >= 4);
	ck_assert_uint_eq(count_state(REMEMBERED_OUT), 2);
	ck_assert_uint_eq(atomic_load(&n_runs), 3);
	ck_assert_uint_eq(run_dpa[2], UINT64_C(2) * PAGE);
	ck_assert(was_reported("(device address 0x30000) is not taken out of use"));
	ck_assert_uint_eq(atomic_load(&n_reports), 4);
}
END_TEST

/* Each is in another page of 4 KiB. */
START_TEST(entries_of_a_page_of_64_kib_have_one_place_in_a_block)
{
	f.model.host.page_size = 65536;
	set_limits(1024, 2);
	start(PAGE_POLICY_SOFT);
	for (uint64_t i = 0; i < 4; i++)
		add(new_event(i * 0x1000));
	WAIT_UNTIL(mark_now().decided >= 4);
	ck_assert_uint_eq(count_state(REMEMBERED_OUT), 4);
}
END_TEST

START_TEST(pages_that_are_busy_are_tried_again_together)
{
	set_limits(1024, 1024);
	atomic_store(&busy, 1);
	retry_ms = 0;
	start_after(3);
	WAIT_UNTIL(atomic_load(&n_reports) == 6);
	ck_assert_uint_eq(atomic_load(&n_calls), PAGE_LIMIT_TRIES);
	ck_assert_uint_eq(atomic_load(&n_runs), 3 * PAGE_LIMIT_TRIES);
	ck_assert(was_reported(
		"(device address 0x20000) is not taken out of use: The page was tried"));
}
END_TEST

/* To move it would read what is lost, whatever the first entry says. */
START_TEST(a_page_with_lost_data_is_lost_for_all_of_a_request)
{
	struct stored_event ev;

	set_limits(1024, 1024);
	start(PAGE_POLICY_SOFT);
	stop();
	ev = corrected(0x1000, 1);
	event_record_set(&ev.record, FIELD_DESCRIPTOR, EVENT_DESCRIPTOR_THRESHOLD);
	add(ev);
	add(new_event(0x1040));
	add(new_event(0x1040));
	WAIT_UNTIL(has_entries(3));
	start(PAGE_POLICY_SOFT);
	WAIT_UNTIL(mark_now().decided >= 3);
	ck_assert_uint_eq(atomic_load(&n_calls), 1);
	ck_assert_uint_eq(atomic_load(&n_runs), 2);
	ck_assert(run_only_free[0] && run_only_free[1]);
}
END_TEST

START_TEST(entries_whose_request_was_not_sent_are_decided_about_later)
{
	struct stored_event beyond;

	set_limits(1024, 1024);
	start(PAGE_POLICY_SOFT);
	stop();
	add(new_event(0x1000));
	beyond = new_event(0);
	event_record_set(&beyond.record, FIELD_DPA, UINT64_C(1) << 60);
	add(beyond);
	WAIT_UNTIL(has_entries(2));
	has_gate = true;
	start(PAGE_POLICY_SOFT);
	WAIT_UNTIL(atomic_load(&at_gate));
	ck_assert(!page_policy_free(policy, 0));
	atomic_store(&is_open, true);
	stop();
	ck_assert_uint_eq(atomic_load(&n_calls), 0);
	ck_assert_uint_eq(mark_now().decided, 0);
	start(PAGE_POLICY_SOFT);
	WAIT_UNTIL(was_reported("is out of use"));
	ck_assert_uint_eq(atomic_load(&n_runs), 1);
	ck_assert_uint_eq(run_dpa[0], 0x1000);
}
END_TEST

/* ---- limits -----------------------------------------------------------------------------------
 */

START_TEST(over_the_limit_of_the_hour_nothing_is_taken_out)
{
	struct page_limits limits = page_limits_default;

	limits.hour = 2;
	page_keeper_set_limits(keeper, &limits);
	start(PAGE_POLICY_SOFT);
	for (uint64_t i = 0; i < 8; i++)
		add(new_event(i * PAGE));
	WAIT_UNTIL(mark_now().decided >= 8);
	ck_assert_uint_eq(atomic_load(&n_runs), 2);
	ck_assert(was_reported("page-limit-hour"));
	ck_assert_uint_eq(atomic_load(&n_reports), 8);
}
END_TEST

START_TEST(a_page_that_is_busy_is_tried_again_but_not_for_ever)
{
	atomic_store(&busy, 1);
	start(PAGE_POLICY_SOFT);
	add(new_event(0x1000));
	WAIT_UNTIL(was_reported("tried three times"));
	ck_assert_uint_eq(atomic_load(&n_runs), PAGE_LIMIT_TRIES);
	/* The same reason is reported once. */
	ck_assert_uint_eq(atomic_load(&n_reports), 2);
	atomic_store(&busy, 0);
	expect_only(PAGE_LIMIT_TRIES);
}
END_TEST

/* Return: of the last count that was reported; 0: none was. */
static unsigned long last_count(void)
{
	static const char before[] = "reported one by one, are ";
	const char *at = NULL;

	for (const char *next = reports; (next = strstr(next, before)); next++)
		at = next;
	return at ? strtoul(at + strlen(before), NULL, 10) : 0;
}

START_TEST(further_decisions_of_an_hour_are_reported_by_their_number)
{
	struct page_limits limits = page_limits_default;

	limits.hour = 1;
	page_keeper_set_limits(keeper, &limits);
	start(PAGE_POLICY_SOFT);
	for (uint64_t i = 0; i < PAGE_REPORTS_HOUR + 40; i++)
		add(new_event(i * PAGE));
	WAIT_UNTIL(mark_now().decided >= PAGE_REPORTS_HOUR + 40);
	/* The 40 are of one incident: 1, 2, 4 to 32. */
	ck_assert_uint_eq(atomic_load(&n_reports), PAGE_REPORTS_HOUR + 6);
	ck_assert_uint_eq(last_count(), 32);
	ck_assert_uint_eq(atomic_load(&n_runs), 1);
	/* At the end none is unsaid. */
	ck_assert(page_policy_free(policy, WAIT_MAX_MS));
	policy = NULL;
	ck_assert_uint_eq(atomic_load(&n_reports), PAGE_REPORTS_HOUR + 7);
	ck_assert_uint_eq(last_count(), 40);
}
END_TEST

/* ---- the rule ---------------------------------------------------------------------------------
 */

static const struct {
	const char *text;
	unsigned int n, hours; /* 0: refused */
} texts[] = {
	{"3/24", 3, 24}, {"1/1", 1, 1},	  {"64/168", 64, 168},
	{"65/1", 0, 0},	 {"1/169", 0, 0}, {"0/1", 0, 0},
	{"1/0", 0, 0},	 {"3", 0, 0},	  {"/", 0, 0},
	{"3/", 0, 0},	 {"/3", 0, 0},	  {"-1/3", 0, 0},
	{"3/2/1", 0, 0}, {"", 0, 0},	  {"18446744073709551617/1", 0, 0},
};

START_TEST(a_number_of_corrected_errors_has_its_form)
{
	struct page_rule rule;
	const int r = page_rule_parse("soft", texts[_i].text, &rule, &error);

	ck_assert_int_eq(r, texts[_i].n ? 0 : -EINVAL);
	ck_assert_int_eq(rule.mode, PAGE_POLICY_SOFT);
	ck_assert_uint_eq(rule.corrected, texts[_i].n);
	if (r == 0)
		ck_assert_uint_eq(rule.hours, texts[_i].hours);
}
END_TEST

START_TEST(counts_forget_what_was_long_ago)
{
	struct corrected_counts *c = corrected_counts_new();

	ck_assert_ptr_nonnull(c);
	for (uint64_t i = 0; i < 1000; i++)
		corrected_counts_add(c, DEVICE, 0x1000, i);
	ck_assert_uint_eq(corrected_counts_sum(c, DEVICE, 0x1000, PAGE_SIZE_DEFAULT, 0, NULL, NULL),
			  PAGE_CORRECTED_MAX);
	ck_assert_uint_eq(
		corrected_counts_sum(c, DEVICE, 0x1000, PAGE_SIZE_DEFAULT, 990, NULL, NULL), 10);
	ck_assert_uint_eq(
		corrected_counts_sum(c, "cxl-other", 0x1000, PAGE_SIZE_DEFAULT, 0, NULL, NULL), 0);
	ck_assert_uint_eq(corrected_counts_sum(c, DEVICE, 0x2000, PAGE_SIZE_DEFAULT, 0, NULL, NULL),
			  0);
	for (uint64_t i = 1; i <= CORRECTED_PLACES_MAX; i++)
		corrected_counts_add(c, DEVICE, 0x1000 + i * 0x1000, i);
	ck_assert_uint_eq(corrected_counts_sum(c, DEVICE, 0x1000, PAGE_SIZE_DEFAULT, 0, NULL, NULL),
			  0);
	c = corrected_counts_free(c);
}
END_TEST

SUITE(check_page_policy)
{
	Suite *s = suite_create("page policy");
	TCase *t = tcase_create("policy");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 300);
	tcase_add_test(t, an_uncorrectable_error_takes_its_page_out);
	tcase_add_test(t, a_page_with_lost_data_is_not_read_when_it_is_put_out_again);
	tcase_add_test(t, poison_takes_all_pages_of_its_range_out);
	tcase_add_test(t, the_threshold_flag_of_the_device_takes_a_page_out);
	tcase_add_test(t, corrected_errors_of_one_page_are_counted);
	tcase_add_test(t, corrected_errors_of_a_page_of_64_kib_are_counted);
	tcase_add_test(t, without_a_number_corrected_errors_take_nothing_out);
	tcase_add_test(t, repeated_errors_of_one_page_take_it_out_once);
	tcase_add_test(t, an_event_that_proves_nothing_takes_nothing_out);
	tcase_add_test(t, another_clock_of_the_trace_instance_is_shown_until_it_is_boot);
	tcase_add_test(t, an_address_that_is_not_exact_is_reported_once);
	tcase_add_test(t, observe_reports_and_does_nothing);
	tcase_add_test(t, entries_from_before_it_was_switched_on_take_nothing_out);
	tcase_add_test(t, a_restart_forgets_no_entry_and_decides_about_none_twice);
	tcase_add_test(t, entries_of_a_log_that_was_replaced_take_nothing_out);
	tcase_add_test(t, without_a_database_nothing_is_taken_out);
	tcase_add_test(t, over_the_limit_of_the_hour_nothing_is_taken_out);
	tcase_add_test(t, a_page_that_is_busy_is_tried_again_but_not_for_ever);
	tcase_add_test(t, further_decisions_of_an_hour_are_reported_by_their_number);
	tcase_add_test(t, pages_that_are_due_together_are_one_request);
	tcase_add_test(t, pages_beyond_one_request_are_the_next);
	tcase_add_test(t, limits_count_each_page_of_a_request);
	tcase_add_test(t, a_page_that_is_refused_does_not_hold_up_the_others);
	tcase_add_test(t, a_page_that_is_refused_leaves_its_place_in_a_block);
	tcase_add_test(t, entries_of_a_page_of_64_kib_have_one_place_in_a_block);
	tcase_add_test(t, pages_that_are_busy_are_tried_again_together);
	tcase_add_test(t, a_page_with_lost_data_is_lost_for_all_of_a_request);
	tcase_add_test(t, entries_whose_request_was_not_sent_are_decided_about_later);
	suite_add_tcase(s, t);
	t = tcase_create("rule");
	tcase_add_loop_test(t, a_number_of_corrected_errors_has_its_form, 0,
			    sizeof(texts) / sizeof(texts[0]));
	tcase_add_test(t, counts_forget_what_was_long_ago);
	suite_add_tcase(s, t);
	return s;
}
