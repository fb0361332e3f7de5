/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_PROVENANCE_H
#define CXLR_EVENTS_PROVENANCE_H

/*
 * The provenance of a record: host, boot and kernel that made it. Decoders, devices and the
 * kernel's arithmetic are read of this host, of its present boot and kernel, so each rule that
 * trusts one of them takes the provenance of the record that it is applied to. Doubt only widens an
 * answer: what is not proven is unknown, and so is what two witnesses contradict each other about.
 *
 * This host, boot and kernel are those of the capture when the host is a captured one. Plain
 * values; any thread.
 */

#include <stdbool.h>

#include "events/record.h"
#include "sysfs/host.h"

struct trace_when;

/* 0 is what nothing is known of. */
enum provenance_of {
	PROVENANCE_UNKNOWN,
	PROVENANCE_THIS,
	PROVENANCE_ANOTHER,
};

/* This boot is always of this host, and of this kernel; another host has another boot. */
struct provenance {
	enum provenance_of host, boot, kernel;
	const char *why; /* the boot is not known, though the text has a time; NULL, static */
};

/* The provenance of records of the trace ring, which ends with the boot. */
extern const struct provenance provenance_live;

/* Return: "this", "another", "unknown". */
const char *provenance_name(enum provenance_of of);

/*
 * provenance_of_text() - whose a record is that another program has printed
 * @when: what its line says of its time
 * @this_boot: the user says that it is of this boot, unless its time proves another one
 *
 * The host is known by serial number and PCI address. A serial number of 0, or one that two devices
 * have, proves nothing, nor does one that has another PCI address here. A time since boot proves
 * another boot when it is later than now; times of day between the boot and now prove this one,
 * those before it another one; the id of the boot proves either.
 *
 * A time without a year is of the nearest day before now; one without a zone is of any zone, but of
 * this host's where only that decides that it is no time to come. A text that names no device is
 * of the host whose name is before it, unless many hosts have that name.
 */
struct provenance provenance_of_text(const struct host *host, const struct event_record *rec,
				     const struct trace_when *when, bool this_boot);

#endif
