// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/events_util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "tests/lib/capture_util.h"

const char *const hosts_with_events[4] = {"plain-7.3", "plain-6.12", "normalized-7.3",
					  "normalized-6.12"};

void collect(const struct event_record *rec, void *userdata)
{
	struct event_record *place = records_add(userdata);

	ck_assert_ptr_nonnull(place);
	*place = *rec;
}

void layout_read(const char *text, struct layout *l)
{
	static const char line[] = "\tfield:%79[^;];\toffset:%u;\tsize:%u;\tsigned:%u;";

	*l = (struct layout){.print = strstr(text, "\nprint fmt:")};
	ck_assert_int_eq(sscanf(text, "name: %47s\nID: %u", l->event, &l->id), 2);
	ck_assert_ptr_nonnull(l->print);
	for (const char *at = strchr(text, '\n'); at < l->print; at = strchr(at + 1, '\n')) {
		struct field f = {0}, *place;
		char declaration[80], *name, *array;

		if (at[1] != '\t' ||
		    sscanf(at + 1, line, declaration, &f.offset, &f.size, &f.is_signed) != 4 ||
		    f.offset < COMMON_BYTES)
			continue;
		name = strrchr(declaration, ' ');
		*name++ = '\0';
		array = strchr(name, '[');
		(void)snprintf(f.array, sizeof(f.array), "%s", array ? array : "");
		if (array)
			*array = '\0';
		(void)snprintf(f.type, sizeof(f.type), "%s", declaration);
		(void)snprintf(f.name, sizeof(f.name), "%s", name);
		f.old_offset = f.offset;
		f.old_size = f.size;
		place = field_list_add(&l->fields);
		ck_assert_ptr_nonnull(place);
		*place = f;
	}
}

struct field *layout_insert(struct layout *l, size_t at, const char *type, const char *name,
			    const char *array, unsigned size)
{
	struct field *items;

	ck_assert_ptr_nonnull(field_list_add(&l->fields));
	items = l->fields.items;
	memmove(items + at + 1, items + at, (l->fields.n - 1 - at) * sizeof(*items));
	items[at] = (struct field){.size = size};
	(void)snprintf(items[at].type, sizeof(items[at].type), "%s", type);
	(void)snprintf(items[at].name, sizeof(items[at].name), "%s", name);
	(void)snprintf(items[at].array, sizeof(items[at].array), "%s", array);
	return items + at;
}

struct field *layout_find(const struct layout *l, const char *name)
{
	ARRAY_FOREACH(f, (struct field_list *)&l->fields)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

void layout_remove(struct layout *l, const char *name)
{
	struct field *f = layout_find(l, name), *end = l->fields.items + l->fields.n;

	ck_assert_ptr_nonnull(f);
	memmove(f, f + 1, (size_t)(end - f - 1) * sizeof(*f));
	l->fields.n--;
}

static bool is_dynamic(const struct field *f)
{
	return strncmp(f->type, "__data_loc", 10) == 0 || strncmp(f->type, "__rel_loc", 9) == 0;
}

void layout_place(struct layout *l)
{
	unsigned at = COMMON_BYTES;

	ARRAY_FOREACH(f, &l->fields) {
		const unsigned align = f->array[0] || f->size > 8 ? 1 : f->size;

		at = (at + align - 1) / align * align;
		f->offset = at;
		at += f->size;
	}
}

char *layout_text(const struct layout *l)
{
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	fprintf(out,
		"name: %s\nID: %u\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n",
		l->event, l->id);
	for (size_t i = 0; i < l->fields.n; i++) {
		const struct field *f = &l->fields.items[i];

		fprintf(out, "\tfield:%s %s%s;\toffset:%u;\tsize:%u;\tsigned:%u;\n", f->type,
			f->name, f->array, f->offset, f->size, f->is_signed);
	}
	fputs(l->print, out);
	(void)fclose(out);
	return text;
}

/* Appends a string of the old event; it is named from the place behind the field, or the start. */
static void move_string(const struct field *f, const uint8_t *old, uint8_t *new, size_t *end)
{
	const bool relative = strncmp(f->type, "__rel_loc", 9) == 0;
	uint32_t location, place;

	memcpy(&location, old + f->old_offset, 4);
	memcpy(new + *end, old + (location & 0xffff), location >> 16);
	place = (uint32_t)*end - (relative ? f->offset + 4 : 0);
	place |= location & 0xffff0000;
	memcpy(new + f->offset, &place, 4);
	*end += location >> 16;
}

uint8_t *layout_payload(const struct layout *l, const uint8_t *old, size_t old_len, size_t *ret_len)
{
	size_t end = COMMON_BYTES;
	uint8_t *new;

	for (size_t i = 0; i < l->fields.n; i++)
		if (l->fields.items[i].offset + l->fields.items[i].size > end)
			end = l->fields.items[i].offset + l->fields.items[i].size;
	new = calloc(1, end + old_len);
	ck_assert_ptr_nonnull(new);
	memcpy(new, old, COMMON_BYTES);
	for (size_t i = 0; i < l->fields.n; i++) {
		const struct field *f = &l->fields.items[i];

		if (f->old_size == 0)
			memset(new + f->offset, 0x5a, f->size);
		else if (is_dynamic(f))
			move_string(f, old, new, &end);
		else
			memcpy(new + f->offset, old + f->old_offset,
			       f->size < f->old_size ? f->size : f->old_size);
	}
	*ret_len = end;
	return new;
}

void page_begin(struct page *p, uint64_t time_ns)
{
	memset(p, 0, sizeof(*p));
	memcpy(p->bytes, &time_ns, sizeof(time_ns));
	p->at = RING_PAGE_HEADER;
}

void page_u32(struct page *p, uint32_t word)
{
	memcpy(p->bytes + p->at, &word, sizeof(word));
	p->at += sizeof(word);
}

void page_entry(struct page *p, uint32_t type, uint32_t delta)
{
	page_u32(p, type | delta << 5);
}

void page_event(struct page *p, uint32_t delta, const void *payload, size_t len)
{
	const size_t words = (len + 3) / 4;

	if (words <= 28) {
		page_entry(p, (uint32_t)words, delta);
	} else {
		page_entry(p, 0, delta);
		page_u32(p, (uint32_t)(4 * words + 4));
	}
	memcpy(p->bytes + p->at, payload, len);
	p->at += 4 * words;
}

void page_end(struct page *p, uint64_t flags)
{
	const uint64_t commit = (p->at - RING_PAGE_HEADER) | flags;

	memcpy(p->bytes + 8, &commit, sizeof(commit));
}

const char test_format[] =
	"name: cxl_test\nID: 7\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char memdev[8];\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:char host[8];\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 dpa;\toffset:24;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"%s\", REC->memdev\n";

const char test_header_page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				"\tfield: char overwrite;\toffset:8;\tsize:1;\tsigned:0;\n"
				"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";

struct event_formats *test_formats(void)
{
	struct event_formats *f;

	ck_assert_int_eq(event_formats_new(&f), 0);
	ck_assert_int_eq(
		event_formats_set_page(f, test_header_page, strlen(test_header_page), NULL), 0);
	ck_assert_int_eq(event_formats_add(f, test_format, strlen(test_format), NULL), 0);
	return f;
}

void test_payload(uint8_t payload[TEST_EVENT_BYTES], uint64_t dpa)
{
	const uint16_t id = TEST_EVENT;

	memset(payload, 0, TEST_EVENT_BYTES);
	memcpy(payload, &id, sizeof(id));
	(void)strcpy((char *)payload + 8, "mem0");
	(void)strcpy((char *)payload + 16, "host0");
	memcpy(payload + 24, &dpa, sizeof(dpa));
}

void put_trace_instance(int dirfd)
{
	put_text(dirfd, "events/header_page", test_header_page);
	put_text(dirfd, "events/cxl/enable", "1\n");
	put_text(dirfd, "events/cxl/cxl_test/format", test_format);
	put_text(dirfd, "trace_clock", "local global [boot] tai\n");
	put_text(dirfd, "tracing_on", "1\n");
	put_text(dirfd, "buffer_percent", "0\n");
}
