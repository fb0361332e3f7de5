// SPDX-License-Identifier: LGPL-2.1-or-later
/* The daemon's topology: what is made anew when the host changes, and when only firmware does. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/fileio.h"
#include "common/log.h"
#include "common/worker.h"
#include "daemon/topology.h"
#include "redfish/resources/resources.h"
#include "tests/lib/fake_module.h"
#include "tests/lib/sysfs_util.h"

enum {
	NEVER_S = 3600,
	SOON_MS =
		30000, /* firmware is looked at every five seconds, and a loaded machine is late */
};

static const struct firmware_question question = {.bus = 1};
static struct host_root live;
static sd_event *event;
static struct firmware *firmware;
static struct service *service;
static struct reader *reader;
static struct topology *topology;

/* A host that needs firmware, which is ready, and one answer that is known. */
static void setup(void)
{
	struct firmware_timeout timeout = {.call_ms = 60000};
	struct firmware_answer answer;
	struct translator *translator;
	struct view *v;
	struct error e;

	fake_setup();
	tree_setup();
	enter();
	live = (struct host_root){.dirfd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
	((struct host *)(uintptr_t)host)->root = &live;
	ck_assert_int_eq(firmware_new(fake.path, &firmware), 0);
	ck_assert_int_ge(sd_event_new(&event), 0);
	ck_assert_int_eq(service_new(NULL, &service_limits_default, &service, NULL), 0);
	ck_assert_int_eq(translator_new(host, firmware, &translator, NULL), 0);
	ck_assert_int_eq(view_new(&redfish_resources, host, translator, NULL, &v, NULL), 0);
	ck_assert_int_eq(service_set_view(service, v), 0);
	ck_assert_int_eq(v->firmware.state, FIRMWARE_READY);
	ck_assert_msg(reader_new(event, service, NEVER_S, &reader, &e) == 0, "%s", e.text);
	ck_assert_msg(topology_new(event, &live, firmware, service, reader, &topology, &e) == 0,
		      "%s", e.text);
	firmware_ask(firmware, &question, 1, &timeout, &answer);
	ck_assert_int_eq(answer.result, FIRMWARE_TRANSLATED);
}

static void teardown(void)
{
	ck_assert(topology_free(topology, SOON_MS));
	ck_assert(reader_free(reader, SOON_MS));
	service = service_free(service);
	event = sd_event_unref(event);
	firmware = firmware_free(firmware);
	(void)close(live.dirfd);
	tree_teardown();
	fake_teardown();
}

/* Whether it is not only what devices say that differs. */
static bool is_other(const struct view *v, const struct view *before)
{
	return v->host != before->host || v->firmware.state != before->firmware.state;
}

/* Runs until a view is shown that is_other(). */
static const struct view *run_until_other(const struct view *before)
{
	const uint64_t until = clock_monotonic_ms() + SOON_MS;

	while (!is_other(service_view(service), before) && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert(is_other(service_view(service), before));
	return service_view(service);
}

static bool answer_is_known(void)
{
	struct firmware_answer answer;

	return firmware_peek(firmware, &question, &answer);
}

START_TEST(firmware_that_changes_is_shown_on_the_same_host)
{
	struct view *before = view_ref((struct view *)(uintptr_t)service_view(service));
	const struct view *v;

	fake_lock();
	fake.reason = CXL_PRM_EFI_OFF;
	fake_unlock();
	v = run_until_other(before);
	ck_assert_int_eq(v->firmware.state, FIRMWARE_EFI_OFF);
	ck_assert_ptr_eq(v->host, before->host);
	/* What it said while it could is true of the host still. */
	ck_assert(answer_is_known());
	(void)view_unref(before);
}
END_TEST

START_TEST(another_walk_is_another_host_and_firmware_is_asked_anew)
{
	struct view *before = view_ref((struct view *)(uintptr_t)service_view(service));
	const struct view *v;

	topology_poke(topology);
	v = run_until_other(before);
	ck_assert_ptr_ne(v->host, before->host);
	ck_assert_uint_eq(v->host->n_memdevs, before->host->n_memdevs);
	ck_assert(!answer_is_known());
	(void)view_unref(before);
}
END_TEST

/* What is said of a change: the linker puts ours in the place of the service's. */
int __real_service_set_view(struct service *s, struct view *v);
int __wrap_service_set_view(struct service *s, struct view *v);

#define REMOVED "removed: /redfish/v1/Systems/Host/Memory/cxl-000000000000abc3\n" /* mem0 */

static int log_fd = -1;
static size_t n_refused, n_told_before;
static bool refuse;

static size_t count_logged(const char *text)
{
	_cleanup_free_ char *log = NULL;
	const char *at;
	size_t n = 0;

	if (log_fd < 0)
		return 0;
	ck_assert_int_eq(lseek(log_fd, 0, SEEK_SET), 0);
	ck_assert_int_eq(read_open_file(log_fd, 1 << 20, &log, NULL), 0);
	for (at = log; (at = strstr(at, text)); at++)
		n++;
	return n;
}

int __wrap_service_set_view(struct service *s, struct view *v)
{
	n_told_before += count_logged("removed: ");
	if (!refuse)
		return __real_service_set_view(s, v);
	n_refused++;
	(void)view_unref(v);
	return -ENOMEM;
}

static void take_mem0_away(void)
{
	char path[] = "/tmp/check_topology.XXXXXX";

	log_fd = mkstemp(path);
	ck_assert_int_ge(log_fd, 0);
	(void)unlink(path);
	(void)fflush(stderr);
	ck_assert_int_ge(dup2(log_fd, STDERR_FILENO), 0);
	log_setup("test", LOG_LEVEL_INFO);
	drop("sys/bus/cxl/devices/mem0");
	topology_poke(topology);
}

START_TEST(change_is_told_when_it_is_shown)
{
	struct view *before = view_ref((struct view *)(uintptr_t)service_view(service));

	take_mem0_away();
	ck_assert_uint_eq(run_until_other(before)->host->n_memdevs, 3);
	ck_assert_uint_eq(n_told_before, 0);
	ck_assert_uint_eq(count_logged(REMOVED), 1);
	ck_assert_uint_eq(count_logged("the topology was read again"), 1);
	(void)view_unref(before);
}
END_TEST

START_TEST(change_that_cannot_be_shown_is_not_told)
{
	const uint64_t until = clock_monotonic_ms() + SOON_MS;

	refuse = true;
	take_mem0_away();
	while (n_refused == 0 && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert_uint_gt(n_refused, 0);
	ck_assert_uint_eq(count_logged("removed: "), 0);
	ck_assert_uint_eq(count_logged("the old topology stays"), n_refused);
	ck_assert_uint_eq(service_view(service)->host->n_memdevs, 4);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("topology");
	TCase *t = tcase_create("topology");
	SRunner *sr;
	int failed;

	if (!have_namespaces())
		return 77;
	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, firmware_that_changes_is_shown_on_the_same_host);
	tcase_add_test(t, another_walk_is_another_host_and_firmware_is_asked_anew);
	tcase_add_test(t, change_is_told_when_it_is_shown);
	tcase_add_test(t, change_that_cannot_be_shown_is_not_told);
	suite_add_tcase(s, t);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
