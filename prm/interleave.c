// SPDX-License-Identifier: LGPL-2.1-or-later
#include "prm/interleave.h"

#include <errno.h>

#define MIB_256 (256ULL << 20)

bool interleave_ways_valid(uint64_t ways)
{
	return ways == 1 || ways == 2 || ways == 3 || ways == 4 || ways == 6 || ways == 8 ||
	       ways == 12 || ways == 16;
}

/* Return: the power of two in a valid number of ways: 12 is 3 * 4. */
static unsigned int power_of_two_part(unsigned int ways)
{
	return ways % 3 == 0 ? ways / 3 : ways;
}

unsigned int interleave_xormap_count(unsigned int root_ways)
{
	if (!interleave_ways_valid(root_ways))
		return 0;
	return (unsigned int)__builtin_ctz(power_of_two_part(root_ways));
}

/* Checks the requirements of Linux's formula from position to slot. */
static const char *check_position(const struct interleave *m)
{
	unsigned int per_root;

	if (m->ways % m->root_ways != 0)
		return "the region's ways are not a multiple of the window's";
	per_root = m->ways / m->root_ways;
	if ((per_root & (per_root - 1)) != 0)
		return "the region's ways are not the window's times a power of two";
	if (m->root_ways > 1 && m->granularity != m->root_granularity)
		return "the region's granularity is not the window's";
	return NULL;
}

/* A window must not choose another device inside a chunk, nor differently from block to block. */
static const char *check_slot(const struct interleave *m)
{
	if (m->slot >= m->ways)
		return "the slot is not below the interleave ways";
	if (m->root_ways > 1 &&
	    (m->root_granularity < m->granularity ||
	     m->ways * m->granularity % (m->root_ways * m->root_granularity) != 0))
		return "the interleave block of the window does not fit that of the region";
	return NULL;
}

static const char *check_geometry(const struct interleave *m)
{
	if (!interleave_ways_valid(m->ways) || !interleave_ways_valid(m->root_ways))
		return "no decoder can have that many interleave ways";
	if (!interleave_granularity_valid(m->granularity) ||
	    (m->root_ways > 1 && !interleave_granularity_valid(m->root_granularity)))
		return "no decoder can have that interleave granularity";
	if (m->position >= m->ways)
		return "the position is not below the interleave ways";
	if (m->n_xormaps > 0 && m->n_xormaps != interleave_xormap_count(m->root_ways))
		return "the number of XOR maps does not fit the window's ways";
	return m->routed ? check_slot(m) : check_position(m);
}

static const char *check_sizes(const struct interleave *m)
{
	uint64_t size, last;

	if (m->dpa_size == 0 || m->dpa_size % m->granularity != 0)
		return "the device's share is not a multiple of the granularity";
	if (__builtin_mul_overflow(m->dpa_size, (uint64_t)m->ways, &size) ||
	    __builtin_add_overflow(m->base, size - 1, &last))
		return "the region ends beyond 64 bits";
	/*
	 * Hardware uses absolute address bits, the formulas the distance from the base:
	 * they agree only when the base has none of the bits that choose a target.
	 */
	if (m->base % ((uint64_t)m->granularity * power_of_two_part(m->ways)) != 0)
		return "the region's base is not aligned to its interleave block";
	return NULL;
}

static uint64_t lowest_bit(uint64_t map)
{
	return map & -map;
}

/* The bits of an address by which an XOR window selects its target. */
static uint64_t target_bits(const struct interleave *m)
{
	return (uint64_t)m->root_granularity * (power_of_two_part(m->root_ways) - 1);
}

bool interleave_xormaps_one_to_one(const uint64_t *maps, unsigned int n, uint64_t granularity)
{
	const uint64_t targets = granularity * ((1ULL << n) - 1);
	uint64_t rows[INTERLEAVE_XORMAPS_MAX];

	for (unsigned int i = 0; i < n; i++) {
		rows[i] = maps[i] & targets;
		for (unsigned int k = 0; k < i; k++)
			if (rows[i] & lowest_bit(rows[k]))
				rows[i] ^= rows[k];
		if (rows[i] == 0)
			return false;
	}
	return true;
}

unsigned int interleave_xor_target(uint64_t hpa, unsigned int root_ways, uint64_t granularity,
				   const uint64_t *maps)
{
	const unsigned int n = interleave_xormap_count(root_ways);
	unsigned int target = (unsigned int)(hpa / granularity >> n) % (root_ways >> n) << n;

	for (unsigned int i = 0; i < n; i++)
		target |= (unsigned int)__builtin_parityll(hpa & maps[i]) << i;
	return target;
}

/* Return: 0; -ERANGE; -ENOTUNIQ; -EDOM. An empty map selects nothing, and toggles nothing. */
static int check_xormaps(const struct interleave *m, const char **ret_reason)
{
	for (unsigned int i = 0; i < m->n_xormaps; i++)
		if (m->xormaps[i] && !(lowest_bit(m->xormaps[i]) & target_bits(m))) {
			*ret_reason = "an XOR map toggles a bit outside the interleave block";
			return -ERANGE;
		}
	if (!interleave_xormaps_one_to_one(m->xormaps, m->n_xormaps, m->root_granularity)) {
		*ret_reason =
			"the XOR maps are not one to one: some device addresses have several system addresses, others none";
		return -ENOTUNIQ;
	}
	for (unsigned int i = 0; i < m->n_xormaps; i++)
		if (lowest_bit(m->xormaps[i]) != (uint64_t)m->root_granularity << i) {
			*ret_reason =
				"the XOR maps are not in the order of the target bits: map N must begin at the window's granularity times 2^N";
			return -EDOM;
		}
	return 0;
}

/*
 * Target bit i is the parity of the address bits in map i, which begins at bit i: with the bits
 * above given, a triangular system of equations over GF(2) that always has one solution. From the
 * last bit down, each bit of the address is the parity of a mask of target bits and of address bits
 * above them.
 */
static void invert_xormaps(struct interleave *m)
{
	const uint64_t targets = target_bits(m);

	m->dependent = false;
	for (unsigned int i = m->n_xormaps; i-- > 0;) {
		uint64_t own = lowest_bit(m->xormaps[i]);

		m->inverse[i] = own | (m->xormaps[i] & ~targets);
		for (unsigned int k = i + 1; k < m->n_xormaps; k++)
			if (m->xormaps[i] & lowest_bit(m->xormaps[k])) {
				m->inverse[i] ^= m->inverse[k];
				m->dependent = true;
			}
	}
}

/*
 * Chooses the chunk of each interleave block that belongs to the position. An aligned region begins
 * with position 0. 3, 6 and 12 ways choose by the absolute address modulo the ways, which is not 0
 * at an unaligned base, so there the positions are rotated by the same amount in every block.
 */
static const char *choose_slot(struct interleave *m)
{
	unsigned int first;

	m->unaligned_mod3 = m->root_ways % 3 == 0 && m->base % (m->root_ways * MIB_256) != 0;
	if (m->routed)
		return NULL;
	m->slot = m->position;
	if (!m->unaligned_mod3)
		return NULL;
	if (m->ways != m->root_ways)
		return "the arithmetic of several devices below each bridge of an unaligned 3-, 6- or 12-way window is unknown";
	first = (unsigned int)((m->base >> m->granularity_shift) % m->root_ways);
	m->slot = (m->position + m->root_ways - first) % m->root_ways;
	return NULL;
}

int interleave_setup(struct interleave *m, const char **ret_reason)
{
	const char *reason = check_geometry(m);
	int r = -EINVAL;

	if (!reason)
		reason = check_sizes(m);
	if (!reason)
		r = check_xormaps(m, &reason);
	if (!reason) {
		m->granularity_shift = (unsigned int)__builtin_ctz(m->granularity);
		reason = choose_slot(m);
		r = reason ? -EINVAL : 0;
	}
	if (reason) {
		if (ret_reason)
			*ret_reason = reason;
		return r;
	}
	invert_xormaps(m);
	m->size = m->dpa_size * m->ways;
	m->slot_base = m->base + (uint64_t)m->slot * m->granularity;
	return 0;
}

/* Return: the lowest bit of the map when the address has an odd number of its other bits. */
static inline uint64_t toggle(uint64_t hpa, uint64_t map)
{
	uint64_t others = map & (map - 1);

	return (map ^ others) & -(uint64_t)__builtin_parityll(hpa & others);
}

/*
 * Each map sets its lowest bit to the parity of all its bits, of the address as it was given. The
 * xormaps give the modulo address of an HPA, their inverse the HPA of a modulo address. Written
 * out, because the loops below call it with a constant number of maps.
 */
static inline uint64_t xor_maps(uint64_t hpa, const uint64_t *maps, unsigned int n)
{
	uint64_t toggled = 0;

	if (n > 0)
		toggled |= toggle(hpa, maps[0]);
	if (n > 1)
		toggled |= toggle(hpa, maps[1]);
	if (n > 2)
		toggled |= toggle(hpa, maps[2]);
	if (n > 3)
		toggled |= toggle(hpa, maps[3]);
	return hpa ^ toggled;
}

static inline uint64_t modulo_to_hpa(const struct interleave *m, uint64_t d)
{
	uint64_t low = d & (m->granularity - 1);

	return m->slot_base + (d - low) * m->ways + low;
}

int interleave_to_hpa(const struct interleave *m, uint64_t d, uint64_t *ret_hpa)
{
	if (d >= m->dpa_size)
		return -ERANGE;
	*ret_hpa = xor_maps(modulo_to_hpa(m, d), m->inverse, m->n_xormaps);
	return 0;
}

int interleave_to_dpa(const struct interleave *m, uint64_t hpa, uint64_t *ret_d)
{
	uint64_t h, chunk;

	if (hpa < m->base || hpa - m->base >= m->size)
		return -ERANGE;
	h = xor_maps(hpa, m->xormaps, m->n_xormaps) - m->base;
	chunk = h >> m->granularity_shift;
	if (chunk % m->ways != m->slot)
		return -ENXIO;
	*ret_d = ((chunk / m->ways) << m->granularity_shift) | (h & (m->granularity - 1));
	return 0;
}
