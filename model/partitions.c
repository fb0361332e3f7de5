// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/partitions.h"

#include "common/strutil.h"

size_t memdev_partitions(const struct memdev *m, struct partition ret[static PARTITIONS_MAX])
{
	size_t n = 0;

	uint64_t sum;

	if (!m->ram_size.present || !m->pmem_size.present ||
	    __builtin_add_overflow(m->ram_size.value, m->pmem_size.value, &sum))
		return 0;
	if (m->ram_size.value > 0)
		ret[n++] = (struct partition){.id = "ram", .size = m->ram_size.value};
	if (m->pmem_size.value > 0)
		ret[n++] = (struct partition){
			.id = "pmem",
			.persistent = true,
			.offset = m->ram_size.value,
			.size = m->pmem_size.value,
		};
	return n;
}

bool memdev_partition(const struct memdev *m, const char *id, struct partition *ret)
{
	struct partition parts[PARTITIONS_MAX];
	size_t n = memdev_partitions(m, parts);

	for (size_t i = 0; i < n; i++) {
		if (!str_equal(parts[i].id, id))
			continue;
		*ret = parts[i];
		return true;
	}
	return false;
}

static bool is_shareable(const struct cdat_range *range)
{
	return range->shareable;
}

static bool is_coherent(const struct cdat_range *range)
{
	return range->hardware_coherent;
}

/* Return: the range that has the address, NULL when none or several have it. */
static const struct cdat_range *find_range(const struct port *endpoint, uint64_t address)
{
	const struct cdat_range *found = NULL;

	for (size_t i = 0; i < endpoint->n_cdat; i++) {
		const struct cdat_range *range = &endpoint->cdat[i];

		if (address < range->first || address > range->last)
			continue;
		if (found)
			return NULL;
		found = range;
	}
	return found;
}

/* Goes from range to range through the partition; each step ends one, so it ends. */
static struct opt_bool all_ranges(const struct memdev *m, const struct partition *part,
				  bool (*flag)(const struct cdat_range *range))
{
	const uint64_t last = part->offset + part->size - 1;
	struct opt_bool value = {0};

	for (uint64_t at = part->offset; m->endpoint;) {
		const struct cdat_range *range = find_range(m->endpoint, at);

		if (!range || (value.present && value.value != flag(range)))
			break;
		value = OPT_BOOL(flag(range));
		if (range->last >= last)
			return value;
		at = range->last + 1;
	}
	return (struct opt_bool){0};
}

struct opt_bool partition_is_shareable(const struct memdev *m, const struct partition *part)
{
	return all_ranges(m, part, is_shareable);
}

struct opt_bool partition_is_coherent(const struct memdev *m, const struct partition *part)
{
	return all_ranges(m, part, is_coherent);
}
