/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HELPER_PROGRAM_H
#define CXLR_HELPER_PROGRAM_H

/*
 * What the programs of helpers have in common: the socket that they are started with, by systemd or
 * by cxl-redfishd, and accepting connections. Main thread only.
 */

#include <stdbool.h>
#include <sys/types.h>

#include "common/error.h"
#include "helper/server.h"

/* program_find_user() - the user of --user, by name or number */
int program_find_user(const char *name, uid_t *ret, struct error *e);

/*
 * program_find_listener() - the socket that the process was started with
 * @child: by cxl-redfishd; otherwise by systemd
 * @socket_unit: for a message
 *
 * Return: a descriptor.
 */
int program_find_listener(bool child, const char *socket_unit, struct error *e);

struct program_signal {
	int fd; /* of signalfd() */
	void (*taken)(void *userdata);
	void *userdata;
};

/*
 * program_accept() - report readiness, and accept connections for ever
 * @on_signal: NULL: there is none
 *
 * Return: the error that ended it.
 */
int program_accept(struct server *s, int listener, const struct program_signal *on_signal,
		   struct error *e);

typedef int (*program_fn)(void *userdata, int listener, struct error *e);

/*
 * program_serve_by_child() - serve until cxl-redfishd has ended
 *
 * It started this program, and has dropped what another start would need: so a child of this
 * process serves, and is replaced when it ends.
 *
 * Return: 0; the error of fork(). In the child: what @serve returned.
 */
int program_serve_by_child(program_fn serve, void *userdata, int listener, struct error *e);

#endif
