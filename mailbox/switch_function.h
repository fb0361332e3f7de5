/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_SWITCH_FUNCTION_H
#define CXLR_MAILBOX_SWITCH_FUNCTION_H

/*
 * The PCI functions that have the mailbox of a CXL switch (class 0C0Bh, any interface): where its
 * registers are, and access to them. For cxl-redfish-switch-helper and for root's cxl-spa only.
 *
 * Linux has no driver for these functions. The registers are reached by
 *
 *	resourceN	of the function in sysfs, mapped; when no driver is bound
 *	VFIO		when vfio-pci is bound. That driver resets a function at each opening if it
 *			can be reset, so only a function that cannot be is used: one without
 *			`reset_method` in sysfs, or whose `reset_method` the administrator emptied
 *
 * Nothing else is done to the function, but this: when memory decoding is off, as firmware leaves
 * it for functions it does not boot from, the kernel is asked to enable the function (`enable` in
 * sysfs), which assigns nothing and resets nothing.
 *
 * Any thread; a `struct cci` that it opens belongs to one thread at a time.
 *
 * Sources: CXL 3.2 8.1.9 (Register Locator DVSEC), 8.2.9 (device registers), 8.1.13 (switch mailbox
 * CCI); PCI Code and ID Assignment (class).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "mailbox/cci.h"

enum { SWITCH_REASON_MAX = 192 };

/* One function that has a switch's mailbox. */
struct switch_function {
	char name[CCI_NAME_MAX];	/* its PCI address */
	char reason[SWITCH_REASON_MAX]; /* why it cannot be used, one sentence; "": it can */
	size_t payload_max;		/* as in struct cci; 0 when it cannot be used */
};

/* Where functions are found, and how their files are opened. */
struct switch_bus {
	int root; /* directory: "/", or that of a test */
	/* Called before and after files are opened that need privileges; NULL: nothing to do. */
	void (*privileges)(bool on);
};

/*
 * switch_functions_find() - the names of the functions, in their order
 * @which: the name of one, which need not exist; "auto" for all
 *
 * Return: 0; the error of listing sys/bus/pci/devices, which need not exist.
 */
int switch_functions_find(const struct switch_bus *bus, const char *which,
			  char ret[CCI_SWITCHES_MAX][CCI_NAME_MAX], size_t *ret_n, struct error *e);

/*
 * switch_function_open() - a CCI that drives the mailbox of a function
 * @name: as switch_functions_find() returned it
 * @e: one sentence without the name, which fits in SWITCH_REASON_MAX
 *
 * Return: 0; -ENODEV: there is no such function, or it is none of a switch; -EBUSY: another driver
 * has it; -EPERM: the kernel is locked down; -EACCES: this process may not; -ENXIO: the registers
 * cannot be found where they should be; -EBADMSG: the registers contradict each other; -ENOMEM.
 */
int switch_function_open(const struct switch_bus *bus, const char *name, struct cci **ret,
			 struct error *e);

#endif
