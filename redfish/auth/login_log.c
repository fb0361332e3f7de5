// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/auth/login_log.h"

#include <inttypes.h>
#include <stdbool.h>

#include "common/clock.h"
#include "common/log.h"

void login_log_init(struct login_log *l)
{
	*l = (struct login_log){0};
	(void)pthread_mutex_init(&l->lock, NULL);
}

void login_log_done(struct login_log *l)
{
	(void)pthread_mutex_destroy(&l->lock);
}

void login_log_failure(struct login_log *l, const char *from)
{
	const uint64_t now = clock_monotonic_ms();
	uint64_t n = 0;
	bool shown;

	(void)pthread_mutex_lock(&l->lock);
	shown = now >= l->due_ms;
	if (shown) {
		n = l->n_omitted;
		l->n_omitted = 0;
		l->due_ms = now + LOGIN_LOG_MS;
	} else {
		l->n_omitted++;
	}
	(void)pthread_mutex_unlock(&l->lock);
	if (!shown)
		return;
	if (n)
		log_warning("a login failed, from %s; since the last message %" PRIu64
			    " others failed",
			    from, n);
	else
		log_warning("a login failed, from %s", from);
}
