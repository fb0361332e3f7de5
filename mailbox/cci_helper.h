/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_CCI_HELPER_H
#define CXLR_MAILBOX_CCI_HELPER_H

/*
 * The switches of the live host, by cxl-redfish-switch-helper, for a process that may not reach
 * their registers. The helper sends only commands of its table, and those that change something
 * only if its configuration allows that.
 *
 * Both functions may wait for the helper: only for a worker. Any thread may call them; a `struct
 * cci` belongs to one thread at a time.
 */

#include "common/error.h"
#include "mailbox/cci.h"
#include "mailbox/switch_function.h"
#include "opener/opener.h"

/*
 * cci_helper_list() - the functions that the helper was configured for, in the order of their names
 * @ret_may_change: whether commands that change something are allowed
 *
 * Return: 0; the error of reaching the helper.
 */
int cci_helper_list(struct opener *opener, struct switch_function ret[CCI_SWITCHES_MAX],
		    size_t *ret_n, bool *ret_may_change, struct error *e);

/*
 * cci_helper_new() - a CCI of a function by its name
 * @opener: the CCI has a reference
 *
 * Return: 0; -ENOENT when there is none of that name; -ENODEV when it cannot be used, with the
 * reason in @e; the errors of cci_helper_list(); -ENOMEM.
 */
int cci_helper_new(struct opener *opener, const char *name, struct cci **ret, struct error *e);

#endif
