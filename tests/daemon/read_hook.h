/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_DAEMON_READ_HOOK_H
#define CXLR_TESTS_DAEMON_READ_HOOK_H

/* Files that behave as those of the kernel: read() of this program calls a test's functions. */

#include <stddef.h>

/* Called before each read(), which they may hold, and after one that read something. Any thread;
 * NULL: none. */
extern void (*_Atomic read_hook_before)(int fd);
extern void (*_Atomic read_hook_after)(int fd);

#endif
