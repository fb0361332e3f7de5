// SPDX-License-Identifier: LGPL-2.1-or-later
#include "prm/verify.h"

#include <errno.h>
#include <stdio.h>

#include "prm/translate_private.h"

/* Small enough for a slow handler to answer within a caller's timeout. */
enum { VERIFY_BATCH = 64 };

struct verifying {
	struct inquiry q;
	const struct segment *segment;
	uint64_t base, block;
	uint64_t random;
	struct verification *v;
};

/* SplitMix64: the same samples in every run, so that a disagreement can be shown again. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static uint64_t sample(struct verifying *w, size_t i)
{
	const struct segment *s = w->segment;

	if (i == 0)
		return s->first;
	if (i == 1)
		return s->last;
	if (s->last - s->first == UINT64_MAX)
		return next_random(&w->random);
	return s->first + next_random(&w->random) % (s->last - s->first + 1);
}

static void complain(struct verification *v, const char *text)
{
	if (!v->reason[0])
		(void)snprintf(v->reason, sizeof(v->reason), "%s", text);
}

/* What the captured handler says, in the form of a client's answer. */
static void ask_captured(struct verifying *w, uint64_t dpa, struct firmware_answer *ret)
{
	struct answer a = {.has_dpa = true};

	*ret = (struct firmware_answer){.result = FIRMWARE_NOT_QUERIED, .asked_dpa = dpa};
	if (provider_recorded.dpa_to_spa(&w->q, w->segment, dpa, dpa, &a) ||
	    provider_emulated.dpa_to_spa(&w->q, w->segment, dpa, dpa, &a)) {
		ret->result = FIRMWARE_TRANSLATED;
		ret->spa = a.spa;
		return;
	}
	complain(w->v, a.reason[0]
			       ? a.reason
			       : "this capture holds no answers of firmware for some addresses");
}

static void ask(struct verifying *w, const uint64_t *dpas, size_t n, struct firmware_answer *ret)
{
	struct firmware_question questions[VERIFY_BATCH];

	if (!w->q.t->firmware) {
		for (size_t i = 0; i < n; i++)
			ask_captured(w, dpas[i], &ret[i]);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		questions[i] = w->segment->device->question;
		questions[i].dpa = dpas[i];
	}
	firmware_ask_afresh(w->q.t->firmware, questions, n, w->q.timeout, ret);
}

static void compare(struct verifying *w, uint64_t dpa, const struct firmware_answer *a)
{
	struct verification *v = w->v;
	uint64_t d = dpa - w->segment->first;
	uint64_t expected = w->base + d / v->granularity * w->block +
			    (uint64_t)v->position * v->granularity + d % v->granularity;
	char text[FIRMWARE_TEXT_MAX];

	if (a->result != FIRMWARE_TRANSLATED && a->result != FIRMWARE_LOW_BITS) {
		firmware_answer_text(a, text);
		complain(v, text);
		return;
	}
	v->answered++;
	v->in_block += a->spa >= w->base && (a->spa - w->base) / w->block == d / v->granularity;
	if (a->spa == expected) {
		v->agree++;
	} else if (!v->disagrees) {
		v->disagrees = true;
		v->dpa = dpa;
		v->expected = expected;
		v->spa = a->spa;
	}
}

static void set_geometry(struct verifying *w, uint64_t base, unsigned int ways,
			 unsigned int granularity, unsigned int position)
{
	w->base = base;
	w->block = (uint64_t)ways * granularity;
	w->v->has_geometry = true;
	w->v->ways = ways;
	w->v->granularity = granularity;
	w->v->position = position;
}

static bool geometry_of_region(struct verifying *w)
{
	const struct segment *s = w->segment;
	const struct region_map *region_map = s->region_map;

	if (region_map->unusable || !s->position.present) {
		complain(w->v, region_map->unusable ? region_map->unusable
						    : "the region does not list the decoder");
		return false;
	}
	w->v->from_region = true;
	set_geometry(w, region_map->base, region_map->ways, region_map->granularity,
		     (unsigned int)s->position.value);
	return true;
}

static bool geometry_of_firmware(struct verifying *w)
{
	struct firmware_answer why, first;
	struct firmware_geometry g;
	char text[FIRMWARE_TEXT_MAX];
	int r = unassigned_geometry(&w->q, w->segment, &g, &why);

	if (!w->q.t->firmware) {
		complain(w->v, "the kernel made no region, and a capture does not show what its "
			       "firmware would say of ways and granularity");
		return false;
	}
	if (r == 0) {
		ask(w, &w->segment->first, 1, &first);
		if (first.result == FIRMWARE_TRANSLATED && first.spa >= g.base) {
			set_geometry(w, g.base, g.ways, g.granularity,
				     (unsigned int)((first.spa - g.base) / g.granularity % g.ways));
			return true;
		}
		why = first;
	}
	firmware_answer_text(&why, text);
	complain(w->v, r == -ERANGE || !text[0]
			       ? "the kernel made no region, and firmware's answers for the "
				 "decoder's ends show no ways and granularity"
			       : text);
	return false;
}

static const struct segment *find_segment(const struct translator *t, const struct decoder *d)
{
	const struct device *dev = d->port->memdev ? device_find(t, d->port->memdev) : NULL;

	for (size_t i = 0; dev && i < dev->segments.n; i++) {
		const struct segment *s = dev->segments.items[i].item;

		if (s->decoder == d)
			return s;
	}
	return NULL;
}

int translator_verify(const struct translator *t, const struct decoder *decoder, size_t samples,
		      struct firmware_timeout *timeout, struct verification *ret)
{
	struct verifying w = {.q = {t, timeout}, .segment = find_segment(t, decoder), .v = ret};
	struct firmware_answer answers[VERIFY_BATCH];
	uint64_t dpas[VERIFY_BATCH];

	if (!w.segment || w.segment->unusable || w.segment->mapping != MAPPING_NORMALIZED)
		return -EINVAL;
	*ret = (struct verification){.decoder = decoder};
	if (t->firmware && !w.segment->device->has_question) {
		complain(ret, "the device has no PCI address, by which firmware is asked");
		return 0;
	}
	if (!t->firmware && !t->handler) {
		complain(ret, "this capture holds no answers of firmware");
		return 0;
	}
	if (!(w.segment->region_map ? geometry_of_region(&w) : geometry_of_firmware(&w)))
		return 0;
	for (size_t done = 0; done < samples;) {
		size_t n = samples - done < VERIFY_BATCH ? samples - done : VERIFY_BATCH;

		for (size_t i = 0; i < n; i++)
			dpas[i] = sample(&w, done + i);
		ask(&w, dpas, n, answers);
		for (size_t i = 0; i < n; i++)
			compare(&w, dpas[i], &answers[i]);
		done += n;
		ret->sampled = done;
	}
	return 0;
}
