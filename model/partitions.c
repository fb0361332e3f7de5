// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/partitions.h"

#include "common/strutil.h"

size_t memdev_partitions(const struct memdev *m, struct partition ret[static PARTITIONS_MAX])
{
	uint64_t end;
	size_t n = 0;

	if (!m->ram_size.present || !m->pmem_size.present ||
	    __builtin_add_overflow(m->ram_size.value, m->pmem_size.value, &end))
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

const char *partition_of_decoder(const struct memdev *m, const struct decoder *d)
{
	struct partition parts[PARTITIONS_MAX];
	size_t n = memdev_partitions(m, parts);

	if (!d->dpa_resource.present)
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (str_equal(parts[i].id, decoder_mode_name(d->mode)) &&
		    d->dpa_resource.value >= parts[i].offset &&
		    d->dpa_resource.value - parts[i].offset < parts[i].size)
			return parts[i].id;
	return NULL;
}
