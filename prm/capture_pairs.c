// SPDX-License-Identifier: LGPL-2.1-or-later
#include "prm/capture_pairs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "prm/provider.h"

/* Small enough for a slow handler to answer within RECORD_CALL_MS. */
enum { RECORD_BATCH = 64 };

DEFINE_ARRAY(uint64_t, addresses);

struct recorder {
	const struct translator *t;
	FILE *out;
	struct firmware_timeout timeout;
	struct recording *r;
	bool gave_up;
};

static int add_offset(struct addresses *a, const struct decoder_map *dm, uint64_t offset)
{
	uint64_t *dpa;

	if (offset > dm->last - dm->first)
		return 0;
	dpa = addresses_add(a);
	if (!dpa)
		return -ENOMEM;
	*dpa = dm->first + offset;
	return 0;
}

static int compare_addresses(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The first and last bytes of the decoder, and those on both sides of each power of two. */
static int choose_boundaries(const struct decoder_map *dm, struct addresses *a)
{
	uint64_t size = dm->last - dm->first;
	int r = add_offset(a, dm, 0);

	if (r == 0)
		r = add_offset(a, dm, size);
	if (r == 0 && size >= CHUNK_SIZE)
		r = add_offset(a, dm, size - (CHUNK_SIZE - 1));
	for (uint64_t p = 64; p && p <= size && r == 0; p *= 2) {
		r = add_offset(a, dm, p);
		if (r == 0)
			r = add_offset(a, dm, p - 1);
	}
	return r;
}

/* Return: 0 or -ENOMEM; the addresses are sorted, each once. */
static int choose_addresses(const struct decoder_map *dm, struct addresses *a)
{
	uint64_t size = dm->last - dm->first, random = dm->last;
	int r = choose_boundaries(dm, a);
	size_t n = 0;

	for (uint64_t i = 1; i < RECORD_SPACED && r == 0; i++)
		r = add_offset(a, dm, size / RECORD_SPACED * i);
	/* Any addresses will do; the seed makes them differ between decoders. */
	for (int i = 0; i < RECORD_RANDOM && r == 0; i++) {
		random = random * 6364136223846793005ULL + 1442695040888963407ULL;
		r = add_offset(a, dm, size == UINT64_MAX ? random : (random >> 7) % (size + 1));
	}
	if (r < 0)
		return r;
	qsort(a->items, a->n, sizeof(*a->items), compare_addresses);
	for (size_t i = 0; i < a->n; i++)
		if (i == 0 || a->items[i] != a->items[n - 1])
			a->items[n++] = a->items[i];
	a->n = n;
	return 0;
}

static void recorder_set_missed(struct recorder *rec, enum answer_reason reason, const char *text)
{
	if (rec->r->missed_reason != REASON_NONE)
		return;
	rec->r->missed_reason = reason;
	(void)snprintf(rec->r->missed, sizeof(rec->r->missed), "%s", text);
}

static void write_answer(struct recorder *rec, const struct memdev *m,
			 const struct firmware_answer *a)
{
	char text[FIRMWARE_TEXT_MAX];
	const char *words;

	switch (a->result) {
	case FIRMWARE_TRANSLATED:
	case FIRMWARE_LOW_BITS: /* recorded as given; the reader rejects it */
		fprintf(rec->out, "%s dpa 0x%llx -> spa 0x%llx\n", m->bdf,
			(unsigned long long)a->queried_dpa, (unsigned long long)a->spa);
		break;
	case FIRMWARE_ERROR:
		words = strerrordesc_np(-a->error);
		fprintf(rec->out, "%s dpa 0x%llx: error %d (%s)\n", m->bdf,
			(unsigned long long)a->queried_dpa, a->error, words ? words : "unknown");
		break;
	default:
		/* Not a result for this address, and the next ones would fail in the same way. */
		firmware_answer_text(a, text);
		recorder_set_missed(rec, firmware_answer_reason(a), text);
		rec->gave_up = true;
		return;
	}
	rec->r->written++;
}

static void recorder_query(struct recorder *rec, const struct decoder_map *dm, const uint64_t *dpas,
			   size_t n)
{
	struct firmware_query queries[RECORD_BATCH];
	struct firmware_answer answers[RECORD_BATCH];

	for (size_t i = 0; i < n; i++) {
		queries[i] = dm->device->query;
		queries[i].dpa = dpas[i];
	}
	rec->r->queried += n;
	firmware_translate_uncached(rec->t->firmware, queries, n, &rec->timeout, answers);
	for (size_t i = 0; i < n; i++)
		write_answer(rec, dm->device->memdev, &answers[i]);
}

static int record_decoder(struct recorder *rec, const struct decoder_map *dm)
{
	const struct memdev *m = dm->device->memdev;
	struct addresses a = {0};
	int r = choose_addresses(dm, &a);

	if (r == 0 && rec->r->queried + a.n > RECORD_ADDRESSES_MAX) {
		recorder_set_missed(
			rec, REASON_TOO_MANY_ADDRESSES,
			"there are too many decoders to query firmware about all of them");
		rec->gave_up = true;
	} else if (r == 0) {
		fprintf(rec->out, "# %s %s", m->name, dm->decoder->name);
		if (m->serial.present)
			fprintf(rec->out, " serial 0x%llx", (unsigned long long)m->serial.value);
		fprintf(rec->out, " at %s\n", m->bdf);
	}
	for (size_t i = 0; i < a.n && r == 0 && !rec->gave_up; i += RECORD_BATCH)
		recorder_query(rec, dm, a.items + i,
			       a.n - i < RECORD_BATCH ? a.n - i : RECORD_BATCH);
	addresses_done(&a);
	return r;
}

bool record_wanted(const struct translator *t)
{
	for (size_t i = 0; i < t->n_devices; i++)
		for (size_t k = 0; k < t->devices[i].decoders.n; k++) {
			const struct decoder_map *dm = t->devices[i].decoders.items[k].item;

			if (dm->mapping == MAPPING_NORMALIZED)
				return true;
		}
	return false;
}

static int record_all(struct recorder *rec)
{
	int r = 0;

	for (size_t i = 0; i < rec->t->n_devices && r == 0; i++) {
		const struct memdev_map *d = &rec->t->devices[i];

		for (size_t k = 0; k < d->decoders.n && r == 0 && !rec->gave_up; k++) {
			const struct decoder_map *dm = d->decoders.items[k].item;

			if (d->has_query && firmware_applies_to(dm))
				r = record_decoder(rec, dm);
		}
	}
	return r;
}

int record_pairs(const struct translator *t, struct recording *ret)
{
	struct recorder rec = {.t = t,
			       .timeout = {.call_ms = RECORD_CALL_MS, .bucket_ms = RECORD_WAIT_MS},
			       .r = ret};
	char *text = NULL;
	size_t len = 0;
	int r;

	*ret = (struct recording){0};
	if (!t->firmware)
		return 0;
	rec.out = open_memstream(&text, &len);
	if (!rec.out)
		return -ENOMEM;
	r = record_all(&rec);
	if (fclose(rec.out) != 0)
		r = -ENOMEM;
	if (r < 0 || ret->written == 0) {
		free(text);
		return r;
	}
	ret->text = text;
	ret->len = len;
	return 0;
}
