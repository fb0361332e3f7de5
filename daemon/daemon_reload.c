// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A changed configuration: what is prepared on another thread, and then used by the main one.
#include "daemon/daemon.h"

#include "common/allow.h"
#include "common/log.h"
#include "redfish/state/audit.h"

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

/* Steps that can fail are done here. The password is last: it is in use from then on. */
static int daemon_prepare(void *userdata, struct error *e)
{
	struct daemon *d = userdata;
	int r = config_load(&d->line, &d->next, e);

	if (r < 0)
		return r;
	r = servers_open(&d->opened, &d->next, &d->config, e);
	if (r >= 0)
		r = servers_load_tls(&d->next, d->started.state, &d->tls, e);
	if (r >= 0)
		r = reload_password(d, e);
	if (r < 0) {
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
}

static void apply_events(struct daemon *d, const struct config *c)
{
	const struct store_limits limits = log_limits(c);
	const struct event_service_options o = delivery_options(c);

	if (!d->events)
		return;
	events_set_limits(d->events, &limits);
	event_log_set_limits(d->log, &limits);
	if (event_service_set_options(d->event_service, &o) < 0)
		log_err("push-ca: the new value is not used: out of memory");
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
	allowed = allow_bits(&d->config.allow);
	before = atomic_exchange(&d->allowed, allowed);
	if (d->config.poll_seconds != old.poll_seconds) {
		poller_set_interval(d->poller, d->config.poll_seconds);
		poller_set_interval(d->memory_use, d->config.poll_seconds);
		poller_set_interval(d->switch_poller, d->config.poll_seconds);
	}
	if (d->switch_poller && (before ^ allowed) & ALLOW_FABRIC)
		(void)poller_request(d->switch_poller, NULL);
	/* Also at the same interval: the helper is asked again. */
	poller_set_interval(d->change_poller, d->config.poll_seconds);
	origins_set(&d->service->origins, d->config.allow_origins.items, d->config.allow_origins.n);
	apply_events(d, &d->config);
	config_log_restart(&d->started, &d->config);
	if (old.arena != d->started.arena)
		config_done(&old);
}

const struct reload_ops daemon_reload_ops = {daemon_prepare, daemon_apply, daemon_on_reloaded};
