// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A format file and a page of the trace ring to read by it: the input is both, the first ended by
 * a byte 0xff. Each record must be complete, and there are no more of them than fit in
 * the page.
 */
#include <stdlib.h>
#include <string.h>

#include "events/ring.h"
#include "tests/fuzz/fuzz_table.h"

static size_t n_records;

static void must_be_text(const char *s, size_t size)
{
	FUZZ_MUST(memchr(s, 0, size));
	for (; *s; s++)
		FUZZ_MUST(*s >= 0x20 && *s < 0x7f);
}

static void look(const struct event_record *rec, void *userdata)
{
	(void)userdata;
	n_records++;
	FUZZ_MUST((size_t)rec->type < EVENT_TYPES && rec->event[0] && rec->cpu == 1);
	must_be_text(rec->event, sizeof(rec->event));
	must_be_text(rec->memdev, sizeof(rec->memdev));
	must_be_text(rec->host, sizeof(rec->host));
	must_be_text(rec->region, sizeof(rec->region));
	must_be_text(rec->other_fields, sizeof(rec->other_fields));
	FUZZ_MUST(rec->payload_len <= EVENT_PAYLOAD_MAX && rec->payload_len <= rec->payload_whole);
	for (unsigned i = 0; i < EVENT_BYTES; i++)
		FUZZ_MUST(!rec->bytes[i].len ||
			  rec->bytes[i].at + rec->bytes[i].len <= rec->payload_len);
	for (unsigned i = 0; i < EVENT_FIELDS; i++)
		FUZZ_MUST(rec->number[i] == 0 || event_number(rec, i).present);
	FUZZ_MUST(!event_type_has_address(rec->type) || event_number(rec, FIELD_DPA).present);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size ? memchr(data, 0xff, size) : NULL;
	const size_t text_len = end ? (size_t)(end - data) : size;
	const size_t page_len = end ? size - text_len - 1 : 0;
	uint8_t *page = malloc(page_len ? page_len : 1);
	struct event_formats *formats;
	struct event_ring ring;
	struct error e = {0};

	FUZZ_MUST(page && event_formats_new(&formats) == 0);
	/* A copy of this size, so that the address sanitizer knows its end. */
	if (page_len)
		memcpy(page, end + 1, page_len);
	(void)event_formats_set_page(formats, (const char *)data, text_len, &e);
	(void)event_formats_add(formats, (const char *)data, text_len, &e);
	event_ring_init(&ring, formats, 1, "boot");
	n_records = 0;
	if (event_ring_page(&ring, page, page_len, look, NULL, &e) < 0)
		FUZZ_MUST(e.text[0] && n_records > 0);
	FUZZ_MUST(n_records <= page_len / 4 + 2);
	event_formats_free(formats);
	free(page);
	return 0;
}
