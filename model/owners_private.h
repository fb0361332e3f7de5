/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_OWNERS_PRIVATE_H
#define CXLR_MODEL_OWNERS_PRIVATE_H

/*
 * Claims of the witnesses on addresses that each of them treats alike.
 *
 * Private to model/owners*.c.
 */

#include <stdbool.h>
#include <stddef.h>

#include "model/owners.h"

/* Ranges of one address that are looked at: more than Linux nests, and the decoders of 16 devices.
 */
enum { CLAIMS_MAX = 128 };

enum witness {
	BY_WINDOW,
	BY_MAPPING,
	BY_DECODER,
	BY_DAX,
	BY_OFFLINE, /* a range of offline blocks of a dax device */
	BY_IOMEM,   /* in the order of /proc/iomem, outer before inner */
	BY_UNREAD,  /* where lines of it that are left out may be */
	BY_SRAT,
	BY_FIRMWARE,
};

/* A range that a witness claims. */
struct claim {
	uint64_t first, last;
	enum witness by;
	size_t index; /* the order among those of the witness; of SRAT: the proximity domain */
	union {
		const struct decoder *decoder;
		const struct region *mapping;
		const struct dax_device *dax;
		const struct iomem_range *iomem;
		const struct firmware_range *firmware;
	};
};

/* The claims on a segment, by witness, then in their order. */
struct segment {
	const struct host *host;
	const struct memory_use *use; /* NULL: it was not read */
	const struct decoder *window; /* the one that is asked about; NULL: any */
	struct arena *arena;
	uint64_t first, last;
	const struct claim *const *claims;
	size_t n_claims;
	bool too_many; /* there are more of them */
};

/* Fills in all but first and last of @ret. Return: 0 or -ENOMEM. */
int owner_of_segment(const struct segment *s, struct owner *ret);

/* Return: whether two texts are the same, or both absent. */
bool texts_equal(const char *a, const char *b);

/* Return: whether two neighbours have the same verdict. */
bool owners_are_alike(const struct owner *a, const struct owner *b);

/* Return: the last address of a window; false when its addresses are not known. */
bool window_last(const struct decoder *window, uint64_t *ret);

#endif
