/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_READINGS_PRIVATE_H
#define CXLR_MAILBOX_READINGS_PRIVATE_H

/*
 * Private to mailbox/ and its tests: the contents of a set of readings.
 *
 * readings_new() allocates it; its creator fills it in before it is shared, and afterwards nothing
 * in it changes. All strings and arrays are in its arena.
 */

#include <stdatomic.h>

#include "common/arena.h"
#include "mailbox/readings.h"

struct memdev_reading {
	const char *name, *bdf; /* with the serial number they identify the device */
	struct opt_u64 serial;
	struct mailbox mailbox;
	const void *record; /* struct mailbox_record's bytes */
	size_t record_len;
	uint64_t read_ns; /* when, ns since 1970 UTC */
	struct memdev_security security;
	struct opt_bool light;
	struct memdev_scrub scrub;
	struct scrub_set scrub_sets[SCRUB_KINDS];
	const char *const *notes;
	size_t n_notes;
};

struct function_reading {
	const char *bdf;
	struct aer_counters aer;
	const char *const *notes;
	size_t n_notes;
};

struct readings {
	atomic_uint references;
	struct arena *arena; /* holds this struct, too */
	struct memdev_reading
		*memdevs; /* in the host's order, which is that of str_natural_cmp() */
	size_t n_memdevs;
	struct function_reading *functions; /* in strcmp() order */
	size_t n_functions;
	const char *const *notes;
	size_t n_notes;
};

/* Return: zeroed readings with one reference, NULL when out of memory. */
struct readings *readings_new(size_t n_memdevs, size_t n_functions);

/* Return: the reading of the same memdev, NULL when there is none or @r is NULL. */
const struct memdev_reading *readings_of_memdev(const struct readings *r, const struct memdev *m);

/* Return: likewise of a PCI function. */
const struct function_reading *readings_of_function(const struct readings *r, const char *bdf);

#endif
