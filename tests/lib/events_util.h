/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_EVENTS_UTIL_H
#define CXLR_TESTS_LIB_EVENTS_UTIL_H

/*
 * Tools that the suites about trace rings share: records collected, pages and formats made by hand.
 */

#include <stddef.h>
#include <stdint.h>

#include "common/array.h"
#include "events/formats.h"
#include "events/ring.h"
#include "tests/lib/capture_util.h"

DEFINE_ARRAY(struct event_record, records);

/* An event_sink whose @userdata is a struct records. */
void collect(const struct event_record *rec, void *userdata);

extern const char *const hosts_with_events[4];

/* A format as it is in the file, to be altered and written again. */
struct field {
	char type[80], name[80], array[80]; /* "__data_loc char[]", "memdev", "" or "[16]" */
	unsigned offset, size, is_signed;
	unsigned old_offset, old_size; /* where layout_payload() takes the value from */
};
DEFINE_ARRAY(struct field, field_list);

struct layout {
	char event[EVENT_NAME_MAX];
	unsigned id;
	struct field_list fields; /* without the common ones, which stay as they are */
	const char *print;
};
enum { COMMON_BYTES = 8 };

/* Reads a format file's text; free with field_list_done(&l->fields). */
void layout_read(const char *text, struct layout *l);

/* A field more, at place @at; its old_size is 0, so that its bytes will be 0x5a. */
struct field *layout_insert(struct layout *l, size_t at, const char *type, const char *name,
			    const char *array, unsigned size);
void layout_remove(struct layout *l, const char *name);
struct field *layout_find(const struct layout *l, const char *name);

/* Gives each field its place: one behind the other, each at a multiple of its size up to 8. */
void layout_place(struct layout *l);

/* Return: the format file's text, to be freed. */
char *layout_text(const struct layout *l);

/* Return: @old as the event would be with this layout, to be freed; dynamic strings included. */
uint8_t *layout_payload(const struct layout *l, const uint8_t *old, size_t old_len,
			size_t *ret_len);

/* A page being filled. Entries are added without a look at its end, which the test must know. */
struct page {
	uint8_t bytes[4096];
	size_t at;
};

void page_begin(struct page *p, uint64_t time_ns);
void page_u32(struct page *p, uint32_t word);
/* Type or length, time delta. */
void page_entry(struct page *p, uint32_t type, uint32_t delta);
void page_event(struct page *p, uint32_t delta, const void *payload, size_t len);
/* @flags: of the commit field. */
void page_end(struct page *p, uint64_t flags);

/* Formats of one event "cxl_test", number 7: memdev, host as char[8], u64 dpa; and its payload. */
enum { TEST_EVENT = 7, TEST_EVENT_BYTES = 32 };
extern const char test_format[], test_header_page[];

/* put_trace_instance() - the files of a trace instance that has no CPUs */
void put_trace_instance(int dirfd);

struct event_formats *test_formats(void);
void test_payload(uint8_t payload[TEST_EVENT_BYTES], uint64_t dpa);

#endif
