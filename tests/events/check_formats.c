// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Formats other than those of the captured kernels: each captured event is laid out again by a
 * changed copy of its format, and must decode to the same values.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/cleanup.h"
#include "common/fileio.h"
#include "events/replay.h"
#include "tests/lib/events_util.h"
#include "tests/lib/suites.h"

static struct scratch scratch;
static int host; /* the captured host's directory */
static struct records captured;
static struct event_formats *formats;
static struct error e;

static void setup(void)
{
	scratch_setup(&scratch);
	e = (struct error){0};
	ck_assert_int_eq(event_formats_new(&formats), 0);
	host = -1;
	captured = (struct records){0};
}

static void use_host(const char *name)
{
	_cleanup_close_ int fd = -1;
	struct event_counts counts;

	host = unpack_bundled(&scratch, name, "host");
	fd = openat(host, "events", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_eq(event_replay(fd, collect, &captured, &counts, NULL), 0);
}

static void teardown(void)
{
	event_formats_free(formats);
	records_done(&captured);
	if (host >= 0)
		(void)close(host);
	scratch_teardown(&scratch);
}

static char *format_file(const char *event)
{
	char path[128], *text;

	(void)snprintf(path, sizeof(path), "events/formats/%s.format", event);
	ck_assert_int_eq(read_file_at(host, path, FORMAT_BYTES_MAX, &text, NULL), 0);
	return text;
}

static int add(const char *text)
{
	return event_formats_add(formats, text, strlen(text), &e);
}

static struct event_record decode(const uint8_t *payload, size_t len)
{
	struct event_record rec = {0};

	ck_assert(event_formats_decode(formats, payload, len, &rec));
	return rec;
}

/* The captured record in this layout. */
static struct event_record decode_as(struct layout *l, const struct event_record *old)
{
	_cleanup_free_ uint8_t *payload = NULL;
	_cleanup_free_ char *text = NULL;
	struct event_record rec;
	size_t len;

	layout_place(l);
	text = layout_text(l);
	event_formats_free(formats);
	ck_assert_int_eq(event_formats_new(&formats), 0);
	ck_assert_msg(add(text) == 0, "%s: %s", e.text, text);
	payload = layout_payload(l, old->payload, old->payload_len, &len);
	rec = decode(payload, len);
	return rec;
}

static void expect_same_bytes(const struct event_record *a, const struct event_record *b,
			      unsigned which)
{
	size_t a_len, b_len;
	const uint8_t *x = event_bytes(a, which, &a_len), *y = event_bytes(b, which, &b_len);

	ck_assert_msg(a_len == b_len && (a_len == 0 || memcmp(x, y, a_len) == 0), "%s of %s",
		      event_bytes_name(which), a->event);
}

static void expect_same_except(const struct event_record *a, const struct event_record *b,
			       uint64_t but)
{
	/* Without its kind, poison is not known to be cleared. */
	ck_assert_int_eq(a->type, b->type == EVENT_POISON && but & UINT64_C(1) << FIELD_TRACE_TYPE
					  ? a->type
					  : b->type);
	ck_assert_str_eq(a->event, b->event);
	ck_assert_str_eq(a->memdev, b->memdev);
	ck_assert_str_eq(a->host, b->host);
	ck_assert_str_eq(a->region, b->region);
	ck_assert_uint_eq(a->present & ~but, b->present & ~but);
	for (unsigned i = 0; i < EVENT_FIELDS; i++)
		if (!(but >> i & 1))
			ck_assert_msg(a->number[i] == b->number[i], "%s of %s", event_field_name(i),
				      a->event);
	for (unsigned i = 0; i < EVENT_BYTES; i++)
		expect_same_bytes(a, b, i);
}

/* Calls @fn with each captured record and the layout of its format. */
static void for_each_record(void (*fn)(struct layout *l, const struct event_record *rec))
{
	ck_assert_uint_eq(captured.n, 17);
	ARRAY_FOREACH(rec, &captured) {
		_cleanup_free_ char *text = format_file(rec->event);
		struct layout l;

		layout_read(text, &l);
		fn(&l, rec);
		field_list_done(&l.fields);
	}
}

static void reorder_fields(struct layout *l, const struct event_record *rec)
{
	struct field *items = l->fields.items;
	const size_t n = l->fields.n;
	struct event_record got;

	for (size_t i = 0; i < n / 2; i++) {
		struct field kept = items[i];

		items[i] = items[n - 1 - i];
		items[n - 1 - i] = kept;
	}
	got = decode_as(l, rec);
	expect_same_except(rec, &got, 0);
	ck_assert_str_eq(got.other_fields, "");
}

START_TEST(fields_may_be_in_any_order)
{
	use_host(hosts_with_events[_i]);
	for_each_record(reorder_fields);
}
END_TEST

static void insert_fields(struct layout *l, const struct event_record *rec)
{
	struct event_record got;

	layout_insert(l, 0, "u32", "new_number", "", 4);
	layout_insert(l, l->fields.n / 2, "s8", "new_signed", "", 1)->is_signed = 1;
	layout_insert(l, l->fields.n / 2, "u8", "new_bytes", "[3]", 3);
	layout_insert(l, l->fields.n / 2, "char", "new_text", "[8]", 8);
	layout_insert(l, l->fields.n, "struct new_thing", "new_struct", "", 24);
	got = decode_as(l, rec);
	expect_same_except(rec, &got, 0);
	ck_assert_ptr_nonnull(strstr(got.other_fields, "new_number=0x5a5a5a5a"));
	ck_assert_ptr_nonnull(strstr(got.other_fields, "new_signed=90"));
	ck_assert_ptr_nonnull(strstr(got.other_fields, "new_bytes=5a:5a:5a "));
	ck_assert_ptr_nonnull(strstr(got.other_fields, "new_text=ZZZZZZZZ"));
	ck_assert_ptr_nonnull(strstr(got.other_fields, "new_struct=5a:5a:"));
}

START_TEST(unknown_fields_are_kept_as_text)
{
	use_host(hosts_with_events[_i]);
	for_each_record(insert_fields);
}
END_TEST

static uint64_t bit_of(const char *name)
{
	for (unsigned i = 0; i < EVENT_FIELDS; i++)
		if (strcmp(name, event_field_name(i)) == 0)
			return 1ULL << i;
	return 0;
}

/* Without this field all others are unchanged. */
static void drop_field(struct layout *whole, size_t i, const struct event_record *rec)
{
	struct layout l = *whole;
	char name[80];
	struct event_record got, want = *rec;

	(void)strcpy(name, whole->fields.items[i].name);
	/* Other fields depend on these two, see the next test. */
	if (strcmp(name, "validity_flags") == 0 || strcmp(name, "hpa") == 0)
		return;
	l.fields = (struct field_list){0};
	for (size_t j = 0; j < whole->fields.n; j++) {
		struct field *f = field_list_add(&l.fields);

		ck_assert_ptr_nonnull(f);
		*f = whole->fields.items[j];
	}
	layout_remove(&l, name);
	got = decode_as(&l, rec);
	field_list_done(&l.fields);
	want.present &= ~bit_of(name);
	if (strcmp(name, "memdev") == 0 || strcmp(name, "host") == 0 || strcmp(name, "dpa") == 0)
		want.type = EVENT_OTHER;
	if (strcmp(name, "memdev") == 0)
		want.memdev[0] = '\0';
	if (strcmp(name, "host") == 0)
		want.host[0] = '\0';
	if (strncmp(name, "region", 6) == 0 && strcmp(name, "region_uuid") != 0)
		want.region[0] = '\0';
	for (unsigned b = 0; b < EVENT_BYTES; b++)
		if (strcmp(name, event_bytes_name(b)) == 0 ||
		    (b == BYTES_REGION_UUID && strcmp(name, "uuid") == 0))
			want.bytes[b].len = 0;
	expect_same_except(&want, &got, bit_of(name));
	ck_assert_uint_eq(got.present & bit_of(name), 0);
}

static void drop_each_field(struct layout *l, const struct event_record *rec)
{
	for (size_t i = 0; i < l->fields.n; i++)
		drop_field(l, i, rec);
}

START_TEST(missing_fields_are_absent_and_without_mandatory_ones_the_event_is_unknown)
{
	use_host(hosts_with_events[_i]);
	for_each_record(drop_each_field);
}
END_TEST

START_TEST(fields_without_their_validity_flag_are_absent)
{
	const struct event_record *rec = NULL;
	_cleanup_free_ char *text = NULL;
	struct event_record got;
	struct layout l;
	size_t len;

	use_host("plain-7.3");
	for (size_t i = 0; i < captured.n && !rec; i++)
		if (event_number(&captured.items[i], FIELD_VALIDITY_FLAGS).value == 0xf)
			rec = &captured.items[i];
	ck_assert_ptr_nonnull(rec);
	ck_assert(opt_u64_is(event_number(rec, FIELD_RANK), 17));
	ck_assert_ptr_nonnull(event_bytes(rec, BYTES_COMP_ID, &len));
	text = format_file(rec->event);
	layout_read(text, &l);
	layout_remove(&l, "validity_flags");
	layout_remove(&l, "hpa");
	got = decode_as(&l, rec);
	field_list_done(&l.fields);
	ck_assert(!event_number(&got, FIELD_RANK).present);
	ck_assert(!event_number(&got, FIELD_CHANNEL).present);
	ck_assert_ptr_null(event_bytes(&got, BYTES_COMP_ID, &len));
	ck_assert(!event_number(&got, FIELD_HPA).present);
	ck_assert_int_eq(got.type, EVENT_GENERAL_MEDIA);
}
END_TEST

static void widen_numbers(struct layout *l, const struct event_record *rec)
{
	struct event_record got;

	ARRAY_FOREACH(f, &l->fields) {
		if (!bit_of(f->name) || f->size == 8)
			continue;
		/* A value below zero would have to be extended by layout_payload(). */
		if (f->is_signed && strcmp(f->name, "log") != 0)
			continue;
		(void)strcpy(f->type, "u64");
		f->size = 8;
	}
	got = decode_as(l, rec);
	expect_same_except(rec, &got, 0);
}

START_TEST(numbers_may_become_wider)
{
	use_host(hosts_with_events[_i]);
	for_each_record(widen_numbers);
}
END_TEST

static void narrow_numbers(struct layout *l, const struct event_record *rec)
{
	static const char *const names[] = {"log", "hdr_flags", "hdr_handle"};
	struct event_record got;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct field *f = layout_find(l, names[i]);

		if (!f)
			continue;
		(void)strcpy(f->type, "u8");
		f->size = 1;
	}
	got = decode_as(l, rec);
	expect_same_except(rec, &got, 0);
}

START_TEST(numbers_may_become_narrower)
{
	use_host(hosts_with_events[_i]);
	for_each_record(narrow_numbers);
}
END_TEST

static void use_relative_offsets(struct layout *l, const struct event_record *rec)
{
	struct event_record got;

	ARRAY_FOREACH(f, &l->fields)
		if (strncmp(f->type, "__data_loc", 10) == 0)
			(void)strcpy(f->type, "__rel_loc char[]");
	got = decode_as(l, rec);
	expect_same_except(rec, &got, 0);
}

START_TEST(strings_may_have_relative_offsets)
{
	use_host(hosts_with_events[_i]);
	for_each_record(use_relative_offsets);
}
END_TEST

static void grow_format(struct layout *l, const struct event_record *rec)
{
	_cleanup_free_ char *text = NULL;
	struct event_record got;
	char name[32];

	for (int i = 0; i < 200; i++) {
		(void)snprintf(name, sizeof(name), "padding_of_the_format_%d", i);
		layout_insert(l, l->fields.n / 2, "u8", name, "", 1);
	}
	got = decode_as(l, rec);
	text = layout_text(l);
	ck_assert_uint_gt(strlen(text), 3 * 4096);
	expect_same_except(rec, &got, 0);
	/* Cut where a field ends. */
	ck_assert_uint_lt(strlen(got.other_fields), EVENT_OTHER_MAX);
	ck_assert_str_eq(got.other_fields + strlen(got.other_fields) - 5, "=0x5a");
}

START_TEST(formats_may_be_larger_than_a_page)
{
	use_host(hosts_with_events[_i]);
	for_each_record(grow_format);
}
END_TEST

static void rename_event(struct layout *l, const struct event_record *rec)
{
	struct event_record got, want = *rec;

	(void)strcpy(l->event, "cxl_brand_new");
	got = decode_as(l, rec);
	want.type = EVENT_OTHER;
	(void)strcpy(want.event, "cxl_brand_new");
	/* Validity flags apply to known events only: more fields are present, not fewer. */
	ck_assert_uint_eq(want.present & ~got.present, 0);
	want.present = got.present;
	memcpy(want.number, got.number, sizeof(want.number));
	memcpy(want.bytes, got.bytes, sizeof(want.bytes));
	memcpy(want.payload, got.payload, sizeof(want.payload));
	expect_same_except(&want, &got, 0);
	ck_assert_int_eq(event_number(&got, FIELD_DPA).present,
			 event_number(rec, FIELD_DPA).present);
}

START_TEST(an_event_with_an_unknown_name_is_kept_with_its_fields)
{
	use_host(hosts_with_events[_i]);
	for_each_record(rename_event);
}
END_TEST

/* ---- one event in the format of Linux 7.3 ---- */

static void put_number(uint8_t *payload, const struct layout *l, const char *name, uint64_t value)
{
	const struct field *f = layout_find(l, name);

	ck_assert_ptr_nonnull(f);
	memcpy(payload + f->offset, &value, f->size);
}

START_TEST(validity_flags_of_memory_sparing_apply_to_its_location)
{
	static const struct {
		const char *name;
		unsigned bit;
	} places[] = {{"channel", 0}, {"rank", 1}, {"nibble_mask", 2}, {"bank_group", 3},
		      {"bank", 4},    {"row", 5},  {"column", 6},      {"sub_channel", 9}};
	_cleanup_free_ char *text = NULL;
	uint8_t payload[128];
	struct event_record rec;
	struct layout l;

	use_host("plain-7.3");
	text = format_file("cxl_memory_sparing");
	layout_read(text, &l);
	ck_assert_int_eq(add(text), 0);
	for (unsigned bit = 0; bit < 16; bit++) {
		memset(payload, 0, sizeof(payload));
		put_number(payload, &l, "validity_flags", 1ULL << bit);
		memcpy(payload, &(uint16_t){(uint16_t)l.id}, 2);
		rec = decode(payload, sizeof(payload));
		for (size_t i = 0; i < ARRAY_SIZE(places); i++)
			ck_assert_int_eq((rec.present & bit_of(places[i].name)) != 0,
					 places[i].bit == bit);
		ck_assert_int_eq(rec.bytes[BYTES_COMP_ID].len, bit == 7 ? 16 : 0);
	}
	field_list_done(&l.fields);
}
END_TEST

START_TEST(cleared_poison_is_a_type_of_its_own)
{
	_cleanup_free_ char *text = NULL;
	const struct event_record *poison = NULL;
	uint8_t payload[EVENT_PAYLOAD_MAX];
	struct layout l;

	use_host("plain-7.3");
	for (size_t i = 0; i < captured.n && !poison; i++)
		if (strcmp(captured.items[i].event, "cxl_poison") == 0)
			poison = &captured.items[i];
	ck_assert_ptr_nonnull(poison);
	text = format_file("cxl_poison");
	layout_read(text, &l);
	ck_assert_int_eq(add(text), 0);
	memcpy(payload, poison->payload, poison->payload_len);
	for (unsigned kind = POISON_TRACE_LIST; kind <= POISON_TRACE_CLEAR + 1; kind++) {
		put_number(payload, &l, "trace_type", kind);
		ck_assert_int_eq(decode(payload, poison->payload_len).type,
				 kind == POISON_TRACE_CLEAR ? EVENT_POISON_CLEARED : EVENT_POISON);
	}
	field_list_done(&l.fields);
}
END_TEST

START_TEST(an_alias_is_present_only_with_a_known_hpa)
{
	static const struct {
		uint64_t hpa, alias;
		bool has_hpa, has_alias;
	} cases[] = {
		{0x1000, 0x2000, true, true},	    {0x1000, UINT64_MAX, true, false},
		{UINT64_MAX, 0x2000, false, false}, {UINT64_MAX, UINT64_MAX, false, false},
		{0, UINT64_MAX, true, false},
	};
	_cleanup_free_ char *text = NULL;
	uint8_t payload[256];
	struct layout l;

	use_host("plain-7.3");
	text = format_file("cxl_dram");
	layout_read(text, &l);
	ck_assert_int_eq(add(text), 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event_record rec;

		memset(payload, 0, sizeof(payload));
		memcpy(payload, &(uint16_t){(uint16_t)l.id}, 2);
		put_number(payload, &l, "hpa", cases[i].hpa);
		put_number(payload, &l, "hpa_alias0", cases[i].alias);
		rec = decode(payload, sizeof(payload));
		ck_assert_int_eq(event_number(&rec, FIELD_HPA).present, cases[i].has_hpa);
		ck_assert_int_eq(event_number(&rec, FIELD_HPA_ALIAS0).present, cases[i].has_alias);
	}
	field_list_done(&l.fields);
}
END_TEST

START_TEST(a_string_beyond_the_end_of_its_event_is_absent)
{
	const struct event_record *rec;
	_cleanup_free_ char *text = NULL;
	uint8_t payload[EVENT_PAYLOAD_MAX];
	struct event_record got;
	uint32_t location;

	use_host("plain-7.3");
	rec = &captured.items[0];
	text = format_file(rec->event);
	ck_assert_int_eq(add(text), 0);
	memcpy(payload, rec->payload, rec->payload_len);
	for (unsigned at = 0; at < 0x10000; at += 7) {
		location = at | 5U << 16;
		memcpy(payload + 8, &location, 4); /* memdev */
		got = decode(payload, rec->payload_len);
		ck_assert(at + 5 <= rec->payload_len || got.memdev[0] == '\0');
		location = at << 16 | 8;
		memcpy(payload + 8, &location, 4);
		got = decode(payload, rec->payload_len);
		ck_assert(at + 8 <= rec->payload_len || got.memdev[0] == '\0');
	}
	ck_assert_int_eq(got.type, EVENT_OTHER);
}
END_TEST

START_TEST(a_long_event_keeps_its_fields_and_the_beginning_of_its_bytes)
{
	static uint8_t payload[4000];
	const char *format =
		"name: cxl_dram\nID: 9\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		"\tfield:u64 dpa;\toffset:3000;\tsize:8;\tsigned:0;\n"
		"\tfield:u8 cor_mask[32];\toffset:3100;\tsize:32;\tsigned:0;\n"
		"\tfield:u16 validity_flags;\toffset:2;\tsize:2;\tsigned:0;\n\n"
		"print fmt: \"\"\n";
	struct event_record rec;

	ck_assert_int_eq(add(format), 0);
	payload[0] = 9;
	payload[2] = payload[3] = 0xff;
	payload[3000] = 0x42;
	rec = decode(payload, sizeof(payload));
	ck_assert(opt_u64_is(event_number(&rec, FIELD_DPA), 0x42));
	ck_assert_uint_eq(rec.payload_len, EVENT_PAYLOAD_MAX);
	ck_assert_uint_eq(rec.payload_whole, sizeof(payload));
	ck_assert_uint_eq(rec.bytes[BYTES_COR_MASK].len, 0);
}
END_TEST

/* ---- files that are not formats ---- */

#define HEAD	    "name: cxl_dram\nID: 5\nformat:\n"
#define COMMON_TYPE "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"

static const char *const useless[] = {
	"",
	"\n",
	"name: cxl_dram\n",
	"ID: 5\nname: cxl_dram\n",
	"name: \nID: 5\n",
	"name: cxl_dram\nID: x\n",
	"name: cxl_dram\nID: 65536\n",
	"name: ../../cxl\nID: 5\n",
	"name: a_name_longer_than_the_fortyseven_characters_there_are\nID: 5\n",
	"name: cxl_dram\nID: 5\nformat:\n\x01",
	"name: cxl_dram\nID: 5\nformat:\n\xff",
};

START_TEST(malformed_formats_are_refused)
{
	uint8_t payload[8] = {5};
	struct event_record rec = {0};

	ck_assert_int_eq(add(useless[_i]), -EINVAL);
	ck_assert(!event_formats_decode(formats, payload, sizeof(payload), &rec));
}
END_TEST

/* The event is known, and so are some of its fields. */
static const struct {
	const char *text;
	bool has_dpa;
} partly[] = {
	{HEAD, false},
	{"name: cxl_dram\nID: 5\n", false},
	{HEAD "\n\n\n", false},
	{HEAD "\tfield:u16 common_type;\toffset:4;\tsize:2;\tsigned:0;\n\n", false},
	{HEAD "\tfield:u32 common_type;\toffset:0;\tsize:4;\tsigned:0;\n\n", false},
	{HEAD COMMON_TYPE "\n\tfield:u64 ((((;\n\tfield:u64 dpa;\toffset:8;\tsize:8;\tsigned:0;\n",
	 true},
	{HEAD COMMON_TYPE "\n\tfield:u64 dpa;\toffset:-8;\tsize:8;\tsigned:0;\n", false},
	{HEAD COMMON_TYPE "\n\tfield:u64 dpa;\toffset:999999999999;\tsize:8;\tsigned:0;\n", false},
	{HEAD COMMON_TYPE "\n\tfield:u64 dpa;\toffset:8;\tsize:;\tsigned:0;\n", false},
	{HEAD COMMON_TYPE "\n\tfield:u64 dpa[;\toffset:8;\tsize:8;\tsigned:0;\n", false},
	{HEAD COMMON_TYPE "\n\tfield:u64[] dpa;\toffset:8;\tsize:8;\tsigned:0;\n", false},
	{HEAD COMMON_TYPE "\n\tfield:u64 STA_PR_FMT;\toffset:8;\tsize:8;\tsigned:0;\n", false},
	{HEAD COMMON_TYPE "\n\tfield:dpa;\toffset:8;\tsize:8;\tsigned:0;\n", false},
	{HEAD COMMON_TYPE "\n\tfield:u64 dpa;\toffset:8;\tsize:8;\tsigned:0\n", false},
	{HEAD COMMON_TYPE "\n\tfield:;\toffset:8;\tsize:8;\tsigned:0;\n", false},
	{HEAD COMMON_TYPE "\n\tfield:u64 dpa;\toffset:8;\tsize:8;\tsigned:0;\n\tmore\n", true},
};

START_TEST(a_partly_malformed_format_is_used_in_part)
{
	uint8_t payload[32] = {5};
	struct event_record rec;

	ck_assert_int_eq(add(partly[_i].text), -EINVAL);
	ck_assert_int_eq(strncmp(e.text, "cxl_dram: ", 10), 0);
	rec = decode(payload, sizeof(payload));
	ck_assert_str_eq(rec.event, "cxl_dram");
	ck_assert_int_eq(event_number(&rec, FIELD_DPA).present, partly[_i].has_dpa);
	ck_assert_int_eq(rec.type, EVENT_OTHER);
}
END_TEST

/* Sizes and offsets that are not supported for a number, string or array. */
static const char *const odd_fields[] = {
	"\tfield:u64 dpa;\toffset:8;\tsize:0;\tsigned:0;\n",
	"\tfield:u64 dpa;\toffset:8;\tsize:3;\tsigned:0;\n",
	"\tfield:u64 dpa;\toffset:8;\tsize:16;\tsigned:0;\n",
	"\tfield:u64 dpa;\toffset:99999;\tsize:8;\tsigned:0;\n",
	"\tfield:u64 dpa;\toffset:65535;\tsize:8;\tsigned:0;\n",
	"\tfield:u64 dpa;\toffset:8;\tsize:65535;\tsigned:0;\n",
	"\tfield:u64 dpa[2];\toffset:8;\tsize:16;\tsigned:0;\n",
	"\tfield:__data_loc u64[] dpa;\toffset:8;\tsize:4;\tsigned:0;\n",
	"\tfield:__data_loc char[] memdev;\toffset:8;\tsize:2;\tsigned:0;\n",
	"\tfield:u32 memdev;\toffset:8;\tsize:4;\tsigned:0;\n",
	"\tfield:u8 hdr_uuid[15];\toffset:8;\tsize:15;\tsigned:0;\n",
	"\tfield:u8 comp_id[0];\toffset:8;\tsize:0;\tsigned:0;\n",
};

START_TEST(fields_of_unexpected_types_are_kept_as_text)
{
	uint8_t payload[32] = {5};
	struct event_record rec;
	char text[1024];

	(void)snprintf(text, sizeof(text), HEAD COMMON_TYPE "\n%s\nprint fmt: \"\"\n",
		       odd_fields[_i]);
	(void)add(text);
	rec = decode(payload, sizeof(payload));
	ck_assert_uint_eq(rec.present, 0);
	ck_assert_str_eq(rec.memdev, "");
	for (unsigned i = 0; i < EVENT_BYTES; i++)
		ck_assert_uint_eq(rec.bytes[i].len, 0);
}
END_TEST

START_TEST(of_two_fields_with_one_name_the_first_is_used)
{
	uint8_t payload[32] = {5};
	struct event_record rec;

	ck_assert_int_eq(add(HEAD COMMON_TYPE "\n"
					      "\tfield:u64 dpa;\toffset:8;\tsize:8;\tsigned:0;\n"
					      "\tfield:u64 dpa;\toffset:16;\tsize:8;\tsigned:0;\n"),
			 0);
	payload[8] = 1;
	payload[16] = 2;
	rec = decode(payload, sizeof(payload));
	ck_assert(opt_u64_is(event_number(&rec, FIELD_DPA), 1));
	ck_assert_str_eq(rec.other_fields, "dpa=0x2");
}
END_TEST

START_TEST(an_event_number_is_used_once)
{
	ck_assert_int_eq(add(test_format), 0);
	ck_assert_int_eq(add(test_format), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.text, "another event"));
}
END_TEST

START_TEST(events_and_files_have_limits)
{
	_cleanup_free_ char *large = calloc(1, FORMAT_BYTES_MAX + 2);
	char text[1024];

	memset(large, 'x', FORMAT_BYTES_MAX + 1);
	ck_assert_int_eq(add(large), -EFBIG);
	for (int i = 0; i <= FORMAT_EVENTS_MAX; i++) {
		(void)snprintf(text, sizeof(text),
			       "name: cxl_%d\nID: %d\nformat:\n" COMMON_TYPE "\nprint fmt: \"\"\n",
			       i, i);
		ck_assert_int_eq(add(text), i < FORMAT_EVENTS_MAX ? 0 : -E2BIG);
	}
}
END_TEST

static const struct {
	const char *text;
	size_t bytes;
} pages[] = {
	{test_header_page, 4096},
	{"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	 "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	 "\tfield: char data;\toffset:16;\tsize:65520;\tsigned:1;\n",
	 65536},
	/* of a 32-bit kernel */
	{"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	 "\tfield: local_t commit;\toffset:8;\tsize:4;\tsigned:1;\n"
	 "\tfield: char data;\toffset:12;\tsize:4084;\tsigned:1;\n",
	 0},
	{"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	 "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	 "\tfield: char data;\toffset:16;\tsize:4294967295;\tsigned:1;\n",
	 0},
	{"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	 "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	 "\tfield: char data;\toffset:16;\tsize:0;\tsigned:1;\n",
	 0},
	{"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n", 0},
	{"timestamp commit data", 0},
	{"", 0},
};

START_TEST(the_page_size_is_that_of_header_page)
{
	const int r = event_formats_set_page(formats, pages[_i].text, strlen(pages[_i].text), &e);

	ck_assert_int_eq(r, pages[_i].bytes ? 0 : -EINVAL);
	ck_assert_uint_eq(event_formats_page_bytes(formats), pages[_i].bytes);
}
END_TEST

SUITE(check_formats)
{
	Suite *suite = suite_create("events formats");
	TCase *t = tcase_create("formats");
	int n = ARRAY_SIZE(hosts_with_events);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, fields_may_be_in_any_order, 0, n);
	tcase_add_loop_test(t, unknown_fields_are_kept_as_text, 0, n);
	tcase_add_loop_test(
		t, missing_fields_are_absent_and_without_mandatory_ones_the_event_is_unknown, 0, n);
	tcase_add_test(t, fields_without_their_validity_flag_are_absent);
	tcase_add_loop_test(t, numbers_may_become_wider, 0, n);
	tcase_add_loop_test(t, numbers_may_become_narrower, 0, n);
	tcase_add_loop_test(t, strings_may_have_relative_offsets, 0, n);
	tcase_add_loop_test(t, formats_may_be_larger_than_a_page, 0, n);
	tcase_add_loop_test(t, an_event_with_an_unknown_name_is_kept_with_its_fields, 0, n);
	tcase_add_test(t, validity_flags_of_memory_sparing_apply_to_its_location);
	tcase_add_test(t, cleared_poison_is_a_type_of_its_own);
	tcase_add_test(t, an_alias_is_present_only_with_a_known_hpa);
	tcase_add_test(t, a_string_beyond_the_end_of_its_event_is_absent);
	tcase_add_test(t, a_long_event_keeps_its_fields_and_the_beginning_of_its_bytes);
	tcase_add_loop_test(t, malformed_formats_are_refused, 0, ARRAY_SIZE(useless));
	tcase_add_loop_test(t, a_partly_malformed_format_is_used_in_part, 0, ARRAY_SIZE(partly));
	tcase_add_loop_test(t, fields_of_unexpected_types_are_kept_as_text, 0,
			    ARRAY_SIZE(odd_fields));
	tcase_add_test(t, of_two_fields_with_one_name_the_first_is_used);
	tcase_add_test(t, an_event_number_is_used_once);
	tcase_add_test(t, events_and_files_have_limits);
	tcase_add_loop_test(t, the_page_size_is_that_of_header_page, 0, ARRAY_SIZE(pages));
	suite_add_tcase(suite, t);
	return suite;
}
