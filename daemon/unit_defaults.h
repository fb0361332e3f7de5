/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_UNIT_DEFAULTS_H
#define CXLR_DAEMON_UNIT_DEFAULTS_H

/*
 * What the unit of the service provides, where nothing else is configured: so the unit needs no
 * options, and a configuration that names listeners replaces them all. Used by main() only.
 */

#include "daemon/config.h"

/*
 * unit_defaults() - fill in what @c does not say
 *
 * Without a password file, the credential "password" of systemd, unless it is empty. Without a
 * listener, redfish.sock in systemd's runtime directory, and port 8000 of the loopback interface.
 * Outside of a unit nothing changes.
 */
void unit_defaults(struct config *c);

#endif
