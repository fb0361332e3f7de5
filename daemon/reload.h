/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_RELOAD_H
#define CXLR_DAEMON_RELOAD_H

/*
 * Reads the configuration again while the service runs: a thread prepares the change, because files
 * are read and passwords hashed, and then the main loop makes it. Requests during a reload are one
 * request for another one. The service manager is notified of the begin and of the end.
 *
 * A request may have a socket, to which the result of the reload that began after it is written:
 * "0 " when the configuration is in force, or "1 " and the reason.
 */

#include <stdbool.h>

#include <systemd/sd-event.h>

#include "common/error.h"

struct reload_ops {
	/*
	 * On the thread. Return: 0; or an error, which is logged: then nothing has changed, and
	 * nothing will.
	 */
	int (*prepare)(void *userdata, struct error *e);
	/* In the main loop, after prepare() has returned 0. */
	void (*apply)(void *userdata);
	/* After that, or after prepare() has failed. */
	void (*done)(void *userdata, bool in_force);
};

enum { RELOAD_WAITING_MAX = 16, RELOAD_LINE_MAX = ERROR_TEXT_MAX + 3 };

struct reload;

int reload_new(sd_event *event, const struct reload_ops *ops, void *userdata, struct reload **ret,
	       struct error *e);

/*
 * reload_request() - main thread, as all others here; returns at once
 * @fd: a non-blocking socket for the result, which is closed then; -1 for none. At most
 *	RELOAD_WAITING_MAX can wait for one reload; further ones are closed without a result.
 */
void reload_request(struct reload *r, int fd);

/*
 * reload_free() - end it; accepts NULL
 *
 * Return: whether the thread has ended within @wait_ms. If not, what it uses must not be freed.
 */
bool reload_free(struct reload *r, unsigned int wait_ms);

#endif
