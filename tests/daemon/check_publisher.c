// SPDX-License-Identifier: LGPL-2.1-or-later
/* The publisher: which posts make a view, in which order they are shown, and who is notified. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/clock.h"
#include "common/log.h"
#include "daemon/publisher.h"
#include "model/finding.h"
#include "redfish/resources/resources.h"
#include "redfish/view/condition_times.h"
#include "redfish/service/service.h"
#include "tests/lib/empty_host.h"
#include "tests/lib/failing_calloc.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

enum { HELD_MS = 100, SEEN_MAX = 16 };

static sd_event *event;
static struct service *service;
static struct publisher *publisher;
static struct view_holder *holder;
static struct empty_host hosts[2];

/* The arguments of a listener's calls. */
static struct seen {
	const struct view *before, *now, *current; /* @current: what a request would see */
	unsigned int changed;
	bool after;
	bool waited_for; /* whether those who wait for `awaited` would go on */
} seen[SEEN_MAX];
static size_t n_seen, n_views;
static struct view_generation awaited;

static void note(const struct view *before, const struct view *now, unsigned int changed,
		 bool after)
{
	ck_assert_uint_lt(n_seen, SEEN_MAX);
	seen[n_seen++] = (struct seen){before,	now,   publisher_view(publisher),
				       changed, after, view_holder_has(holder, awaited)};
}

static void on_before_swap(void *userdata, const struct view *before, const struct view *now,
			   unsigned int changed)
{
	ck_assert_ptr_eq(userdata, &seen);
	n_views++;
	note(before, now, changed, false);
}

static void on_after_swap(void *userdata, const struct view *before, const struct view *now,
			  unsigned int changed)
{
	ck_assert_ptr_eq(userdata, &seen);
	note(before, now, changed, true);
}

static void setup(void)
{
	const struct publisher_listener listener = {
		.before_swap = on_before_swap, .after_swap = on_after_swap, .userdata = &seen};

	log_setup("check_publisher", LOG_LEVEL_ERR);
	for (int i = 0; i < 2; i++)
		empty_host_init(&hosts[i]);
	ck_assert_int_ge(sd_event_new(&event), 0);
	ck_assert_int_eq(service_new(NULL, &service_limits_default, &service, NULL), 0);
	holder = service->view_holder;
	ck_assert_int_eq(publisher_new(event, holder, &redfish_resources, &publisher, NULL), 0);
	ck_assert_int_eq(publisher_listen(publisher, &listener), 0);
	n_views = n_seen = 0;
	calloc_set(CALLOC_WORKS);
}

static void teardown(void)
{
	publisher = publisher_free(publisher);
	service = service_free(service);
	event = sd_event_unref(event);
	for (int i = 0; i < 2; i++)
		empty_host_done(&hosts[i]);
}

static const struct view *shown(void)
{
	return publisher_view(publisher);
}

static uint64_t post_host(int which)
{
	return empty_host_post(&hosts[which], publisher);
}

/* A text, as if it was read from a host. */
static uint64_t post_note_of(const char *text, const struct host *read_from, uint64_t number)
{
	struct publisher_post post = {
		.inputs = VIEW_INPUT_BIT(VIEW_INPUT_SERVICE_FAULTS),
		.read_from = read_from,
		.number = number,
	};

	(void)snprintf(post.values.service_faults.text[SERVICE_FAULT_STATE], SERVICE_FAULT_TEXT_MAX,
		       "%s", text);
	return publisher_post(publisher, &post);
}

static uint64_t post_note(const char *text)
{
	return post_note_of(text, hosts[0].host, 0);
}

static const char *shown_note(void)
{
	return shown()->inputs.service_faults.text[SERVICE_FAULT_STATE];
}

static uint64_t post_fault(const char *text)
{
	struct publisher_post post = {.inputs = VIEW_INPUT_BIT(VIEW_INPUT_RECORDING_FAULTS)};

	(void)snprintf(post.values.recording_faults.text[RECORDING_FAULT_LOST],
		       RECORDING_FAULT_TEXT_MAX, "%s", text);
	return publisher_post(publisher, &post);
}

static const char *shown_fault(void)
{
	return shown()->inputs.recording_faults.text[RECORDING_FAULT_LOST];
}

static void run_loop(void)
{
	while (sd_event_run(event, 0) > 0)
		;
}

/* Shows the first host and forgets what that has led to. */
static void begin(void)
{
	ck_assert_uint_ne(post_host(0), 0);
	run_loop();
	ck_assert_ptr_nonnull(shown());
	n_views = n_seen = 0;
}

static bool has(enum view_input input, uint64_t number)
{
	return view_holder_has(holder, (struct view_generation){input, number});
}

/* ---- what makes a view ---- */

START_TEST(nothing_is_shown_before_the_first_topology)
{
	post_note_of("early", NULL, 0);
	run_loop();
	ck_assert_ptr_null(shown());
	ck_assert_uint_eq(n_views, 0);
	post_host(0);
	run_loop();
	ck_assert_ptr_eq(shown()->host, hosts[0].host);
	ck_assert_str_eq(shown_note(), "early");
	ck_assert_uint_eq(n_views, 1);
	ck_assert_ptr_null(seen[0].before);
}
END_TEST

START_TEST(post_is_shown_by_the_loop)
{
	begin();
	post_fault("3");
	ck_assert_str_eq(shown_fault(), "");
	run_loop();
	ck_assert_str_eq(shown_fault(), "3");
}
END_TEST

START_TEST(post_is_shown_at_once_by_run)
{
	post_host(0);
	ck_assert_int_eq(publisher_run(publisher, NULL), 0);
	ck_assert_ptr_eq(shown()->host, hosts[0].host);
	run_loop();
	ck_assert_uint_eq(n_views, 1);
}
END_TEST

START_TEST(posts_before_a_turn_of_the_loop_are_one_view)
{
	begin();
	for (int i = 0; i < 100; i++) {
		char text[16];

		(void)snprintf(text, sizeof(text), "%d", i);
		post_note(text);
		post_fault(text);
	}
	run_loop();
	ck_assert_uint_eq(n_views, 1);
	ck_assert_str_eq(shown_note(), "99");
	ck_assert_str_eq(shown_fault(), "99");
}
END_TEST

START_TEST(input_keeps_its_value_while_others_change)
{
	begin();
	post_note("a");
	run_loop();
	post_fault("b");
	run_loop();
	post_host(1);
	run_loop();
	ck_assert_ptr_eq(shown()->host, hosts[1].host);
	ck_assert_str_eq(shown_note(), "a");
	ck_assert_str_eq(shown_fault(), "b");
}
END_TEST

START_TEST(conditions_keep_their_times_from_view_to_view)
{
	const char *const key = finding_row(FINDING_EVENTS_LOST)->message.key;
	const uint64_t begun_ns = clock_realtime_ns();
	uint64_t since_ns;

	begin();
	ck_assert_uint_eq(condition_since(shown()->times, key, "host"), 0);
	post_fault("3");
	run_loop();
	since_ns = condition_since(shown()->times, key, "host");
	ck_assert_uint_ge(since_ns, begun_ns);
	ck_assert_uint_le(since_ns, clock_realtime_ns());
	post_fault("4");
	run_loop();
	ck_assert_uint_eq(condition_since(shown()->times, key, "host"), since_ns);
}
END_TEST

START_TEST(equal_value_makes_no_view)
{
	const struct view *v;
	uint64_t number;

	begin();
	post_note("a");
	run_loop();
	v = shown();
	n_views = 0;
	number = post_note("a");
	ck_assert(!has(VIEW_INPUT_SERVICE_FAULTS, number));
	run_loop();
	ck_assert_uint_eq(n_views, 0);
	ck_assert_ptr_eq(shown(), v);
	/* It is shown already. */
	ck_assert(has(VIEW_INPUT_SERVICE_FAULTS, number));
}
END_TEST

START_TEST(value_that_changes_back_makes_no_view)
{
	begin();
	post_note("a");
	run_loop();
	n_views = 0;
	post_note("b");
	post_note("a");
	run_loop();
	ck_assert_uint_eq(n_views, 0);
	ck_assert_str_eq(shown_note(), "a");
}
END_TEST

START_TEST(counters_of_firmware_make_no_view)
{
	struct publisher_post post = {.inputs = VIEW_INPUT_BIT(VIEW_INPUT_FIRMWARE)};

	begin();
	(void)snprintf(post.values.firmware.text, sizeof(post.values.firmware.text), "slow: 1 s");
	post.values.firmware.state = FIRMWARE_SLOW;
	publisher_post(publisher, &post);
	run_loop();
	ck_assert_uint_eq(n_views, 1);
	post.values.firmware.calls = 9;
	publisher_post(publisher, &post);
	run_loop();
	ck_assert_uint_eq(n_views, 1);
	post.values.firmware.n_failing = 1;
	publisher_post(publisher, &post);
	run_loop();
	ck_assert_uint_eq(n_views, 2);
}
END_TEST

/* ---- hosts ---- */

START_TEST(values_read_from_an_older_host_are_dropped)
{
	begin();
	post_note("first");
	post_host(1);
	ck_assert_uint_eq(post_note("late"), 0);
	run_loop();
	ck_assert_ptr_eq(shown()->host, hosts[1].host);
	ck_assert_str_eq(shown_note(), "first");
	ck_assert_uint_ne(post_note_of("second", hosts[1].host, 0), 0);
	run_loop();
	ck_assert_str_eq(shown_note(), "second");
}
END_TEST

START_TEST(values_posted_together_are_shown_together)
{
	struct publisher_post post = {
		.values = {.host = hosts[1].host, .translator = hosts[1].translator},
		.inputs = VIEW_INPUT_BIT(VIEW_INPUT_TOPOLOGY) | VIEW_INPUT_BIT(VIEW_INPUT_FIRMWARE),
	};

	begin();
	post.values.firmware.state = FIRMWARE_WEDGED;
	publisher_post(publisher, &post);
	run_loop();
	ck_assert_uint_eq(n_views, 1);
	ck_assert_ptr_eq(shown()->host, hosts[1].host);
	ck_assert_int_eq(shown()->inputs.firmware.state, FIRMWARE_WEDGED);
	ck_assert_uint_eq(seen[1].changed, post.inputs);
}
END_TEST

START_TEST(latest_values_are_those_posted_last)
{
	struct view_inputs latest;

	begin();
	post_host(1);
	post_note_of("a", hosts[1].host, 0);
	publisher_latest(publisher, &latest);
	ck_assert_ptr_eq(latest.host, hosts[1].host);
	ck_assert_ptr_eq(latest.translator, hosts[1].translator);
	ck_assert_str_eq(latest.service_faults.text[SERVICE_FAULT_STATE], "a");
	ck_assert_ptr_eq(shown()->host, hosts[0].host);
	view_inputs_done(&latest);
}
END_TEST

/* ---- listeners ---- */

START_TEST(listeners_get_both_views_before_and_after_the_swap)
{
	const struct view *before;

	begin();
	before = view_ref(shown());
	post_note("a");
	run_loop();
	ck_assert_uint_eq(n_seen, 2);
	for (size_t i = 0; i < n_seen; i++) {
		ck_assert_ptr_eq(seen[i].before, before);
		ck_assert_ptr_eq(seen[i].now, shown());
		ck_assert_uint_eq(seen[i].changed, VIEW_INPUT_BIT(VIEW_INPUT_SERVICE_FAULTS));
		ck_assert_int_eq(seen[i].after, i == 1);
	}
	ck_assert_ptr_eq(seen[0].current, before);
	ck_assert_ptr_eq(seen[1].current, shown());
	(void)view_unref(before);
}
END_TEST

START_TEST(views_are_numbered_in_the_order_of_the_posts)
{
	uint64_t before, number;

	begin();
	for (int i = 0; i < 4; i++) {
		before = shown()->generation;
		number = i % 2 ? post_host(1 - i / 2) : post_fault(i ? "1" : "2");
		run_loop();
		ck_assert_uint_gt(shown()->generation, before);
		ck_assert_uint_ge(shown()->generation, number);
	}
}
END_TEST

/* Posts from a listener are for the next view. */
static void post_again(void *userdata, const struct view *before, const struct view *now,
		       unsigned int changed)
{
	(void)userdata;
	(void)before;
	(void)now;
	if (changed & VIEW_INPUT_BIT(VIEW_INPUT_SERVICE_FAULTS))
		post_fault("from a listener");
}

START_TEST(listener_may_post)
{
	begin();
	ck_assert_int_eq(
		publisher_listen(publisher, &(struct publisher_listener){.after_swap = post_again}),
		0);
	post_note("a");
	run_loop();
	ck_assert_uint_eq(n_views, 2);
	ck_assert_str_eq(shown_fault(), "from a listener");
}
END_TEST

/* ---- failure ---- */

START_TEST(view_that_cannot_be_composed_leaves_the_old_one)
{
	const struct view *v;
	struct error e;
	uint64_t number;

	begin();
	v = shown();
	calloc_set(CALLOC_FAILS_HERE);
	number = post_host(1);
	ck_assert_int_eq(publisher_run(publisher, &e), -ENOMEM);
	ck_assert_ptr_eq(shown(), v);
	ck_assert_uint_eq(n_seen, 0);
	ck_assert(!has(VIEW_INPUT_TOPOLOGY, number));
	/* The values are not lost. */
	calloc_set(CALLOC_WORKS);
	post_fault("");
	run_loop();
	ck_assert_ptr_eq(shown()->host, hosts[1].host);
	ck_assert(has(VIEW_INPUT_TOPOLOGY, number));
	ck_assert_uint_eq(seen[1].changed, VIEW_INPUT_BIT(VIEW_INPUT_TOPOLOGY));
}
END_TEST

START_TEST(view_that_cannot_be_composed_is_tried_again_without_a_post)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;
	struct error e;
	uint64_t number;
	size_t n;

	begin();
	calloc_set(CALLOC_FAILS_HERE);
	number = post_host(1);
	ck_assert_int_eq(publisher_run(publisher, &e), -ENOMEM);
	n = calloc_failures();
	while (calloc_failures() < n + 2 && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	calloc_set(CALLOC_WORKS);
	while (!has(VIEW_INPUT_TOPOLOGY, number) && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert_ptr_eq(shown()->host, hosts[1].host);
	/* Then there is nothing to repeat. */
	ck_assert_int_eq(sd_event_run(event, PUBLISHER_RETRY_MS * 1500), 0);
}
END_TEST

/* ---- waiting ---- */

struct waiter {
	pthread_t thread;
	struct view_generation at_least;
	unsigned int wait_ms;
	int result;
	uint64_t generation; /* of the view that the waiter finds then */
};

static void *waiter_thread(void *userdata)
{
	struct waiter *w = userdata;
	struct view_hold *hold;

	w->result = view_holder_wait(holder, w->at_least, clock_monotonic_ms() + w->wait_ms);
	hold = view_holder_take(holder);
	w->generation = view_of_hold(hold)->generation;
	(void)view_hold_release(hold);
	return NULL;
}

static void waiter_start(struct waiter *w, enum view_input input, uint64_t number)
{
	w->at_least = (struct view_generation){.input = input, .number = number};
	ck_assert_int_eq(pthread_create(&w->thread, NULL, waiter_thread, w), 0);
}

static void waiter_join(struct waiter *w)
{
	ck_assert_int_eq(pthread_join(w->thread, NULL), 0);
}

START_TEST(waiter_finds_the_view_with_the_value)
{
	struct waiter w = {.wait_ms = WAIT_MAX_MS};
	uint64_t number;

	begin();
	number = post_note("a");
	waiter_start(&w, VIEW_INPUT_SERVICE_FAULTS, number);
	(void)usleep(HELD_MS * 1000);
	run_loop();
	waiter_join(&w);
	ck_assert_int_eq(w.result, 0);
	ck_assert_uint_ge(w.generation, number);
}
END_TEST

/* A change ends its task then: the events about the resources that it has changed come before. */
START_TEST(waiters_go_on_after_the_listeners)
{
	begin();
	awaited = (struct view_generation){VIEW_INPUT_SERVICE_FAULTS, post_note("a")};
	run_loop();
	ck_assert_uint_eq(n_seen, 2);
	ck_assert(seen[1].after);
	ck_assert_ptr_eq(seen[1].current, seen[1].now);
	ck_assert(!seen[1].waited_for);
	ck_assert(view_holder_has(holder, awaited));
}
END_TEST

START_TEST(wait_for_a_shown_generation_returns_at_once)
{
	uint64_t number;

	begin();
	number = post_note("a");
	run_loop();
	ck_assert_int_eq(
		view_holder_wait(holder,
				 (struct view_generation){VIEW_INPUT_SERVICE_FAULTS, number}, 0),
		0);
}
END_TEST

START_TEST(values_begun_earlier_do_not_take_a_number_back)
{
	uint64_t number;

	begin();
	number = post_note("a");
	post_note_of("b", hosts[0].host, 1);
	run_loop();
	ck_assert_str_eq(shown_note(), "b");
	ck_assert(has(VIEW_INPUT_SERVICE_FAULTS, number));
}
END_TEST

START_TEST(wait_ends_at_its_deadline)
{
	const uint64_t begun = clock_monotonic_ms();
	struct waiter w = {.wait_ms = HELD_MS};

	begin();
	waiter_start(&w, VIEW_INPUT_SERVICE_FAULTS, publisher_next_number(publisher));
	/* Another input does not satisfy it, nor does a value that was begun before. */
	post_fault("1");
	post_note_of("a", hosts[0].host, 1);
	run_loop();
	waiter_join(&w);
	ck_assert_int_eq(w.result, -ETIMEDOUT);
	ck_assert_uint_ge(clock_monotonic_ms() - begun, HELD_MS);
}
END_TEST

START_TEST(wait_ends_at_shutdown)
{
	struct waiter w = {.wait_ms = WAIT_MAX_MS};

	begin();
	waiter_start(&w, VIEW_INPUT_SERVICE_FAULTS, publisher_next_number(publisher));
	(void)usleep(HELD_MS * 1000);
	view_holder_cancel_waits(holder);
	waiter_join(&w);
	ck_assert_int_eq(w.result, -ECANCELED);
}
END_TEST

static const char *requested_memdev;

static uint64_t on_request(void *userdata, const char *memdev)
{
	ck_assert_ptr_eq(userdata, &requested_memdev);
	requested_memdev = memdev;
	return publisher_next_number(publisher);
}

START_TEST(request_reaches_the_producer_of_the_input)
{
	struct view_generation g;

	begin();
	publisher_set_producer(publisher, VIEW_INPUT_SERVICE_FAULTS, on_request, &requested_memdev);
	ck_assert_int_eq(view_holder_request(holder, VIEW_INPUT_SERVICE_FAULTS, "mem1", &g), 0);
	ck_assert_str_eq(requested_memdev, "mem1");
	ck_assert_int_eq(g.input, VIEW_INPUT_SERVICE_FAULTS);
	ck_assert(!view_holder_has(holder, g));
	post_note_of("a", hosts[0].host, publisher_last_number(publisher));
	run_loop();
	ck_assert(view_holder_has(holder, g));
}
END_TEST

START_TEST(input_without_producer_cannot_be_requested)
{
	struct view_generation g;

	ck_assert_int_eq(view_holder_request(holder, VIEW_INPUT_TOPOLOGY, NULL, &g), -EOPNOTSUPP);
	publisher_set_producer(publisher, VIEW_INPUT_TOPOLOGY, on_request, &requested_memdev);
	ck_assert_int_eq(view_holder_request(holder, VIEW_INPUT_TOPOLOGY, NULL, &g), 0);
	publisher_set_producer(publisher, VIEW_INPUT_TOPOLOGY, NULL, NULL);
	ck_assert_int_eq(view_holder_request(holder, VIEW_INPUT_TOPOLOGY, NULL, &g), -EOPNOTSUPP);
	publisher = publisher_free(publisher);
	ck_assert_int_eq(view_holder_request(holder, VIEW_INPUT_SERVICE_FAULTS, NULL, &g),
			 -EOPNOTSUPP);
}
END_TEST

/* ---- many threads ---- */

enum { POSTERS = 4, POSTS = 200 };

struct poster {
	pthread_t thread;
	char name;
	_Atomic uint64_t last; /* number of its last post, 0 before that */
};

static void *poster_thread(void *userdata)
{
	struct poster *p = userdata;
	uint64_t number = 0;
	char text[32];

	for (int i = 0; i < POSTS; i++) {
		(void)snprintf(text, sizeof(text), "%c %d", p->name, i);
		number = post_fault(text);
	}
	p->last = number;
	return NULL;
}

/* Each thread's posts are shown in its order, and the very last one is what remains. */
START_TEST(posts_of_many_threads_are_shown_in_their_order)
{
	struct poster posters[POSTERS] = {
		{.name = 'a'}, {.name = 'b'}, {.name = 'c'}, {.name = 'd'}};
	int shown_post[POSTERS] = {0}, last = 0;

	begin();
	for (int i = 0; i < POSTERS; i++)
		ck_assert_int_eq(
			pthread_create(&posters[i].thread, NULL, poster_thread, &posters[i]), 0);
	for (int i = 0; i < POSTERS; i++) {
		while (!posters[i].last || !has(VIEW_INPUT_RECORDING_FAULTS, posters[i].last)) {
			int post, *before;

			ck_assert_int_ge(sd_event_run(event, 10000), 0);
			n_seen = 0;
			if (!shown_fault()[0])
				continue;
			before = &shown_post[shown_fault()[0] - 'a'];
			post = atoi(shown_fault() + 2);
			ck_assert_int_ge(post, *before);
			*before = post;
		}
		ck_assert_int_eq(pthread_join(posters[i].thread, NULL), 0);
		if (posters[i].last > posters[last].last)
			last = i;
	}
	ck_assert_int_eq(shown_fault()[0], posters[last].name);
	ck_assert_int_eq(atoi(shown_fault() + 2), POSTS - 1);
}
END_TEST

SUITE(check_publisher)
{
	Suite *s = suite_create("publisher");
	TCase *t = tcase_create("publisher");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, nothing_is_shown_before_the_first_topology);
	tcase_add_test(t, post_is_shown_by_the_loop);
	tcase_add_test(t, post_is_shown_at_once_by_run);
	tcase_add_test(t, posts_before_a_turn_of_the_loop_are_one_view);
	tcase_add_test(t, input_keeps_its_value_while_others_change);
	tcase_add_test(t, conditions_keep_their_times_from_view_to_view);
	tcase_add_test(t, equal_value_makes_no_view);
	tcase_add_test(t, value_that_changes_back_makes_no_view);
	tcase_add_test(t, counters_of_firmware_make_no_view);
	tcase_add_test(t, values_read_from_an_older_host_are_dropped);
	tcase_add_test(t, values_posted_together_are_shown_together);
	tcase_add_test(t, latest_values_are_those_posted_last);
	tcase_add_test(t, listeners_get_both_views_before_and_after_the_swap);
	tcase_add_test(t, views_are_numbered_in_the_order_of_the_posts);
	tcase_add_test(t, listener_may_post);
	tcase_add_test(t, view_that_cannot_be_composed_leaves_the_old_one);
	tcase_add_test(t, view_that_cannot_be_composed_is_tried_again_without_a_post);
	tcase_add_test(t, waiter_finds_the_view_with_the_value);
	tcase_add_test(t, waiters_go_on_after_the_listeners);
	tcase_add_test(t, wait_for_a_shown_generation_returns_at_once);
	tcase_add_test(t, values_begun_earlier_do_not_take_a_number_back);
	tcase_add_test(t, wait_ends_at_its_deadline);
	tcase_add_test(t, wait_ends_at_shutdown);
	tcase_add_test(t, request_reaches_the_producer_of_the_input);
	tcase_add_test(t, input_without_producer_cannot_be_requested);
	tcase_add_test(t, posts_of_many_threads_are_shown_in_their_order);
	suite_add_tcase(s, t);
	return s;
}
