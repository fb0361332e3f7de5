/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_BOOT_REPAIRS_H
#define CXLR_DAEMON_BOOT_REPAIRS_H

/*
 * Repairs that no person asks for: entries of the worklist whose device has no committed decoder,
 * as at boot, before regions are made. cxl-redfish-repair(8) is this and the reading of its
 * configuration.
 *
 * Main thread; waits for the disk, for devices to be bound, and for each repair.
 */

#include "common/options.h"
#include "redfish/repairs/repair_run.h"

enum repair_policy {
	REPAIR_POLICY_OFF,
	REPAIR_POLICY_OBSERVE, /* says what it would do */
	REPAIR_POLICY_UNUSED,  /* of devices that have no committed decoder */
};

/* The words of the modes, in their order. */
#define REPAIR_POLICY_WORDS "off, observe, unused"

/* @field: const char *, NULL: off */
#define REPAIR_POLICY_OPTION_ROW(structure, field)                                                 \
	{                                                                                          \
		.name = "repair-policy", .argument = "MODE", .words = REPAIR_POLICY_WORDS,         \
		.help = "at boot, repair places that devices asked to have repaired: off (the "    \
			"default), observe (report only) or unused (of devices without a "         \
			"committed decoder)",                                                      \
		.set = option_set_text, .offset = offsetof(structure, field),                      \
	}

enum {
	/*
	 * Tries of an entry that no person asked for. A device that was busy, or whose soft repair
	 * a reset has undone, is served; a place that fails after three is not mended by a fourth,
	 * which may use up a further spare. A try that a person asks for begins the count anew.
	 */
	BOOT_REPAIR_TRIES_MAX = 3,
	/* How long devices are waited for, that the driver cxl_mem has not bound yet; and the
	 * change helper. */
	BOOT_REPAIR_WAIT_MS = 30 * 1000,
	/* After so long no further repair is begun: the boot waits meanwhile. */
	BOOT_REPAIR_BEGIN_MS = 10 * 60 * 1000,
};

struct boot_repairs {
	enum repair_policy policy; /* not off */
	struct state *state;
	const char *log; /* path of the event log, which need not exist */
	const struct host_root *root;
	struct change_client *client;
	unsigned int wait_ms, begin_ms;	   /* BOOT_REPAIR_WAIT_MS, BOOT_REPAIR_BEGIN_MS */
	bool (*cancelled)(void *userdata); /* NULL: never */
	void *userdata;
};

/* Return: the mode of a word that an option has accepted; NULL: off. */
enum repair_policy repair_policy_of(const char *word);

/*
 * boot_repair_refusal() - why an entry is not repaired without a person
 * @plan: of repair_plan_make()
 *
 * Return: a clause, of @plan, @entry or @ret; NULL: it is repaired.
 */
const char *boot_repair_refusal(const struct repair_entry *entry, const struct repair_plan *plan,
				char ret[static REPAIR_TEXT_MAX]);

/*
 * boot_repairs_run() - repair each entry once that can be, one after the other, and log what became
 * of each
 *
 * Return: 0, also when devices refused; the error of reading the worklist or the host.
 */
int boot_repairs_run(const struct boot_repairs *b, struct error *e);

#endif
