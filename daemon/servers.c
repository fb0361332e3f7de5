// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/servers.h"

#include <stdio.h>
#include <sys/resource.h>

#include "common/cleanup.h"
#include "common/log.h"

int servers_load_tls(const struct config *c, struct tls_store **store, struct error *e)
{
	struct listener_spec specs[OPTION_LIST_MAX];
	const char *addresses[OPTION_LIST_MAX];
	struct tls_options o = {
		.state = c->state,
		.certificate_file = c->tls_certificate,
		.key_file = c->tls_key,
		.authority_files = c->client_ca.items,
		.n_authority_files = c->client_ca.n,
		.addresses = addresses,
	};

	for (size_t i = 0; i < c->listen.n; i++)
		if (listener_check(c->listen.items[i], &specs[i], e) >= 0 &&
		    specs[i].transport == HTTP_OVER_TLS)
			addresses[o.n_addresses++] = specs[i].address;
	if (o.n_addresses == 0)
		return 0;
	return *store ? tls_store_reload(*store, &o, e) : tls_store_new(&o, store, e);
}

/* After all are open: the port of the TLS listener may be any free one. */
static void set_access(struct servers *s, const struct config *c)
{
	unsigned int tls_port = 0;

	for (size_t i = 0; i < s->n && tls_port == 0; i++)
		if (s->listeners[i].spec.transport == HTTP_OVER_TLS)
			tls_port = s->listeners[i].spec.port;
	for (size_t i = 0; i < s->n; i++) {
		const struct listener_spec *spec = &s->listeners[i].spec;
		struct http_access_rules *rules = &s->access[i];

		*rules = (struct http_access_rules){.tls_port = tls_port};
		rules->restricted = spec->transport == HTTP_OVER_TCP && !spec->is_loopback;
		for (size_t k = 0; k < c->read_only_peers.n; k++)
			if (http_peers_parse(c->read_only_peers.items[k],
					     &rules->named[rules->n_named], NULL) >= 0)
				rules->n_named++;
	}
}

int servers_open(const struct config *c, struct tls_store *tls, struct servers *ret,
		 struct error *e)
{
	struct servers s = {.tls = tls};
	int r;

	for (; s.n < c->listen.n; s.n++) {
		r = listener_open(c->listen.items[s.n], &s.listeners[s.n], e);
		if (r < 0) {
			(void)servers_close(&s);
			return r;
		}
	}
	set_access(&s, c);
	*ret = s;
	return 0;
}

/* What an administrator must know of a listener: who gets in, and how. */
static void log_access(const struct servers *s, size_t i, const struct config *c)
{
	const struct listener *l = &s->listeners[i];
	const struct http_access_rules *rules = &s->access[i];
	struct tls_set *set = s->tls ? tls_store_get(s->tls) : NULL;

	if (l->spec.transport == HTTP_OVER_UNIX)
		log_info("%s: open to %s", l->url,
			 c->password_file ? "accounts"
					  : "every process that may open the socket, "
					    "without login");
	else if (l->spec.transport == HTTP_OVER_TLS)
		log_info("%s: open to accounts%s", l->url,
			 set && set->n_authorities ? ", and to certificates of the client "
						     "authorities"
						   : "");
	else if (!rules->restricted)
		log_info("%s: open to accounts, from this machine only", l->url);
	else if (rules->tls_port)
		log_info("%s: only redirects to https port %u", l->url, rules->tls_port);
	else
		log_info("%s: refuses all but the named peers", l->url);
	for (size_t k = 0; rules->restricted && k < rules->n_named; k++)
		log_info("%s: open for reading without login to %s", l->url,
			 c->read_only_peers.items[k]);
	(void)tls_set_unref(set);
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

int servers_start(struct servers *s, const struct config *c, struct service *service,
		  struct error *e)
{
	s->service = service;
	s->limits = limits_for(s->n);
	for (size_t i = 0; i < s->n; i++) {
		const struct http_server_options o = {
			.handler = &service_handler,
			.userdata = service,
			.limits = &s->limits,
			.tls = s->listeners[i].spec.transport == HTTP_OVER_TLS ? s->tls : NULL,
			.access = &s->access[i],
		};
		int r = http_server_new(&o, STEAL_FD(s->listeners[i].fd), &s->http[i], e);

		if (r < 0)
			return r;
		log_output("listening on %s", s->listeners[i].url);
		log_access(s, i, c);
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
