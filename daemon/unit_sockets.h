/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_UNIT_SOCKETS_H
#define CXLR_DAEMON_UNIT_SOCKETS_H

/*
 * Listening TCP sockets that systemd holds for the unit (sd_listen_fds(3)), so that no other user
 * of the machine can take the default port while the service is away. They are open as long as the
 * process. A listener at the address of one uses it; connections to the others are closed at once.
 *
 * The table is filled by the first call, which is made while there is one thread.
 */

#include <stdbool.h>

#include <systemd/sd-event.h>

#include "common/error.h"

/* Return: the socket at the address of a listener as --listen has it; -1 when there is none. */
int unit_socket_find(const char *spec);

/* Return: whether one has the port of this listener, at any address. */
bool unit_socket_has_port(const char *spec);

/* Closes connections to those that are not used from now on. Main thread, as the following one. */
int unit_sockets_attach(sd_event *event, struct error *e);

/* @used: whether a listener uses the socket @fd */
void unit_sockets_update(bool (*used)(void *userdata, int fd), void *userdata);

#endif
