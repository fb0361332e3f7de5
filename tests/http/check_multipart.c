// SPDX-License-Identifier: LGPL-2.1-or-later
/* multipart/form-data: the same parts however the bytes are divided, and what is refused. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "http/multipart.h"
#include "tests/lib/suites.h"

#define TYPE	   "multipart/form-data; boundary=B"
#define PART(name) "--B\r\nContent-Disposition: form-data; name=\"" name "\"\r\n\r\n"
#define END	   "\r\n--B--\r\n"

/* Reports of the parser, as text: "<name|type>data</>". */
struct report {
	char text[4096];
	size_t len;
	bool refuses_data;
};

static void note(struct report *r, const char *s, size_t len)
{
	ck_assert_uint_lt(r->len + len, sizeof(r->text));
	memcpy(r->text + r->len, s, len);
	r->len += len;
	r->text[r->len] = '\0';
}

static int on_begin(void *userdata, const struct multipart_part *part)
{
	char text[256];
	int n = snprintf(text, sizeof(text), "<%s|%s>", part->name, part->content_type);

	note(userdata, text, (size_t)n);
	return 0;
}

static int on_data(void *userdata, const char *data, size_t len)
{
	struct report *r = userdata;

	ck_assert_uint_gt(len, 0);
	if (r->refuses_data)
		return -ENOSPC;
	note(r, data, len);
	return 0;
}

static int on_end(void *userdata)
{
	note(userdata, "</>", 3);
	return 0;
}

static const struct multipart_ops ops = {on_begin, on_data, on_end};

/* Parses @body in two pieces, of which the first has @first bytes, the second in steps of @step. */
static int parse_in_steps(struct multipart *m, struct report *r, const char *type, const char *body,
			  size_t len, size_t first, size_t step)
{
	int result = multipart_init(m, type, &ops, r);

	if (result == 0)
		result = multipart_take(m, body, first);
	for (size_t i = first; i < len && result == 0; i += step)
		result = multipart_take(m, body + i, len - i < step ? len - i : step);
	return result < 0 ? result : multipart_end(m);
}

static int parse(struct multipart *m, struct report *r, const char *body)
{
	memset(r, 0, sizeof(*r));
	return parse_in_steps(m, r, TYPE, body, strlen(body), strlen(body), 1);
}

static void refused(const char *body, const char *why)
{
	struct multipart m;
	struct report r;

	ck_assert_int_eq(parse(&m, &r, body), -EINVAL);
	ck_assert_str_eq(m.why, why);
}

static void parsed(const char *body, const char *expected)
{
	struct multipart m;
	struct report r;

	ck_assert_int_eq(parse(&m, &r, body), 0);
	ck_assert_str_eq(r.text, expected);
}

/* With everything that looks like a delimiter and is none. */
static const char difficult[] =
	"--B\r\ncontent-disposition:form-data;name=a;filename=\"x\\\"y\"\r\nContent-Type: \tapplication/json \r\n\r\n{}\r\n-\r\n--\r\n--A\r\r\n\n--B\r\n\r\r\n--B \t\r\n"
	"X-Other: 1\r\nContent-Disposition: form-data; name=\"b\";\r\n\r\n\r\n--B\r\n"
	"Content-Disposition: form-data; name=c\r\nContent-Transfer-Encoding: BINARY\r\n\r\n"
	"--B\r\r\n--B--\r\n";
#define DIFFICULT "<a|application/json>{}\r\n-\r\n--\r\n--A\r\r\n\n--B\r\n\r</><b|></><c|>--B\r</>"

START_TEST(parts_are_read)
{
	parsed(PART("UpdateParameters") "{}\r\n" PART("UpdateFile") "image" END,
	       "<UpdateParameters|>{}</><UpdateFile|>image</>");
	parsed(difficult, DIFFICULT);
	parsed(PART("a") "x\r\n--B--", "<a|>x</>");
}
END_TEST

START_TEST(the_division_of_the_bytes_makes_no_difference)
{
	const size_t len = sizeof(difficult) - 1;
	struct multipart m;

	for (size_t first = 0; first <= len; first++)
		for (size_t step = 1; step <= len; step++) {
			struct report r = {0};

			ck_assert_int_eq(parse_in_steps(&m, &r, TYPE, difficult, len, first, step),
					 0);
			ck_assert_str_eq(r.text, DIFFICULT);
		}
}
END_TEST

/* Random bytes of few kinds: every error and every part is found where the whole finds it. */
START_TEST(errors_do_not_depend_on_the_division_either)
{
	static const char *const pieces[] = {"\r\n--B",
					     "--B",
					     "\r\n",
					     "\r",
					     "\n",
					     "--",
					     "-",
					     "x",
					     "B",
					     "\r\n\r\n",
					     PART("p"),
					     END,
					     "Content-Disposition: form-data; name=n\r\n\r\n",
					     "Content-Type: a/b\r\n",
					     " ",
					     ":"};
	char body[2048];

	srandom(20260101);
	for (unsigned int i = 0; i < 20000; i++) {
		struct report whole = {0}, divided = {0};
		struct multipart a, b;
		size_t len = 0;
		int r;

		len = (size_t)snprintf(body, sizeof(body), "%s", i % 2 ? PART("a") : "");
		for (long n = random() % 12; n > 0; n--)
			len += (size_t)snprintf(body + len, sizeof(body) - len, "%s",
						pieces[(size_t)random() % ARRAY_SIZE(pieces)]);
		r = parse_in_steps(&a, &whole, TYPE, body, len, len, 1);
		ck_assert_int_eq(
			parse_in_steps(&b, &divided, TYPE, body, len, 0, 1 + (size_t)random() % 5),
			r);
		ck_assert_str_eq(whole.text, divided.text);
		ck_assert_ptr_eq(a.why, b.why);
	}
}
END_TEST

START_TEST(a_body_that_is_not_complete_is_refused)
{
	static const char complete[] = PART("a") "x\r\n--B--";
	struct multipart m;

	for (size_t len = 0; len < sizeof(complete) - 1; len++) {
		struct report r = {0};

		ck_assert_int_eq(parse_in_steps(&m, &r, TYPE, complete, len, len, 1), -EINVAL);
		ck_assert_str_eq(m.why, "the body ends before its last delimiter");
	}
}
END_TEST

START_TEST(the_content_type_needs_one_boundary)
{
	static const char *const wrong[] = {
		NULL,
		"",
		"application/json",
		"multipart/form-datax; boundary=B",
		"multipart/mixed; boundary=B",
		"multipart/form-data",
		"multipart/form-data; boundary=",
		"multipart/form-data; boundary=\"\"",
		"multipart/form-data; boundary=\"B",
		"multipart/form-data; boundary=B; boundary=B",
		"multipart/form-data; boundary=B x",
		"multipart/form-data; boundary=\"B \"",
		"multipart/form-data; boundary=\"B;\"",
		"multipart/form-data; boundary=\"B\\\r\"",
		"multipart/form-data; boundary=12345678901234567890123456789012345678901234567890123456789012345678901",
	};
	static const char *const right[] = {
		TYPE,
		"Multipart/Form-Data ; charset=utf-8; BOUNDARY=\"B\"",
		"multipart/form-data;boundary=B;",
		"multipart/form-data; boundary=1234567890123456789012345678901234567890123456789012345678901234567890",
	};
	struct multipart m;
	struct report r;

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		ck_assert_int_eq(multipart_init(&m, wrong[i], &ops, &r), -EINVAL);
	for (size_t i = 0; i < ARRAY_SIZE(right); i++)
		ck_assert_int_eq(multipart_init(&m, right[i], &ops, &r), 0);
}
END_TEST

#define MALFORMED   "a part has a malformed header"
#define DISPOSITION "a part has no valid Content-Disposition with one name"

static const struct {
	const char *body, *why;
} wrong_bodies[] = {
	{"x" PART("a") "x" END, "the body does not begin with the boundary"},
	{"\r\n" PART("a") "x" END, "the body does not begin with the boundary"},
	{"--C\r\n", "the body does not begin with the boundary"},
	{"--Bx\r\n", "the boundary is followed by something else"},
	{"--B-\r\n", "the boundary is followed by something else"},
	{"--B\rx", "a line of a part's headers has no end"},
	{PART("a") "x" END "x", "something follows the last part"},
	{PART("a") "x" END "\r\n", "something follows the last part"},
	{PART("a") "x\r\n--B--x", "something follows the last part"},
	{"--B\r\n\r\n", "a part has no Content-Disposition"},
	{"--B\r\nContent-Type: a/b\r\n\r\n", "a part has no Content-Disposition"},
	{"--B\r\nContent-Disposition: form-data; name=a\r\n name=b\r\n\r\n", MALFORMED},
	{"--B\r\nContent-Disposition : form-data; name=a\r\n\r\n", MALFORMED},
	{"--B\r\n: form-data; name=a\r\n\r\n", MALFORMED},
	{"--B\r\nContent-Disposition: form-data; name=a\nX: y\r\n\r\n", MALFORMED},
	{"--B\r\nno colon\r\n\r\n", MALFORMED},
	{"--B\r\nContent-Disposition: attachment; name=a\r\n\r\n", DISPOSITION},
	{"--B\r\nContent-Disposition: form-data\r\n\r\n", DISPOSITION},
	{"--B\r\nContent-Disposition: form-data; name=\"\"\r\n\r\n", DISPOSITION},
	{"--B\r\nContent-Disposition: form-data; name=\"a\r\n\r\n", DISPOSITION},
	{"--B\r\nContent-Disposition: form-data; name=a; name=b\r\n\r\n", DISPOSITION},
	{"--B\r\nContent-Disposition: form-data; name=a; filename\r\n\r\n", DISPOSITION},
	{"--B\r\nContent-Disposition: form-data; name=1234567890123456789012345678901234567890123456789012345678901234\r\n\r\n",
	 DISPOSITION},
	{"--B\r\nContent-Disposition: form-data; name=a\r\n"
	 "Content-Disposition: form-data; name=b\r\n\r\n",
	 DISPOSITION},
	{"--B\r\nContent-Type:\r\n", "a part has no valid Content-Type"},
	{"--B\r\nContent-Type: a/b\r\nContent-Type: a/b\r\n", "a part has no valid Content-Type"},
	{"--B\r\nContent-Type: Multipart/mixed; boundary=C\r\n", "a part has parts itself"},
	{"--B\r\nContent-Transfer-Encoding: base64\r\n", "a part has a Content-Transfer-Encoding"},
};

START_TEST(what_is_malformed_is_named)
{
	refused(wrong_bodies[_i].body, wrong_bodies[_i].why);
}
END_TEST

START_TEST(a_nul_byte_does_not_end_what_is_checked)
{
	static const char after_boundary[] = "--B\0x\r\n";
	static const char in_header[] = "--B\r\nContent-Type: a\0b\r\n";
	struct report r = {0};
	struct multipart m;

	ck_assert_int_eq(
		parse_in_steps(&m, &r, TYPE, after_boundary, sizeof(after_boundary) - 1, 0, 1),
		-EINVAL);
	ck_assert_str_eq(m.why, "the boundary is followed by something else");
	ck_assert_int_eq(parse_in_steps(&m, &r, TYPE, in_header, sizeof(in_header) - 1, 0, 1),
			 -EINVAL);
	ck_assert_str_eq(m.why, MALFORMED);
}
END_TEST

static void append(char *to, const char *s, unsigned int n)
{
	while (n-- > 0)
		to = stpcpy(to, s);
}

START_TEST(headers_and_parts_are_bounded)
{
	static char body[64 * 1024];
	char *end = stpcpy(body, "--B\r\nX: ");

	append(end, "y", MULTIPART_LINE_MAX);
	refused(body, "the headers of a part are too long");
	end = stpcpy(body, "--B\r\n");
	append(end, "X: y\r\n", MULTIPART_HEADERS_MAX);
	refused(body, "the headers of a part are too long");
	append(body, PART("a") "x\r\n", MULTIPART_PARTS_MAX + 1);
	refused(body, "the body has too many parts");
	append(body, PART("a") "x\r\n", MULTIPART_PARTS_MAX - 1);
	strcat(body, PART("a") "x" END);
	parsed(body, "<a|>x</><a|>x</><a|>x</><a|>x</><a|>x</><a|>x</><a|>x</><a|>x</>");
}
END_TEST

/* Headers of one part do not take from the limit of the next. */
START_TEST(each_part_has_its_own_limit_of_headers)
{
	static char body[64 * 1024];
	char *end = body;

	for (unsigned int i = 0; i < MULTIPART_PARTS_MAX; i++) {
		end = stpcpy(end, "--B\r\nContent-Disposition: form-data; name=a\r\n");
		for (unsigned int k = 0; k < (MULTIPART_HEADERS_MAX - 64) / 5; k++)
			end = stpcpy(end, "X:y\r\n");
		end = stpcpy(end, "\r\nx\r\n");
	}
	(void)stpcpy(end, "--B--");
	parsed(body, "<a|>x</><a|>x</><a|>x</><a|>x</><a|>x</><a|>x</><a|>x</><a|>x</>");
}
END_TEST

START_TEST(an_error_of_the_receiver_ends_it)
{
	struct report r = {.refuses_data = true};
	struct multipart m;

	ck_assert_int_eq(multipart_init(&m, TYPE, &ops, &r), 0);
	ck_assert_int_eq(multipart_take(&m, PART("a") "x", strlen(PART("a") "x")), -ENOSPC);
	r.refuses_data = false;
	ck_assert_int_eq(multipart_take(&m, END, strlen(END)), -ENOSPC);
	ck_assert_int_eq(multipart_end(&m), -ENOSPC);
	ck_assert_ptr_null(m.why);
}
END_TEST

SUITE(check_multipart)
{
	Suite *s = suite_create("multipart");
	TCase *t = tcase_create("multipart");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, parts_are_read);
	tcase_add_test(t, the_division_of_the_bytes_makes_no_difference);
	tcase_add_test(t, errors_do_not_depend_on_the_division_either);
	tcase_add_test(t, a_body_that_is_not_complete_is_refused);
	tcase_add_test(t, the_content_type_needs_one_boundary);
	tcase_add_loop_test(t, what_is_malformed_is_named, 0, (int)ARRAY_SIZE(wrong_bodies));
	tcase_add_test(t, a_nul_byte_does_not_end_what_is_checked);
	tcase_add_test(t, headers_and_parts_are_bounded);
	tcase_add_test(t, each_part_has_its_own_limit_of_headers);
	tcase_add_test(t, an_error_of_the_receiver_ends_it);
	suite_add_tcase(s, t);
	return s;
}
