// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/ring_page.h"

#include <string.h>

/* The head of an entry with its length in the second word: type 0, delta 1. */
enum { ENTRY_HEAD = 1 << 5 };

size_t ring_page_fill(uint8_t page[static RING_PAGE_BYTES], const struct event_record *records,
		      size_t n_records, size_t first)
{
	uint64_t at = RING_PAGE_HEADER;
	size_t n = 0;

	memset(page, 0, RING_PAGE_BYTES);
	for (;; n++) {
		const struct event_record *rec = &records[(first + n) % n_records];
		const uint32_t len = (rec->payload_len + 3U) & ~3U, head[] = {ENTRY_HEAD, len + 4};

		if (at + sizeof(head) + len > RING_PAGE_BYTES)
			break;
		memcpy(page + at, head, sizeof(head));
		memcpy(page + at + sizeof(head), rec->payload, rec->payload_len);
		at += sizeof(head) + len;
	}
	at -= RING_PAGE_HEADER;
	memcpy(page + 8, &at, sizeof(at));
	return n;
}
