/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_SWITCH_ACCESS_H
#define CXLR_MAILBOX_SWITCH_ACCESS_H

/*
 * The switches whose mailboxes this host has, and how each is reached: those of the live host by
 * cxl-redfish-switch-helper, those of a captured host by their recorded answers (mbox/switch-BDF/
 * of the capture). Any thread may use it; a `struct cci` that it opens belongs to one thread.
 */

#include <stdbool.h>
#include <stddef.h>

#include "common/arena.h"
#include "common/error.h"
#include "mailbox/cci.h"
#include "mailbox/switch_function.h"
#include "opener/opener.h"
#include "sysfs/host_root.h"

struct switch_access;

/*
 * switch_access_new() - prepare to reach the switches of a host
 * @root: must outlive it
 * @opener: the client of cxl-redfish-switch-helper, which knows by its own configuration what is
 *          allowed; NULL: this process drives the registers itself (cxl-spa), or the host is
 *          a captured one
 * @which: without @opener, on a live host: "auto", or the address of one PCI function; NULL: none
 *
 * A process that drives the registers itself never sends a command that changes something.
 *
 * Return: 0 or -ENOMEM.
 */
int switch_access_new(const struct host_root *root, struct opener *opener, const char *which,
		      struct switch_access **ret);

/* A way to switches; the functions are those below. */
struct switch_access_ops {
	int (*list)(void *userdata, struct switch_function ret[CCI_SWITCHES_MAX], size_t *ret_n,
		    bool *ret_may_change, struct error *e);
	int (*open)(void *userdata, const char *name, struct cci **ret, struct error *e);
};

/* switch_access_new_ops() - likewise by any way. Return: 0 or -ENOMEM. */
int switch_access_new_ops(const struct switch_access_ops *ops, void *userdata,
			  struct switch_access **ret);

/* Accepts NULL. Return: NULL. */
struct switch_access *switch_access_free(struct switch_access *a);

/*
 * switch_access_list() - the functions with the mailbox of a switch, in the order of their names
 * @ret_may_change: whether commands that change something are allowed
 *
 * May wait for the helper: only for a worker.
 */
int switch_access_list(struct switch_access *a, struct switch_function ret[CCI_SWITCHES_MAX],
		       size_t *ret_n, bool *ret_may_change, struct error *e);

/* switch_access_open() - a CCI of the function; -ENOENT when there is none of that name */
int switch_access_open(struct switch_access *a, const char *name, struct cci **ret,
		       struct error *e);

#endif
