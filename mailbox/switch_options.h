/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_SWITCH_OPTIONS_H
#define CXLR_MAILBOX_SWITCH_OPTIONS_H

/*
 * The option by which the mailbox of a switch is used: a row of the tables of cxl-redfishd and of
 * cxl-redfish-switch-helper, which read the same configuration files. No state, any thread.
 */

#include <stdbool.h>

#include "common/error.h"
#include "common/options.h"

/* Any function that has one, in place of an address. */
#define SWITCH_MAILBOX_AUTO "auto"

/* Return: whether @s is a PCI address as sysfs writes it. */
bool switch_is_address(const char *s);

/*
 * switch_mailbox_check() - "auto", or the address of a PCI function as sysfs writes it:
 * 0000:0d:00.1
 */
int switch_mailbox_check(const char *argument, struct error *e);

/* The row of the table of options. @field: member of @structure, const char * */
#define SWITCH_OPTION_ROW(structure, field)                                                        \
	{                                                                                          \
		.name = "switch-mailbox", .argument = "BDF",                                       \
		.help = "use the mailbox of the CXL switch that has this PCI function, as "        \
			"0000:0d:00.1, or with 'auto' those of all switches; none by default",     \
		.set = option_set_text, .check = switch_mailbox_check,                             \
		.offset = offsetof(structure, field), .at_start = true,                            \
	}

#endif
