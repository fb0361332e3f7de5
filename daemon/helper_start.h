/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_HELPER_START_H
#define CXLR_DAEMON_HELPER_START_H

/*
 * A helper of the daemon and its client: the one of the system, or one of its own.
 *
 * A process with privileges (root, or CAP_DAC_READ_SEARCH) starts its own before it drops them;
 * another one is a client of the system's. Main thread only.
 */

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "common/helper.h"
#include "opener/opener.h"

/* Options, with their values; --child and --user with its value are further arguments. */
enum { START_OPTIONS_MAX = HELPER_ARGS_MAX - 3 };

struct helper_kind {
	const char *name;
	const char *socket;    /* of the system's */
	const char *variable;  /* of the environment, whose value replaces `socket` */
	uint64_t capabilities; /* that an own one is given */
};

struct started_helper {
	struct helper child; /* of an own one */
	struct opener *opener;
	bool own;
	const char *args[HELPER_ARGS_MAX + 1];
	char user[sizeof("4294967295")];
};

/* Whether this process has the privileges to start a helper of its own, and is to. */
bool helper_starts_own(const struct helper_kind *kind);

/*
 * helper_start_client() - start a helper, or prepare to connect to the system's
 * @program, @options: of an own one; all must outlive it. @options follow its --child and --user;
 *                     they are START_OPTIONS_MAX at most, and ended by NULL
 * @ret: helper_end() may be called also after an error
 *
 * To be called while the process has one thread. A helper that cannot be started is no failure, but
 * logged.
 *
 * Return: 0; -ENOMEM; -ENAMETOOLONG.
 */
int helper_start_client(const struct helper_kind *kind, const char *program,
			const char *const *options, struct started_helper *ret);

/* Ends an own helper. */
void helper_end(struct started_helper *h);

#endif
