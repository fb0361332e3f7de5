/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_HELPER_LINK_H
#define CXLR_DAEMON_HELPER_LINK_H

/*
 * The daemon's end of cxl-redfish-helper: the one of the system, or an own one, its opener, and the
 * watch by which changes of devices, and the helper's coming and going, are noticed.
 *
 * A process with privileges (root, or CAP_DAC_READ_SEARCH) starts its own helper before it drops
 * them; another one is a client of OPENER_SOCKET. The main thread's; the opener is any thread's.
 */

#include <systemd/sd-event.h>

#include "common/error.h"
#include "opener/opener.h"

struct helper_link;

/*
 * The topology, or what of it can be read, may have changed. UEVENT_LOST: also when the helper came
 * or went, without which changes are not reported.
 */
typedef void (*helper_link_fn)(void *userdata, const struct uevent *event);

/*
 * helper_link_new() - start the helper, or connect to it, and wait until it answers
 * @program: path of cxl-redfish-helper, which must outlive the link
 *
 * To be called while the process has one thread. A helper that cannot be started or reached is no
 * failure, but logged.
 *
 * Return: 0 or -ENOMEM.
 */
int helper_link_new(const char *program, struct helper_link **ret, struct error *e);

/*
 * helper_link_attach() - watch the helper in an event loop from now on
 *
 * While it is away it is connected to again and again, at growing intervals.
 */
int helper_link_attach(struct helper_link *l, sd_event *event, helper_link_fn fn, void *userdata,
		       struct error *e);

/* Return: why the helper cannot be used, a negative errno; 0 when it can. */
int helper_link_fault(const struct helper_link *l);

/* To be called periodically: notices a helper that is there, but does not answer. */
void helper_link_check(struct helper_link *l);

/* Return: the opener; it stays @l's. */
struct opener *helper_link_opener(const struct helper_link *l);

/* Ends an own helper. Accepts NULL. Return: NULL. */
struct helper_link *helper_link_free(struct helper_link *l);

#endif
