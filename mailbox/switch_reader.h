/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_SWITCH_READER_H
#define CXLR_MAILBOX_SWITCH_READER_H

/*
 * Reads everything that the switches of a host report by their mailboxes, and the devices on their
 * ports through them. It changes nothing; event records stay in their logs.
 *
 * The cost of a reading: with P ports, V VCSs, D devices that answer, of them M MLDs with L LDs
 * together, H hosts of devices with dynamic capacity, and S commands for one list of ports, vPPBs,
 * LDs, records, regions or extents (1, unless payloads are too short for the list), a reading of
 *all is at most
 *
 *	2 + 2 S(ports) + V S(vPPBs) + 4 S(records) + 2 D + M (3 + 3 S(LDs)) + L
 *	+ H (S(regions) + S(extents))
 *
 * commands. It is linear in ports, VCSs and LDs. As long as nothing changed, what rarely changes is
 * not read again: the identities of devices and LDs, Get LD Info, LD Allocations, QoS Control,
 * both bandwidths and Get DCD Info. A reading of changes is then
 *
 *	2 + 2 S(ports) + V S(vPPBs) + 4 S(records) + Q + H (S(regions) + S(extents))
 *
 * commands, with Q MLDs that support Get QoS Status: a host accepts and releases extents without a
 * record in the log of the switch. A device is read again when the configuration,
 * device, presence or reset of its port has changed, all devices when Identify or Identify Switch
 * Device answer something else or a log has other records than before, and after
 * SWITCH_READ_ALL_MS in any case: another fabric manager may change an MLD without a record.
 *
 * For a switch of 256 ports with 80 devices without dynamic capacity, 16 of them MLDs of 16 LDs,
 * these are 525 for the first time, 445 and 29 commands; for half of it, 268, 228 and 20. A command
 *takes 1.3 us of CPU time with the model that answers, and 50 to 100 us for both ends of the
 *helper's socket: 23 to 42 ms and 1.4 to 2.6 ms (scripts/bench, without sanitizers, on a busy
 *machine). Service and helper together take 0.42 % of a CPU at the shortest interval of 1 s, and so
 *0.014 % at the default one of 30 s.
 *
 * A command that a target does not support is not sent to it again until it is another target, or
 * the device on its port another one.
 *
 * Only for a worker: a command may take seconds. One thread at a time, except
 * switch_reader_stop(). Immutable readings come out of it (switch_readings.h).
 */

#include <stdbool.h>
#include <stddef.h>

#include "common/cleanup.h"
#include "common/error.h"
#include "mailbox/cci.h"
#include "mailbox/switch_access.h"
#include "mailbox/switch_readings.h"

enum { SWITCH_READ_ALL_MS = 5 * 60 * 1000 };

/* A reader keeps its knowledge of each switch since the last reading. */
struct switch_reader;

/* Return: a reader that knows nothing, NULL when out of memory. */
struct switch_reader *switch_reader_new(void);

/* switch_reader_set_plans() - extents that are planned, shown with their devices. @p: must outlive
 * the reader; before the first reading */
void switch_reader_set_plans(struct switch_reader *r, struct extent_plans *p);

/* Accepts NULL. Return: NULL. */
struct switch_reader *switch_reader_free(struct switch_reader *r);

enum switch_read {
	SWITCH_READ_CHANGES, /* what rarely changes only where something did, see above */
	SWITCH_READ_ALL,
};

/*
 * switch_reader_read() - read all switches of a host
 *
 * A switch that cannot be opened, and one that was known and is not listed now because listing
 * failed, has a note and nothing else.
 *
 * Return: 0, also when nothing could be read; -ENOMEM; -ECANCELED after switch_reader_stop().
 */
int switch_reader_read(struct switch_reader *r, struct switch_access *a, enum switch_read what,
		       struct switch_readings **ret);

/* One switch to be read. */
struct switch_source {
	const char *name;
	struct cci *cci;    /* the caller's; NULL: it cannot be read, */
	const char *reason; /* and why, one sentence */
};

/*
 * switch_reader_read_sources() - read these switches
 * @sources: @n of them, at most CCI_SWITCHES_MAX, each name once
 *
 * What the reader knows of a switch that is not among them is forgotten.
 *
 * Return: as switch_reader_read().
 */
int switch_reader_read_sources(struct switch_reader *r, const struct switch_source *sources,
			       size_t n, enum switch_read what, struct switch_readings **ret);

/* A reading that goes on, and each later one, ends after the current command; any thread. */
void switch_reader_stop(struct switch_reader *r);

#endif
