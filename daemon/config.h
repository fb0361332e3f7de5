/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_CONFIG_H
#define CXLR_DAEMON_CONFIG_H

/*
 * The daemon's command line. Used by main() only, before anything else happens.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CONFIG_LISTENERS_MAX = 16,
	CONFIG_EVENTS_MAX = 10 * 1000 * 1000,
	CONFIG_DAYS_MAX = 36500,
};

/* All strings are argv's. */
struct config {
	const char *host; /* NULL: this machine */
	const char *listen[CONFIG_LISTENERS_MAX];
	size_t n_listen;
	const char *metrics;		     /* NULL: none wanted */
	const char *state;		     /* NULL: none given */
	const char *password_file;	     /* NULL: none given */
	unsigned int poll_seconds;	     /* how often devices are asked */
	uint64_t max_events, max_event_days; /* of the log; 0 days: no limit */
	bool never_overwrite;
	const char *push_ca; /* NULL: the system's */
	unsigned int push_attempts, push_seconds;
};

/*
 * config_parse() - read the command line and check it
 * @ret: filled on success
 * @ret_exit: the exit status when the program is to end now (after --help, or a usage error that
 *            was reported on standard error)
 *
 * A TCP listener without a password file is a usage error.
 *
 * Return: whether to go on.
 */
bool config_parse(int argc, char **argv, struct config *ret, int *ret_exit);

#endif
