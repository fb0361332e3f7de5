// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The cost of taking 1,000 pages out of use by the page helper, its socket, log and client
 * included, against a loop of open(), write() and close() of the same addresses. The kernel's files
 * are played: they are ordinary ones, and a write sets the flag of its page at once, so that the
 * kernel's own work, which both have, is in neither. Prints the fastest of some rounds of each:
 * "pages N us loop N us"
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/capability.h>

#include <check.h>

#include "common/allow.h"
#include "common/clock.h"
#include "common/log.h"
#include "common/privileges.h"
#include "helper/page_server.h"
#include "pages/page_client.h"
#include "pages/page_flags.h"
#include "sysfs/dax_blocks.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/helper_socket.h"
#include "tests/lib/model_host.h"

enum {
	PAGES = 1000,
	STEP = 3, /* pages from one to the next */
	PAGE = 4096,
	DPA_OF_PAGE = PAGE / 2, /* of two devices */
	ROUNDS = 40,
};
#define FIRST	  (MODEL_WINDOW_BASE / PAGE)
#define SOFT_FILE MEMORY_DIRECTORY "/soft_offline_page"

static struct scratch scratch;
static struct model model;
static uint64_t *flags; /* from the first page on */
static atomic_bool plays;
static struct capabilities_switch capabilities;
static struct page_server pages;
static struct server server = {.connection = page_server_connection, .userdata = &pages};
static struct page_request requests[PAGES];
static struct page_result results[PAGES];

/* ---- the kernel -------------------------------------------------------------------------------
 */

ssize_t __real_write(int fd, const void *data, size_t len);
ssize_t __wrap_write(int fd, const void *data, size_t len);

ssize_t __wrap_write(int fd, const void *data, size_t len)
{
	const char *text = data;

	/* No line of the log begins so. */
	if (atomic_load(&plays) && len > 2 && text[0] == '0' && text[1] == 'x')
		flags[strtoull(text, NULL, 16) / PAGE - FIRST] |= PAGE_FLAG_HWPOISON;
	return __real_write(fd, data, len);
}

static void make_files(void)
{
	const off_t at = (off_t)(FIRST * sizeof(*flags));
	const size_t size = PAGES * STEP * sizeof(*flags);
	char path[96];
	int fd;

	put_text(scratch.dirfd, MEMORY_DIRECTORY "/block_size_bytes", "10000000\n");
	(void)snprintf(path, sizeof(path), MEMORY_DIRECTORY "/memory%u/state",
		       (unsigned int)(MODEL_WINDOW_BASE / MIB_256));
	put_text(scratch.dirfd, path, "online\n");
	put_text(scratch.dirfd, SOFT_FILE, "");
	put_text(scratch.dirfd, "proc/sys/vm/enable_soft_offline", "1\n");
	put_text(scratch.dirfd, "proc/kpageflags", "");
	fd = openat(scratch.dirfd, "proc/kpageflags", O_RDWR | O_CLOEXEC);
	ck_assert_int_eq(ftruncate(fd, at + (off_t)size), 0);
	flags = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at);
	ck_assert_ptr_ne(flags, MAP_FAILED);
	(void)close(fd);
}

static void free_all_pages(void)
{
	for (size_t i = 0; i < PAGES * STEP; i++)
		flags[i] = PAGE_FLAG(KPF_BUDDY);
	ck_assert_int_eq(truncate(SOFT_FILE, 0), 0);
}

static void check_marked(const char *what)
{
	for (size_t i = 0; i < PAGES; i++)
		ck_assert_msg(flags[i * STEP] & PAGE_FLAG_HWPOISON, "%s: page %zu is not marked",
			      what, i);
}

/* ---- the loop ---------------------------------------------------------------------------------
 */

static void take_out(uint64_t address)
{
	const int fd = open(SOFT_FILE, O_WRONLY | O_CLOEXEC);
	char text[24];
	const int n = snprintf(text, sizeof(text), "0x%" PRIx64, address);

	ck_assert(write(fd, text, (size_t)n) == n);
	(void)close(fd);
}

static uint64_t time_loop(void)
{
	uint64_t started;

	free_all_pages();
	started = clock_monotonic_ns();
	for (size_t i = 0; i < PAGES; i++)
		take_out((FIRST + i * STEP) * PAGE);
	started = clock_monotonic_ns() - started;
	check_marked("loop");
	return started;
}

/* ---- the helper -------------------------------------------------------------------------------
 */

static void use_privileges(bool on)
{
	(void)capabilities_turn(&capabilities, on);
}

static void run(const struct page_context *x, const struct page_request *q, size_t n,
		struct page_result *ret)
{
	page_run_on(x, &model.host, model.t, q, n, ret);
}

static void make_host(void)
{
	struct port *bridge;
	struct decoder *window;
	struct memdev *mem[2];
	struct region *region;

	model_init(&model);
	bridge = model_bridge(&model);
	window = model_window(&model, &bridge, 1);
	bridge = model_switch(&model, bridge);
	for (unsigned int i = 0; i < 2; i++) {
		mem[i] = model_memdev(&model, bridge);
		mem[i]->serial = OPT_U64(0xabc0 + i);
	}
	region = model_region(&model, window, MODEL_WINDOW_BASE, mem, 2);
	model_dax(&model, region, 2)->mode = DAX_MODE_SYSTEM_RAM;
	model.root_directory.dirfd = scratch.dirfd;
	model.host.root = &model.root_directory;
	model_ready(&model);
}

static void make_requests(void)
{
	for (size_t i = 0; i < PAGES; i++)
		requests[i] = (struct page_request){
			.device = "cxl-000000000000abc0",
			.serial = 0xabc0,
			.dpa = i * STEP * DPA_OF_PAGE,
			.spa = (FIRST + i * STEP) * PAGE,
			.action = PAGE_SOFT,
		};
}

static uint64_t time_pages(struct page_client *client)
{
	uint64_t started;
	int r;

	free_all_pages();
	started = clock_monotonic_ns();
	r = page_client_run(client, requests, PAGES, results);
	started = clock_monotonic_ns() - started;
	for (size_t i = 0; i < PAGES && r < 0; i++)
		ck_assert_msg(results[i].error == 0, "page %zu: %s", i, results[i].reason);
	check_marked("pages");
	return started;
}

/* ---- both -------------------------------------------------------------------------------------
 */

static void measure_rounds(struct page_client *client)
{
	uint64_t best_loop = UINT64_MAX, best_pages = UINT64_MAX;

	for (int i = 0; i < ROUNDS; i++) {
		const uint64_t loop = time_loop(), ours = time_pages(client);

		best_loop = loop < best_loop ? loop : best_loop;
		best_pages = ours < best_pages ? ours : best_pages;
	}
	(void)printf("pages %" PRIu64 " us loop %" PRIu64 " us\n", best_pages / 1000,
		     best_loop / 1000);
}

/* A test of Check only because the host in memory is made with its assertions. */
START_TEST(measure)
{
	struct block_marks *marks = block_marks_new();
	struct helper_socket helper;
	struct page_client *client;
	struct opener *opener;

	scratch_setup(&scratch);
	ck_assert_int_eq(chdir(scratch.path), 0);
	make_files();
	make_host();
	make_requests();
	ck_assert_int_eq(
		capabilities_prepare(UINT64_C(1) << CAP_DAC_OVERRIDE | UINT64_C(1) << CAP_SYS_ADMIN,
				     &capabilities),
		0);
	page_server_set_up(&pages, &model.root_directory, NULL, marks, run, use_privileges);
	page_server_configure(&pages, ALLOW_PAGE_HELPER, false, false, PAGE_LIMIT_BLOCK_MAX);
	helper_socket_start(&helper, &server);
	opener = helper_socket_opener(&helper);
	client = page_client_new_helper(opener, PAGE_SILENCE_MS);
	atomic_store(&plays, true);
	measure_rounds(client);
	(void)page_client_free(client);
	(void)opener_free(opener);
	helper_socket_stop(&helper);
	(void)block_marks_free(marks);
	model.root_directory.dirfd = -1;
	model_done(&model);
	scratch_teardown(&scratch);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pages");
	TCase *tc = tcase_create("measure");
	SRunner *runner;
	int failed, null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	(void)dup2(null, STDERR_FILENO);
	tcase_add_test(tc, measure);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
