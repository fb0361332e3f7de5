// SPDX-License-Identifier: LGPL-2.1-or-later
/* The permission to change the host as the daemon shows it, and the times when it asks the helper.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include <check.h>

#include "common/allow.h"
#include "common/clock.h"
#include "common/log.h"
#include "daemon/change_poller.h"
#include "redfish/service/service.h"
#include "tests/lib/empty_host.h"
#include "tests/lib/publisher_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

enum {
	NEVER_S = 3600,
};

static struct empty_host host;
static sd_event *event;
static struct service *service;
static struct publisher *publisher;
static struct change_client *client;
static struct poller *poller;
static atomic_uint allowed;
static struct page_client *pages;
static atomic_uint helper_allows, pages_allow, n_asked;
static atomic_bool hangs;

static int no_run(void *userdata, const struct change_call *call, struct change_result *ret)
{
	(void)userdata, (void)call;
	return change_result_set(ret, 1, CHANGE_REFUSED, "not here");
}

static unsigned int count_asked(void *userdata)
{
	(void)userdata;
	atomic_fetch_add(&n_asked, 1);
	while (atomic_load(&hangs))
		(void)usleep(1000);
	return atomic_load(&helper_allows);
}

static unsigned int get_pages_allowed(void *userdata)
{
	(void)userdata;
	return atomic_load(&pages_allow);
}

static void setup(void)
{
	static const struct change_client_ops ops = {no_run, count_asked, NULL};
	static const struct page_client_ops page_ops = {.allowed = get_pages_allowed};

	empty_host_init(&host);
	publisher_setup(&event, &service, &publisher);
	ck_assert_uint_ne(empty_host_post(&host, publisher), 0);
	ck_assert_int_eq(publisher_run(publisher, NULL), 0);
	client = change_client_new(&ops, NULL);
	ck_assert_ptr_nonnull(client);
	pages = page_client_new(&page_ops, NULL);
	ck_assert_ptr_nonnull(pages);
}

static void teardown(void)
{
	atomic_store(&hangs, false);
	ck_assert(poller_free(poller, WAIT_MAX_MS));
	client = change_client_free(client);
	pages = page_client_free(pages);
	publisher_teardown(&event, &service, &publisher);
	empty_host_done(&host);
}

static void start(unsigned int bits)
{
	atomic_store(&allowed, bits);
	ck_assert_int_eq(
		change_poller_new(publisher, client, pages, NEVER_S, &allowed, &poller, NULL), 0);
}

static const struct changes_allowed *shown(void)
{
	ck_assert_int_eq(publisher_run(publisher, NULL), 0);
	return &publisher_view(publisher)->inputs.changes_allowed;
}

static void wait_shown(unsigned int configured, unsigned int helper)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;

	while (shown()->configured != configured || shown()->helper != helper) {
		ck_assert_uint_lt(clock_monotonic_ms(), until);
		(void)usleep(1000);
	}
}

/* Until a poll that begins now has ended. */
static void wait_polled(void)
{
	struct view_holder *holder = service->view_holder;
	struct view_generation polled;

	ck_assert_int_eq(view_holder_request(holder, VIEW_INPUT_CHANGES_ALLOWED, NULL, &polled), 0);
	WAIT_UNTIL(shown() && view_holder_has(holder, polled));
}

START_TEST(the_first_view_has_what_is_allowed)
{
	helper_allows = ALLOW_REGIONS | ALLOW_MEMORY;
	start(ALLOW_REGIONS | ALLOW_MEMORY | ALLOW_FABRIC);
	/* Usually at once; on a machine that is slow, soon. */
	wait_shown(ALLOW_REGIONS | ALLOW_MEMORY, ALLOW_REGIONS | ALLOW_MEMORY);
	(void)usleep(3 * CHANGE_RETRY_MS * 1000);
	ck_assert_uint_eq(n_asked, 1);
}
END_TEST

START_TEST(a_helper_is_not_asked_while_nothing_is_allowed)
{
	helper_allows = ALLOW_HOST;
	start(ALLOW_FABRIC);
	wait_polled();
	ck_assert_uint_eq(shown()->configured, 0);
	ck_assert_uint_eq(n_asked, 0);
	atomic_store(&allowed, ALLOW_POISON);
	(void)poller_request(poller, NULL);
	wait_shown(ALLOW_POISON, ALLOW_HOST);
	atomic_store(&allowed, 0);
	(void)poller_request(poller, NULL);
	wait_shown(0, 0);
	ck_assert_uint_eq(n_asked, 1);
}
END_TEST

START_TEST(a_helper_that_comes_or_allows_more_later_is_noticed_soon)
{
	start(ALLOW_REGIONS);
	wait_shown(ALLOW_REGIONS, 0);
	atomic_store(&helper_allows, ALLOW_MEMORY);
	wait_shown(ALLOW_REGIONS, ALLOW_MEMORY);
	atomic_store(&helper_allows, ALLOW_REGIONS);
	wait_shown(ALLOW_REGIONS, ALLOW_REGIONS);
}
END_TEST

START_TEST(a_request_asks_again_and_shows_a_helper_that_has_gone)
{
	struct view_generation shown_by;
	int r;

	helper_allows = ALLOW_HOST;
	start(ALLOW_REGIONS);
	wait_shown(ALLOW_REGIONS, ALLOW_HOST);
	atomic_store(&helper_allows, 0);
	r = view_holder_request(service->view_holder, VIEW_INPUT_CHANGES_ALLOWED, NULL, &shown_by);
	ck_assert_int_eq(r, 0);
	wait_shown(ALLOW_REGIONS, 0);
}
END_TEST

START_TEST(a_helper_that_hangs_delays_neither_start_nor_end)
{
	/* Both return, although the helper does not answer. */
	atomic_store(&hangs, true);
	start(ALLOW_REGIONS);
	ck_assert_uint_eq(shown()->configured, 0);
	WAIT_UNTIL(atomic_load(&n_asked) == 1);
	ck_assert(!poller_free(poller, 10));
}
END_TEST

START_TEST(the_page_helper_is_asked_for_pages_alone)
{
	helper_allows = ALLOW_HOST;
	start(ALLOW_PAGE_HELPER);
	wait_shown(ALLOW_PAGE_HELPER, 0);
	ck_assert_uint_eq(n_asked, 0);
	atomic_store(&pages_allow, ALLOW_PAGES);
	wait_shown(ALLOW_PAGE_HELPER, ALLOW_PAGES);
	atomic_store(&allowed, ALLOW_POISON | ALLOW_PAGES);
	(void)poller_request(poller, NULL);
	wait_shown(ALLOW_POISON | ALLOW_PAGES, ALLOW_HOST | ALLOW_PAGES);
}
END_TEST

SUITE(check_change_poller)
{
	Suite *suite = suite_create("change_poller");
	TCase *tc = tcase_create("change_poller");

	log_setup("check_change_poller", LOG_LEVEL_ERR);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, the_first_view_has_what_is_allowed);
	tcase_add_test(tc, a_helper_is_not_asked_while_nothing_is_allowed);
	tcase_add_test(tc, a_helper_that_comes_or_allows_more_later_is_noticed_soon);
	tcase_add_test(tc, a_request_asks_again_and_shows_a_helper_that_has_gone);
	tcase_add_test(tc, the_page_helper_is_asked_for_pages_alone);
	tcase_add_test(tc, a_helper_that_hangs_delays_neither_start_nor_end);
	suite_add_tcase(suite, tc);
	return suite;
}
