/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SELFTEST_ROUND_TRIP_H
#define CXLR_SELFTEST_ROUND_TRIP_H

/*
 * The weaker check: poison is injected at a DPA, and the kernel's record of it is read from a trace
 * instance of its own, as a user of the log gets it. Its DPA has to be that one; a translation of
 * it is the caller's. A rule that is wrong in both directions passes. The poison is cleared again.
 *
 * Needs root and a kernel with tracefs and debugfs. One thread; one at a time on a machine, as the
 * instance has one name.
 */

#include <stdint.h>

#include "common/error.h"
#include "common/opt.h"

#define ROUND_TRIP_INSTANCE "/sys/kernel/tracing/instances/cxl-spa-verify"

struct round_trip_record {
	uint64_t dpa;	    /* of the record */
	struct opt_u64 hpa; /* as the kernel computed it; absent: it did not */
};

/*
 * round_trip_begin() - make the instance, with the records of poison on
 *
 * An instance that a killed run left is used.
 *
 * Return: 0; -EOPNOTSUPP: the kernel has no cxl_poison; the error of tracefs, with @e.
 */
int round_trip_begin(struct error *e);

/*
 * round_trip_line() - inject, read the record, clear
 * @memdev: "mem0"
 * @dpa: a multiple of 64
 *
 * Return: 0; -ENODATA: the kernel made no record of that device and an injection; the error of the
 * device; all with @e. Poison that could not be cleared is an error, too.
 */
int round_trip_line(const char *memdev, uint64_t dpa, struct round_trip_record *ret,
		    struct error *e);

/* Removes the instance. */
void round_trip_end(void);

/*
 * round_trip_parse() - the record in the text of a trace file
 * @text: changed: its lines are divided
 *
 * Return: 0; -ENODATA: none of this device that is an injection.
 */
int round_trip_parse(char *text, const char *memdev, struct round_trip_record *ret);

#endif
