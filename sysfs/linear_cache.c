// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/linear_cache.h"

#include "common/little_endian.h"

bool srat_next(const struct host_table *srat, size_t *at, struct srat_memory *ret)
{
	enum { HEADER = 48, MEMORY = 1, MEMORY_LEN = 40, ENABLED = 1 };

	if (*at < HEADER)
		*at = HEADER;
	while (srat->data && *at + 2 <= srat->len) {
		const uint8_t *p = srat->data + *at;

		if (p[1] < 2 || p[1] > srat->len - *at)
			return false;
		*at += p[1];
		if (p[0] != MEMORY || p[1] < MEMORY_LEN || !(le32(p + 28) & ENABLED))
			continue;
		*ret = (struct srat_memory){le32(p + 2), le64(p + 8), le64(p + 16)};
		return true;
	}
	return false;
}

/* Whether a range of the proximity domain has the addresses. */
static bool domain_has(const struct host_table *srat, uint32_t domain, uint64_t first,
		       uint64_t last)
{
	struct srat_memory m;

	for (size_t at = 0; srat_next(srat, &at, &m);)
		if (m.domain == domain && m.start <= first && last - m.start < m.size)
			return true;
	return false;
}

struct opt_u64 linear_cache_size(const struct host_table *tables, uint64_t first, uint64_t last)
{
	/* ACPI 6.5, 5.2.28.5; byte 28 is the address mode since its errata. */
	enum { HEADER = 40, SIDE_CACHE = 2, SIDE_CACHE_LEN = 32, EXTENDED_LINEAR = 1 };
	const struct host_table *t = &tables[HOST_TABLE_HMAT], *srat = &tables[HOST_TABLE_SRAT];
	struct opt_u64 size = OPT_U64(0);
	size_t at = HEADER;

	if (!t->data || !srat->data || last < first)
		return (struct opt_u64){0};
	while (at + 8 <= t->len) {
		const uint8_t *p = t->data + at;
		const uint32_t len = le32(p + 4);

		if (len < 8 || len > t->len - at)
			return (struct opt_u64){0};
		at += len;
		if (le16(p) == SIDE_CACHE && len >= SIDE_CACHE_LEN &&
		    le16(p + 28) == EXTENDED_LINEAR && domain_has(srat, le32(p + 8), first, last))
			size = OPT_U64(le64(p + 16));
	}
	return at == t->len ? size : (struct opt_u64){0};
}

uint64_t linear_cache_window(const struct decoder *window, uint64_t first, uint64_t last)
{
	const uint64_t half = window->size.value / 2;
	uint64_t window_last;

	return opt_range_last(window->start, window->size, &window_last) &&
			       window->size.value % 2 == 0 && last == window_last &&
			       first > window->start.value && first - window->start.value == half
		       ? half
		       : 0;
}
