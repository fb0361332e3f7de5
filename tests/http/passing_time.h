/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_HTTP_PASSING_TIME_H
#define CXLR_TESTS_HTTP_PASSING_TIME_H

/*
 * Time that passes for the deadlines of the HTTP server when a test says so, so that no deadline is
 * missed because the machine is slow: they are longer than a test may take. The program is linked
 * with --wrap of clock_coarse_ms. Any thread.
 */

#include <stdint.h>

/* Longer than a test may take. */
enum { HOUR_MS = 60 * 60 * 1000 };

void pass_ms(uint64_t ms);

#endif
