// SPDX-License-Identifier: LGPL-2.1-or-later
#include "helper/switches.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/log.h"
#include "common/strutil.h"
#include "mailbox/fmapi_commands.h"
#include "mailbox/switch_options.h"
#include "opener/request.h"

void switches_set_up(struct switches *s, const struct switch_bus *bus)
{
	*s = (struct switches){.bus = *bus};
	(void)pthread_mutex_init(&s->lock, NULL);
}

/* ---- slots ------------------------------------------------------------------------------------
 */

/* With the lock held. Return: one without user that is not open; NULL: there is none. */
static struct switch_slot *idle_slot(struct switches *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->slots[i]->users == 0 && !s->slots[i]->cci)
			return s->slots[i];
	return NULL;
}

/*
 * With the lock held. The caller puts it back. Names of switches that do not exist, or not any
 * more, leave room for others. Return: NULL when out of memory, or when there are too many.
 */
static struct switch_slot *take_slot(struct switches *s, const char *name)
{
	struct switch_slot *slot = NULL;

	for (size_t i = 0; i < s->n && !slot; i++)
		if (str_equal(s->slots[i]->name, name))
			slot = s->slots[i];
	if (!slot) {
		slot = s->n < CCI_SWITCHES_MAX ? calloc(1, sizeof(*slot)) : idle_slot(s);
		if (!slot)
			return NULL;
		if (s->n < CCI_SWITCHES_MAX) {
			(void)pthread_mutex_init(&slot->lock, NULL);
			s->slots[s->n++] = slot;
		}
		(void)snprintf(slot->name, sizeof(slot->name), "%s", name);
	}
	slot->users++;
	return slot;
}

/* Accepts NULL. */
static void put_slot(struct switches *s, struct switch_slot *slot)
{
	(void)pthread_mutex_lock(&s->lock);
	if (slot)
		slot->users--;
	(void)pthread_mutex_unlock(&s->lock);
}

static int lock_slot(struct switch_slot *slot)
{
	struct timespec until;

	(void)clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += CCI_DEADLINE_MS / 1000;
	return pthread_mutex_clocklock(&slot->lock, CLOCK_MONOTONIC, &until) == 0 ? 0 : -EBUSY;
}

/* With the lock of the slot held. */
static int open_slot(struct switches *s, struct switch_slot *slot, struct error *e)
{
	return slot->cci ? 0 : switch_function_open(&s->bus, slot->name, &slot->cci, e);
}

void switches_configure(struct switches *s, const char *which, bool may_change)
{
	struct switch_slot *slots[CCI_SWITCHES_MAX];
	size_t n;

	(void)pthread_mutex_lock(&s->lock);
	(void)snprintf(s->which, sizeof(s->which), "%s", which ? which : "");
	s->may_change = may_change;
	n = s->n;
	memcpy(slots, s->slots, sizeof(slots));
	for (size_t i = 0; i < n; i++)
		slots[i]->users++;
	(void)pthread_mutex_unlock(&s->lock);
	for (size_t i = 0; i < n; i++) {
		(void)pthread_mutex_lock(&slots[i]->lock);
		slots[i]->cci = cci_free(slots[i]->cci);
		(void)pthread_mutex_unlock(&slots[i]->lock);
		put_slot(s, slots[i]);
	}
}

/* ---- requests ---------------------------------------------------------------------------------
 */

static void describe(struct switches *s, const char *name, struct switch_function *ret)
{
	struct switch_slot *slot;
	struct error e = {0};

	*ret = (struct switch_function){.payload_max = 0};
	(void)snprintf(ret->name, sizeof(ret->name), "%s", name);
	(void)pthread_mutex_lock(&s->lock);
	slot = take_slot(s, name);
	(void)pthread_mutex_unlock(&s->lock);
	if (!slot || lock_slot(slot) < 0) {
		(void)snprintf(ret->reason, sizeof(ret->reason), "%s",
			       slot ? "other commands take too long" : "out of memory");
		put_slot(s, slot);
		return;
	}
	if (open_slot(s, slot, &e) == 0)
		ret->payload_max = slot->cci->payload_max;
	else
		(void)snprintf(ret->reason, sizeof(ret->reason), "%.*s",
			       (int)sizeof(ret->reason) - 1, e.text);
	(void)pthread_mutex_unlock(&slot->lock);
	put_slot(s, slot);
}

size_t switches_list(struct switches *s, struct switch_function ret[CCI_SWITCHES_MAX],
		     bool *ret_may_change)
{
	char names[CCI_SWITCHES_MAX][CCI_NAME_MAX], which[CCI_NAME_MAX];
	struct error e = {0};
	size_t n = 0;

	(void)pthread_mutex_lock(&s->lock);
	memcpy(which, s->which, sizeof(which));
	*ret_may_change = s->may_change;
	(void)pthread_mutex_unlock(&s->lock);
	if (!which[0])
		return 0;
	if (switch_functions_find(&s->bus, which, names, &n, &e) < 0)
		log_warning("%s", e.text);
	for (size_t i = 0; i < n; i++)
		describe(s, names[i], &ret[i]);
	return n;
}

static int check_command(const struct cci_request *q, bool may_change)
{
	const struct fmapi_command *c = fmapi_command_find(q->opcode, q->target.kind);

	return c && fmapi_command_accepts(c, q->len) && (may_change || !c->changes) ? 0 : -EACCES;
}

/* Return: 0 with the slot of a switch that is configured, for a command that is allowed; the caller
 * puts it back. */
static int admit(struct switches *s, const char *name, const struct cci_request *q,
		 struct switch_slot **ret)
{
	int r;

	(void)pthread_mutex_lock(&s->lock);
	r = check_command(q, s->may_change);
	if (r == 0 && (!switch_is_address(name) ||
		       (!str_equal(s->which, SWITCH_MAILBOX_AUTO) && !str_equal(s->which, name))))
		r = -ENOENT;
	*ret = r == 0 ? take_slot(s, name) : NULL;
	if (r == 0 && !*ret)
		r = -ENOMEM;
	(void)pthread_mutex_unlock(&s->lock);
	return r;
}

int switches_send(struct switches *s, const char *name, const struct cci_request *q,
		  struct cci_reply *ret)
{
	struct switch_slot *slot;
	struct error e = {0};
	int r = admit(s, name, q, &slot);

	if (r == 0)
		r = lock_slot(slot);
	if (r < 0) {
		put_slot(s, slot);
		return r;
	}
	r = open_slot(s, slot, &e);
	/* switches_list() says what the error numbers of opening mean here. */
	r = r < 0 ? -ENODEV : cci_send(slot->cci, q, ret);
	if (r == -ENODEV)
		slot->cci = cci_free(slot->cci);
	(void)pthread_mutex_unlock(&slot->lock);
	put_slot(s, slot);
	return r;
}

static void serve_list(struct switches *s, struct request_result *ret)
{
	struct switch_function all[CCI_SWITCHES_MAX];
	bool may_change;
	const size_t n = switches_list(s, all, &may_change);
	struct opener_switch *out = (struct opener_switch *)(void *)ret->payload;

	_Static_assert(sizeof(ret->payload) >= CCI_SWITCHES_MAX * sizeof(*out), "all fit");
	for (size_t i = 0; i < n; i++) {
		out[i] = (struct opener_switch){.payload_max = (uint32_t)all[i].payload_max};
		memcpy(out[i].name, all[i].name, sizeof(out[i].name));
		memcpy(out[i].reason, all[i].reason, sizeof(out[i].reason));
	}
	ret->reply.value = may_change;
	ret->reply.len = (uint32_t)(n * sizeof(*out));
}

static void serve_command(struct switches *s, const struct opener_switch_request *q,
			  struct request_result *ret)
{
	const struct cci_request command = {
		.target = {(enum cci_target_kind)q->target, q->port, q->ld},
		.opcode = q->opcode,
		.input = q->len > 0 ? q->input : NULL,
		.len = q->len,
	};
	struct cci_reply reply;

	ret->reply.result = switches_send(s, q->name, &command, &reply);
	if (ret->reply.result < 0)
		return;
	ret->reply.code = reply.return_code;
	ret->reply.len = (uint32_t)reply.len;
	memcpy(ret->payload, reply.output, reply.len);
}

int switches_serve(void *userdata, const void *packet, size_t len, struct request_result *ret)
{
	struct opener_switch_request q;
	int r = opener_switch_request_parse(packet, len, &q);

	if (r < 0)
		return r;
	ret->reply = (struct opener_reply){0};
	ret->fd = -1;
	if (q.kind == OPENER_SWITCHES)
		serve_list(userdata, ret);
	else
		serve_command(userdata, &q, ret);
	return 0;
}
