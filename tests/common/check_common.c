// SPDX-License-Identifier: LGPL-2.1-or-later
/* The small modules of common/. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "common/arena.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/error.h"
#include "common/fileio.h"
#include "common/frame.h"
#include "common/host_name.h"
#include "common/json_scan.h"
#include "common/json_writer.h"
#include "common/log.h"
#include "common/strutil.h"
#include "common/worker.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

START_TEST(address_needs_0x_or_is_plain_zero)
{
	uint64_t v = 7;

	ck_assert_int_eq(parse_address("0", &v), 0);
	ck_assert_uint_eq(v, 0);
	ck_assert_int_eq(parse_address("0x1f00040", &v), 0);
	ck_assert_uint_eq(v, 0x1f00040);
	ck_assert_int_eq(parse_address("0xffffffffffffffff", &v), 0);
	ck_assert_uint_eq(v, UINT64_MAX);
	ck_assert_int_eq(parse_address("0xABCdef", &v), 0);
	ck_assert_uint_eq(v, 0xabcdef);
}
END_TEST

START_TEST(address_in_any_other_form_is_refused_and_leaves_the_result_alone)
{
	static const char *const bad[] = {
		"",	"1000", "00",	"0X10",	 "0x",	  "0xg",  " 0x1",
		"0x1 ", "-0x1", "+0x1", "0x1\n", "0x1.0", "1f00", "0x10000000000000000",
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		uint64_t v = 7;

		ck_assert_msg(parse_address(bad[i], &v) == -EINVAL, "accepted '%s'", bad[i]);
		ck_assert_uint_eq(v, 7);
	}
}
END_TEST

START_TEST(an_authority_is_a_host_with_or_without_a_port)
{
	static const struct {
		const char *text, *host;
		enum authority_kind kind;
		int port;
	} good[] = {
		{"node1", "node1", AUTHORITY_NAME, AUTHORITY_NO_PORT},
		{"node1:", "node1", AUTHORITY_NAME, AUTHORITY_NO_PORT},
		{"a_b.example.:0", "a_b.example.", AUTHORITY_NAME, 0},
		{"0x7f000001:1", "0x7f000001", AUTHORITY_NAME, 1},
		{"192.0.2.7:65535", "192.0.2.7", AUTHORITY_IPV4, 65535},
		{"[2001:db8::1]", "2001:db8::1", AUTHORITY_IPV6, AUTHORITY_NO_PORT},
		{"[::]:00080", "::", AUTHORITY_IPV6, 80},
		{"[fe80::1%eth0]:9", "fe80::1%eth0", AUTHORITY_ZONE, 9},
	};

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		struct authority a;

		ck_assert_msg(authority_parse(good[i].text, strlen(good[i].text), &a) == 0, "%s",
			      good[i].text);
		ck_assert_str_eq(a.host, good[i].host);
		ck_assert_int_eq(a.kind, good[i].kind);
		ck_assert_int_eq(a.port, good[i].port);
	}
}
END_TEST

START_TEST(an_authority_in_any_other_form_is_refused_and_leaves_the_result_alone)
{
	static const char *const bad[] = {
		"",	  ":",	       ":80",	      ".a",	 "a b",	      "a/",
		"a@b:1",  "a:80:90",   "a:x",	      "a:65536", "a:-1",      "a:+1",
		"a: 1",	  "a:000080",  "::1",	      "::1:80",	 "[",	      "[]",
		"[]:1",	  "[::1",      "[::1]80",     "[::1]:x", "[a]:1",     "[::g]",
		"[::1%]", "[::1%a b]", "[1.2.3.4]:1", "[::1]]",	 "[[::1]]:1",
	};
	char longest[HOST_NAME_BYTES + 1];
	struct authority a = {.port = 7};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		ck_assert_msg(authority_parse(bad[i], strlen(bad[i]), &a) == -EINVAL, "%s", bad[i]);
	ck_assert_int_eq(authority_parse("a\0b", 3, &a), -EINVAL);
	ck_assert_int_eq(authority_parse("a\0", 2, &a), -EINVAL);
	memset(longest, 'a', sizeof(longest));
	ck_assert_int_eq(authority_parse(longest, HOST_NAME_BYTES, &a), -EINVAL);
	ck_assert_int_eq(a.port, 7);
	ck_assert_int_eq(authority_parse(longest, HOST_NAME_BYTES - 1, &a), 0);
	ck_assert_uint_eq(strlen(a.host), HOST_NAME_BYTES - 1);
}
END_TEST

START_TEST(sysfs_number_is_decimal_or_hexadecimal)
{
	uint64_t v;
	int i;

	ck_assert_int_eq(parse_u64("268435456", &v), 0);
	ck_assert_uint_eq(v, 268435456);
	ck_assert_int_eq(parse_u64("0x0000000010000000", &v), 0);
	ck_assert_uint_eq(v, 268435456);
	ck_assert_int_eq(parse_u64("18446744073709551615", &v), 0);
	ck_assert_uint_eq(v, UINT64_MAX);
	ck_assert_int_eq(parse_u64("18446744073709551616", &v), -ERANGE);
	ck_assert_int_eq(parse_u64("0x10000000000000000", &v), -ERANGE);
	ck_assert_int_eq(parse_u64("", &v), -EINVAL);
	ck_assert_int_eq(parse_u64("12a", &v), -EINVAL);
	ck_assert_int_eq(parse_int("-1", &i), 0);
	ck_assert_int_eq(i, -1);
	ck_assert_int_eq(parse_int("2147483648", &i), -ERANGE);
	ck_assert_int_eq(parse_int("-", &i), -EINVAL);
}
END_TEST

START_TEST(names_with_numbers_are_ordered_by_value)
{
	ck_assert_int_lt(str_natural_cmp("mem2", "mem10"), 0);
	ck_assert_int_gt(str_natural_cmp("decoder10.0", "decoder9.3"), 0);
	ck_assert_int_lt(str_natural_cmp("decoder1.9", "decoder1.10"), 0);
	ck_assert_int_eq(str_natural_cmp("mem7", "mem7"), 0);
	ck_assert_int_lt(str_natural_cmp("mem", "mem0"), 0);
}
END_TEST

START_TEST(untrusted_text_with_control_characters_is_not_plain)
{
	ck_assert(str_is_plain("BWFW VERSION 00"));
	ck_assert(!str_is_plain("a\nb"));
	ck_assert(!str_is_plain("\x1b[31m"));
	ck_assert(!str_is_plain("caf\xc3\xa9"));
	ck_assert(!str_is_plain("\x9b"
				"31m"));
	ck_assert(str_has_control("\x1b[31m"));
	ck_assert(str_has_control("a\xc2\x9b"
				  "31m"));
	ck_assert(!str_has_control("caf\xc3\xa9 \xc2\xa0"));
	ck_assert(!str_has_control("a\xc2"));
}
END_TEST

START_TEST(a_log_line_has_only_printable_ascii)
{
	char line[128];
	int ends[2], saved = dup(STDERR_FILENO);
	ssize_t n;

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_ge(dup2(ends[1], STDERR_FILENO), 0);
	log_warning("%s", "a\x1b[31m\n\x7f \x9b"
			  "31m \xc2\x9b"
			  "31m \xc3\xa9 \xff");
	ck_assert_int_ge(dup2(saved, STDERR_FILENO), 0);
	n = read(ends[0], line, sizeof(line) - 1);
	ck_assert_int_gt(n, 0);
	line[n] = '\0';
	ck_assert_ptr_nonnull(strstr(line, "a?[31m?? ?31m ??31m ?? ?\n"));
	(void)close(ends[0]);
	(void)close(ends[1]);
	(void)close(saved);
}
END_TEST

START_TEST(error_is_cut_to_its_limit_and_returns_the_negative_code)
{
	struct error e;
	char longer[ERROR_TEXT_MAX * 2];

	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	ck_assert_int_eq(error_set(&e, EINVAL, "%s", longer), -EINVAL);
	ck_assert_uint_eq(strlen(e.text), ERROR_TEXT_MAX - 1);
	ck_assert_int_eq(error_set(&e, -EPERM, "no"), -EPERM);
	error_prefix(&e, "mem%d", 3);
	ck_assert_str_eq(e.text, "mem3: no");
	ck_assert_int_eq(e.code, EPERM);
	ck_assert_int_eq(error_set(NULL, EIO, "without an error object"), -EIO);
}
END_TEST

START_TEST(arena_gives_zeroed_aligned_memory_and_refuses_overflow)
{
	struct arena *a = arena_new();

	ck_assert_ptr_nonnull(a);
	for (size_t size = 0; size < 40000; size += 977) {
		unsigned char *p = arena_alloc(a, size);

		ck_assert_ptr_nonnull(p);
		ck_assert_uint_eq((uintptr_t)p % _Alignof(max_align_t), 0);
		for (size_t i = 0; i < size; i++)
			ck_assert_uint_eq(p[i], 0);
		memset(p, 0xff, size);
	}
	ck_assert_ptr_null(arena_array(a, SIZE_MAX / 2, 16));
	ck_assert_ptr_null(arena_alloc(a, SIZE_MAX));
	ck_assert_str_eq(arena_printf(a, "%s%d", "mem", 12), "mem12");
	ck_assert_ptr_null(arena_strdup(a, NULL));
	ck_assert_ptr_null(arena_free(a));
	ck_assert_ptr_null(arena_free(NULL));
}
END_TEST

DEFINE_ARRAY(int, ints);

START_TEST(array_grows_and_keeps_its_items)
{
	struct ints a = {0};
	int sum = 0;

	for (int i = 0; i < 1000; i++)
		*ints_add(&a) = i;
	ARRAY_FOREACH(it, &a)
		sum += *it;
	ck_assert_int_eq(sum, 999 * 1000 / 2);
	ints_done(&a);
	ck_assert_uint_eq(a.n, 0);
	ARRAY_FOREACH(it, &a)
		ck_abort_msg("an empty array has an item");
}
END_TEST

START_TEST(file_is_read_up_to_its_limit_and_fifos_do_not_hang)
{
	char dir[] = "/tmp/check_common.XXXXXX";
	_cleanup_close_ int dirfd = -1;
	_cleanup_close_ int fd = -1;
	_cleanup_free_ char *text = NULL;
	size_t len = 0;
	char block[5000];

	ck_assert_ptr_nonnull(mkdtemp(dir));
	dirfd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(dirfd, 0);
	fd = openat(dirfd, "f", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	memset(block, 'a', sizeof(block));
	ck_assert_int_eq(write(fd, block, sizeof(block)), (ssize_t)sizeof(block));

	ck_assert_int_eq(read_file_at(dirfd, "f", sizeof(block), &text, &len), 0);
	ck_assert_uint_eq(len, sizeof(block));
	ck_assert_int_eq(text[len], '\0');
	ck_assert_int_eq(read_file_at(dirfd, "f", sizeof(block) - 1, &text, NULL), -EFBIG);
	ck_assert_int_eq(read_file_at(dirfd, "f", 0, &text, NULL), -EFBIG);
	ck_assert_int_eq(read_file_at(dirfd, "missing", 10, &text, NULL), -ENOENT);
	ck_assert_int_eq(mkfifoat(dirfd, "fifo", 0600), 0);
	ck_assert_int_eq(read_file_at(dirfd, "fifo", 10, &text, NULL), -EINVAL);
	ck_assert_int_eq(read_file_at(dirfd, ".", 10, &text, NULL), -EISDIR);

	ck_assert_int_eq(unlinkat(dirfd, "f", 0), 0);
	ck_assert_int_eq(unlinkat(dirfd, "fifo", 0), 0);
	ck_assert_int_eq(rmdir(dir), 0);
}
END_TEST

/* Return: the output of @fill, which the caller frees. */
static char *written(void (*fill)(struct json_writer *w), unsigned int break_depth,
		     bool absent_is_null)
{
	struct json_writer w = {.break_depth = break_depth, .absent_is_null = absent_is_null};

	fill(&w);
	ck_assert(!w.failed);
	put_raw_bytes(&w, "", 1);
	return w.text;
}

static void fill_values(struct json_writer *w)
{
	put_object(w, NULL);
	put_opt_hex(w, "a", OPT_U64(0x10));
	put_opt_hex(w, "b", (struct opt_u64){0});
	put_opt_number(w, "c", OPT_U64(UINT64_MAX));
	put_opt_int(w, "d", OPT_INT(-1));
	put_bool(w, "e", true);
	put_opt_bool(w, "f", (struct opt_bool){0});
	put_string(w, "g", NULL);
	put_array(w, "h");
	put_end(w);
	put_array(w, "i");
	put_object(w, NULL);
	put_end(w);
	put_null(w, NULL);
	put_end(w);
	put_end(w);
}

START_TEST(json_is_written_on_one_line_or_many)
{
	_cleanup_free_ char *flat = written(fill_values, 0, true);
	_cleanup_free_ char *broken = written(fill_values, 1, true);

	ck_assert_str_eq(flat, "{\"a\":\"0x10\",\"b\":null,\"c\":18446744073709551615,"
			       "\"d\":-1,\"e\":true,\"f\":null,\"g\":null,\"h\":[],"
			       "\"i\":[{},null]}");
	ck_assert_str_eq(broken,
			 "{\n \"a\": \"0x10\",\n \"b\": null,\n \"c\": 18446744073709551615,"
			 "\n \"d\": -1,\n \"e\": true,\n \"f\": null,\n \"g\": null,\n "
			 "\"h\": [],\n \"i\": [{}, null]\n}");
}
END_TEST

START_TEST(json_omits_absent_values)
{
	_cleanup_free_ char *text = written(fill_values, 0, false);

	ck_assert_str_eq(text, "{\"a\":\"0x10\",\"c\":18446744073709551615,\"d\":-1,\"e\":true,"
			       "\"h\":[],\"i\":[{},null]}");
}
END_TEST

static void fill_tenths(struct json_writer *w)
{
	put_array(w, NULL);
	put_tenths(w, NULL, 0);
	put_tenths(w, NULL, 25);
	put_tenths(w, NULL, 5120);
	put_tenths(w, NULL, 1);
	put_end(w);
}

START_TEST(json_number_of_tenths_has_a_decimal_when_needed)
{
	_cleanup_free_ char *text = written(fill_tenths, 0, false);

	ck_assert_str_eq(text, "[0,2.5,512,0.1]");
}
END_TEST

START_TEST(json_that_is_nested_too_deeply_or_closed_too_often_fails)
{
	struct json_writer w = {0};

	for (int i = 0; i < 64; i++)
		put_array(&w, NULL);
	ck_assert(!w.failed);
	put_array(&w, NULL);
	ck_assert(w.failed);
	ck_assert_int_eq(json_writer_flush(&w, stdout), -ENOMEM);
	json_writer_done(&w);
	put_end(&w);
	ck_assert(w.failed);
	json_writer_done(&w);
}
END_TEST

START_TEST(json_constant_is_not_copied_and_is_the_whole_text)
{
	static const char constant[] = "{}";
	struct json_writer w = {0};

	put_constant(&w, constant, 2);
	ck_assert(!w.failed);
	ck_assert_ptr_eq(w.text, constant);
	ck_assert_uint_eq(w.len, 2);
	put_null(&w, NULL);
	ck_assert(w.failed);
	json_writer_done(&w);
	put_raw(&w, "[");
	put_constant(&w, constant, 2);
	ck_assert(w.failed);
	json_writer_done(&w);
}
END_TEST

static void fill_strings(struct json_writer *w)
{
	put_array(w, NULL);
	put_string(w, NULL, "a\"b\\c");
	put_string(w, NULL, "\x1b[31m\n\x7f");
	put_string(w, NULL, "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x92\xbe");
	put_string(w, NULL, "\xc2\x9b");
	put_string(w, NULL, "\xff\xc3 \xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80 \xe2\x82");
	put_end(w);
}

START_TEST(untrusted_text_in_json_is_escaped_ascii)
{
	_cleanup_free_ char *text = written(fill_strings, 0, false);

	ck_assert_str_eq(text, "[\"a\\\"b\\\\c\",\"\\u001b[31m\\u000a\\u007f\","
			       "\"\\u00e9 \\u20ac \\ud83d\\udcbe\",\"\\u009b\","
			       "\"\\ufffd\\ufffd \\ufffd\\ufffd \\ufffd\\ufffd\\ufffd "
			       "\\ufffd\\ufffd\\ufffd\\ufffd \\ufffd\\ufffd\"]");
}
END_TEST

/* Return: the decoded string; until the next call. */
static const char *decoded(const char *string)
{
	static char text[16];

	ck_assert(
		json_string_decode((struct json_span){string, strlen(string)}, text, sizeof(text)));
	return text;
}

START_TEST(json_is_scanned_without_a_tree)
{
	static const char text[] =
		"{\"a\":{\"x\":\"}\\\"\"},\"b\":[1,\"]\",{\"c\":[]}],\"d\":null}";
	const struct json_span all = {text, strlen(text)};
	struct json_span value, item;
	struct json_cursor c;

	ck_assert(json_member(all, "a", &value));
	ck_assert(json_span_is(value, "{\"x\":\"}\\\"\"}"));
	ck_assert(json_member(all, "d", &value));
	ck_assert(json_span_is(value, "null"));
	ck_assert(!json_member(all, "x", &value));
	ck_assert(json_member(all, "b", &value));
	ck_assert(!json_member(value, "c", &item));
	ck_assert(json_enter(value, '[', &c));
	ck_assert(json_next_item(&c, &item) && json_span_is(item, "1"));
	ck_assert(json_next_item(&c, &item) && json_span_is(item, "\"]\""));
	ck_assert(json_next_item(&c, &item) && json_span_is(item, "{\"c\":[]}"));
	ck_assert(!json_next_item(&c, &item));
}
END_TEST

START_TEST(json_that_ends_early_is_not_read_beyond)
{
	static const char text[] = "{\"a\":[{\"b\":\"c\\\"d\"}],\"e\":-1.5}";

	for (size_t n = 0; n < strlen(text); n++) {
		char *cut = malloc(n + 1);
		struct json_span value;

		ck_assert_ptr_nonnull(cut);
		memcpy(cut, text, n);
		(void)json_member((struct json_span){cut, n}, "e", &value);
		free(cut);
	}
}
END_TEST

START_TEST(json_strings_are_decoded_and_cut)
{
	struct json_span number = {"12", 2};
	char text[4];

	ck_assert_str_eq(decoded("\"a\\\"\\\\\\/\\n\\t\""), "a\"\\/\n\t");
	ck_assert_str_eq(decoded("\"\\u00e9\\u20ac\\ud83d\\udcbe\""),
			 "\xc3\xa9\xe2\x82\xac\xf0\x9f\x92\xbe");
	ck_assert_str_eq(decoded("\"\\ud83dx\\u12\""), "\xed\xa0\xbdx\xef\xbf\xbd");
	ck_assert_str_eq(decoded("\"0123456789012345678\""), "012345678901234");
	ck_assert(!json_string_decode(number, text, sizeof(text)));
}
END_TEST

/* ---- frames -----------------------------------------------------------------------------------
 */

static void *send_and_end(void *userdata)
{
	const int fd = *(const int *)userdata;

	ck_assert_int_eq(frame_send_wait(fd, "result", sizeof("result")), 0);
	ck_assert_int_eq(shutdown(fd, SHUT_WR), 0);
	return NULL;
}

/* The receiver asks all the time, so that it often does so between the packet and the end. */
START_TEST(the_last_packet_is_received_before_the_end)
{
	for (int i = 0; i < 2000; i++) {
		char text[16] = "";
		pthread_t sender;
		size_t len;
		int pair[2], r;

		ck_assert_int_eq(frame_pair(pair), 0);
		ck_assert_int_eq(pthread_create(&sender, NULL, send_and_end, &pair[1]), 0);
		while ((r = frame_receive(pair[0], text, 1, sizeof(text), &len)) == -EAGAIN)
			;
		ck_assert_int_eq(r, 0);
		ck_assert_str_eq(text, "result");
		ck_assert_int_eq(pthread_join(sender, NULL), 0);
		ck_assert_int_eq(frame_receive(pair[0], text, 1, sizeof(text), &len), -EPIPE);
		(void)close(pair[0]);
		(void)close(pair[1]);
	}
}
END_TEST

/* ---- workers ---- */

static struct worker worker;
static sem_t busy; /* while it is 0 */

/* Its last steps take longer than a stop would wait for a busy one. */
static void *end_late(void *userdata)
{
	(void)userdata;
	worker_lock(&worker);
	while (!worker.stop)
		(void)worker_wait(&worker, WORKER_FOREVER);
	worker_unlock(&worker);
	(void)usleep(100 * 1000);
	worker_ended(&worker);
	return NULL;
}

static void *be_busy(void *userdata)
{
	(void)userdata;
	(void)sem_wait(&busy);
	worker_ended(&worker);
	return NULL;
}

static bool is_idle(void)
{
	bool idle;

	worker_lock(&worker);
	idle = worker.idle;
	worker_unlock(&worker);
	return idle;
}

START_TEST(an_idle_worker_has_the_time_to_end_and_a_busy_one_is_left_alone)
{
	worker_init(&worker);
	ck_assert_int_eq(worker_start(&worker, end_late, NULL, NULL), 0);
	WAIT_UNTIL(is_idle());
	ck_assert(worker_stop(&worker, 1));
	worker_done(&worker);
	memset(&worker, 0, sizeof(worker));
	worker_init(&worker);
	(void)sem_init(&busy, 0, 0);
	ck_assert_int_eq(worker_start(&worker, be_busy, NULL, NULL), 0);
	ck_assert(!worker_stop(&worker, 1));
	(void)sem_post(&busy);
	ck_assert(worker_stop(&worker, WAIT_MAX_MS));
	worker_done(&worker);
}
END_TEST

SUITE(check_common)
{
	Suite *s = suite_create("common");
	TCase *tc = tcase_create("common");
	TCase *frames = tcase_create("frames");

	tcase_set_timeout(frames, 0);
	tcase_add_test(frames, the_last_packet_is_received_before_the_end);
	suite_add_tcase(s, frames);
	tcase_add_test(tc, address_needs_0x_or_is_plain_zero);
	tcase_add_test(tc, address_in_any_other_form_is_refused_and_leaves_the_result_alone);
	tcase_add_test(tc, an_authority_is_a_host_with_or_without_a_port);
	tcase_add_test(tc, an_authority_in_any_other_form_is_refused_and_leaves_the_result_alone);
	tcase_add_test(tc, sysfs_number_is_decimal_or_hexadecimal);
	tcase_add_test(tc, names_with_numbers_are_ordered_by_value);
	tcase_add_test(tc, untrusted_text_with_control_characters_is_not_plain);
	tcase_add_test(tc, a_log_line_has_only_printable_ascii);
	tcase_add_test(tc, error_is_cut_to_its_limit_and_returns_the_negative_code);
	tcase_add_test(tc, arena_gives_zeroed_aligned_memory_and_refuses_overflow);
	tcase_add_test(tc, array_grows_and_keeps_its_items);
	tcase_add_test(tc, file_is_read_up_to_its_limit_and_fifos_do_not_hang);
	tcase_add_test(tc, json_is_written_on_one_line_or_many);
	tcase_add_test(tc, json_omits_absent_values);
	tcase_add_test(tc, json_number_of_tenths_has_a_decimal_when_needed);
	tcase_add_test(tc, json_that_is_nested_too_deeply_or_closed_too_often_fails);
	tcase_add_test(tc, json_constant_is_not_copied_and_is_the_whole_text);
	tcase_add_test(tc, untrusted_text_in_json_is_escaped_ascii);
	tcase_add_test(tc, json_is_scanned_without_a_tree);
	tcase_add_test(tc, json_that_ends_early_is_not_read_beyond);
	tcase_add_test(tc, json_strings_are_decoded_and_cut);
	tcase_add_test(tc, an_idle_worker_has_the_time_to_end_and_a_busy_one_is_left_alone);
	suite_add_tcase(s, tc);
	return s;
}
