/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_BENCH_RING_PAGE_H
#define CXLR_TESTS_BENCH_RING_PAGE_H

/* Pages of a trace ring as the kernel writes them, filled with captured records. */

#include <stddef.h>
#include <stdint.h>

#include "events/ring.h"

enum { RING_PAGE_BYTES = 4096 };

/* Fills the page with the records in turn, from @first on. Return: their number. */
size_t ring_page_fill(uint8_t page[static RING_PAGE_BYTES], const struct event_record *records,
		      size_t n_records, size_t first);

#endif
