/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_STATE_DIRECTORY_H
#define CXLR_DAEMON_STATE_DIRECTORY_H

/* The state directory, which no other user may write to. Any thread. */

#include "common/error.h"

/* state_directory_prepare() - create it, unless it is there. Return: 0, or why it cannot be used */
int state_directory_prepare(const char *path, struct error *e);

/* state_directory_check() - likewise, but nothing is created: whether the next start can */
int state_directory_check(const char *path, struct error *e);

#endif
