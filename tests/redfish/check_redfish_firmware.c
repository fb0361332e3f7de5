// SPDX-License-Identifier: LGPL-2.1-or-later
/* Requests with questions to firmware: jobs of the service, suspended by the HTTP server. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "http/server.h"
#include "prm/firmware.h"
#include "redfish/resources/resources.h"
#include "tests/lib/fake_module.h"
#include "tests/lib/passing_monotonic.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

/* Longer than a job may wait. */
enum { HOUR_MS = 60 * 60 * 1000 };

#define ONE "{\"DevicePhysicalAddress\": \"0x140\"}"

static struct fixture f;
static struct service_limits limits;
static struct firmware *firmware;

/* region0 is Normalized and firmware has it as fake_plain() says. */
static void setup(void)
{
	fake_setup();
	limits = *fixture_limits();
	fixture_init(&f, NULL);
	model_normalize(f.region);
}

static void teardown(void)
{
	fake_release();
	fixture_done(&f);
	firmware = firmware_free(firmware);
	fake_teardown();
}

static void ready(void)
{
	ck_assert_int_eq(firmware_new(fake.path, &firmware), 0);
	f.model.firmware = firmware;
	/* The test has chosen the limits. */
	(void)service_free(f.service);
	ck_assert_int_eq(service_new(NULL, &limits, &f.service, NULL), 0);
	fixture_ready(&f);
}

static struct http_request request(const char *path, const char *body)
{
	return (struct http_request){.method = METHOD_POST,
				     .path = path,
				     .headers[HEADER_CONTENT_TYPE] = "application/json",
				     .body = body,
				     .body_len = strlen(body)};
}

/* Return: whether the request continues as a job, that is, has a question to firmware. */
static bool continues(const struct http_request *req)
{
	struct local_call call;
	struct http_reply reply;

	local_call_init(&call, &reply);
	local_call_start(&call, f.service, req);
	local_call_wait(&call);
	http_reply_done(&reply);
	return call.suspended;
}

static void expect_reason_text(const char *part)
{
	const char *reason = at(&f, "Reason");

	ck_assert_msg(reason && strstr(reason, part), "'%s' is not in '%s'", part,
		      reason ? reason : "");
	ck_assert_str_eq(at(&f, "TranslationSource"), "estimate");
}

START_TEST(a_translation_with_firmware_is_a_job_and_then_cached)
{
	struct http_request dpa = request(TRANSLATE_DPA, ONE);
	struct http_request spa =
		request(TRANSLATE_SPA, "{\"SystemPhysicalAddress\": \"0x1000000640\"}");

	ready();
	ck_assert_uint_eq(ask(&f, &dpa), 200);
	ck_assert(f.in_job);
	ck_assert_str_eq(at(&f, "SystemPhysicalAddress"), "0x1000000240");
	ck_assert_str_eq(at(&f, "TranslationSource"), "prm");
	ck_assert(!continues(&dpa));
	ck_assert_uint_eq(ask(&f, &spa), 200);
	ck_assert(f.in_job);
	ck_assert_str_eq(at(&f, "DevicePhysicalAddress"), "0x340");
	ck_assert_str_eq(at(&f, "Memory/@odata.id"), MEM0);
	ck_assert(!continues(&spa));
}
END_TEST

START_TEST(a_translation_without_firmware_is_no_job)
{
	struct http_request bad = request(TRANSLATE_DPA, "{\"DevicePhysicalAddress\": 5}");
	struct http_request gap =
		request(TRANSLATE_DPA, "{\"DevicePhysicalAddress\": \"0x7fffffff\"}");
	struct http_request one = request(TRANSLATE_DPA, ONE);

	fake.reason = CXL_PRM_NO_HANDLER;
	ready();
	ck_assert(!continues(&bad));
	ck_assert(!continues(&gap));
	ck_assert(!continues(&one));
	ck_assert_uint_eq(ask(&f, &one), 200);
	expect_reason_text("no PRM handler");
	ck_assert_uint_eq(fake.ioctls, 0);
}
END_TEST

START_TEST(an_empty_bucket_is_answered_at_once)
{
	struct http_request one = request(TRANSLATE_DPA, ONE);

	fake.bucket = 0;
	ready();
	ck_assert_uint_eq(ask(&f, &one), 200);
	expect_reason_text("rate limited");
}
END_TEST

START_TEST(a_slow_answer_of_firmware_is_waited_for_no_longer_than_the_limit)
{
	struct http_request many = request(
		TRANSLATE_DPA, "{\"DevicePhysicalAddresses\": [\"0x140\", \"0x340\", \"0x540\"]}");

	limits.firmware_call_ms = 200;
	fake.hold = true;
	ready();
	ck_assert_uint_eq(ask(&f, &many), 200);
	ck_assert_ptr_nonnull(strstr(at(&f, "Translations/2/Reason"), "slow"));
}
END_TEST

START_TEST(a_job_that_waited_too_long_answers_with_what_is_known)
{
	static const char *const sources[] = {"\"TranslationSource\":\"prm\"",
					      "\"TranslationSource\":\"estimate\""};
	const struct http_request requests[] = {
		request(TRANSLATE_DPA, ONE),
		request(TRANSLATE_DPA, "{\"DevicePhysicalAddress\": \"0x340\"}")};
	struct local_call calls[2];
	struct http_reply replies[2];

	limits.task_after_ms = 2 * HOUR_MS;
	fake.hold = true;
	ready();
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		local_call_init(&calls[i], &replies[i]);
		local_call_start(&calls[i], f.service, &requests[i]);
		if (i == 0)
			fake_wait_for_ioctls(1);
	}
	/* The first one has its answer whenever that comes; the second one waits behind it. */
	pass_monotonic_ms(HOUR_MS);
	fake_release();
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		local_call_wait(&calls[i]);
		ck_assert_uint_eq(replies[i].status, 200);
		ck_assert_ptr_nonnull(strstr(replies[i].body->bytes, sources[i]));
		http_reply_done(&replies[i]);
	}
	ck_assert_uint_eq(fake.ioctls, 1);
}
END_TEST

START_TEST(many_addresses_cost_few_calls_of_the_module)
{
	enum { MANY = 600 };
	char body[MANY * 16 + 64];
	struct http_request many;
	int n = snprintf(body, sizeof(body), "{\"DevicePhysicalAddresses\": [");

	for (unsigned int i = 0; i < MANY; i++)
		n += snprintf(body + n, sizeof(body) - (size_t)n, "%s\"0x%x\"", i ? "," : "",
			      i * 256 + 0x40);
	(void)snprintf(body + n, sizeof(body) - (size_t)n, "]}");
	many = request(TRANSLATE_DPA, body);
	ready();
	ck_assert_uint_eq(ask(&f, &many), 200);
	ck_assert_str_eq(at(&f, "Translations/599/TranslationSource"), "prm");
	ck_assert_uint_eq(fake.calls, MANY);
	ck_assert_uint_eq(fake.ioctls, (MANY + FIRMWARE_BATCH_MAX - 1) / FIRMWARE_BATCH_MAX);
}
END_TEST

/* ---- what needs attention ---------------------------------------------------------------------
 */

#define CONDITION "Status/Conditions/0/"

/* A view whose firmware is not slow for a pause of this machine. */
static void show_again(void)
{
	fake_wait_until_quick(firmware);
	fixture_ready(&f);
}

START_TEST(firmware_that_answers_is_no_condition)
{
	ready();
	ck_assert_uint_eq(get(&f, MEM0), 200); /* its answers are known then */
	show_again();
	ck_assert_uint_eq(get(&f, ROOT "/Managers/Service"), 200);
	ck_assert_ptr_null(at(&f, CONDITION "MessageId"));
	ck_assert_uint_eq(get(&f, MEM0), 200);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Firmware/State"), "ready");
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Decoders/0/TranslationSource"), "prm");
	ck_assert_uint_eq(get(&f, SYSTEM "/Memory/cxl-000000000000abc2"), 200);
	ck_assert_str_eq(at(&f, "Name"), "mem2");
	ck_assert_ptr_null(at(&f, "Oem/CXLHost/Firmware/State"));
}
END_TEST

START_TEST(a_wedge_is_a_condition_once_a_new_view_is_made)
{
	fake.reason = CXL_PRM_WEDGED;
	ready();
	ck_assert_uint_eq(get(&f, ROOT "/Managers/Service"), 200);
	ck_assert_str_eq(at(&f, CONDITION "MessageId"), "CXLHost.1.0.FirmwareUnavailable");
	ck_assert_ptr_nonnull(strstr(at(&f, CONDITION "Message"), "did not return"));
	ck_assert_ptr_nonnull(strstr(at(&f, CONDITION "MessageArgs/0"), "wedged"));
	ck_assert_str_eq(at(&f, CONDITION "Severity"), "Warning");
	ck_assert_uint_eq(get(&f, MEM0), 200);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Firmware/State"), "wedged");
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Decoders/0/TranslationSource"), "estimate");
	fake.reason = 0;
	firmware_refresh(firmware);
	show_again();
	ck_assert_uint_eq(get(&f, ROOT "/Managers/Service"), 200);
	ck_assert_ptr_null(at(&f, CONDITION "MessageId"));
}
END_TEST

static int outside(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	(void)bus;
	*ret_spa = 0x9000000000 + dpa;
	return 0;
}

START_TEST(a_wrong_answer_is_a_condition_that_stays)
{
	struct http_request one = request(TRANSLATE_DPA, ONE);

	fake.rule = outside;
	ready();
	ck_assert_uint_eq(ask(&f, &one), 200);
	expect_reason_text("is in no CXL window");
	firmware_invalidate(firmware);
	show_again();
	ck_assert_uint_eq(get(&f, ROOT "/Managers/Service"), 200);
	ck_assert_str_eq(at(&f, CONDITION "MessageId"), "CXLHost.1.0.FirmwareAnswerRejected");
	ck_assert_ptr_nonnull(strstr(at(&f, CONDITION "Message"), "0x9000000140"));
}
END_TEST

static int unknown_device(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	return bus == 0 ? -ENOENT : fake_plain(bus, dpa, ret_spa);
}

START_TEST(an_error_of_firmware_is_a_condition_until_the_address_is_translated)
{
	struct http_request one = request(TRANSLATE_DPA, ONE);

	fake.rule = unknown_device;
	ready();
	ck_assert_uint_eq(ask(&f, &one), 200);
	expect_reason_text("does not know the device");
	show_again();
	ck_assert_uint_eq(get(&f, ROOT "/Managers/Service"), 200);
	ck_assert_str_eq(at(&f, CONDITION "MessageId"), "CXLHost.1.0.FirmwareError");
	ck_assert_str_eq(at(&f, CONDITION "MessageArgs/0"), "1");
	ck_assert_str_eq(
		at(&f, CONDITION "MessageArgs/1"),
		"0000:00:00.0, DPA 0x140: the PRM handler does not know the device (EFI_NOT_FOUND)");
	ck_assert_uint_eq(get(&f, MEM0), 200);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Firmware/State"), "ready");
	ck_assert_ptr_nonnull(strstr(at(&f, "Oem/CXLHost/Firmware/Error"), "does not know"));
	fake.rule = fake_plain;
	firmware_invalidate(firmware);
	ck_assert_uint_eq(ask(&f, &one), 200);
	show_again();
	ck_assert_uint_eq(get(&f, ROOT "/Managers/Service"), 200);
	ck_assert_ptr_null(at(&f, CONDITION "MessageId"));
	ck_assert_uint_eq(get(&f, MEM0), 200);
	ck_assert_ptr_null(at(&f, "Oem/CXLHost/Firmware/Error"));
}
END_TEST

START_TEST(an_ordinary_host_does_not_mind_that_there_is_no_firmware)
{
	endpoint_decoder(f.memdevs[0], 0)->start = OPT_U64(FAKE_BASE);
	endpoint_decoder(f.memdevs[1], 0)->start = OPT_U64(FAKE_BASE);
	fake.reason = CXL_PRM_NO_HANDLER;
	ready();
	ck_assert_uint_eq(get(&f, ROOT "/Managers/Service"), 200);
	ck_assert_ptr_null(at(&f, CONDITION "MessageId"));
	ck_assert_uint_eq(get(&f, MEM0), 200);
	ck_assert_ptr_null(at(&f, "Oem/CXLHost/Firmware/State"));
}
END_TEST

/* ---- the queue --------------------------------------------------------------------------------
 */

START_TEST(a_full_queue_refuses_and_a_stopped_service_replies_to_all)
{
	enum { CALLS = JOBS_QUEUED_MAX + 2 };
	struct http_request one = request(TRANSLATE_DPA, ONE);
	static struct local_call calls[CALLS];
	static struct http_reply replies[CALLS];

	fake.hold = true;
	ready();
	for (size_t i = 0; i < CALLS; i++) {
		local_call_init(&calls[i], &replies[i]);
		local_call_start(&calls[i], f.service, &one);
		if (i == 0)
			fake_wait_for_ioctls(1);
	}
	ck_assert_uint_eq(calls[CALLS - 1].completed, 1);
	ck_assert_uint_eq(replies[CALLS - 1].status, 503);
	ck_assert_str_eq(http_reply_value(&replies[CALLS - 1], "Retry-After"), "1");
	ck_assert_uint_eq(calls[CALLS - 2].completed, 0);
	alarm(WAIT_MAX_MS / 1000);
	firmware_stop(firmware);
	ck_assert(service_stop(f.service, WAIT_MAX_MS));
	alarm(0);
	for (size_t i = 0; i < CALLS; i++) {
		ck_assert_uint_eq(calls[i].completed, 1);
		ck_assert_uint_ne(replies[i].status, 0);
		ck_assert_ptr_nonnull(replies[i].body);
		http_reply_done(&replies[i]);
	}
}
END_TEST

/* ---- over HTTP --------------------------------------------------------------------------------
 */

static struct http_server *server;
static struct sockaddr_un address = {.sun_family = AF_UNIX};

static void serve(void)
{
	struct http_server_options o = {.handler = &service_handler,
					.limits = &http_limits_default};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	ready();
	o.userdata = f.service;
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%.100s.s", fake.path);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	ck_assert_int_eq(listen(fd, 128), 0);
	ck_assert_int_eq(http_server_new(&o, fd, &server, NULL), 0);
}

static void end(void)
{
	alarm(WAIT_MAX_MS / 1000);
	firmware_stop(firmware);
	http_server_end(server);
	ck_assert(service_stop(f.service, WAIT_MAX_MS));
	server = http_server_free(server);
	alarm(0);
	(void)unlink(address.sun_path);
}

/* Return: the connection, on which the request was sent. */
static int send_post(const char *body)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char text[512];
	int n;

	ck_assert_int_eq(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	n = snprintf(text, sizeof(text),
		     "POST " TRANSLATE_DPA " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
		     "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
		     strlen(body), body);
	ck_assert_int_eq(send(fd, text, (size_t)n, MSG_NOSIGNAL), n);
	return fd;
}

/* Reads until the server closes. */
static void receive(int fd, char *text, size_t size)
{
	size_t len = 0;
	ssize_t n;

	while ((n = recv(fd, text + len, size - 1 - len, 0)) > 0)
		len += (size_t)n;
	text[len] = '\0';
	(void)close(fd);
}

START_TEST(a_suspended_request_is_resumed_with_the_answer)
{
	char text[4096];
	int fd;

	fake.hold = true;
	serve();
	fd = send_post(ONE);
	fake_wait_for_ioctls(1);
	fake_release();
	receive(fd, text, sizeof(text));
	ck_assert_msg(strstr(text, "HTTP/1.1 200") == text, "%s", text);
	ck_assert_ptr_nonnull(strstr(text, "\"SystemPhysicalAddress\":\"0x1000000240\""));
	ck_assert_ptr_nonnull(strstr(text, "\"TranslationSource\":\"prm\""));
	end();
}
END_TEST

START_TEST(reads_are_served_while_firmware_does_not_come_back)
{
	const char *read = "GET /redfish/v1/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
	char text[4096];
	int fds[8], fd;

	fake.hold = true;
	serve();
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		fds[i] = send_post(ONE);
	fake_wait_for_ioctls(1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	ck_assert_int_gt(send(fd, read, strlen(read), MSG_NOSIGNAL), 0);
	receive(fd, text, sizeof(text));
	ck_assert_msg(strstr(text, "HTTP/1.1 200") == text, "%s", text);
	fake_release();
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++) {
		receive(fds[i], text, sizeof(text));
		ck_assert_ptr_nonnull(strstr(text, "\"TranslationSource\":\"prm\""));
	}
	end();
}
END_TEST

START_TEST(a_client_may_leave_while_its_request_is_suspended)
{
	char text[4096];
	int fd;

	fake.hold = true;
	serve();
	fd = send_post(ONE);
	fake_wait_for_ioctls(1);
	(void)close(fd);
	fd = send_post(ONE);
	fake_release();
	receive(fd, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "\"TranslationSource\":\"prm\""));
	end();
}
END_TEST

static bool is_answered(int fd)
{
	char c;

	return recv(fd, &c, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

static size_t count_answered(const int *fds, size_t n)
{
	size_t answered = 0;

	for (size_t i = 0; i < n; i++)
		answered += is_answered(fds[i]);
	return answered;
}

START_TEST(a_full_queue_is_503_with_retry_after)
{
	int fds[JOBS_QUEUED_MAX + 16];
	char text[4096];
	size_t busy = 0;

	fake.hold = true;
	serve();
	fds[0] = send_post(ONE);
	fake_wait_for_ioctls(1);
	for (size_t i = 1; i < ARRAY_SIZE(fds); i++)
		fds[i] = send_post(ONE);
	/* The refused ones, and no others, are answered while firmware is away. */
	WAIT_UNTIL(count_answered(fds, ARRAY_SIZE(fds)) >= ARRAY_SIZE(fds) - 1 - JOBS_QUEUED_MAX);
	for (size_t i = 1; i < ARRAY_SIZE(fds); i++) {
		if (!is_answered(fds[i]))
			continue;
		receive(fds[i], text, sizeof(text));
		fds[i] = -1;
		ck_assert_msg(strstr(text, "HTTP/1.1 503") == text, "%s", text);
		ck_assert_ptr_nonnull(strstr(text, "\r\nRetry-After: 1\r\n"));
		busy++;
	}
	ck_assert_uint_eq(busy, ARRAY_SIZE(fds) - 1 - JOBS_QUEUED_MAX);
	end();
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			(void)close(fds[i]);
}
END_TEST

START_TEST(a_server_ends_with_requests_suspended)
{
	int fds[16];

	fake.hold = true;
	serve();
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		fds[i] = send_post(ONE);
	fake_wait_for_ioctls(1);
	/* It returns while firmware is held. */
	end();
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		(void)close(fds[i]);
}
END_TEST

SUITE(check_redfish_firmware)
{
	Suite *s = suite_create("redfish firmware");
	TCase *service = tcase_create("service"), *http = tcase_create("http");

	tcase_add_checked_fixture(service, setup, teardown);
	tcase_add_test(service, a_translation_with_firmware_is_a_job_and_then_cached);
	tcase_add_test(service, a_translation_without_firmware_is_no_job);
	tcase_add_test(service, an_empty_bucket_is_answered_at_once);
	tcase_add_test(service, a_slow_answer_of_firmware_is_waited_for_no_longer_than_the_limit);
	tcase_add_test(service, a_job_that_waited_too_long_answers_with_what_is_known);
	tcase_add_test(service, many_addresses_cost_few_calls_of_the_module);
	tcase_add_test(service, a_full_queue_refuses_and_a_stopped_service_replies_to_all);
	tcase_add_test(service, firmware_that_answers_is_no_condition);
	tcase_add_test(service, a_wedge_is_a_condition_once_a_new_view_is_made);
	tcase_add_test(service, a_wrong_answer_is_a_condition_that_stays);
	tcase_add_test(service,
		       an_error_of_firmware_is_a_condition_until_the_address_is_translated);
	tcase_add_test(service, an_ordinary_host_does_not_mind_that_there_is_no_firmware);
	suite_add_tcase(s, service);

	tcase_set_timeout(http, 60);
	tcase_add_checked_fixture(http, setup, teardown);
	tcase_add_test(http, a_suspended_request_is_resumed_with_the_answer);
	tcase_add_test(http, reads_are_served_while_firmware_does_not_come_back);
	tcase_add_test(http, a_client_may_leave_while_its_request_is_suspended);
	tcase_add_test(http, a_full_queue_is_503_with_retry_after);
	tcase_add_test(http, a_server_ends_with_requests_suspended);
	suite_add_tcase(s, http);
	return s;
}
