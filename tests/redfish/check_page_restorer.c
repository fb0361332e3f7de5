// SPDX-License-Identifier: LGPL-2.1-or-later
/* The thread that puts remembered pages out of use again: when it does, and that it ends. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/allow.h"
#include "common/clock.h"
#include "daemon/page_restorer.h"
#include "sysfs/dax_blocks.h"
#include "tests/lib/capture_util.h"
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

static atomic_uint n_begun, n_runs, n_asked, hold, may, error_of_all;
static atomic_ullong last_spa, last_serial;
static atomic_uint last_action, last_only_free, n_fences, cannot_fence;

static void run(void *userdata, const struct page_request *requests, size_t n,
		struct page_result *ret)
{
	(void)userdata;
	memset(ret, 0, n * sizeof(*ret)); /* done */
	for (size_t i = 0; i < n && atomic_load(&error_of_all); i++)
		(void)page_result_set(&ret[i], (int)atomic_load(&error_of_all), PAGE_REFUSED,
				      "It is not so.");
	atomic_fetch_add(&n_begun, 1);
	while (atomic_load(&hold))
		(void)usleep(1000);
	if (requests[0].action == PAGE_FENCE) {
		atomic_fetch_add(&n_fences, 1);
		if (atomic_load(&cannot_fence))
			(void)page_result_set(&ret[0], EBUSY, PAGE_REFUSED,
					      "It is of the kernel's zone.");
		return;
	}
	atomic_store(&last_spa, requests[n - 1].spa);
	atomic_store(&last_serial, requests[n - 1].serial);
	atomic_store(&last_action, requests[n - 1].action);
	atomic_store(&last_only_free, requests[n - 1].only_free);
	atomic_fetch_add(&n_runs, 1);
}

static unsigned int allowed(void *userdata)
{
	(void)userdata;
	atomic_fetch_add(&n_asked, 1);
	return atomic_load(&may);
}

static atomic_uint n_prepared;

static void prepare(void *userdata)
{
	(void)userdata;
	atomic_fetch_add(&n_prepared, 1);
}

static const struct page_client_ops ops = {.run = run, .allowed = allowed, .prepare = prepare};

/* ---- time ---- */

static atomic_bool time_passes; /* each wait of about an hour is over at once */
static atomic_uint n_idle;	/* such waits: nothing is left to be done */

int __real_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t);
int __wrap_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t);

int __wrap_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t)
{
	const uint64_t left_ms =
		(uint64_t)t->tv_sec * 1000 + (uint64_t)t->tv_nsec / 1000000 - clock_monotonic_ms();
	const bool is_hour = left_ms > 50 * 60 * 1000 && left_ms <= 60 * 60 * 1000;

	if (is_hour)
		atomic_fetch_add(&n_idle, 1);
	if (is_hour && atomic_load(&time_passes))
		return ETIMEDOUT;
	return __real_pthread_cond_timedwait(c, m, t);
}

static void setup(void)
{
	static const uint8_t boot_id[REMEMBERED_BOOT_SIZE] = {7};

	atomic_store(&time_passes, false);
	atomic_store(&n_idle, 0);
	atomic_store(&n_begun, 0);
	atomic_store(&n_runs, 0);
	atomic_store(&n_asked, 0);
	atomic_store(&error_of_all, 0);
	atomic_store(&n_prepared, 0);
	atomic_store(&n_fences, 0);
	atomic_store(&cannot_fence, 0);
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
	atomic_store(&time_passes, false);
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

static void remember_at(const char *device, uint64_t dpa, bool hard)
{
	struct remembered_page p = {.dpa = dpa, .length = REMEMBERED_LINE, .hard = hard};
	const struct remembered_pages list = {.items = &p, .n = 1};
	size_t n;

	(void)snprintf(p.device, sizeof(p.device), "%s", device);
	ck_assert_int_eq(state_import_pages(state, &list, 9, &n, &error), 0);
}

static void remember(const char *device)
{
	remember_at(device, 0, false);
}

static void start(void)
{
	show_topology();
	ck_assert_int_eq(
		page_restorer_new(publisher, f.service->view_holder, keeper, &restorer, &error), 0);
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

/* The first device is named by its slot then. */
static void set_serials(struct opt_u64 first, struct opt_u64 second)
{
	struct memdev *const d[] = {(struct memdev *)(uintptr_t)f.model.memdevs[0],
				    (struct memdev *)(uintptr_t)f.model.memdevs[1]};

	d[0]->serial = first;
	d[1]->serial = second;
}

START_TEST(a_device_without_a_serial_number_of_its_own_is_its_slot)
{
	const struct opt_u64 same = OPT_U64(7);

	set_serials(_i == 0   ? (struct opt_u64){0}
		    : _i == 1 ? OPT_U64(0)
			      : same,
		    _i == 2 ? same : OPT_U64(0xabc1));
	remember("0000-00-00.0");
	start();
	WAIT_UNTIL(atomic_load(&n_runs) == 1);
	ck_assert_uint_eq(atomic_load(&last_serial), 0);
	WAIT_UNTIL(state_now() == REMEMBERED_OUT);
}
END_TEST

START_TEST(a_device_with_a_serial_number_has_no_entries_of_its_slot)
{
	remember("0000-00-00.0");
	start();
	show_topology();
	WAIT_UNTIL(atomic_load(&n_prepared) >= 1);
	ck_assert_uint_eq(atomic_load(&n_runs), 0);
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

/* ---- blocks that come online ---- */

enum { MANY = PAGE_BATCH_MAX + 6 };

static void remember_many(const char *device)
{
	const struct page_limits limits = {
		.total = MANY, .block = MANY, .share_ppm = PAGE_LIMIT_SHARE_MAX};
	static struct remembered_page pages[MANY];
	const struct remembered_pages list = {.items = pages, .n = MANY};
	size_t n;

	page_keeper_set_limits(keeper, &limits);
	for (uint64_t i = 0; i < MANY; i++) {
		pages[i] = (struct remembered_page){.dpa = i * 0x10000, .length = REMEMBERED_LINE};
		(void)snprintf(pages[i].device, sizeof(pages[i].device), "%s", device);
	}
	ck_assert_int_eq(state_import_pages(state, &list, MANY, &n, &error), 0);
	ck_assert_uint_eq(n, MANY);
}

static size_t count_state(uint32_t wanted)
{
	struct remembered_pages list = {0};
	size_t n = 0;

	ck_assert_int_eq(state_read_pages(state, &list, &error), 0);
	for (size_t i = 0; i < list.n; i++)
		n += list.items[i].state == wanted;
	remembered_pages_done(&list);
	return n;
}

#define DEVICE	    "cxl-000000000000abc0"
#define FIRST_BLOCK (MODEL_WINDOW_BASE >> 27) /* of the smallest size, as the host has no file */

static void come_online(uint64_t block)
{
	const struct uevent e = {UEVENT_BLOCK_ONLINE, block, clock_monotonic_ns()};

	page_restorer_notify(restorer, &e);
}

/* Waits for the round of the start, with as many pages. */
static void start_with(unsigned int runs)
{
	start();
	WAIT_UNTIL(atomic_load(&n_runs) == runs);
	WAIT_UNTIL(state_now() == REMEMBERED_OUT);
}

/* Whenever the process ends then, all of them count as used. */
START_TEST(all_pages_of_a_block_are_reserved_before_the_first_request)
{
	remember_many(DEVICE);
	atomic_store(&error_of_all, ENXIO); /* their block is offline */
	start();
	WAIT_UNTIL(count_state(REMEMBERED_REFUSED) == MANY);
	atomic_store(&error_of_all, 0);
	atomic_store(&hold, 1);
	come_online(FIRST_BLOCK);
	WAIT_UNTIL(count_state(REMEMBERED_RESERVED) == MANY);
	atomic_store(&hold, 0);
	WAIT_UNTIL(count_state(REMEMBERED_OUT) == MANY);
	WAIT_UNTIL(page_keeper_online(keeper).blocks == 1);
	ck_assert_uint_eq(page_keeper_online(keeper).pages, MANY);
}
END_TEST

/* All of them are out in this boot. */
static void start_with_many(void)
{
	remember_many(DEVICE);
	start_with(2);
	WAIT_UNTIL(count_state(REMEMBERED_OUT) == MANY);
	ck_assert_uint_eq(atomic_load(&n_asked), 1);
}

START_TEST(pages_that_were_out_in_this_boot_count_as_used_without_a_reservation)
{
	start_with_many();
	atomic_store(&hold, 1);
	come_online(FIRST_BLOCK);
	WAIT_UNTIL(atomic_load(&n_begun) == 3);
	ck_assert_uint_eq(count_state(REMEMBERED_OUT), MANY);
	atomic_store(&hold, 0);
	WAIT_UNTIL(page_keeper_online(keeper).blocks == 1);
	ck_assert_uint_eq(page_keeper_online(keeper).pages, MANY);
	ck_assert_uint_eq(atomic_load(&n_begun), 3);
	ck_assert_uint_eq(atomic_load(&n_asked), 1);
	ck_assert_uint_eq(count_state(REMEMBERED_OUT), MANY);
}
END_TEST

START_TEST(their_entries_stay_while_the_helper_is_away)
{
	start_with_many();
	atomic_store(&error_of_all, (unsigned int)(_i == 0 ? ECONNRESET : EACCES));
	atomic_store(&may, 0);
	come_online(FIRST_BLOCK);
	/* A round of all follows, which asks. */
	WAIT_UNTIL(atomic_load(&n_asked) == 2);
	ck_assert_uint_eq(atomic_load(&n_begun), 3);
	ck_assert_uint_eq(count_state(REMEMBERED_OUT), MANY);
	ck_assert_uint_eq(page_keeper_online(keeper).blocks, 0);
	/* It is asked before the next block, too. */
	atomic_store(&error_of_all, 0);
	atomic_store(&may, ALLOW_PAGES);
	come_online(FIRST_BLOCK);
	WAIT_UNTIL(page_keeper_online(keeper).blocks == 1);
	ck_assert_uint_ge(atomic_load(&n_asked), 3);
}
END_TEST

START_TEST(what_the_helper_refuses_is_an_outcome_of_theirs)
{
	start_with_many();
	atomic_store(&error_of_all, EBUSY);
	come_online(FIRST_BLOCK);
	WAIT_UNTIL(count_state(REMEMBERED_REFUSED) == MANY);
}
END_TEST

START_TEST(a_lower_limit_of_the_block_holds_for_pages_that_were_out)
{
	struct page_limits limits;

	start_with_many();
	limits = page_keeper_limits(keeper);
	limits.block = MANY - 1;
	page_keeper_set_limits(keeper, &limits);
	come_online(FIRST_BLOCK);
	WAIT_UNTIL(atomic_load(&n_asked) == 2);
	show_topology();
	WAIT_UNTIL(atomic_load(&n_prepared) == 2);
	ck_assert_uint_eq(atomic_load(&n_begun), 2);
	ck_assert_uint_eq(count_state(REMEMBERED_OUT), MANY);
}
END_TEST

START_TEST(the_end_waits_for_one_request_of_a_block)
{
	start_with_many();
	atomic_store(&hold, 1);
	come_online(FIRST_BLOCK);
	WAIT_UNTIL(atomic_load(&n_begun) == 3);
	ck_assert(!page_restorer_stop(restorer, 1));
	atomic_store(&hold, 0);
	ck_assert(page_restorer_stop(restorer, WAIT_MAX_MS));
	ck_assert_uint_eq(atomic_load(&n_runs), 3);
	ck_assert_uint_eq(count_state(REMEMBERED_OUT), MANY);
}
END_TEST

START_TEST(a_block_that_came_online_needs_no_walk)
{
	struct page_online online;
	struct remembered_page p;

	remember(DEVICE);
	remember_at(DEVICE, 0x8000000, false); /* in another block */
	start_with(1);
	come_online(FIRST_BLOCK + 1); /* has none of them */
	come_online(FIRST_BLOCK);
	WAIT_UNTIL(atomic_load(&n_runs) == 2);
	ck_assert_uint_eq(atomic_load(&last_spa), MODEL_WINDOW_BASE);
	WAIT_UNTIL(page_keeper_online(keeper).blocks == 1);
	online = page_keeper_online(keeper);
	ck_assert_uint_eq(online.block, FIRST_BLOCK);
	ck_assert_uint_eq(online.pages, 1);
	ck_assert_uint_gt(online.last_ns, 0);
	ck_assert_uint_eq(online.last_ns, online.longest_ns);
	ck_assert_int_eq(state_read_page(state, 1, &p, &error), 0);
	ck_assert_uint_eq(p.online_us, online.last_ns / 1000);
}
END_TEST

START_TEST(the_helper_prepares_after_each_topology_and_not_for_a_block)
{
	remember(DEVICE);
	start();
	WAIT_UNTIL(atomic_load(&n_prepared) == 1);
	show_topology();
	WAIT_UNTIL(atomic_load(&n_prepared) == 2);
	come_online(FIRST_BLOCK);
	WAIT_UNTIL(page_keeper_online(keeper).blocks == 1);
	ck_assert_uint_eq(atomic_load(&n_prepared), 2);
}
END_TEST

START_TEST(the_helper_is_not_started_while_nothing_is_remembered)
{
	start();
	WAIT_UNTIL(atomic_load(&n_idle) >= 1);
	ck_assert_uint_eq(atomic_load(&n_prepared), 0);
	ck_assert_uint_eq(atomic_load(&n_asked), 0);
}
END_TEST

/* ---- old entries ---- */

static void forget_after(unsigned int days)
{
	struct page_limits limits = page_keeper_limits(keeper);

	limits.age_days = days;
	page_keeper_set_limits(keeper, &limits);
}

/* The entries are two days old, by the time that the host ran in a boot before. */
static void make_old(void)
{
	struct page_moment now = {.boottime_ns = PAGE_HOUR_NS, .boot_id = {9}};
	size_t n;

	ck_assert_int_eq(state_forget_old_pages(state, UINT64_MAX, "", &now, &n, &error), 0);
	now.boottime_ns += 48 * PAGE_HOUR_NS;
	ck_assert_int_eq(state_forget_old_pages(state, UINT64_MAX, "", &now, &n, &error), 0);
	ck_assert_uint_eq(n, 0);
}

static bool is_forgotten(uint64_t id)
{
	struct remembered_page p;

	return state_read_page(state, id, &p, &error) == -ENOENT;
}

START_TEST(an_old_entry_is_forgotten_before_a_round)
{
	remember(DEVICE);
	make_old();
	remember_at(DEVICE, 0x8000000, false);
	forget_after(1);
	start();
	WAIT_UNTIL(atomic_load(&n_runs) == 1);
	ck_assert(is_forgotten(1));
	ck_assert_uint_ne(atomic_load(&last_spa), MODEL_WINDOW_BASE);
}
END_TEST

START_TEST(an_old_entry_is_forgotten_without_a_round)
{
	forget_after(0);
	remember(DEVICE);
	make_old();
	start_with(1);
	forget_after(1);
	atomic_store(&time_passes, true);
	come_online(FIRST_BLOCK + 1); /* has none: it ends the wait that goes on */
	WAIT_UNTIL(state_now() == REMEMBERED_RETURNED);
	ck_assert_uint_eq(atomic_load(&n_runs), 1);
}
END_TEST

/* ---- events that are lost ---- */

START_TEST(lost_events_are_a_round_of_all)
{
	const struct uevent lost = {.kind = UEVENT_LOST}, other = {.kind = UEVENT_OTHER};

	remember(DEVICE);
	start_with(1);
	page_restorer_notify(restorer, &other);
	page_restorer_notify(restorer, &lost);
	WAIT_UNTIL(atomic_load(&n_runs) == 2);
	ck_assert_uint_eq(page_keeper_online(keeper).blocks, 0);
}
END_TEST

START_TEST(more_blocks_than_can_wait_are_a_round_of_all)
{
	remember(DEVICE);
	start_with(1);
	atomic_store(&hold, 1);
	come_online(FIRST_BLOCK);
	for (uint64_t i = 1; i < 2 * PAGE_BLOCKS_MAX; i++)
		come_online(FIRST_BLOCK + 1000 + i);
	atomic_store(&hold, 0);
	/* The round of its block, and the one of all. */
	WAIT_UNTIL(atomic_load(&n_runs) == 3);
}
END_TEST

START_TEST(a_block_before_the_first_round_is_not_forgotten)
{
	remember(DEVICE);
	atomic_store(&hold, 1);
	start();
	WAIT_UNTIL(state_now() == REMEMBERED_RESERVED);
	come_online(FIRST_BLOCK);
	atomic_store(&hold, 0);
	WAIT_UNTIL(page_keeper_online(keeper).blocks == 1);
}
END_TEST

static atomic_uint n_walks;

static uint64_t count_walk(void *userdata, const char *memdev)
{
	(void)userdata, (void)memdev;
	atomic_fetch_add(&n_walks, 1);
	return publisher_next_number(publisher);
}

START_TEST(a_block_without_a_place_of_its_entries_has_the_host_walked)
{
	atomic_store(&n_walks, 0);
	publisher_set_producer(publisher, VIEW_INPUT_TOPOLOGY, count_walk, NULL);
	remember(DEVICE);
	remember("cxl-000000000000dddd"); /* away */
	start_with(1);
	come_online(FIRST_BLOCK); /* has a place: it is no news */
	WAIT_UNTIL(page_keeper_online(keeper).blocks == 1);
	come_online(FIRST_BLOCK + 5000);
	WAIT_UNTIL(atomic_load(&n_walks) == 1);
	publisher_set_producer(publisher, VIEW_INPUT_TOPOLOGY, NULL, NULL);
}
END_TEST

/* ---- pages that were taken out hard ---- */

START_TEST(a_page_that_was_taken_out_hard_is_again)
{
	atomic_store(&may, ALLOW_PAGES | ALLOW_HARD_PAGES);
	remember_at(DEVICE, 0, true);
	start_with(1);
	ck_assert_uint_eq(atomic_load(&last_action), PAGE_HARD);
	ck_assert_uint_eq(atomic_load(&last_only_free), 0);
}
END_TEST

START_TEST(without_permission_it_is_out_softly_while_it_is_free)
{
	struct remembered_page p;

	remember_at(DEVICE, 0, true);
	start_with(1);
	ck_assert_uint_eq(atomic_load(&last_action), PAGE_SOFT);
	ck_assert_uint_eq(atomic_load(&last_only_free), 1);
	ck_assert_int_eq(state_read_page(state, 1, &p, &error), 0);
	ck_assert(p.hard);
	ck_assert_ptr_nonnull(strstr(p.text, "hard-pages is not allowed"));
}
END_TEST

/* ---- blocks that go offline instead ---- */

#define NEXT_BLOCK_DPA 0x4000000 /* of FIRST_BLOCK + 1 */

/* The host has half of its memory, two of four blocks, to lose. The pages of @n entries, one in
 * each block, are out; without any the test starts. */
static void start_to_fence(unsigned int n)
{
	f.model.root_directory.dirfd = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	put_text(f.model.root_directory.dirfd, MEMORY_DIRECTORY "/block_size_bytes", "8000000\n");
	for (unsigned int i = 0; i < n; i++)
		remember_at(DEVICE, i * NEXT_BLOCK_DPA, false);
	if (n > 0)
		start_with(1);
	page_keeper_set_fence(keeper, true);
}

static struct remembered_page read_page(uint64_t id)
{
	struct remembered_page p;

	ck_assert_int_eq(state_read_page(state, id, &p, &error), 0);
	return p;
}

static bool has_text(uint64_t id, const char *text)
{
	const struct remembered_page p = read_page(id);

	return strstr(p.text, text);
}

START_TEST(a_block_is_fenced_before_any_page_is_marked)
{
	start_to_fence(1);
	come_online(FIRST_BLOCK);
	WAIT_UNTIL(state_now() == REMEMBERED_FENCED);
	ck_assert(has_text(1, "134217728 bytes, is out of use (page-on-online = fence)"));
	/* Again, and then by a round of all. */
	come_online(FIRST_BLOCK);
	WAIT_UNTIL(atomic_load(&n_fences) == 2);
	show_topology();
	WAIT_UNTIL(atomic_load(&n_fences) == 3);
	ck_assert_uint_eq(atomic_load(&n_runs), 1);
}
END_TEST

START_TEST(a_block_that_cannot_be_fenced_has_its_pages_taken_out)
{
	start_to_fence(1);
	atomic_store(&cannot_fence, 1);
	come_online(FIRST_BLOCK);
	WAIT_UNTIL(atomic_load(&n_runs) == 2);
	WAIT_UNTIL(has_text(1, "not its memory block: It is of the kernel's zone"));
	ck_assert_uint_eq(atomic_load(&n_fences), 1);
}
END_TEST

START_TEST(a_node_keeps_half_of_its_memory)
{
	start_to_fence(3);
	come_online(FIRST_BLOCK);
	come_online(FIRST_BLOCK + 1);
	WAIT_UNTIL(read_page(1).state == REMEMBERED_FENCED);
	WAIT_UNTIL(read_page(2).state == REMEMBERED_FENCED);
	come_online(FIRST_BLOCK + 2);
	WAIT_UNTIL(has_text(3, "not its memory block: no more than half of the memory"));
	ck_assert_uint_eq(read_page(3).state, REMEMBERED_OUT);
	ck_assert_uint_eq(atomic_load(&n_fences), 2);
	/* The others stay offline, also in a round of all. */
	show_topology();
	WAIT_UNTIL(atomic_load(&n_fences) == 4);
	WAIT_UNTIL(atomic_load(&n_runs) == 3);
	ck_assert_uint_eq(read_page(1).state, REMEMBERED_FENCED);
	ck_assert_uint_eq(read_page(2).state, REMEMBERED_FENCED);
}
END_TEST

START_TEST(the_last_block_of_a_node_stays)
{
	start_to_fence(1);
	put_text(f.model.root_directory.dirfd, MEMORY_DIRECTORY "/block_size_bytes", "20000000\n");
	show_topology();
	WAIT_UNTIL(has_text(1, "not its memory block: no more than half of the memory"));
	ck_assert_uint_eq(read_page(1).state, REMEMBERED_OUT);
	ck_assert_uint_eq(atomic_load(&n_fences), 0);
}
END_TEST

START_TEST(an_imported_list_fences_no_more_than_the_share_of_a_node)
{
	start_to_fence(0);
	remember(DEVICE);
	start();
	WAIT_UNTIL(has_text(1, "its entries were imported"));
	ck_assert_uint_eq(state_now(), REMEMBERED_OUT);
	ck_assert_uint_eq(atomic_load(&n_fences), 0);
	/* It is of this host from now on. */
	come_online(FIRST_BLOCK);
	WAIT_UNTIL(state_now() == REMEMBERED_FENCED);
}
END_TEST

SUITE(check_page_restorer)
{
	Suite *s = suite_create("page restorer");
	TCase *t = tcase_create("restorer");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 300);
	tcase_add_test(t, pages_go_out_at_the_start_and_with_each_topology);
	tcase_add_test(t, an_old_entry_is_forgotten_before_a_round);
	tcase_add_test(t, an_old_entry_is_forgotten_without_a_round);
	tcase_add_test(t, a_list_of_another_machine_takes_nothing_out);
	tcase_add_loop_test(t, a_device_without_a_serial_number_of_its_own_is_its_slot, 0, 3);
	tcase_add_test(t, a_device_with_a_serial_number_has_no_entries_of_its_slot);
	tcase_add_test(t, the_end_does_not_wait_for_a_helper_that_hangs);
	tcase_add_test(t, a_database_that_was_removed_is_no_end);
	tcase_add_test(t, all_pages_of_a_block_are_reserved_before_the_first_request);
	tcase_add_test(t, pages_that_were_out_in_this_boot_count_as_used_without_a_reservation);
	tcase_add_loop_test(t, their_entries_stay_while_the_helper_is_away, 0, 2);
	tcase_add_test(t, what_the_helper_refuses_is_an_outcome_of_theirs);
	tcase_add_test(t, a_lower_limit_of_the_block_holds_for_pages_that_were_out);
	tcase_add_test(t, the_end_waits_for_one_request_of_a_block);
	tcase_add_test(t, a_block_that_came_online_needs_no_walk);
	tcase_add_test(t, the_helper_prepares_after_each_topology_and_not_for_a_block);
	tcase_add_test(t, the_helper_is_not_started_while_nothing_is_remembered);
	tcase_add_test(t, lost_events_are_a_round_of_all);
	tcase_add_test(t, more_blocks_than_can_wait_are_a_round_of_all);
	tcase_add_test(t, a_block_before_the_first_round_is_not_forgotten);
	tcase_add_test(t, a_block_without_a_place_of_its_entries_has_the_host_walked);
	tcase_add_test(t, a_page_that_was_taken_out_hard_is_again);
	tcase_add_test(t, without_permission_it_is_out_softly_while_it_is_free);
	tcase_add_test(t, a_block_is_fenced_before_any_page_is_marked);
	tcase_add_test(t, a_block_that_cannot_be_fenced_has_its_pages_taken_out);
	tcase_add_test(t, a_node_keeps_half_of_its_memory);
	tcase_add_test(t, the_last_block_of_a_node_stays);
	tcase_add_test(t, an_imported_list_fences_no_more_than_the_share_of_a_node);
	suite_add_tcase(s, t);
	return s;
}
