// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The job that adds or releases dynamic capacity: what must hold is read again, the device gets the
// command, and the lists of the host show its answer.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "mailbox/switch_access.h"
#include "model/fabric_use.h"
#include "redfish/resources/fabric/dynamic_change_private.h"
#include "redfish/resources/fabric/fabric_change.h"
#include "redfish/service/service.h"

enum {
	READ_AGAIN_MS = 5000, /* that the switch may take to be read */
	POLL_MS = 200,	      /* between readings of the lists */
	COMMAND_MS = 5000,    /* the command, and what is read before and after it */
};

/* ---- before ---- */

static int refuse(struct exchange *x, const struct dynamic_change *c, unsigned int status,
		  const char *why)
{
	(void)exchange_refuse(x, MESSAGE_SWITCH_CHANGE_FAILED, c->name, why, NULL);
	x->message.status = status;
	return -EINVAL;
}

static const struct fabric_device *find_device(const struct view *v, const struct dynamic_change *c)
{
	const struct fabric_switch *sw = fabric_switch_of(v->fabric, c->name);

	for (size_t i = 0; sw && i < sw->n_devices; i++) {
		const struct fabric_device *d = &sw->devices[i];
		const uint64_t serial = d->reading->has_identity ? d->reading->identity.serial : 0;

		if (d->port->physical->state.id == c->port && serial == c->serial)
			return d;
	}
	return NULL;
}

/* Return: the host's capacity as it is in the view; NULL: it is not known. */
static const struct dc_host_reading *find_host(const struct view *v, const struct dynamic_change *c)
{
	const struct fabric_device *d = find_device(v, c);
	const struct dc_host_reading *h = d ? device_dc_host(d->reading, c->request.host) : NULL;

	return h && h->has_extents ? h : NULL;
}

static bool is_accepted(const struct dc_host_reading *h, const struct fmapi_extent *x)
{
	for (size_t i = 0; i < h->n_extents; i++)
		if (h->extents[i].start == x->start && h->extents[i].size == x->size)
			return true;
	return false;
}

uint64_t dynamic_tagged(const struct dc_host_reading *h, const uint8_t tag[static FMAPI_TAG_LEN])
{
	uint64_t sum = 0;

	for (size_t i = 0; i < h->n_extents; i++)
		if (memcmp(h->extents[i].tag, tag, FMAPI_TAG_LEN) == 0)
			sum += h->extents[i].size;
	return sum;
}

/* The permission may have been withdrawn, and another fabric manager may have been there. */
static int check_view(struct exchange *x, struct dynamic_change *c, const struct view *v)
{
	const char *why = fabric_unchangeable(v, fabric_switch_of(v->fabric, c->name));
	const struct dc_host_reading *h = find_host(v, c);

	if (why)
		return refuse(x, c, 403, why);
	if (!h)
		return refuse(x, c, 409,
			      "the device, or the extents of the host, are not known now");
	for (size_t i = 0; c->release && i < c->request.n; i++)
		if (!is_accepted(h, &c->extents[i]))
			return refuse(x, c, 409, "an extent to be released is not the host's now");
	c->before = c->release ? dynamic_tagged(h, c->request.tag)
			       : dc_region_bytes(h, c->request.region, c->request.tag);
	if (c->release && c->request.n == 0 && c->before < c->request.size)
		return refuse(x, c, 409, "the host has less capacity with this tag");
	return 0;
}

static int read_again(struct exchange *x)
{
	return view_holder_read_again(x->service->view_holder, VIEW_INPUT_SWITCHES, NULL,
				      clock_monotonic_ms() + READ_AGAIN_MS);
}

static int decide(struct exchange *x, struct dynamic_change *c)
{
	struct view_hold *hold;
	int r;

	if (read_again(x) < 0)
		return refuse(x, c, 503, "the switch could not be read again before the change");
	hold = view_holder_take(x->service->view_holder);
	r = check_view(x, c, hold ? view_of_hold(hold) : x->view);
	(void)view_hold_release(hold);
	return r;
}

/* ---- plans ---- */

/* Capacity that the device places is a plan of its own from now on. */
static int claim_plans(struct exchange *x, struct dynamic_change *c)
{
	struct extent_plan plan = {
		.port = c->port,
		.serial = c->serial,
		.state = EXTENT_ASKED,
		.host = c->request.host,
		.region = c->request.region,
		.before = c->before,
		.extent.size = c->request.size,
	};

	if (c->release)
		return 0;
	if (c->n_plans > 0)
		return extent_plans_ask(x->service->extent_plans, c->plans, c->n_plans,
					c->request.host) < 0
			       ? refuse(x, c, 409, "an extent of the list is not proposed any more")
			       : 0;
	memcpy(plan.name, c->name, sizeof(plan.name));
	memcpy(plan.extent.tag, c->request.tag, FMAPI_TAG_LEN);
	if (extent_plans_add(x->service->extent_plans, &plan) < 0)
		return -ENOSPC;
	c->plans[c->n_plans++] = plan.id;
	return 0;
}

/* Nothing was done: proposals stay what they were. */
static void return_plans(struct exchange *x, const struct dynamic_change *c)
{
	if (c->request.n > 0)
		extent_plans_set(x->service->extent_plans, c->plans, c->n_plans, EXTENT_PROPOSED);
	else
		extent_plans_drop(x->service->extent_plans, c->plans, c->n_plans);
}

/* ---- the command ---- */

static int wait_in_job(void *userdata, uint64_t until_ms)
{
	return job_wait(userdata, until_ms);
}

static int send_command(struct exchange *x, struct dynamic_change *c, struct error *e)
{
	struct switch_change_context context = {
		.deadline_ms = clock_monotonic_ms() + COMMAND_MS,
		.wait = wait_in_job,
		.userdata = x->job,
	};
	_cleanup_cci_ struct cci *cci = NULL;
	int r;

	if (!x->service->switch_access)
		return error_set(e, EACCES, "this service cannot reach switches");
	r = switch_access_open(x->service->switch_access, c->name, &cci, e);
	if (r < 0)
		return r;
	context.cci = cci;
	c->request.extents = c->extents;
	return switch_change_dynamic(&context, c->port, c->release, &c->request, e);
}

/* ---- the host's answer ---- */

static bool is_released(const struct dynamic_change *c, const struct dc_host_reading *h)
{
	if (c->request.n == 0)
		return dynamic_tagged(h, c->request.tag) + c->request.size <= c->before;
	for (size_t i = 0; i < c->request.n; i++)
		for (size_t k = 0; k < h->n_extents; k++)
			if (h->extents[k].start < c->extents[i].start + c->extents[i].size &&
			    c->extents[i].start < h->extents[k].start + h->extents[k].size)
				return false;
	return true;
}

static bool is_added(const struct dynamic_change *c, const struct dc_host_reading *h)
{
	struct extent_plan plan = {
		.region = c->request.region, .before = c->before, .extent.size = c->request.size};

	memcpy(plan.extent.tag, c->request.tag, FMAPI_TAG_LEN);
	if (c->request.n == 0)
		return dc_plan_is_accepted(h, &plan);
	for (size_t i = 0; i < c->request.n; i++) {
		plan.placed = true;
		plan.extent = c->extents[i];
		if (!dc_plan_is_accepted(h, &plan))
			return false;
	}
	return true;
}

static bool is_answered(struct exchange *x, const struct dynamic_change *c)
{
	struct view_hold *hold = view_holder_take(x->service->view_holder);
	const struct dc_host_reading *h = hold ? find_host(view_of_hold(hold), c) : NULL;
	const bool done = h && (c->release ? is_released(c, h) : is_added(c, h));

	(void)view_hold_release(hold);
	return done;
}

/* Return: 0; -ETIMEDOUT; -ECANCELED. */
static int await_host(struct exchange *x, const struct dynamic_change *c)
{
	const uint64_t until = clock_monotonic_ms() + x->service->limits.dynamic_ms;

	for (;;) {
		const uint64_t now = clock_monotonic_ms();

		/* A reading that is late leaves the view before it, which has no answer. */
		(void)read_again(x);
		if (is_answered(x, c))
			return 0;
		if (now >= until)
			return -ETIMEDOUT;
		if (job_wait(x->job, now + POLL_MS < until ? now + POLL_MS : until) < 0)
			return -ECANCELED;
	}
}

/* The host may still answer: what was offered to it is shown as pending. */
static int end_unanswered(struct exchange *x, const struct dynamic_change *c, int r)
{
	char text[160];

	if (!c->release)
		extent_plans_set(x->service->extent_plans, c->plans, c->n_plans, EXTENT_PENDING);
	(void)read_again(x);
	if (r == -ECANCELED)
		return r;
	(void)snprintf(text, sizeof(text),
		       c->release
			       ? "the host of LD %u has not released all of it within %u s; it "
				 "keeps it until it does"
			       : "the host of LD %u has not accepted all of it within %u s; it is "
				 "pending",
		       (unsigned int)c->request.host, x->service->limits.dynamic_ms / 1000);
	log_warning("dynamic capacity by the switch %s: %s", c->name, text);
	return refuse(x, c, 500, text);
}

/* Return: the status of an error by which the command has had no effect; 500: that is not known. */
static unsigned int status_of(int r)
{
	switch (r) {
	case -EACCES:
		return 403;
	case -EINVAL:
	case -EMSGSIZE:
		return 400;
	case -EIO:
	case -ENOENT:
		return 409;
	default:
		return 500;
	}
}

static int end_failed(struct exchange *x, const struct dynamic_change *c, int r,
		      const struct error *e)
{
	const unsigned int status = status_of(r);

	if (status == 500)
		extent_plans_set(x->service->extent_plans, c->plans, c->n_plans, EXTENT_PENDING);
	else
		return_plans(x, c);
	(void)read_again(x);
	log_warning("dynamic capacity by the switch %s failed: %s", c->name, e->text);
	return refuse(x, c, status, e->text);
}

static int make_change(struct exchange *x, struct dynamic_change *c)
{
	struct error e = {0};
	int r = decide(x, c);

	if (r == 0)
		r = claim_plans(x, c);
	if (r < 0)
		return r;
	if (c->request.forced)
		log_warning("capacity of LD %u by the switch %s is taken without its host, from %s",
			    (unsigned int)c->request.host, c->name, x->principal.from);
	r = send_command(x, c, &e);
	if (r < 0)
		return end_failed(x, c, r, &e);
	r = await_host(x, c);
	if (r < 0)
		return end_unanswered(x, c, r);
	extent_plans_drop(x->service->extent_plans, c->plans, c->n_plans);
	(void)read_again(x);
	return 0;
}

static int run_change(struct exchange *x, void *state)
{
	struct dynamic_change *c = state;
	struct extent_change change = {.port = c->port,
				       .host = c->request.host,
				       .adds = !c->release,
				       .counts = c->request.n == 0};
	int r;

	job_set_run_ms(x->job, x->service->limits.dynamic_ms + 2 * READ_AGAIN_MS + COMMAND_MS);
	memcpy(change.name, c->name, sizeof(change.name));
	r = extent_plans_begin(x->service->extent_plans, &change);
	if (r < 0)
		return refuse(x, c, 409,
			      r == -EEXIST ? "capacity that the device selects is pending for this "
					     "host: delete its record before more is added"
					   : "another change of this host's capacity is under way");
	r = make_change(x, c);
	extent_plans_end(x->service->extent_plans, &change);
	return r;
}

int dynamic_change_submit(struct exchange *x, const struct dynamic_change *c)
{
	static const struct continuation continuation = {
		.class = JOB_CAPACITY, .can_cancel = true, .run = run_change, .free = free};
	struct dynamic_change *copy = malloc(sizeof(*copy));

	if (!copy)
		return -ENOMEM;
	*copy = *c;
	return exchange_continue(x, &continuation, copy);
}
