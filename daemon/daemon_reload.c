// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A changed configuration: what is prepared on another thread, and then used by the main one.
#include "daemon/daemon.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/allow.h"
#include "common/cleanup.h"
#include "common/log.h"
#include "common/strutil.h"
#include "daemon/state_directory.h"
#include "daemon/unit_defaults.h"
#include "pages/page_options.h"
#include "redfish/state/audit.h"

enum { RELOAD_WAIT_MS = 100 };

/* With a state database it is the first password only, which the accounts say. */
static int reload_password(struct daemon *d, struct error *e)
{
	char *password = NULL;
	int r = 0;

	if (d->next.password_file)
		r = password_file_read(d->next.password_file, &password, e);
	if (r >= 0)
		r = accounts_reload(d->accounts, password, e);
	(void)password_free(password);
	return r;
}

/* Another state directory is for the next start, which would fail without it. */
static int reload_state(const struct daemon *d, struct error *e)
{
	return d->next.state && !str_equal(d->next.state, d->started.state)
		       ? state_directory_check(d->next.state, e)
		       : 0;
}

/* On this thread, because all processes are looked at. */
static void warn_of_others(const struct daemon *d)
{
	const struct page_rule rule = page_rule_of(&d->next);

	if (d->policy)
		warn_of_page_master(d, &rule);
}

/* Steps that can fail are done here. The password is last: it is in use from then on. */
static int daemon_prepare(void *userdata, struct error *e)
{
	struct daemon *d = userdata;
	const char *option;
	int r = config_load(&d->line, &d->next, e);

	if (r < 0)
		return r;
	r = reload_state(d, e);
	if (r >= 0)
		r = servers_open(&d->opened, &d->next, &d->config, e);
	if (r >= 0)
		r = servers_load_tls(&d->next, d->started.state, &d->tls, e);
	if (r >= 0)
		r = otlp_settings_load(&d->next.otlp, &d->next_otlp, &option, e);
	if (r >= 0)
		r = reload_password(d, e);
	if (r >= 0)
		warn_of_others(d);
	if (r < 0) {
		d->next_otlp = otlp_settings_free(d->next_otlp);
		(void)servers_close(&d->opened);
		config_done(&d->next);
	}
	return r;
}

/* The reason may have a value of the configuration: it is in the log only. */
static void daemon_on_reloaded(void *userdata, bool in_force)
{
	struct daemon *d = userdata;

	audit_configuration(d->service->audit,
			    in_force ? "it is in force" : "it was refused and remains as it was");
	d->config_refused = !in_force;
	post_faults(d);
}

static void apply_events(struct daemon *d, const struct config *c)
{
	const struct store_limits limits = log_limits(c);
	struct event_service_options o = delivery_options(c);

	o.otlp = d->next_otlp;
	d->next_otlp = NULL;
	if (!d->events) {
		(void)otlp_settings_free(o.otlp);
		return;
	}
	events_set_limits(d->events, &limits);
	events_set_expected(d->events, c->expect_cxl);
	event_log_set_limits(d->log, &limits);
	if (event_service_set_options(d->event_service, &o) < 0)
		log_err("push-allow, push-ca and otlp: the new values are not used: out of memory");
}

/* From the next interval on. */
static void apply_history(struct daemon *d, const struct config *c)
{
	const struct history_limits limits = history_limits_of(c);

	if (d->history.history)
		history_set_limits(d->history.history, &limits);
}

/* A helper that this process started has the options of the start. */
static bool fence_of(const struct daemon *d, const struct config *c)
{
	const bool fence = page_online_is_fence(c->page_on_online);
	const bool at_start = page_online_is_fence(d->started.page_on_online);

	if (!d->page_helper.own || fence == at_start)
		return fence;
	log_warning(
		"the new value of page-on-online is used after a restart, as cxl-redfish-page-helper was started by this process");
	return at_start;
}

/* Likewise. */
static struct page_limits limits_of(const struct daemon *d, const struct config *c)
{
	struct page_limits limits = c->pages;

	if (!d->page_helper.own || limits.block == d->started.pages.block)
		return limits;
	log_warning(
		"the new value of page-limit-block is used after a restart, as cxl-redfish-page-helper was started by this process");
	limits.block = d->started.pages.block;
	return limits;
}

static void apply_pages(struct daemon *d, const struct config *c)
{
	const struct page_rule rule = page_rule_of(c);
	const struct page_limits limits = limits_of(d, c);

	atomic_store(&d->service->show_page_users, c->show_page_users);
	if (d->keeper) {
		page_keeper_set_limits(d->keeper, &limits);
		page_keeper_set_fence(d->keeper, fence_of(d, c));
	}
	if (d->policy)
		page_policy_set(d->policy, &rule);
}

static void daemon_apply(void *userdata)
{
	struct daemon *d = userdata;
	struct config old = d->config;
	unsigned int allowed, before;

	d->config = d->next;
	d->next = (struct config){0};
	log_set_level(d->config.log_level);
	d->service->tls = d->tls;
	servers_change(&d->servers, &d->config, d->tls, &d->opened);
	servers_listened(&d->servers, &d->listened);
	(void)poller_request(d->interfaces, NULL);
	allowed = allow_bits(&d->config.allow);
	before = atomic_exchange(&d->allowed, allowed);
	if (d->config.poll_seconds != old.poll_seconds) {
		poller_set_interval(d->poller, d->config.poll_seconds);
		poller_set_interval(d->memory_use, d->config.poll_seconds);
		poller_set_interval(d->interfaces, d->config.poll_seconds);
		poller_set_interval(d->switch_poller, d->config.poll_seconds);
	}
	if (d->switch_poller && (before ^ allowed) & ALLOW_FABRIC)
		(void)poller_request(d->switch_poller, NULL);
	/* Also at the same interval: the helper is asked again. */
	poller_set_interval(d->change_poller, d->config.poll_seconds);
	origins_set(&d->service->origins, d->config.allow_origins.items, d->config.allow_origins.n);
	apply_events(d, &d->config);
	apply_sunfish(d);
	apply_history(d, &d->config);
	apply_pages(d, &d->config);
	config_log_restart(&d->started, &d->config);
	config_warn(&d->config);
	if (old.arena != d->started.arena)
		config_done(&old);
}

static const struct reload_ops reload_ops = {daemon_prepare, daemon_apply, daemon_on_reloaded};

/* ---- requests ----------------------------------------------------------------------------------
 */

/* @fd: as of reload_request() */
static void request(struct daemon *d, int fd)
{
	topology_walker_poke(d->walker);
	reload_request(d->reload, fd);
}

int daemon_on_hangup(sd_event_source *source, const struct signalfd_siginfo *si, void *userdata)
{
	(void)source;
	(void)si;
	request(userdata, -1);
	return 0;
}

static bool may_reload(int fd)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0 &&
	       (peer.uid == 0 || peer.uid == geteuid());
}

/* A connection is a request. */
static int daemon_on_reload(sd_event_source *source, int listening, uint32_t revents,
			    void *userdata)
{
	_cleanup_close_ int fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	(void)source;
	(void)revents;
	if (fd < 0 || !may_reload(fd))
		return 0;
	request(userdata, STEAL_FD(fd));
	return 0;
}

int start_reload(struct daemon *d, struct error *e)
{
	const char *spec = unit_reload_socket();
	int r = reload_new(d->event, &reload_ops, d, &d->reload, e);

	if (r < 0 || !spec)
		return r;
	r = listener_open(spec, &d->reload_requests, e);
	if (r < 0)
		return r;
	r = sd_event_add_io(d->event, NULL, d->reload_requests.fd, EPOLLIN, daemon_on_reload, d);
	return r < 0 ? error_set(e, r, "cannot set up the event loop: %s", strerror(-r)) : 0;
}

bool end_reload(struct daemon *d)
{
	listener_close(&d->reload_requests);
	return reload_free(d->reload, RELOAD_WAIT_MS);
}
