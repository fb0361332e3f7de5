// SPDX-License-Identifier: LGPL-2.1-or-later
#include "prm/decoder_mapping.h"

/* With a low memory hole a region ends before its decoders. */
static bool has_size(const struct region *r, uint64_t size)
{
	return opt_u64_is(r->size, size) || (opt_u64_is(r->ways, 1) && r->size.value < size);
}

enum decoder_mapping decoder_mapping(const struct decoder *d)
{
	const struct region *r = d->region;

	if (!d->size.present || d->size.value == 0)
		return MAPPING_IDLE;
	/* Normalized decoders are 1-way in any region (CXL 3.2 ECN, section 9.18.4). */
	if (d->ways.present && d->ways.value != 1)
		return MAPPING_ORDINARY;
	if (d->start.present && d->dpa_resource.present) {
		if (d->start.value != d->dpa_resource.value)
			return MAPPING_ORDINARY;
		if (!d->ways.present)
			return MAPPING_UNKNOWN;
		return d->derived || (r && opt_u64_is(r->resource, d->start.value) &&
				      has_size(r, d->size.value))
			       ? MAPPING_ORDINARY
			       : MAPPING_NORMALIZED;
	}
	if (!d->ways.present || !r)
		return MAPPING_UNKNOWN;
	if (r->ways.present && r->ways.value != 1)
		return MAPPING_NORMALIZED;
	/* Since 7.0 Linux locks the decoders of Normalized regions; before, it created no region.
	 */
	return d->locked.present && !d->locked.value ? MAPPING_ORDINARY : MAPPING_UNKNOWN;
}

const char *decoder_mapping_name(enum decoder_mapping m)
{
	static const char *const names[] = {
		[MAPPING_IDLE] = "idle",
		[MAPPING_ORDINARY] = "ordinary",
		[MAPPING_NORMALIZED] = "Normalized",
		[MAPPING_UNKNOWN] = "unknown",
	};

	return names[m];
}
