/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_LOGIN_LOG_H
#define CXLR_REDFISH_LOGIN_LOG_H

/*
 * Failed logins in the service's log: the first at once, then one line each LOGIN_LOG_MS at most,
 * with the number of those in between, so that a client that tries passwords cannot fill the log.
 * Neither user names nor passwords are logged: users enter one in the place of the other. Any
 * thread.
 */

#include <pthread.h>
#include <stdint.h>

enum { LOGIN_LOG_MS = 10 * 1000 };

struct login_log {
	pthread_mutex_t lock; /* guards what follows */
	uint64_t due_ms;      /* of the next line, as clock_monotonic_ms() */
	uint64_t n_omitted;   /* since the last line */
};

void login_log_init(struct login_log *l);
void login_log_done(struct login_log *l);

/* @from: the client, as of origin_describe() */
void login_log_failure(struct login_log *l, const char *from);

#endif
