// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/fabric/fabric_change.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/clock.h"
#include "common/log.h"
#include "mailbox/switch_access.h"
#include "model/fabric_use.h"
#include "redfish/service/service.h"

enum {
	READ_AGAIN_MS = 5000, /* that host and switch may take to be read before a change */
	SHOW_MS = 3000,	      /* at least, for the view with the result */
	/* All of it, with what the switch may take to remove a device. */
	CHANGE_RUN_MS = READ_AGAIN_MS + SWITCH_CHANGE_MS + 2 * SHOW_MS,
};

const char *fabric_unchangeable(const struct view *v, const struct fabric_switch *sw)
{
	const struct switch_readings *all = v->inputs.switches;
	const char *text;

	if (!sw || !sw->reading || !all)
		return "the mailbox of its switch is not used (--switch-mailbox)";
	if (sw->reading->recorded) {
		text = arena_printf(v->arena, "the answers of the switch %s are recorded",
				    sw->reading->name);
		return text ? text : "the answers of the switch are recorded";
	}
	return all->may_change ? NULL : "changes of the fabric are not allowed (--allow=fabric)";
}

/* ---- force ------------------------------------------------------------------------------------
 */

#define FORCE "Oem/CXLHost/Force"

static const struct parameter force_members[] = {
	FABRIC_FORCE_MEMBER,
};

const struct parameter fabric_force_members[] = {
	{.name = "CXLHost", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(force_members)},
};

/* Without accounts, and as root on a local socket, a client has all privileges. */
bool fabric_is_administrator(const struct principal *p)
{
	return p->role == ROLE_ADMINISTRATOR || p->privileges == PRIVILEGES_ALL;
}

int fabric_force(struct exchange *x, bool *ret)
{
	*ret = body_boolean(x, FORCE).value;
	if (!*ret || fabric_is_administrator(&x->principal))
		return 0;
	body_note(x, MESSAGE_INSUFFICIENT_PRIVILEGE, FORCE);
	return exchange_noted(x);
}

struct switch_change *fabric_changes_add(struct fabric_changes *c, const struct fabric_switch *sw,
					 enum switch_change_kind kind)
{
	struct switch_change *one = &c->items[c->n++];

	*one = (struct switch_change){.kind = kind, .ld = FMAPI_NO_LD};
	(void)snprintf(one->name, sizeof(one->name), "%s", sw->reading->name);
	if (sw->reading->has_identity)
		one->serial = sw->reading->identity.serial;
	return one;
}

/* ---- before -----------------------------------------------------------------------------------
 */

static bool takes_memory(const struct fabric_changes *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->items[i].kind < SWITCH_SET_QOS_CONTROL)
			return true;
	return false;
}

static void note_uses(struct exchange *x, const struct fabric_changes *c,
		      const struct fabric_use *use)
{
	for (size_t i = 0; i < use->n; i++) {
		if (c->force) {
			log_warning("a change by the switch %s is forced from %s: %s",
				    c->items[0].name, x->principal.from, use->reasons[i]);
			continue;
		}
		(void)exchange_refuse(x, MESSAGE_MEMORY_IN_USE, use->reasons[i], NULL, NULL);
		if (c->property)
			body_point_to(x, c->property);
		exchange_note(x);
	}
}

static int refuse_before(struct exchange *x, const struct fabric_changes *c, const char *why)
{
	return exchange_refuse(x, MESSAGE_SWITCH_CHANGE_FAILED, c->items[0].name, why, NULL);
}

/* The permission may have been withdrawn while the change waited. */
static int check_view(struct exchange *x, const struct fabric_changes *c, const struct view *v)
{
	const struct fabric_switch *sw = fabric_switch_of(v->fabric, c->items[0].name);
	const char *why = fabric_unchangeable(v, sw);
	struct fabric_use use;

	if (why) {
		(void)refuse_before(x, c, why);
		x->message.status = sw ? 403 : 500;
		return -EINVAL;
	}
	for (size_t i = 0; i < c->n; i++) {
		fabric_use(v->fabric, &c->items[i], &use);
		note_uses(x, c, &use);
	}
	return exchange_noted(x);
}

/* On the newest view, not on the one of the request. Return: 0, or -EINVAL with all reasons. */
static int decide(struct exchange *x, const struct fabric_changes *c)
{
	struct view_holder *holder = x->service->view_holder;
	const uint64_t until = clock_monotonic_ms() + READ_AGAIN_MS;
	struct view_hold *hold;
	int r;

	/*
	 * A decision on an old reading would be wrong. The host last: a switch takes longer,
	 * and the host may map memory meanwhile.
	 */
	if (takes_memory(c) &&
	    (view_holder_read_again(holder, VIEW_INPUT_SWITCHES, NULL, until) < 0 ||
	     view_holder_read_again(holder, VIEW_INPUT_TOPOLOGY, NULL, until) < 0))
		return refuse_before(x, c,
				     "host and switch could not be read again before the change");
	hold = view_holder_take(x->service->view_holder);
	r = check_view(x, c, hold ? view_of_hold(hold) : x->view);
	(void)view_hold_release(hold);
	return r;
}

/* ---- the change -------------------------------------------------------------------------------
 */

static int refuse_change(struct exchange *x, const struct fabric_changes *c, size_t made, int r,
			 const struct error *e)
{
	char text[ERROR_TEXT_MAX + 32];

	(void)snprintf(text, sizeof(text), "%s%s", made > 0 ? "the first value was set; " : "",
		       e->text);
	log_warning("a change by the switch %s failed: %s", c->items[0].name, text);
	(void)exchange_refuse(x, MESSAGE_SWITCH_CHANGE_FAILED, c->items[0].name, text, NULL);
	if (r == -EACCES)
		x->message.status = 403;
	else if (r == -EINVAL)
		x->message.status = 400;
	else if (r == -EIO || r == -ESTALE)
		x->message.status = 409;
	return -EINVAL;
}

static int wait_in_job(void *userdata, uint64_t until_ms)
{
	return job_wait(userdata, until_ms);
}

static int make_changes(struct exchange *x, const struct fabric_changes *c)
{
	struct switch_access *access = x->service->switch_access;
	struct switch_change_context context = {
		.deadline_ms = clock_monotonic_ms() + SWITCH_CHANGE_MS,
		.wait = wait_in_job,
		.userdata = x->job,
	};
	_cleanup_cci_ struct cci *cci = NULL;
	struct error e = {0};
	int r;

	if (!access)
		return exchange_refuse(x, MESSAGE_SWITCH_CHANGE_FAILED, c->items[0].name,
				       "this service cannot reach switches", NULL);
	r = switch_access_open(access, c->items[0].name, &cci, &e);
	if (r < 0)
		return refuse_change(x, c, 0, r, &e);
	context.cci = cci;
	for (size_t i = 0; i < c->n; i++) {
		r = switch_change_run(&context, &c->items[i], &e);
		if (r < 0)
			return refuse_change(x, c, i, r, &e);
	}
	return 0;
}

/* The change was made even if the view with it comes late. */
static void show_changes(struct exchange *x)
{
	(void)view_holder_read_again(x->service->view_holder, VIEW_INPUT_SWITCHES, NULL,
				     clock_monotonic_ms() + SHOW_MS);
}

static int run_changes(struct exchange *x, void *state)
{
	const struct fabric_changes *c = state;
	int r = decide(x, c);

	if (r < 0)
		return r;
	r = make_changes(x, c);
	/* A change that failed may have been made in part. */
	show_changes(x);
	return r;
}

int fabric_changes_submit(struct exchange *x, const struct fabric_changes *c)
{
	static const struct continuation continuation = {
		.class = JOB_SWITCHES, .run_ms = CHANGE_RUN_MS, .run = run_changes, .free = free};
	struct fabric_changes *copy = malloc(sizeof(*copy));

	if (!copy)
		return -ENOMEM;
	*copy = *c;
	return exchange_continue(x, &continuation, copy);
}
