// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/servers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/log.h"
#include "common/strutil.h"
#include "daemon/unit_sockets.h"

enum { PEER_TEXT_MAX = 64 };

/* ---- what is open to which client --------------------------------------------------------------
 */

int servers_load_tls(const struct config *c, const char *state, struct tls_store **store,
		     struct error *e)
{
	struct listener_spec specs[OPTION_LIST_MAX];
	const char *addresses[OPTION_LIST_MAX];
	struct tls_options o = {
		.state = state,
		.certificate_file = c->tls_certificate,
		.key_file = c->tls_key,
		.authority_files = c->client_ca.items,
		.n_authority_files = c->client_ca.n,
		.crl_file = c->client_crl,
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

/* @tls_port: where others are redirected to; 0: there is no TLS listener */
static void access_rules(const struct server *one, const struct config *c, unsigned int tls_port,
			 struct http_access_rules *ret)
{
	const struct listener_spec *spec = &one->listener.spec;

	*ret = (struct http_access_rules){.tls_port = tls_port};
	ret->restricted = listener_is_plain_network(spec);
	for (size_t i = 0; i < c->read_only_peers.n; i++)
		if (cidr_parse(c->read_only_peers.items[i], &ret->named[ret->n_named], NULL) >= 0)
			ret->n_named++;
	ret->has_core =
		c->sunfish.url && sunfish_core_address(c->sunfish.url, &ret->core, NULL) == 0;
}

void servers_agent(const struct servers *s, const struct config *c,
		   char ret[static SUNFISH_AGENT_MAX])
{
	const struct server *one;
	struct cidr core;

	ret[0] = '\0';
	if (!c->sunfish.url || sunfish_core_address(c->sunfish.url, &core, NULL) < 0)
		return;
	for (one = TAILQ_FIRST(&s->all); one && !ret[0]; one = TAILQ_NEXT(one, list)) {
		const struct listener_spec *spec = &one->listener.spec;

		if (!one->is_metrics && !one->retired && listener_is_plain_network(spec) &&
		    sunfish_is_own_address(spec->address, &core))
			(void)snprintf(ret, SUNFISH_AGENT_MAX,
				       core.family == AF_INET ? "http://%s:%u" : "http://[%s]:%u",
				       spec->address, spec->port);
	}
}

/* The port may be any free one, which is known once the listener is open. */
static unsigned int find_tls_port(const struct servers *s)
{
	const struct server *one;

	for (one = TAILQ_FIRST(&s->all); one; one = TAILQ_NEXT(one, list))
		if (!one->is_metrics && !one->retired &&
		    one->listener.spec.transport == HTTP_OVER_TLS)
			return one->listener.spec.port;
	return 0;
}

/* Logs a listener at which only named peers are answered, and others not even with a login. */
static void log_restricted(const char *url, const struct config *c, unsigned int tls_port)
{
	const struct option_list *peers = &c->read_only_peers;
	char named[OPTION_LIST_MAX * PEER_TEXT_MAX] = "", others[64] = "refuses others";
	size_t n = 0;

	if (tls_port)
		(void)snprintf(others, sizeof(others), "redirects others to https port %u",
			       tls_port);
	for (size_t i = 0; i < peers->n && n < sizeof(named); i++)
		n += (size_t)snprintf(named + n, sizeof(named) - n, "%s%s", i ? ", " : "",
				      peers->items[i]);
	if (c->sunfish.url)
		log_info("%s: open for reading%s without login to the Sunfish core %s", url,
			 c->sunfish.writes ? " and for allowed changes" : "", c->sunfish.url);
	if (n == 0 && tls_port)
		log_info("%s: only redirects to https port %u", url, tls_port);
	else if (n > 0)
		log_info("%s: open for reading without login to %s; %s", url, named, others);
}

/* Logs the access to a listener, which an administrator must know: the clients, and their
 * credentials. */
static void log_access(const struct servers *s, const struct server *one, const struct config *c,
		       const struct http_access_rules *rules)
{
	const struct listener *l = &one->listener;
	struct tls_set *set = s->tls ? tls_store_get(s->tls) : NULL;

	if (l->spec.transport == HTTP_OVER_UNIX)
		log_info(
			"%s: open to root, to the service's user, to members of its group for reading, and to accounts",
			l->url);
	else if (l->spec.transport == HTTP_OVER_TLS)
		log_info("%s: open to accounts%s", l->url,
			 set && set->n_authorities
				 ? ", and to certificates of the client authorities"
				 : "");
	else if (!rules->restricted)
		log_info("%s: open to accounts, from this machine only", l->url);
	else
		log_restricted(l->url, c, rules->tls_port);
	(void)tls_set_unref(set);
}

void servers_init(struct servers *s)
{
	*s = (struct servers){0};
	TAILQ_INIT(&s->all);
	http_hosts_init(&s->hosts);
}

void servers_done(struct servers *s)
{
	http_hosts_done(&s->hosts);
}

/* ---- one server -------------------------------------------------------------------------------
 */

/* Frees it; no request is suspended. */
static void server_free(struct servers *s, struct server *one)
{
	TAILQ_REMOVE(&s->all, one, list);
	if (one->is_metrics)
		one->metrics = metrics_free(one->metrics);
	else
		one->http = http_server_free(one->http);
	listener_close(&one->listener);
	free(one->spec);
	free(one);
}

static int server_open(struct servers *s, const char *spec, bool is_metrics, struct error *e)
{
	struct server *one = calloc(1, sizeof(*one));
	int r;

	if (!one)
		return error_set(e, ENOMEM, "out of memory");
	one->listener.fd = -1;
	one->is_metrics = is_metrics;
	TAILQ_INSERT_TAIL(&s->all, one, list);
	one->spec = strdup(spec);
	one->held = is_metrics ? -1 : unit_socket_find(spec);
	if (!one->spec)
		r = error_set(e, ENOMEM, "out of memory");
	else if (one->held >= 0)
		r = listener_adopt(spec, one->held, &one->listener, e);
	else
		r = listener_open(spec, &one->listener, e);
	if (r == -EADDRINUSE && unit_socket_has_port(spec))
		r = error_set(
			e, r,
			"cannot listen on %s: systemd holds this port for the service. Choose another one, or run: systemctl mask --now cxl-redfishd-ipv4.socket cxl-redfishd-ipv6.socket",
			spec);
	if (r < 0)
		server_free(s, one);
	return r;
}

/* unit_sockets_update() */
static bool is_held(void *userdata, int fd)
{
	const struct servers *s = userdata;
	const struct server *one;

	for (one = TAILQ_FIRST(&s->all); one; one = TAILQ_NEXT(one, list))
		if (one->held == fd && !one->retired)
			return true;
	return false;
}

static int server_start(struct servers *s, struct server *one, const struct config *c,
			struct error *e)
{
	struct http_access_rules rules;
	struct http_server_options o = {
		.handler = &page_handler,
		.userdata = s->page,
		.limits = &one->limits,
		.access = &rules,
	};
	int r;

	o.is_shared = one->held >= 0;
	if (one->listener.spec.transport == HTTP_OVER_TCP)
		o.hosts = &s->hosts;
	if (one->is_metrics) {
		r = metrics_new(&one->listener, &s->metrics, o.hosts, &one->metrics, e);
		if (r < 0)
			return r;
		one->http = metrics_server(one->metrics);
		log_output("metrics on %s/metrics", one->listener.url);
		return 0;
	}
	access_rules(one, c, find_tls_port(s), &rules);
	if (one->listener.spec.transport == HTTP_OVER_TLS)
		o.tls = s->tls;
	r = http_server_new(&o, STEAL_FD(one->listener.fd), &one->http, e);
	if (r < 0)
		return r;
	/* The last line about it, for programs that wait for it and then read the others. */
	log_access(s, one, c, &rules);
	log_output("listening on %s", one->listener.url);
	return 0;
}

static void server_retire(struct server *one)
{
	http_server_retire(one->http);
	one->retired = true;
	one->retired_ms = clock_monotonic_ms();
	log_info("no longer listening on %s", one->listener.url);
	/* Removes the file of a socket, so that another process can use its name. */
	listener_close(&one->listener);
}

/* ---- limits -----------------------------------------------------------------------------------
 */

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

/* The part of each server depends on their number; retired ones have connections, too. */
static void servers_limit(struct servers *s)
{
	struct http_limits limits;
	struct server *one;
	size_t n = 0;

	for (one = TAILQ_FIRST(&s->all); one; one = TAILQ_NEXT(one, list))
		n += !one->is_metrics;
	limits = limits_for(n);
	for (one = TAILQ_FIRST(&s->all); one; one = TAILQ_NEXT(one, list))
		if (one->http && !one->retired && !one->is_metrics)
			http_server_set_connections(one->http, limits.connections);
		else if (!one->http)
			one->limits = limits;
}

/* ---- all of them ------------------------------------------------------------------------------
 */

/* How often a listener is configured up to item @n: it can be several times, with port 0. */
static size_t count_spec(const struct option_list *list, size_t n, const char *spec)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		found += str_equal(list->items[i], spec);
	return found;
}

int servers_open(struct servers *s, const struct config *c, const struct config *present,
		 struct error *e)
{
	int r = 0;

	for (size_t i = 0; r >= 0 && i < c->listen.n; i++) {
		const char *spec = c->listen.items[i];

		if (!present || count_spec(&c->listen, i, spec) >=
					count_spec(&present->listen, present->listen.n, spec))
			r = server_open(s, spec, false, e);
	}
	if (r >= 0 && c->metrics && !(present && str_equal(present->metrics, c->metrics)))
		r = server_open(s, c->metrics, true, e);
	if (r < 0)
		(void)servers_close(s);
	return r;
}

void servers_listened(const struct servers *s, struct listened_list *ret)
{
	const struct server *one;
	size_t n = 0;

	(void)pthread_mutex_lock(&ret->lock);
	for (one = TAILQ_FIRST(&s->all); one && n < OPTION_LIST_MAX; one = TAILQ_NEXT(one, list))
		if (!one->is_metrics && !one->retired)
			n += listened_parse(one->listener.spec.address, &ret->items[n]);
	ret->n = n;
	(void)pthread_mutex_unlock(&ret->lock);
}

/* ManagerNetworkProtocol shows the first port of each protocol. */
static void show_ports(const struct servers *s)
{
	struct service_ports ports = {0};
	const struct server *one;

	for (one = TAILQ_FIRST(&s->all); one; one = TAILQ_NEXT(one, list)) {
		const struct listener_spec *spec = &one->listener.spec;

		if (one->is_metrics || one->retired)
			continue;
		if (spec->transport == HTTP_OVER_TLS && ports.https == 0)
			ports.https = (uint16_t)spec->port;
		if (spec->transport == HTTP_OVER_TCP && ports.http == 0)
			ports.http = (uint16_t)spec->port;
	}
	s->service->ports = ports;
}

int servers_start(struct servers *s, const struct config *c, struct tls_store *tls,
		  struct service *service, const struct metrics_source *metrics, struct error *e)
{
	struct server *one;
	int r;

	s->service = service;
	s->metrics = *metrics;
	s->tls = tls;
	http_hosts_set(&s->hosts, c->host_names.items, c->host_names.n);
	r = page_new(&service_handler, s->service, &s->page, e);
	show_ports(s);
	servers_limit(s);
	for (one = TAILQ_FIRST(&s->all); one; one = TAILQ_NEXT(one, list))
		if (r >= 0)
			r = server_start(s, one, c, e);
	unit_sockets_update(is_held, s);
	return r;
}

/* The oldest of those with the same address are kept. */
static void retire_unwanted(struct servers *s, const struct config *c)
{
	struct server *one, *before;

	for (one = TAILQ_FIRST(&s->all); one; one = TAILQ_NEXT(one, list)) {
		size_t n = 0, wanted = count_spec(&c->listen, c->listen.n, one->spec);

		if (one->is_metrics)
			wanted = str_equal(c->metrics, one->spec);
		for (before = TAILQ_FIRST(&s->all); before != one;
		     before = TAILQ_NEXT(before, list))
			n += !before->retired && before->is_metrics == one->is_metrics &&
			     str_equal(before->spec, one->spec);
		if (!one->retired && n >= wanted)
			server_retire(one);
	}
}

/* For connections that are accepted from now on. */
static void change_access(struct servers *s, const struct config *c)
{
	const unsigned int tls_port = find_tls_port(s);
	struct http_access_rules rules;
	struct server *one;

	for (one = TAILQ_FIRST(&s->all); one; one = TAILQ_NEXT(one, list)) {
		if (!one->http || one->is_metrics || one->retired)
			continue;
		access_rules(one, c, tls_port, &rules);
		http_server_set_access(one->http, &rules);
	}
}

void servers_change(struct servers *s, const struct config *c, struct tls_store *tls,
		    struct servers *opened)
{
	struct server *one, *next;

	s->tls = tls;
	http_hosts_set(&s->hosts, c->host_names.items, c->host_names.n);
	retire_unwanted(s, c);
	TAILQ_CONCAT(&s->all, &opened->all, list);
	change_access(s, c);
	show_ports(s);
	servers_limit(s);
	for (one = TAILQ_FIRST(&s->all); one; one = next) {
		struct error e = {0};

		next = TAILQ_NEXT(one, list);
		if (!one->http && server_start(s, one, c, &e) < 0) {
			log_err("cannot listen on %s: %s", one->spec, e.text);
			server_free(s, one);
		}
	}
	unit_sockets_update(is_held, s);
}

static void sweep_retired(struct servers *s, struct server *one)
{
	const uint64_t age = clock_monotonic_ms() - one->retired_ms;

	if (age > RETIRED_MS_MAX)
		http_server_shut(one->http);
	/* Not at once: a connection that was accepted just before may not be counted yet. */
	if (age > 1000 && http_server_is_idle(one->http)) {
		server_free(s, one);
		servers_limit(s);
	}
}

void servers_sweep(struct servers *s)
{
	struct server *one, *next;

	for (one = TAILQ_FIRST(&s->all); one; one = next) {
		next = TAILQ_NEXT(one, list);
		http_server_sweep(one->http);
		if (one->retired)
			sweep_retired(s, one);
	}
}

bool servers_close(struct servers *s)
{
	struct server *one;
	bool ended = true;

	for (one = TAILQ_FIRST(&s->all); one; one = TAILQ_NEXT(one, list))
		if (one->http)
			http_server_end(one->http);
	/* Replies to all suspended requests: without that the servers cannot be freed. */
	if (s->service && !service_stop(s->service, JOB_WAIT_MS)) {
		log_warning(
			"a request was still being processed %d ms after the end of the service began; exiting without its result",
			JOB_WAIT_MS);
		ended = false;
	}
	while ((one = TAILQ_FIRST(&s->all)))
		server_free(s, one);
	s->page = page_free(s->page);
	return ended;
}
