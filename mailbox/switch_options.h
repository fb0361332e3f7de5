/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_SWITCH_OPTIONS_H
#define CXLR_MAILBOX_SWITCH_OPTIONS_H

/*
 * The options by which the mailbox of a switch is used: rows of the tables of cxl-redfishd and of
 * cxl-redfish-switch-helper, which read the same configuration files. No state, any thread.
 */

#include <stdbool.h>

#include "common/error.h"
#include "common/options.h"

/* Any function that has one, in place of an address. */
#define SWITCH_MAILBOX_AUTO "auto"

/* Commands that change a switch, or a device behind it. */
#define ALLOW_FABRIC "fabric"

/* Return: whether @s is a PCI address as sysfs writes it. */
bool switch_is_address(const char *s);

/*
 * switch_mailbox_check() - "auto", or the address of a PCI function as sysfs writes it:
 * 0000:0d:00.1
 */
int switch_mailbox_check(const char *argument, struct error *e);

/* allow_check() - names of what is allowed, with a comma between two */
int allow_check(const char *argument, struct error *e);

/* Return: whether one of the lists of @allow has @what. */
bool allow_has(const struct option_list *allow, const char *what);

/*
 * Two rows.
 * @mailbox_field, @allow_field: members of @structure, const char * and struct option_list
 */
#define SWITCH_OPTION_ROWS(structure, mailbox_field, allow_field)                                  \
	{                                                                                          \
		.name = "switch-mailbox",                                                          \
		.argument = "BDF",                                                                 \
		.help = "use the mailbox of the CXL switch that has this PCI function, as "        \
			"0000:0d:00.1, or with 'auto' those of all switches; none by default",     \
		.set = option_set_text,                                                            \
		.check = switch_mailbox_check,                                                     \
		.offset = offsetof(structure, mailbox_field),                                      \
		.not_empty = true,                                                                 \
		.at_start = true,                                                                  \
	},                                                                                         \
	{                                                                                          \
		.name = "allow", .argument = "LIST",                                               \
		.help = "allow requests that change something, by names with a comma between "     \
			"two: 'fabric' is what the mailbox of a switch changes; none by default, " \
			"can be given several times",                                              \
		.set = option_add_text, .check = allow_check,                                      \
		.offset = offsetof(structure, allow_field), .not_empty = true,                     \
	}

#endif
