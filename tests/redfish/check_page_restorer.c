// SPDX-License-Identifier: LGPL-2.1-or-later
/* The thread that puts remembered pages out of use again: when it does, and that it ends. */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/allow.h"
#include "daemon/page_restorer.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

static struct fixture f;
static char directory[64], path[96];
static struct state *state;
static struct page_client *client;
static struct page_keeper *keeper;
static struct publisher *publisher;
static struct page_restorer *restorer;
static sd_event *event;
static struct error error;

/* ---- the page helper --------------------------------------------------------------------------
 */

static atomic_uint n_runs, hold, may;
static atomic_ullong last_spa;

static void run(void *userdata, const struct page_request *requests, size_t n,
		struct page_result *ret)
{
	(void)userdata;
	(void)ret; /* zeros: done */
	while (atomic_load(&hold))
		(void)usleep(1000);
	atomic_store(&last_spa, requests[n - 1].spa);
	atomic_fetch_add(&n_runs, 1);
}

static unsigned int allowed(void *userdata)
{
	(void)userdata;
	return atomic_load(&may);
}

static const struct page_client_ops ops = {.run = run, .allowed = allowed};

static void setup(void)
{
	static const uint8_t boot_id[REMEMBERED_BOOT_SIZE] = {7};

	atomic_store(&n_runs, 0);
	atomic_store(&hold, 0);
	atomic_store(&may, ALLOW_PAGES);
	(void)snprintf(directory, sizeof(directory), "/tmp/check_restorer.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/" STATE_FILE, directory);
	ck_assert_int_eq(state_new(path, &state, &error), 0);
	client = page_client_new(&ops, NULL);
	ck_assert_ptr_nonnull(client);
	ck_assert_int_eq(page_keeper_new(state, client, boot_id, &keeper), 0);
	fixture_init(&f, NULL);
	ck_assert_int_ge(sd_event_new(&event), 0);
	ck_assert_int_eq(publisher_new(event, f.service->view_holder, f.table, &publisher, &error),
			 0);
}

static void teardown(void)
{
	char command[96];

	atomic_store(&hold, 0);
	ck_assert(page_restorer_stop(restorer, WAIT_MAX_MS));
	publisher = publisher_free(publisher);
	restorer = page_restorer_free(restorer);
	fixture_done(&f);
	event = sd_event_unref(event);
	keeper = page_keeper_free(keeper);
	client = page_client_free(client);
	state = state_free(state);
	(void)snprintf(command, sizeof(command), "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}

/* As after a walk: a translator of its own. */
static void show_topology(void)
{
	struct publisher_post post = {.inputs = VIEW_INPUT_BIT(VIEW_INPUT_TOPOLOGY)};

	post.values.host = &f.model.host;
	ck_assert_int_eq(translator_new(post.values.host, NULL, &post.values.translator, NULL), 0);
	(void)publisher_post(publisher, &post);
	(void)translator_unref(post.values.translator);
	ck_assert_int_eq(publisher_run(publisher, &error), 0);
}

static void remember(const char *device)
{
	struct remembered_page p = {.dpa = 0, .length = REMEMBERED_LINE};
	const struct remembered_pages list = {.items = &p, .n = 1};
	size_t n;

	(void)snprintf(p.device, sizeof(p.device), "%s", device);
	ck_assert_int_eq(state_import_pages(state, &list, 9, &n, &error), 0);
}

static void start(void)
{
	show_topology();
	ck_assert_int_eq(page_restorer_new(publisher, keeper, &restorer, &error), 0);
}

static uint32_t state_now(void)
{
	struct remembered_page p;

	ck_assert_int_eq(state_read_page(state, 1, &p, &error), 0);
	return p.state;
}

START_TEST(pages_go_out_at_the_start_and_with_each_topology)
{
	remember("cxl-000000000000abc0");
	start();
	WAIT_UNTIL(atomic_load(&n_runs) == 1);
	WAIT_UNTIL(state_now() == REMEMBERED_OUT);
	ck_assert_uint_eq(atomic_load(&last_spa), MODEL_WINDOW_BASE);
	show_topology();
	WAIT_UNTIL(atomic_load(&n_runs) == 2);
}
END_TEST

START_TEST(a_list_of_another_machine_takes_nothing_out)
{
	remember("cxl-000000000000dddd");
	start();
	remember("cxl-000000000000abc0");
	show_topology();
	/* The one of this machine alone. */
	WAIT_UNTIL(atomic_load(&n_runs) >= 1);
	ck_assert_uint_eq(state_now(), REMEMBERED_KNOWN);
}
END_TEST

START_TEST(the_end_does_not_wait_for_a_helper_that_hangs)
{
	remember("cxl-000000000000abc0");
	atomic_store(&hold, 1);
	start();
	WAIT_UNTIL(state_now() == REMEMBERED_RESERVED);
	ck_assert(!page_restorer_stop(restorer, 1));
	atomic_store(&hold, 0);
	ck_assert(page_restorer_stop(restorer, WAIT_MAX_MS));
	ck_assert_uint_eq(state_now(), REMEMBERED_OUT);
}
END_TEST

START_TEST(a_database_that_was_removed_is_no_end)
{
	remember("cxl-000000000000abc0");
	ck_assert_int_eq(unlink(path), 0);
	start();
	show_topology();
	ck_assert(page_restorer_stop(restorer, WAIT_MAX_MS));
	ck_assert_uint_eq(atomic_load(&n_runs), 0);
}
END_TEST

SUITE(check_page_restorer)
{
	Suite *s = suite_create("page restorer");
	TCase *t = tcase_create("restorer");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 300);
	tcase_add_test(t, pages_go_out_at_the_start_and_with_each_topology);
	tcase_add_test(t, a_list_of_another_machine_takes_nothing_out);
	tcase_add_test(t, the_end_does_not_wait_for_a_helper_that_hangs);
	tcase_add_test(t, a_database_that_was_removed_is_no_end);
	suite_add_tcase(s, t);
	return s;
}
