// SPDX-License-Identifier: LGPL-2.1-or-later
#include "prm/cedt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "sysfs/acpi_table.h"

enum { TYPE_CHBS = 0, TYPE_CFMWS = 1, TYPE_CXIMS = 2 };
enum { STRUCTURE_HEADER = 4, CHBS_SIZE = 32, CFMWS_SIZE = 36, CXIMS_SIZE = 8 };

DEFINE_CLEANUP(struct cedt, cedt_free);

/* The result and its arrays are one allocation, which one free() releases. */
struct cedt_builder {
	struct cedt cedt;
	struct cedt_window *windows, *rejected;
	struct cedt_cxims *cxims;
	struct cedt_chbs *chbs;
};

/* One structure of the table, checked to be inside it. */
struct cedt_structure {
	const uint8_t *p;
	size_t offset, len;
};

static int cedt_invalid(const struct cedt_structure *s, struct error *e, const char *name,
			const char *what, unsigned long long value)
{
	return error_set(e, EBADMSG, "CEDT: the %s at offset %zu has %s 0x%llx", name, s->offset,
			 what, value);
}

static int decode_ways(unsigned int encoded, unsigned int *ret)
{
	if (encoded <= 4)
		*ret = 1u << encoded;
	else if (encoded >= 8 && encoded <= 10)
		*ret = 3u << (encoded - 8);
	else
		return -EINVAL;
	return 0;
}

static int decode_granularity(uint32_t encoded, unsigned int *ret)
{
	if (encoded > 6)
		return -EINVAL;
	*ret = INTERLEAVE_GRANULARITY_MIN << encoded;
	return 0;
}

static int add_chbs(struct cedt_builder *b, const struct cedt_structure *s, struct error *e)
{
	(void)e;
	b->chbs[b->cedt.n_chbs++] = (struct cedt_chbs){
		.uid = le32(s->p + 4),
		.version = le32(s->p + 8),
		.base = le64(s->p + 16),
		.length = le64(s->p + 24),
	};
	return 0;
}

static int add_cfmws(struct cedt_builder *b, const struct cedt_structure *s, struct error *e)
{
	struct cedt_window w = {
		.base = le64(s->p + 8),
		.size = le64(s->p + 16),
		.arithmetic = s->p[25],
		.restrictions = le16(s->p + 32),
		.qtg_id = le16(s->p + 34),
		.encoded_ways = s->p[24],
		.encoded_granularity = le32(s->p + 28),
		.length = (uint16_t)s->len,
	};
	const bool valid = decode_ways(w.encoded_ways, &w.ways) == 0 &&
			   decode_granularity(w.encoded_granularity, &w.granularity) == 0 &&
			   w.length >= cedt_window_length(w.ways) && !cedt_window_wraps(&w);

	if (!valid) {
		b->rejected[b->cedt.n_rejected++] = w;
		return 0;
	}
	if (cedt_window_find(&b->cedt, w.base, w.size))
		return cedt_invalid(s, e, "CFMWS", "the same window as an earlier one, base",
				    w.base);
	for (unsigned int i = 0; i < w.ways; i++)
		w.targets[i] = le32(s->p + CFMWS_SIZE + 4 * i);
	b->windows[b->cedt.n_windows++] = w;
	return 0;
}

static int add_cxims(struct cedt_builder *b, const struct cedt_structure *s, struct error *e)
{
	struct cedt_cxims *c = &b->cxims[b->cedt.n_cxims];

	c->n_maps = s->p[7];
	if (decode_granularity(s->p[6], &c->granularity) < 0)
		return cedt_invalid(s, e, "CXIMS", "an invalid granularity, encoded as", s->p[6]);
	if (s->len < CXIMS_SIZE + 8 * (size_t)c->n_maps)
		return error_set(e, EBADMSG,
				 "CEDT: the CXIMS at offset %zu has %zu bytes, too few for %u maps",
				 s->offset, s->len, c->n_maps);
	if (c->n_maps > CEDT_XORMAPS_MAX)
		return error_set(e, E2BIG, "CEDT: the CXIMS at offset %zu has %u maps, at most %d",
				 s->offset, c->n_maps, CEDT_XORMAPS_MAX);
	for (size_t i = 0; i < b->cedt.n_cxims; i++)
		if (b->cxims[i].granularity == c->granularity)
			return cedt_invalid(s, e, "CXIMS",
					    "the same granularity as an earlier one,",
					    c->granularity);
	for (unsigned int i = 0; i < c->n_maps; i++)
		c->maps[i] = le64(s->p + CXIMS_SIZE + 8 * i);
	b->cedt.n_cxims++;
	return 0;
}

static const struct {
	const char *name;
	size_t min, max_count;
	int (*add)(struct cedt_builder *b, const struct cedt_structure *s, struct error *e);
} kinds[] = {
	[TYPE_CHBS] = {"CHBS", CHBS_SIZE, CEDT_CHBS_MAX, add_chbs},
	[TYPE_CFMWS] = {"CFMWS", CFMWS_SIZE, CEDT_WINDOWS_MAX, add_cfmws},
	[TYPE_CXIMS] = {"CXIMS", CXIMS_SIZE, CEDT_CXIMS_MAX, add_cxims},
};

/* Return: 0, or -EBADMSG when there is no complete structure at the offset. */
static int cedt_structure_at(const uint8_t *data, size_t len, size_t offset,
			     struct cedt_structure *ret, struct error *e)
{
	size_t size;

	if (len - offset < STRUCTURE_HEADER)
		return error_set(e, EBADMSG,
				 "CEDT: %zu bytes at offset %zu are too few for a structure",
				 len - offset, offset);
	size = le16(data + offset + 2);
	if (size < STRUCTURE_HEADER || size > len - offset)
		return error_set(
			e, EBADMSG,
			"CEDT: the structure of type %u at offset %zu has length %zu, %zu bytes are left",
			data[offset], offset, size, len - offset);
	if (data[offset] < ARRAY_SIZE(kinds) && size < kinds[data[offset]].min)
		return error_set(e, EBADMSG,
				 "CEDT: the %s at offset %zu has length %zu, the minimum is %zu",
				 kinds[data[offset]].name, offset, size, kinds[data[offset]].min);
	*ret = (struct cedt_structure){.p = data + offset, .offset = offset, .len = size};
	return 0;
}

/*
 * Structures of other types are passed over.
 * @at: the offset of the next structure; it is moved behind @ret
 *
 * Return: 1 with a structure of a type in `kinds`; 0 at the end of the table; -EBADMSG.
 */
static int cedt_next(const uint8_t *data, size_t len, size_t *at, struct cedt_structure *ret,
		     struct error *e)
{
	while (*at < len) {
		int r = cedt_structure_at(data, len, *at, ret, e);

		if (r < 0)
			return r;
		*at += ret->len;
		if (ret->p[0] < ARRAY_SIZE(kinds))
			return 1;
	}
	return 0;
}

static int cedt_count(const uint8_t *data, size_t len, size_t counts[static ARRAY_SIZE(kinds)],
		      struct error *e)
{
	size_t at = ACPI_HEADER_SIZE;
	struct cedt_structure s;
	int r;

	while ((r = cedt_next(data, len, &at, &s, e)) > 0)
		if (++counts[s.p[0]] > kinds[s.p[0]].max_count)
			return error_set(e, E2BIG, "CEDT: more than %zu structures of type %s",
					 kinds[s.p[0]].max_count, kinds[s.p[0]].name);
	return r;
}

static struct cedt_builder *builder_new(const size_t counts[static ARRAY_SIZE(kinds)])
{
	struct cedt_builder *b =
		calloc(1, sizeof(*b) + 2 * counts[TYPE_CFMWS] * sizeof(*b->windows) +
				  counts[TYPE_CXIMS] * sizeof(*b->cxims) +
				  counts[TYPE_CHBS] * sizeof(*b->chbs));

	if (!b)
		return NULL;
	b->windows = (struct cedt_window *)(b + 1);
	b->rejected = b->windows + counts[TYPE_CFMWS];
	b->cxims = (struct cedt_cxims *)(b->rejected + counts[TYPE_CFMWS]);
	b->chbs = (struct cedt_chbs *)(b->cxims + counts[TYPE_CXIMS]);
	b->cedt.windows = b->windows;
	b->cedt.rejected = b->rejected;
	b->cedt.cxims = b->cxims;
	b->cedt.chbs = b->chbs;
	return b;
}

int cedt_parse(const uint8_t *data, size_t len, struct cedt **ret, struct error *e)
{
	_cleanup_(cedt_freep) struct cedt *owner = NULL;
	size_t counts[ARRAY_SIZE(kinds)] = {0}, at = ACPI_HEADER_SIZE;
	struct cedt_builder *b;
	struct cedt_structure s;
	int r;

	r = acpi_table_check(data, len, "CEDT", ACPI_HEADER_SIZE, e);
	if (r < 0)
		return r;
	r = cedt_count(data, len, counts, e);
	if (r < 0)
		return r;
	b = builder_new(counts);
	if (!b)
		return error_set(e, ENOMEM, "CEDT: out of memory");
	owner = &b->cedt;
	while ((r = cedt_next(data, len, &at, &s, e)) > 0) {
		r = kinds[s.p[0]].add(b, &s, e);
		if (r < 0)
			return r;
	}
	if (r < 0)
		return r;
	*ret = STEAL_PTR(owner);
	return 0;
}

struct cedt *cedt_free(struct cedt *c)
{
	free(c);
	return NULL;
}

const struct cedt_window *cedt_window_find(const struct cedt *c, uint64_t base, uint64_t size)
{
	for (size_t i = 0; i < c->n_windows; i++)
		if (c->windows[i].base == base && c->windows[i].size == size)
			return &c->windows[i];
	return NULL;
}

bool cedt_window_wraps(const struct cedt_window *w)
{
	uint64_t last;

	return w->size == 0 || __builtin_add_overflow(w->base, w->size - 1, &last);
}

unsigned int cedt_window_length(unsigned int ways)
{
	return CFMWS_SIZE + 4 * ways;
}

const struct cedt_cxims *cedt_cxims_find(const struct cedt *c, const struct cedt_window *w)
{
	for (size_t i = 0; i < c->n_cxims; i++)
		if (c->cxims[i].granularity == w->granularity)
			return &c->cxims[i];
	return NULL;
}
