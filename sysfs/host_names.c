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

/*
 * Documentation/ABI/testing/sysfs-bus-cxl of the patches for dynamic capacity, for the eight
 * regions of CXL 3.2 9.13.3: a letter up to their version 10, a number from 1 on since version 11.
 */
struct opt_u64 dynamic_region_number(const char *name)
{
	const char *which = name ? str_after_prefix(name, "dynamic_ram_") : NULL;

	if (!which || !*which || which[1])
		return (struct opt_u64){0};
	if (*which >= 'a' && *which <= 'h')
		return OPT_U64((uint64_t)(*which - 'a'));
	if (*which >= '1' && *which <= '8')
		return OPT_U64((uint64_t)(*which - '1'));
	return (struct opt_u64){0};
}

const char *base_witness_name(enum base_witness w)
{
	static const char *const names[] = {
		[BASE_UNKNOWN] = NULL,
		[BASE_BY_DECODER] = "decoder",
		[BASE_BY_MAILBOX] = "mailbox",
	};

	return names[w];
}

struct opt_u64 memdev_dpa_end(const struct memdev *m)
{
	struct opt_u64 end = {0};
	uint64_t last;

	if (!memdev_capacity(m).present)
		return end;
	end = OPT_U64(m->ram_size.value + m->pmem_size.value);
	for (size_t i = 0; i < m->n_named; i++) {
		if (!m->named[i].base.present)
			return (struct opt_u64){0};
		if (!m->named[i].size.value)
			continue;
		if (!opt_range_last(m->named[i].base, m->named[i].size, &last) ||
		    last == UINT64_MAX)
			return (struct opt_u64){0};
		end = OPT_U64(last >= end.value ? last + 1 : end.value);
	}
	return end;
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
