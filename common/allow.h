/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_ALLOW_H
#define CXLR_COMMON_ALLOW_H

/*
 * The changes that the option --allow names, in the daemon and in each helper that changes
 * something: one bit a name. They read the same configuration files. Constants and pure functions;
 * any thread.
 */

#include "common/error.h"
#include "common/options.h"

enum {
	ALLOW_FABRIC = 1 << 0,	   /* what the mailbox of a switch changes */
	ALLOW_REGIONS = 1 << 1,	   /* regions are created and destroyed */
	ALLOW_MEMORY = 1 << 2,	   /* memory is brought online and offline, devices are enabled */
	ALLOW_PARTITIONS = 1 << 3, /* of devices */
	ALLOW_SECURITY = 1 << 4,   /* passphrases, locks, erasing */
	ALLOW_FIRMWARE = 1 << 5,   /* of devices is updated */
	ALLOW_ALERTS = 1 << 6,	   /* thresholds are set */
	ALLOW_POISON = 1 << 7,	   /* is injected and cleared */
	ALLOW_PAGES = 1 << 8,	   /* of memory are taken out of use, and brought back */
	ALLOW_HARD_PAGES = 1 << 9, /* also where whoever uses them loses their contents */
	ALLOW_RAW = 1 << 10,	   /* commands that Linux sends as raw ones only, which taint it */
	ALLOW_REPAIR = 1 << 11,	   /* places of devices are repaired */
	ALLOW_SCRUB = 1 << 12,	   /* rates of patrol scrub, thresholds of ECS */
	/* The bits of cxl-redfish-page-helper. */
	ALLOW_PAGE_HELPER = ALLOW_PAGES | ALLOW_HARD_PAGES,
	/* The bits of cxl-redfish-change-helper. */
	ALLOW_HOST = ALLOW_REGIONS | ALLOW_MEMORY | ALLOW_PARTITIONS | ALLOW_SECURITY |
		     ALLOW_FIRMWARE | ALLOW_ALERTS | ALLOW_POISON | ALLOW_RAW | ALLOW_REPAIR |
		     ALLOW_SCRUB,
};

#define ALLOW_NAMES                                                                                \
	"fabric, regions, memory, partitions, security, firmware, alerts, poison, pages, hard-pages, raw, repair, scrub"

/* allow_check() - names with a comma between two */
int allow_check(const char *argument, struct error *e);

/* Return: the bits of all lists of @allow. */
unsigned int allow_bits(const struct option_list *allow);

/* Return: the name of one bit, "regions". */
const char *allow_name(unsigned int bit);

/* Return: the names of bits with @between between two, in @ret; "" when there are none. */
enum { ALLOW_TEXT_MAX = 128 };
const char *allow_text(unsigned int bits, const char *between, char ret[static ALLOW_TEXT_MAX]);

/* The row of the table of options. @field: member of @structure, struct option_list */
#define ALLOW_OPTION_ROW(structure, field)                                                         \
	{                                                                                          \
		.name = "allow", .argument = "LIST",                                               \
		.help = "allow requests that change something, by names with a comma between "     \
			"two: " ALLOW_NAMES "; none by default, can be given several times",       \
		.set = option_add_text, .check = allow_check,                                      \
		.offset = offsetof(structure, field),                                              \
	}

#endif
