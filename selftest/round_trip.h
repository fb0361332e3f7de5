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
#include "selftest/judge.h"

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

/* The machine, or what a test has in its place. */
struct round_trip_bench {
	const struct selftest_memory *memory;			      /* of the region */
	int (*change)(const char *memdev, bool inject, uint64_t dpa); /* poison_line_change() */
	const char *trace;					      /* a file */
};

/* round_trip_machine() - the bench of the live host. @memory: must stay valid */
struct round_trip_bench round_trip_machine(const struct selftest_memory *memory);

struct round_trip_line {
	const char *memdev, *region; /* "mem0", "region0" */
	uint64_t dpa, spa;	     /* multiples of 64 */
};

/* After the last two no other line may be tried. */
enum round_trip_end {
	ROUND_TRIP_MADE,
	ROUND_TRIP_FAILED, /* no record, or the device refused; the line is not poisoned */
	ROUND_TRIP_GONE,   /* the memory cannot be read: others may have it. Nothing was injected */
	ROUND_TRIP_POISONED, /* the line may stay poisoned; @e has the command that clears it */
};

/*
 * round_trip_make() - read the memory at the SPA, inject, read the record, clear
 * @ret: of MADE
 * @e: of the others
 *
 * From before the injection to after the clear the signals of the thread are blocked, but SIGBUS
 * and that of timed_write.h; that ends within its limits. A clear that a signal ended is repeated.
 */
enum round_trip_end round_trip_make(const struct round_trip_bench *b,
				    const struct round_trip_line *l, struct round_trip_record *ret,
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
