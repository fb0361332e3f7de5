/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HELPER_SWITCHES_H
#define CXLR_HELPER_SWITCHES_H

/*
 * The switches that cxl-redfish-switch-helper was configured for, and what may be sent to them:
 * commands of fmapi_commands(), with inputs of the lengths that they have, to the targets that they
 * have; and those that change something only if that is allowed. A tunnel is made for a target and
 * is no command, so nothing else can be put into one.
 *
 * One object, which main owns and never frees. Any thread, except for switches_set_up(). A switch
 * has one command at a time; others wait for it, for at most CCI_DEADLINE_MS.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "helper/requests.h"
#include "mailbox/cci.h"
#include "mailbox/switch_function.h"

/* A mailbox that is, or was, open. A slot that is closed and has no user may become another
 * mailbox's. */
struct switch_slot {
	char name[CCI_NAME_MAX];
	pthread_mutex_t lock; /* of `cci` */
	struct cci *cci;      /* NULL: not open */
	unsigned int users;   /* threads that have the slot; guarded by the lock of all */
};

struct switches {
	struct switch_bus bus;
	pthread_mutex_t lock; /* of what follows, but the contents of slots */
	char which[CCI_NAME_MAX];
	bool may_change;
	struct switch_slot *slots[CCI_SWITCHES_MAX];
	size_t n;
};

void switches_set_up(struct switches *s, const struct switch_bus *bus);

/*
 * switches_configure() - what is used from now on
 * @which: "auto", an address, or NULL: none
 *
 * What was open is closed, when its command has ended.
 */
void switches_configure(struct switches *s, const char *which, bool may_change);

/* switches_list() - the functions, in the order of their names; each is opened, to see if it can */
size_t switches_list(struct switches *s, struct switch_function ret[CCI_SWITCHES_MAX],
		     bool *ret_may_change);

/*
 * switches_send() - send a command to one
 *
 * Return: as cci_send(); also -ENOENT when no such switch is configured; -EACCES when the command
 * is not in the table, or not allowed; -EBUSY when others take too long.
 */
int switches_send(struct switches *s, const char *name, const struct cci_request *q,
		  struct cci_reply *ret);

/* switches_serve() - a server_fn (server.h); @userdata is the struct switches */
int switches_serve(void *userdata, const void *packet, size_t len, struct request_result *ret);

#endif
