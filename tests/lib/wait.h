/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_WAIT_H
#define CXLR_TESTS_LIB_WAIT_H

/*
 * The limit of a test's wait for a condition. It is minutes, so that no machine is too slow; a wait
 * ends as soon as the condition holds. Check ends a test later than this, by CK_TIMEOUT_MULTIPLIER
 * in Makefile.am.
 */

#include <unistd.h>

enum { WAIT_MAX_MS = 180 * 1000 };

/*
 * Waits until @condition holds, and fails the test when it does not. It asserts nothing before:
 * Check writes each assertion to a file, which would grow with the wait, also where a test limits
 * files.
 */
#define WAIT_UNTIL(condition)                                                                      \
	do {                                                                                       \
		for (int waited_ms = 0; !(condition); waited_ms += 2) {                            \
			if (waited_ms >= WAIT_MAX_MS)                                              \
				ck_abort_msg("%s", #condition);                                    \
			(void)usleep(2000);                                                        \
		}                                                                                  \
	} while (0)

#endif
