/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_UNIT_DEFAULTS_H
#define CXLR_DAEMON_UNIT_DEFAULTS_H

/*
 * The contents of systemd's variables about the unit, and the defaults that they provide where
 * nothing is configured: so the unit of the service needs no options, and a configuration that
 * names listeners replaces them all. Outside of a unit there is nothing. Used where the
 * configuration is read, by one thread at a time; strings live as long as the process.
 */

#include <stdbool.h>

#include "common/error.h"
#include "common/options.h"

/* Return: whether this process is a service of systemd, and no child of one, as a shell may be. */
bool unit_is_service(void);

/*
 * unit_become_user() - give up being root for being the user of the unit, cxl-redfish, for good
 *
 * Return: 0, also when this process is not root, or when the host has no such user; or an error.
 */
int unit_become_user(struct error *e);

/*
 * The exit status after which the unit starts the service again at once: RestartForceExitStatus= of
 * cxl-redfishd.service.in, which has it in UNIT_RESTART_VARIABLE, too.
 */
enum { UNIT_EXIT_RESTART = 133 };
#define UNIT_RESTART_VARIABLE "CXL_REDFISH_RESTART_STATUS"

/* Return: whether this process is a service of a unit that does. */
bool unit_restarts(void);

/* Return: the credential "password", unless it is empty; NULL for none. */
const char *unit_password_file(void);

/* Return: the listener by which cxl-redfish-reload reaches this service; NULL outside of a unit. */
const char *unit_reload_socket(void);

/*
 * Adds redfish.sock in the runtime directory, and port 8000 of the loopback interface: of IPv4, and
 * of IPv6 where systemd holds a socket for that.
 */
void unit_add_listeners(struct option_list *listeners);

#endif
