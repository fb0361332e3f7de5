// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/servers.h"

#include <stdio.h>
#include <sys/resource.h>

#include "common/cleanup.h"
#include "common/log.h"

int servers_open(const struct config *c, struct servers *ret, struct error *e)
{
	struct servers s = {0};
	int r;

	for (; s.n < c->n_listen; s.n++) {
		r = listener_open(c->listen[s.n], &s.listeners[s.n], e);
		if (r < 0) {
			(void)servers_close(&s);
			return r;
		}
	}
	*ret = s;
	return 0;
}

static struct http_limits limits_for(size_t n_listeners)
{
	const rlim_t spare = HTTP_CONNECTIONS_SPARE, most = HTTP_CONNECTIONS_MAX + spare;
	struct http_limits limits = http_limits_default;
	rlim_t wanted = n_listeners * most + FILES_OF_OTHERS, each;
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) < 0)
		return limits;
	if (files.rlim_cur < wanted) {
		files.rlim_cur = files.rlim_max < wanted ? files.rlim_max : wanted;
		(void)setrlimit(RLIMIT_NOFILE, &files);
	}
	/* With a limit too low for that, half of it. */
	each = files.rlim_cur > 2 * FILES_OF_OTHERS ? files.rlim_cur - FILES_OF_OTHERS
						    : files.rlim_cur / 2;
	each /= n_listeners ? n_listeners : 1;
	if (each < most)
		limits.connections = each > spare + CONNECTIONS_MIN ? (unsigned int)(each - spare)
								    : CONNECTIONS_MIN;
	return limits;
}

int servers_start(struct servers *s, struct service *service, struct error *e)
{
	s->service = service;
	s->limits = limits_for(s->n);
	for (size_t i = 0; i < s->n; i++) {
		int r = http_server_new(&service_handler, service, STEAL_FD(s->listeners[i].fd),
					&s->limits, &s->http[i], e);

		if (r < 0)
			return r;
		log_output("listening on %s", s->listeners[i].url);
	}
	return 0;
}

void servers_sweep(struct servers *s)
{
	for (size_t i = 0; i < s->n; i++)
		http_server_sweep(s->http[i]);
}

bool servers_close(struct servers *s)
{
	bool ended = true;

	for (size_t i = 0; i < s->n; i++)
		if (s->http[i])
			http_server_end(s->http[i]);
	/* Replies to all suspended requests: without that the servers cannot be freed. */
	if (s->service && !service_stop(s->service, JOB_WAIT_MS)) {
		log_warning("a request was still being processed %d ms after the end of the "
			    "service began; exiting without its result",
			    JOB_WAIT_MS);
		ended = false;
	}
	for (size_t i = 0; i < s->n; i++) {
		s->http[i] = http_server_free(s->http[i]);
		listener_close(&s->listeners[i]);
	}
	s->n = 0;
	return ended;
}
