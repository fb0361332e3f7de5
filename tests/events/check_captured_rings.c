// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Compares the raw pages of the bundled hosts with two other sources of the same records: the
 * kernel's own text (events/trace.txt), and the output of `cxl monitor`, which has every field.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>
#include <jansson.h>

#include "common/cleanup.h"
#include "common/fileio.h"
#include "events/replay.h"
#include "tests/lib/events_util.h"
#include "tests/lib/suites.h"

static struct scratch scratch;
static int host; /* the captured host's directory */
static struct records got;
static struct event_counts counts;
static struct error e;

static int replay(void)
{
	_cleanup_close_ int fd = openat(host, "events", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	got.n = 0;
	return event_replay(fd, collect, &got, &counts, &e);
}

static void use_host(const char *name)
{
	host = unpack_bundled(&scratch, name, "host");
}

static void setup(void)
{
	scratch_setup(&scratch);
	got = (struct records){0};
	e = (struct error){0};
	host = -1;
}

static void teardown(void)
{
	records_done(&got);
	if (host >= 0)
		(void)close(host);
	scratch_teardown(&scratch);
}

static char *read_events_file(const char *path)
{
	char *text;

	ck_assert_int_eq(read_file_at(host, path, 1 << 20, &text, NULL), 0);
	return text;
}

/* ---- the kernel's text ---- */

enum how { DECIMAL, HEX, WORD, MEMDEV, HOST, REGION, UUID, HEX_BYTES };

static const char *const logs[] = {"Informational", "Warning", "Failure", "Fatal", NULL};
static const char *const lists[] = {"List", "Inject", "Clear", NULL};
static const char *const sources[] = {"Unknown", "External", "Internal", "Injected", NULL};

/* How the kernel prints a value, and the name of validity_flags without which it is not valid. */
static const struct {
	const char *key;
	enum how how;
	unsigned index;
	const char *vouched;
	const char *const *words;
} keys[] = {
	{"memdev", MEMDEV, 0, NULL, NULL},
	{"host", HOST, 0, NULL, NULL},
	{"region", REGION, 0, NULL, NULL},
	{"serial", DECIMAL, FIELD_SERIAL, NULL, NULL},
	{"log", WORD, FIELD_LOG, NULL, logs},
	{"time", DECIMAL, FIELD_HDR_TIMESTAMP, NULL, NULL},
	{"uuid", UUID, BYTES_HDR_UUID, NULL, NULL},
	{"len", DECIMAL, FIELD_HDR_LENGTH, NULL, NULL},
	{"handle", HEX, FIELD_HDR_HANDLE, NULL, NULL},
	{"related_handle", HEX, FIELD_HDR_RELATED_HANDLE, NULL, NULL},
	{"maint_op_class", DECIMAL, FIELD_HDR_MAINT_OP_CLASS, NULL, NULL},
	{"dpa", HEX, FIELD_DPA, NULL, NULL},
	{"dpa_length", HEX, FIELD_DPA_LENGTH, NULL, NULL},
	{"hpa", HEX, FIELD_HPA, NULL, NULL},
	{"hpa_alias0", HEX, FIELD_HPA_ALIAS0, NULL, NULL},
	{"region_uuid", UUID, BYTES_REGION_UUID, NULL, NULL},
	{"channel", DECIMAL, FIELD_CHANNEL, "CHANNEL", NULL},
	{"rank", DECIMAL, FIELD_RANK, "RANK", NULL},
	{"device", HEX, FIELD_DEVICE, "DEVICE", NULL},
	{"nibble_mask", HEX, FIELD_NIBBLE_MASK, "NIBBLE", NULL},
	{"bank_group", DECIMAL, FIELD_BANK_GROUP, "BANK GROUP", NULL},
	{"bank", DECIMAL, FIELD_BANK, "BANK", NULL},
	{"row", DECIMAL, FIELD_ROW, "ROW", NULL},
	{"column", DECIMAL, FIELD_COLUMN, "COLUMN", NULL},
	{"sub_channel", DECIMAL, FIELD_SUB_CHANNEL, "SUB CHANNEL", NULL},
	{"comp_id", HEX_BYTES, BYTES_COMP_ID, "COMPONENT", NULL},
	{"cor_mask", HEX_BYTES, BYTES_COR_MASK, "CORRECTION MASK", NULL},
	{"cme_count", DECIMAL, FIELD_CME_COUNT, NULL, NULL},
	{"cvme_count", DECIMAL, FIELD_CVME_COUNT, NULL, NULL},
	{"life_used", DECIMAL, FIELD_LIFE_USED, NULL, NULL},
	{"device_temp", DECIMAL, FIELD_DEVICE_TEMP, NULL, NULL},
	{"dirty_shutdown_cnt", DECIMAL, FIELD_DIRTY_SHUTDOWN_CNT, NULL, NULL},
	{"cor_vol_err_cnt", DECIMAL, FIELD_COR_VOL_ERR_CNT, NULL, NULL},
	{"cor_per_err_cnt", DECIMAL, FIELD_COR_PER_ERR_CNT, NULL, NULL},
	{"trace_type", WORD, FIELD_TRACE_TYPE, NULL, lists},
	{"source", WORD, FIELD_SOURCE, NULL, sources},
	{"overflow_time", DECIMAL, FIELD_OVERFLOW_TS, NULL, NULL},
};

/* Return: the text after " KEY=" in the line, or NULL. */
static const char *find_key(const char *line, const char *key)
{
	char pattern[64];
	const char *at;

	(void)snprintf(pattern, sizeof(pattern), " %s=", key);
	at = strstr(line, pattern);
	return at ? at + strlen(pattern) : NULL;
}

static bool is_valid(const char *line, const char *word)
{
	const char *flags = find_key(line, "validity_flags");
	char list[256], pattern[64];

	if (!flags)
		return false;
	(void)snprintf(list, sizeof(list), "|%.*s|", (int)strcspn(flags + 1, "'"), flags + 1);
	(void)snprintf(pattern, sizeof(pattern), "|%s|", word);
	return strstr(list, pattern);
}

static uint64_t number_in(const char *value, enum how how, const char *const *words)
{
	uint64_t i = 0;

	if (how != WORD)
		return how == HEX ? strtoull(value, NULL, 16) : (uint64_t)strtoll(value, NULL, 10);
	while (words[i] && strncmp(value, words[i], strlen(words[i])) != 0)
		i++;
	ck_assert_msg(words[i], "unknown name %.20s", value);
	return i;
}

/* A name ends with a blank; the last one before the values ends with ": ". */
static void expect_name(const char *key, const char *value, const char *name)
{
	size_t len = strcspn(value, " \n");

	if (len > 0 && value[len - 1] == ':')
		len--;
	ck_assert_msg(strlen(name) == len && strncmp(value, name, len) == 0,
		      "%s is %s, the kernel has %.*s", key, name, (int)len, value);
}

/* Reads the bytes of "6c 61 62" or "6c61-62". */
static size_t read_hex(const char *value, uint8_t ret[64])
{
	size_t n = 0;
	unsigned byte;

	while (n < 64 && sscanf(value, "%2x", &byte) == 1) {
		ret[n++] = (uint8_t)byte;
		value += 2;
		if (*value == '-')
			value++;
		else if (*value == ' ' && strchr("0123456789abcdef", value[1]) && value[3] != '=')
			value++;
		if (!strchr("0123456789abcdef", *value) || !strchr("0123456789abcdef", value[1]))
			break;
	}
	return n;
}

static void expect_bytes(const char *key, const char *value, const struct event_record *rec,
			 unsigned index, bool is_present)
{
	static const uint8_t nil[16];
	uint8_t want[64];
	size_t len, n = read_hex(value, want);
	const uint8_t *bytes = event_bytes(rec, index, &len);

	if (index == BYTES_REGION_UUID && memcmp(want, nil, sizeof(nil)) == 0)
		is_present = false;
	ck_assert_msg(is_present == (bytes != NULL), "%s of %s", key, rec->event);
	if (bytes) {
		ck_assert_uint_ge(n, len);
		ck_assert_msg(memcmp(bytes, want, len) == 0, "%s of %s", key, rec->event);
	}
}

static void expect_number(size_t k, const char *line, const char *value,
			  const struct event_record *rec)
{
	const struct opt_u64 number = event_number(rec, keys[k].index);
	uint64_t want = number_in(value, keys[k].how, keys[k].words);
	bool is_present = !keys[k].vouched || is_valid(line, keys[k].vouched);

	if (keys[k].index == FIELD_HPA || keys[k].index == FIELD_HPA_ALIAS0)
		is_present = want != UINT64_MAX;
	if (keys[k].index == FIELD_OVERFLOW_TS)
		is_present = want != 0;
	ck_assert_msg(number.present == is_present, "%s of %s", keys[k].key, rec->event);
	if (is_present)
		ck_assert_msg(number.value == want, "%s of %s is %#llx, the kernel has %#llx",
			      keys[k].key, rec->event, (unsigned long long)number.value,
			      (unsigned long long)want);
}

/* Return: the number of values that were compared. */
static size_t compare_line(const char *line, const struct event_record *rec)
{
	size_t n = 0;

	for (size_t k = 0; k < ARRAY_SIZE(keys); k++) {
		const char *value = find_key(line, keys[k].key);

		if (!value)
			continue;
		n++;
		if (keys[k].how == MEMDEV)
			expect_name("memdev", value, rec->memdev);
		else if (keys[k].how == HOST)
			expect_name("host", value, rec->host);
		else if (keys[k].how == REGION)
			expect_name("region", value, rec->region);
		else if (keys[k].how == UUID || keys[k].how == HEX_BYTES)
			expect_bytes(keys[k].key, value, rec, keys[k].index,
				     !keys[k].vouched || is_valid(line, keys[k].vouched));
		else
			expect_number(k, line, value, rec);
	}
	return n;
}

/* The nth record of a CPU. */
static const struct event_record *record_of(unsigned cpu, size_t n)
{
	for (size_t i = 0; i < got.n; i++)
		if (got.items[i].cpu == cpu && n-- == 0)
			return &got.items[i];
	return NULL;
}

START_TEST(records_agree_with_the_kernels_text)
{
	_cleanup_free_ char *text = NULL;
	size_t seen[2] = {0}, others = 0, values = 0;

	use_host(hosts_with_events[_i]);
	ck_assert_int_eq(replay(), 0);
	text = read_events_file("events/trace.txt");
	for (char *save, *line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		const char *bracket = strchr(line, '[');
		const struct event_record *rec;
		char event[64];
		double seconds;
		unsigned cpu;

		if (line[0] == '#' || !bracket ||
		    sscanf(bracket, "[%u] %*s %lf: %63[a-z_]:", &cpu, &seconds, event) != 3)
			continue;
		if (strncmp(event, "cxl_", 4) != 0) {
			others++;
			continue;
		}
		ck_assert_uint_lt(cpu, 2);
		rec = record_of(cpu, seen[cpu]++);
		ck_assert_ptr_nonnull(rec);
		ck_assert_str_eq(rec->event, event);
		/* Each tracing instance reads the clock itself. */
		ck_assert_double_eq_tol((double)rec->time_ns / 1e9, seconds, 0.01);
		values += compare_line(strstr(bracket, event), rec);
	}
	ck_assert_uint_eq(seen[0] + seen[1], 17);
	ck_assert_uint_eq(got.n, 17);
	ck_assert_uint_eq(counts.records, 17);
	ck_assert_uint_eq(counts.foreign, others);
	ck_assert_uint_eq(counts.damaged + counts.gaps, 0);
	/* A key that was renamed is detected here. */
	ck_assert_uint_gt(values, 17 * 8);
}
END_TEST

/* ---- cxl monitor ---- */

/* Fields that are left out of a record when they have no meaning. */
static bool may_be_absent(const char *key)
{
	static const char *const names[] = {
		"hpa",	       "hpa_alias0",  "hdr_maint_op_sub_class",
		"hdr_ld_id",   "hdr_head_id", "overflow_ts",
		"channel",     "rank",	      "device",
		"nibble_mask", "bank_group",  "bank",
		"row",	       "column",      "sub_channel",
		"comp_id",     "cor_mask",    "region_uuid",
		"uuid",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(key, names[i]) == 0)
			return true;
	return false;
}

static bool same_bytes(const json_t *array, const uint8_t *bytes, size_t len, size_t width)
{
	for (size_t i = 0; i < len / width; i++) {
		uint32_t value = 0;

		memcpy(&value, bytes + i * width, width);
		if ((uint64_t)json_integer_value(json_array_get(array, i)) != value)
			return false;
	}
	return json_array_size(array) * width >= len;
}

/* Return: whether the record has the same value, or none where that is allowed. */
static bool value_matches(const struct event_record *rec, const char *key, const json_t *value)
{
	const bool optional = may_be_absent(key);

	if (strcmp(key, "memdev") == 0)
		return strcmp(json_string_value(value), rec->memdev) == 0;
	if (strcmp(key, "host") == 0)
		return strcmp(json_string_value(value), rec->host) == 0;
	if (strcmp(key, "region") == 0 || strcmp(key, "region_name") == 0)
		return strcmp(json_string_value(value), rec->region) == 0;
	for (unsigned i = 0; i < EVENT_FIELDS; i++) {
		const struct opt_u64 number = event_number(rec, i);

		if (strcmp(key, event_field_name(i)) == 0)
			return number.present
				       ? json_is_integer(value) &&
						 number.value == (uint64_t)json_integer_value(value)
				       : optional;
	}
	for (unsigned i = 0; i < EVENT_BYTES; i++) {
		size_t len;
		const uint8_t *bytes = event_bytes(rec, i, &len);
		uint8_t uuid[64];

		if (strcmp(key, event_bytes_name(i)) != 0 &&
		    !(i == BYTES_REGION_UUID && strcmp(key, "uuid") == 0))
			continue;
		if (!bytes)
			return optional;
		if (json_is_string(value))
			return read_hex(json_string_value(value), uuid) == len &&
			       memcmp(uuid, bytes, len) == 0;
		return same_bytes(value, bytes, len, i == BYTES_HEADER_LOG ? 4 : 1);
	}
	return false;
}

static bool line_matches(const struct event_record *rec, json_t *line)
{
	const char *key;
	json_t *value;

	if (strcmp(rec->event, json_string_value(json_object_get(line, "event"))) != 0)
		return false;
	json_object_foreach(line, key, value)
		if (strcmp(key, "system") != 0 && strcmp(key, "event") != 0 &&
		    strcmp(key, "timestamp") != 0 && !value_matches(rec, key, value))
			return false;
	return true;
}

START_TEST(every_field_agrees_with_cxl_monitor)
{
	_cleanup_free_ char *text = NULL;
	bool used[17] = {0};
	size_t lines = 0;

	use_host(hosts_with_events[_i]);
	ck_assert_int_eq(replay(), 0);
	ck_assert_uint_eq(got.n, ARRAY_SIZE(used));
	text = read_events_file("events/cxl-monitor.log");
	for (char *save, *s = strtok_r(text, "\n", &save); s; s = strtok_r(NULL, "\n", &save)) {
		json_t *line = json_loads(s, 0, NULL);
		size_t i = 0;

		/* The only number above INT64_MAX is all ones. */
		if (!line) {
			for (char *ones; (ones = strstr(s, "18446744073709551615"));)
				memcpy(ones, "                  -1", 20);
			line = json_loads(s, 0, NULL);
		}
		ck_assert_ptr_nonnull(line);
		while (i < got.n && (used[i] || !line_matches(&got.items[i], line)))
			i++;
		ck_assert_msg(i < got.n, "no record matches %s", s);
		used[i] = true;
		lines++;
		json_decref(line);
	}
	ck_assert_uint_eq(lines, ARRAY_SIZE(used));
}
END_TEST

START_TEST(an_unknown_hpa_is_absent_and_a_known_one_present)
{
	const bool normalized = strncmp(hosts_with_events[_i], "normalized", 10) == 0;
	size_t addressed = 0;

	use_host(hosts_with_events[_i]);
	ck_assert_int_eq(replay(), 0);
	ARRAY_FOREACH(rec, &got) {
		ck_assert(!event_number(rec, FIELD_HPA_ALIAS0).present);
		ck_assert_int_eq(event_type_has_address(rec->type),
				 event_number(rec, FIELD_DPA).present);
		if (!event_type_has_address(rec->type))
			continue;
		addressed++;
		ck_assert_int_eq(event_number(rec, FIELD_HPA).present, !normalized);
		ck_assert_int_eq(rec->region[0] != 0,
				 strcmp(hosts_with_events[_i], "normalized-6.12") != 0);
	}
	ck_assert_uint_eq(addressed, 13);
}
END_TEST

START_TEST(fields_newer_than_a_kernel_are_absent_in_its_records)
{
	const bool newer = strstr(hosts_with_events[_i], "7.3");

	use_host(hosts_with_events[_i]);
	ck_assert_int_eq(replay(), 0);
	ARRAY_FOREACH(rec, &got) {
		if (rec->type == EVENT_GENERAL_MEDIA)
			ck_assert_int_eq(event_number(rec, FIELD_CME_COUNT).present, newer);
		if (rec->type == EVENT_MEMORY_MODULE)
			ck_assert_int_eq(event_number(rec, FIELD_EVENT_SUB_TYPE).present, newer);
		ck_assert_str_eq(rec->other_fields, "");
	}
}
END_TEST

/* ---- damaged and incomplete captures ---- */

START_TEST(records_of_saved_rings_are_of_no_trace_instance)
{
	use_host(hosts_with_events[_i]);
	ck_assert_int_eq(replay(), 0);
	ck_assert_uint_gt(got.n, 0);
	for (size_t i = 0; i < got.n; i++)
		ck_assert_uint_eq(got.items[i].instance, 0);
}
END_TEST

START_TEST(the_clock_of_the_capture_is_kept)
{
	use_host("plain-7.3");
	ck_assert_int_eq(replay(), 0);
	ck_assert_str_eq(got.items[0].clock, "");
	put_text(host, "events/trace_clock", "local global [boot]\n");
	ck_assert_int_eq(replay(), 0);
	ck_assert_str_eq(got.items[0].clock, "boot");
	ck_assert(!got.items[0].wall_ns.present);
}
END_TEST

START_TEST(a_clock_saved_with_the_time_of_day_gives_wall_time)
{
	use_host("plain-7.3");
	put_text(host, "events/now",
		 "entries: 0\nnow ts:    20.052473\nwall ts: 1795297402.123456789\n");
	ck_assert_int_eq(replay(), 0);
	/* 14.052473106 */
	ck_assert(opt_u64_is(got.items[0].wall_ns, 1795297396123456106));
	put_text(host, "events/now", "now ts:    20.052473\n");
	ck_assert_int_eq(replay(), 0);
	ck_assert(!got.items[0].wall_ns.present);
}
END_TEST

START_TEST(a_capture_without_raw_pages_has_no_records)
{
	use_host("idle-7.3");
	put_directory(host, "events");
	put_text(host, "events/raw.cpu", "");
	put_text(host, "events/raw.cpu01", "");
	put_text(host, "events/raw.cpu1x", "");
	ck_assert_int_eq(replay(), -ENOENT);
}
END_TEST

START_TEST(raw_pages_without_their_formats_are_refused)
{
	use_host("idle-7.3");
	put_text(host, "events/raw.cpu0", "");
	ck_assert_int_eq(replay(), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.text, "formats"));
	put_text(host, "events/formats/header_page", test_header_page);
	ck_assert_int_eq(replay(), -EINVAL);
	put_text(host, "events/formats/cxl_test.format", test_format);
	ck_assert_int_eq(replay(), 0);
	ck_assert_uint_eq(got.n, 0);
}
END_TEST

START_TEST(damage_in_one_page_leaves_all_others)
{
	static const uint8_t bad[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
	_cleanup_close_ int fd = -1;

	use_host("plain-7.3");
	fd = openat(host, "events/raw.cpu0", O_WRONLY | O_CLOEXEC);
	ck_assert_int_eq(pwrite(fd, bad, sizeof(bad), 4096 + 8), sizeof(bad));
	ck_assert_int_eq(replay(), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(e.text, "raw.cpu0: "));
	ck_assert_uint_eq(counts.damaged, 1);
	ck_assert_uint_eq(counts.records, 16);
	ck_assert_int_eq(got.items[1].type, EVENT_LOST);
}
END_TEST

START_TEST(a_file_truncated_within_a_page_is_read_up_to_there)
{
	_cleanup_close_ int fd = -1;

	use_host("plain-7.3");
	ck_assert_int_eq(unlinkat(host, "events/raw.cpu1", 0), 0);
	/* The record of the first page is complete, that of the second is not. */
	fd = openat(host, "events/raw.cpu0", O_WRONLY | O_CLOEXEC);
	ck_assert_int_eq(ftruncate(fd, 4096 + 100), 0);
	ck_assert_int_eq(replay(), -EBADMSG);
	ck_assert_uint_eq(got.n, 2);
	ck_assert_int_eq(got.items[0].type, EVENT_GENERAL_MEDIA);
	ck_assert_int_eq(got.items[1].type, EVENT_LOST);
}
END_TEST

START_TEST(a_malformed_format_loses_its_fields_not_its_records)
{
	use_host("plain-7.3");
	put_text(host, "events/formats/cxl_poison.format",
		 "name: cxl_poison\nID: 1373\nformat:\n\tfield:u64 ((((;\n\nprint fmt: \"\"\n");
	ck_assert_int_eq(replay(), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(e.text, "cxl_poison"));
	ck_assert_uint_eq(counts.records, 17);
	ARRAY_FOREACH(rec, &got) {
		if (strcmp(rec->event, "cxl_poison") != 0)
			continue;
		ck_assert_int_eq(rec->type, EVENT_OTHER);
		ck_assert_uint_eq(rec->present, 0);
		ck_assert_uint_eq(rec->payload_len, 116);
	}
}
END_TEST

START_TEST(a_fifo_in_place_of_raw_pages_is_refused)
{
	use_host("plain-7.3");
	ck_assert_int_eq(unlinkat(host, "events/raw.cpu0", 0), 0);
	ck_assert_int_eq(mkfifoat(host, "events/raw.cpu0", 0644), 0);
	ck_assert_int_eq(replay(), -EINVAL);
}
END_TEST

SUITE(check_captured_rings)
{
	Suite *suite = suite_create("events of captured hosts");
	TCase *t = tcase_create("hosts");
	int n = ARRAY_SIZE(hosts_with_events);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, records_agree_with_the_kernels_text, 0, n);
	tcase_add_loop_test(t, every_field_agrees_with_cxl_monitor, 0, n);
	tcase_add_loop_test(t, an_unknown_hpa_is_absent_and_a_known_one_present, 0, n);
	tcase_add_loop_test(t, fields_newer_than_a_kernel_are_absent_in_its_records, 0, n);
	tcase_add_loop_test(t, records_of_saved_rings_are_of_no_trace_instance, 0,
			    ARRAY_SIZE(hosts_with_events));
	tcase_add_test(t, the_clock_of_the_capture_is_kept);
	tcase_add_test(t, a_clock_saved_with_the_time_of_day_gives_wall_time);
	tcase_add_test(t, a_capture_without_raw_pages_has_no_records);
	tcase_add_test(t, raw_pages_without_their_formats_are_refused);
	tcase_add_test(t, damage_in_one_page_leaves_all_others);
	tcase_add_test(t, a_file_truncated_within_a_page_is_read_up_to_there);
	tcase_add_test(t, a_malformed_format_loses_its_fields_not_its_records);
	tcase_add_test(t, a_fifo_in_place_of_raw_pages_is_refused);
	suite_add_tcase(suite, t);
	return suite;
}
