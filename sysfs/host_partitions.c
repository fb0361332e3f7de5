// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Where partitions besides ram and pmem begin. Linux shows their sizes only, and between partitions
 * there may be gaps. There are two witnesses: the decoders that map the partition, of which Linux
 * takes DPAs from its beginning on, and the device itself, by Get Dynamic Capacity Configuration,
 * which Linux sends for no program: a captured host has its answer when another tool recorded it.
 * When they contradict each other, or one of them another fact, the base is not known.
 *
 * Source: CXL 3.2 8.2.10.9.9.1.
 */
#include "sysfs/host_partitions.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "common/cleanup.h"

/* The answer: a head, a structure for each region, and four numbers about extents and tags. */
enum {
	ANSWER_HEAD_BYTES = 8,
	ANSWER_REGION_BYTES = 40,
	ANSWER_REGIONS_MAX = 8,
	ANSWER_BYTES_MAX = 512,
	DOUBT_BYTES_MAX = 200,
	FLAG_SANITIZE_ON_RELEASE = 1,
};

struct dynamic_region {
	uint64_t base, length, block_size;
	bool sanitized;
};

struct dynamic_answer {
	struct dynamic_region regions[ANSWER_REGIONS_MAX];
	size_t n; /* 0 without an answer */
};

static uint64_t number_at(const char *data, size_t at)
{
	uint64_t v = 0;

	for (size_t i = 8; i-- > 0;)
		v = v << 8 | (unsigned char)data[at + i];
	return v;
}

/* An answer from another region than the first on does not say which it has. */
static void decode_answer(struct build *b, struct memdev *m, const char *data, size_t len,
			  struct dynamic_answer *ret)
{
	const size_t available = len ? (unsigned char)data[0] : 0;
	const size_t n = len > 1 ? (unsigned char)data[1] : 0;

	if (n > ANSWER_REGIONS_MAX || available > ANSWER_REGIONS_MAX || n > available ||
	    len < ANSWER_HEAD_BYTES + n * ANSWER_REGION_BYTES) {
		read_notes_add(
			&b->notes,
			"%s: its recorded answer to Get Dynamic Capacity Configuration (4800h) is invalid, and not used",
			m->name);
		return;
	}
	m->dynamic_regions = OPT_U64(available);
	for (size_t i = 0; i < n; i++) {
		const size_t at = ANSWER_HEAD_BYTES + i * ANSWER_REGION_BYTES;

		ret->regions[i] = (struct dynamic_region){
			.base = number_at(data, at),
			.length = number_at(data, at + 16),
			.block_size = number_at(data, at + 24),
			.sanitized = data[at + 36] & FLAG_SANITIZE_ON_RELEASE,
		};
	}
	ret->n = n;
}

static void read_answer(struct build *b, struct memdev *m, struct dynamic_answer *ret)
{
	_cleanup_free_ char *data = NULL;
	char path[CAPTURE_PATH_MAX];
	size_t len;

	if (!b->root->captured)
		return;
	(void)snprintf(path, sizeof(path), "mbox/%s/dynamic_capacity_config.bin", m->name);
	if (host_root_read(b->root, path, ANSWER_BYTES_MAX, &data, &len) == 0)
		decode_answer(b, m, data, len, ret);
}

/* ---- witnesses of one partition ---------------------------------------------------------------
 */

static void doubt(struct build *b, struct named_partition *part, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void doubt(struct build *b, struct named_partition *part, const char *fmt, ...)
{
	char text[DOUBT_BYTES_MAX];
	va_list ap;

	if (part->base_doubt)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	part->base_doubt = arena_strdup(b->arena, text);
	if (!part->base_doubt)
		b->notes.out_of_memory = true;
	part->base = (struct opt_u64){0};
	part->base_by = BASE_UNKNOWN;
}

/* The DPAs of a device that decoders of a mode map. */
struct mapped_dpa {
	const struct decoder *first;
	uint64_t from, last;
};

static void find_mapped(const struct memdev *m, const char *mode, struct mapped_dpa *ret)
{
	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders; i++) {
		const struct decoder *d = m->endpoint->decoders[i];
		uint64_t last;

		if (!str_equal(decoder_mode_word(d), mode) ||
		    !opt_range_last(d->dpa_resource, d->dpa_size, &last))
			continue;
		if (!ret->first || d->dpa_resource.value < ret->from) {
			ret->first = d;
			ret->from = d->dpa_resource.value;
		}
		ret->last = last > ret->last ? last : ret->last;
	}
}

/* Return: what the device answered of the partition, NULL without. */
static const struct dynamic_region *answered(struct build *b, const struct memdev *m,
					     struct named_partition *part,
					     const struct dynamic_answer *answer)
{
	const struct opt_u64 number = dynamic_region_number(part->name);

	if (!number.present || number.value >= answer->n)
		return NULL;
	for (size_t i = 0; i < m->n_named; i++)
		if (&m->named[i] != part &&
		    opt_u64_is(dynamic_region_number(m->named[i].name), number.value)) {
			doubt(b, part, "%s is the same region of the device by its name",
			      m->named[i].name);
			return NULL;
		}
	return &answer->regions[number.value];
}

static void compare_answer(struct build *b, struct named_partition *part,
			   const struct dynamic_region *x, const struct mapped_dpa *mapped)
{
	if (part->size.present && part->size.value != x->length)
		doubt(b, part,
		      "its mailbox has 0x%llx bytes at DPA 0x%llx, and Linux shows 0x%llx bytes",
		      (unsigned long long)x->length, (unsigned long long)x->base,
		      (unsigned long long)part->size.value);
	else if (!x->length || x->base > UINT64_MAX - x->length)
		doubt(b, part, "its mailbox has 0x%llx bytes at DPA 0x%llx, which is no range",
		      (unsigned long long)x->length, (unsigned long long)x->base);
	else if (mapped->first && (mapped->from < x->base || mapped->last - x->base >= x->length))
		doubt(b, part,
		      "its mailbox has it at DPA 0x%llx-0x%llx, and %s maps DPA 0x%llx-0x%llx",
		      (unsigned long long)x->base, (unsigned long long)(x->base + x->length - 1),
		      mapped->first->name, (unsigned long long)mapped->from,
		      (unsigned long long)mapped->last);
}

/* Other facts that a base contradicts: static partitions, and decoders of other modes. */
static void compare_others(struct build *b, const struct memdev *m, struct named_partition *part)
{
	uint64_t last = part->base.value, fixed;

	/* Absent ones are 0. */
	if (__builtin_add_overflow(m->ram_size.value, m->pmem_size.value, &fixed))
		fixed = UINT64_MAX;
	(void)opt_range_last(part->base, part->size, &last);
	if (part->base.value < fixed)
		doubt(b, part,
		      "DPA 0x%llx, where it would begin, is in ram or pmem, which end at 0x%llx",
		      (unsigned long long)part->base.value, (unsigned long long)fixed);
	for (size_t i = 0; m->endpoint && part->base.present && i < m->endpoint->n_decoders; i++) {
		const struct decoder *d = m->endpoint->decoders[i];
		uint64_t end;

		if (opt_range_last(d->dpa_resource, d->dpa_size, &end) &&
		    d->dpa_resource.value <= last && end >= part->base.value &&
		    !str_equal(decoder_mode_word(d), part->name))
			doubt(b, part, "%s maps DPA 0x%llx-0x%llx of it, in mode %.32s", d->name,
			      (unsigned long long)d->dpa_resource.value, (unsigned long long)end,
			      decoder_mode_word(d));
	}
}

static void set_base(struct build *b, const struct memdev *m, struct named_partition *part,
		     const struct dynamic_answer *answer)
{
	struct mapped_dpa mapped = {0};
	const struct dynamic_region *x = answered(b, m, part, answer);

	find_mapped(m, part->name, &mapped);
	if (x) {
		compare_answer(b, part, x, &mapped);
		if (part->base_doubt)
			return;
		part->block_size = OPT_U64(x->block_size);
		part->sanitized = OPT_BOOL(x->sanitized);
	}
	if (mapped.first && part->size.present && mapped.last - mapped.from >= part->size.value)
		doubt(b, part, "decoders map DPA 0x%llx-0x%llx of it, and it has 0x%llx bytes",
		      (unsigned long long)mapped.from, (unsigned long long)mapped.last,
		      (unsigned long long)part->size.value);
	if (part->base_doubt || (!x && !mapped.first))
		return;
	part->base = OPT_U64(x ? x->base : mapped.from);
	part->base_by = x ? BASE_BY_MAILBOX : BASE_BY_DECODER;
	compare_others(b, m, part);
}

/* Two that have the same DPAs. */
static void compare_pair(struct build *b, struct named_partition *x, struct named_partition *y)
{
	uint64_t x_last, y_last;

	if (!opt_range_last(x->base, x->size, &x_last) ||
	    !opt_range_last(y->base, y->size, &y_last) || x->base.value > y_last ||
	    y->base.value > x_last)
		return;
	doubt(b, x, "it would overlap %s", y->name);
	doubt(b, y, "it would overlap %s", x->name);
}

static void set_bases(struct build *b, struct memdev *m, const struct dynamic_answer *answer)
{
	struct named_partition *parts = (struct named_partition *)(uintptr_t)m->named;

	for (size_t i = 0; i < m->n_named; i++)
		set_base(b, m, &parts[i], answer);
	for (size_t i = 0; i < m->n_named; i++)
		for (size_t k = i + 1; k < m->n_named; k++)
			compare_pair(b, &parts[i], &parts[k]);
}

int build_partitions(struct build *b)
{
	ARRAY_FOREACH(m, &b->memdevs) {
		struct dynamic_answer answer = {0};

		read_answer(b, *m, &answer);
		set_bases(b, *m, &answer);
	}
	return b->notes.out_of_memory ? -ENOMEM : 0;
}
