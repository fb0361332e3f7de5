/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_CONFIG_H
#define CXLR_DAEMON_CONFIG_H

/*
 * The daemon's command line. Used by main() only, before anything else happens.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/options.h"

enum {
	CONFIG_EVENTS_MAX = 10 * 1000 * 1000,
	CONFIG_DAYS_MAX = 36500,
};

/* All strings are argv's. */
struct config {
	const char *host; /* NULL: this machine */
	struct option_list tables, listen;
	const char *metrics;		     /* NULL: not given */
	const char *state;		     /* NULL: not given */
	const char *password_file;	     /* NULL: not given */
	const char *tls_certificate, *tls_key; /* both or none */
	struct option_list client_ca, read_only_peers;
	unsigned int poll_seconds;	     /* interval of device readings */
	uint64_t max_events, max_event_days; /* of the log; 0 days: no limit */
	bool never_overwrite;
	const char *push_ca; /* NULL: the system's */
	unsigned int push_attempts, push_seconds;
};

/*
 * config_parse() - read the command line and check it
 * @ret: set on success
 * @ret_exit: set on failure to the exit status of the program: 0 after --help and --version, 2
 *            after a usage error, which was reported on standard error
 *
 * A TCP listener without a password file is a usage error.
 *
 * Return: true on success; false when the program is to exit.
 */
bool config_parse(int argc, char **argv, struct config *ret, int *ret_exit);

#endif
