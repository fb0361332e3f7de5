// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The kernel's words for the enumerations of a snapshot.
#include "sysfs/host.h"

#include "common/strutil.h"

const char *decoder_mode_name(enum decoder_mode mode)
{
	static const char *const names[] = {
		[DECODER_MODE_NONE] = "none",	[DECODER_MODE_RAM] = "ram",
		[DECODER_MODE_PMEM] = "pmem",	[DECODER_MODE_MIXED] = "mixed",
		[DECODER_MODE_OTHER] = "other",
	};

	return names[mode];
}

static const char *mode_word(enum decoder_mode mode, const char *other)
{
	return mode == DECODER_MODE_OTHER && other ? other : decoder_mode_name(mode);
}

const char *decoder_mode_word(const struct decoder *d)
{
	return mode_word(d->mode, d->other_mode);
}

const char *region_mode_word(const struct region *r)
{
	return mode_word(r->mode, r->other_mode);
}

/* Documentation/ABI/testing/sysfs-bus-cxl of the patches for dynamic capacity: one letter for each
 * of the eight regions of CXL 3.2 9.13.3. */
bool name_is_dynamic_capacity(const char *name)
{
	const char *letter = name ? str_after_prefix(name, "dynamic_ram_") : NULL;

	return letter && *letter >= 'a' && *letter <= 'h' && !letter[1];
}

bool region_has_extents(const struct region *r)
{
	return name_is_dynamic_capacity(r->other_mode) ||
	       (r->dax && (r->dax->n_extents || r->dax->extents_unknown));
}

struct opt_u64 memdev_dpa_end(const struct memdev *m)
{
	if (m->n_named)
		return (struct opt_u64){0};
	return memdev_capacity(m);
}

struct opt_u64 memdev_capacity(const struct memdev *m)
{
	uint64_t sum;

	if (!m->ram_size.present || !m->pmem_size.present ||
	    __builtin_add_overflow(m->ram_size.value, m->pmem_size.value, &sum))
		return (struct opt_u64){0};
	for (size_t i = 0; i < m->n_named; i++)
		if (!m->named[i].size.present ||
		    __builtin_add_overflow(sum, m->named[i].size.value, &sum))
			return (struct opt_u64){0};
	return OPT_U64(sum);
}

const char *port_kind_name(enum port_kind kind)
{
	static const char *const names[] = {
		[PORT_ROOT] = "root",
		[PORT_HOST_BRIDGE] = "host bridge",
		[PORT_SWITCH] = "switch",
		[PORT_ENDPOINT] = "endpoint",
	};

	return names[kind];
}

const char *dax_mode_name(enum dax_mode mode)
{
	static const char *const names[] = {
		[DAX_MODE_UNKNOWN] = "unknown",
		[DAX_MODE_DEVDAX] = "devdax",
		[DAX_MODE_SYSTEM_RAM] = "system-ram",
	};

	return names[mode];
}
