// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/partitions.h"

#include "common/strutil.h"

struct opt_u64 memdev_capacity(const struct memdev *m)
{
	uint64_t sum;

	if (!m->ram_size.present || !m->pmem_size.present ||
	    __builtin_add_overflow(m->ram_size.value, m->pmem_size.value, &sum))
		return (struct opt_u64){0};
	return OPT_U64(sum);
}

size_t memdev_partitions(const struct memdev *m, struct partition ret[static PARTITIONS_MAX])
{
	size_t n = 0;

	if (!memdev_capacity(m).present)
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
