// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <string.h>

#include "common/strutil.h"
#include "prm/handler_memdev.h"
#include "prm/handler_pairs.h"
#include "prm/translator_text.h"

enum { TOKEN_MAX = 32, ERROR_TEXT_SHOWN = 60 };

/* The fields of one line of the file. */
struct pairs_line {
	const char *bdf;
	uint64_t dpa, spa;
	int error;
	const char *text;
};

/* Return: the next word, ended by a NUL, or "" at the end of the line. */
static char *next_word(char **at)
{
	char *word = *at + strspn(*at, " \t");
	size_t n = strcspn(word, " \t");

	*at = word + n;
	if (**at)
		*(*at)++ = '\0';
	return word;
}

static bool bdf_is_plausible(const char *s)
{
	size_t n = strlen(s);

	return n >= 7 && n < TOKEN_MAX && strspn(s, "0123456789abcdefABCDEF:.") == n;
}

static const char *parse_error(char *rest, struct pairs_line *ret)
{
	if (!str_equal(next_word(&rest), "error"))
		return "\"error\" is missing";
	if (parse_int(next_word(&rest), &ret->error) < 0 || ret->error >= 0)
		return "the error is not a negative number";
	ret->text = rest + strspn(rest, " \t(");
	rest[strcspn(rest, ")")] = '\0';
	if (!str_is_plain(ret->text) || strlen(ret->text) > ERROR_TEXT_SHOWN)
		ret->text = "";
	return NULL;
}

/* Return: NULL, or what is wrong with the line. */
static const char *parse_line(char *at, struct pairs_line *ret)
{
	char *dpa;
	size_t n;

	ret->bdf = next_word(&at);
	if (!bdf_is_plausible(ret->bdf))
		return "the line does not begin with a PCI address";
	if (!str_equal(next_word(&at), "dpa"))
		return "\"dpa\" is missing";
	dpa = next_word(&at);
	n = strlen(dpa);
	if (n > 0 && dpa[n - 1] == ':') {
		dpa[n - 1] = '\0';
		return parse_address(dpa, &ret->dpa) < 0 ? "the DPA is malformed"
							 : parse_error(at, ret);
	}
	if (parse_address(dpa, &ret->dpa) < 0)
		return "the DPA is malformed";
	if (!str_equal(next_word(&at), "->") || !str_equal(next_word(&at), "spa"))
		return "\"-> spa\" is missing";
	if (parse_address(next_word(&at), &ret->spa) < 0)
		return "the SPA is malformed";
	return *next_word(&at) ? "unexpected text after the SPA" : NULL;
}

static void pairs_add_line(struct translator *t, struct handler *h, const struct pairs_line *l,
			   unsigned int number)
{
	struct memdev_map *d = handler_memdev(h, l->bdf);
	struct handler_pair *p;

	if (!d) {
		translator_note(t, NOTE_PAIR_REJECTED,
				PAIRS_FILE ":%u: %s is not a memdev of this host", number, l->bdf);
		return;
	}
	if (!l->error && (l->dpa ^ l->spa) % CHUNK_SIZE != 0) {
		translator_note(
			t, NOTE_PAIR_REJECTED,
			PAIRS_FILE
			":%u: DPA 0x%llx and SPA 0x%llx differ in their low 8 bits; the pair is not used",
			number, (unsigned long long)l->dpa, (unsigned long long)l->spa);
		return;
	}
	if (!l->error && d->capacity.present && l->dpa >= d->capacity.value) {
		translator_note(
			t, NOTE_PAIR_REJECTED,
			PAIRS_FILE
			":%u: DPA 0x%llx is beyond the capacity of %s; the pair is not used",
			number, (unsigned long long)l->dpa, l->bdf);
		return;
	}
	p = l->error ? &h->errors[h->n_errors++] : &h->pairs[h->n_pairs++];
	*p = (struct handler_pair){.device = d,
				   .dpa = CHUNK_OF(l->dpa),
				   .spa = CHUNK_OF(l->spa),
				   .line = number,
				   .error = l->error};
	if (l->error)
		p->text = translator_text(t, "%s", l->text);
}

static size_t count_lines(const char *text, size_t len)
{
	size_t n = 1;

	for (size_t i = 0; i < len; i++)
		n += text[i] == '\n';
	return n;
}

int handler_parse_pairs(struct translator *t, struct handler *h, char *text, size_t len,
			struct error *e)
{
	size_t n = count_lines(text, len);
	unsigned int number = 1;

	if (memchr(text, '\0', len))
		return error_set(e, EINVAL, PAIRS_FILE ": the file contains a NUL byte");
	if (n > PAIRS_LINES_MAX)
		return error_set(e, EINVAL, PAIRS_FILE ": the file has more than %d lines",
				 PAIRS_LINES_MAX);
	h->pairs = ARENA_ARRAY(t->arena, n, struct handler_pair);
	h->errors = ARENA_ARRAY(t->arena, n, struct handler_pair);
	if (!h->pairs || !h->errors)
		return -ENOMEM;
	for (char *next, *at = text; at; at = next, number++) {
		struct pairs_line l = {0};
		const char *wrong;

		next = strchr(at, '\n');
		if (next)
			*next++ = '\0';
		str_chomp(at);
		at += strspn(at, " \t");
		if (!*at || *at == '#')
			continue;
		wrong = parse_line(at, &l);
		if (wrong)
			translator_note(t, NOTE_PAIR_REJECTED,
					PAIRS_FILE ":%u: %s; the line is not used", number, wrong);
		else
			pairs_add_line(t, h, &l, number);
	}
	return 0;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_dpa(const void *a, const void *b)
{
	const struct handler_pair *x = a, *y = b;
	int r = compare_numbers((uintptr_t)x->device, (uintptr_t)y->device);

	if (r == 0)
		r = compare_numbers(x->dpa, y->dpa);
	return r ? r : compare_numbers(x->line, y->line);
}

static int compare_spa(const void *a, const void *b)
{
	const struct handler_pair *x = *(struct handler_pair *const *)a,
				  *y = *(struct handler_pair *const *)b;
	int r = compare_numbers(x->spa, y->spa);

	return r ? r : compare_dpa(x, y);
}

static bool same_dpa(const struct handler_pair *a, const struct handler_pair *b)
{
	return a->device == b->device && a->dpa == b->dpa;
}

static bool same_spa(const struct handler_pair *a, const struct handler_pair *b)
{
	return a->spa == b->spa;
}

/*
 * Once sorted, pairs of one key are adjacent. When their values differ, none of them is used.
 */
static void check_runs(struct translator *t, struct handler_pair **pairs, size_t n,
		       bool (*same_key)(const struct handler_pair *, const struct handler_pair *),
		       bool (*same_value)(const struct handler_pair *, const struct handler_pair *))
{
	size_t end;

	for (size_t i = 0; i < n; i = end) {
		struct handler_pair *other = NULL;

		for (end = i + 1; end < n && same_key(pairs[i], pairs[end]); end++)
			if (!other && !same_value(pairs[i], pairs[end]))
				other = pairs[end];
		if (!other)
			continue;
		translator_note(t, NOTE_PAIR_REJECTED,
				PAIRS_FILE ":%u and :%u contradict each other; neither is used",
				pairs[i]->line, other->line);
		for (size_t j = i; j < end; j++)
			pairs[j]->rejected = true;
	}
}

/* For an ordinary decoder the registers define the SPA; a pair that differs is rejected. */
static void compare_with_decoder(struct translator *t, struct handler_pair *p)
{
	const struct decoder_map *dm = decoder_map_find(p->device, p->dpa);
	uint64_t spa = 0;

	if (p->rejected || !dm || dm->mapping != MAPPING_ORDINARY || !dm->region_map ||
	    dm->region_map->unusable.code || dm->region_map->no_arithmetic.code)
		return;
	if (interleave_to_hpa(&dm->map, p->dpa - dm->first, &spa) == 0 && spa == p->spa)
		return;
	p->rejected = true;
	translator_note(
		t, NOTE_PAIR_REJECTED,
		PAIRS_FILE
		":%u: DPA 0x%llx of %s is not at SPA 0x%llx: %s maps it to 0x%llx; the pair is not used",
		p->line, (unsigned long long)p->dpa, p->device->memdev->bdf,
		(unsigned long long)p->spa, dm->decoder->name, (unsigned long long)spa);
}

/*
 * The interval of an address relies on firmware's SPA being in the interleave block of the DPA. A
 * pair that is not there is not used; neither is any interval of its region.
 */
static void refute_interval(struct translator *t, const struct handler_pair *p)
{
	const struct decoder_map *dm = decoder_map_find(p->device, p->dpa);
	struct region_map *rm = dm ? dm->region_map : NULL;

	if (p->rejected || !rm || rm->unusable.code || rm->no_interval.code ||
	    !firmware_applies_to(dm))
		return;
	if (spa_check(t, dm, p->dpa, p->spa) == REASON_NONE)
		return;
	rm->no_interval = translator_reason(t, REASON_INTERVAL_REFUTED,
					    "no interval of %s is certain, because " PAIRS_FILE
					    ":%u is outside its interleave block",
					    rm->region->name, p->line);
}

int handler_index_pairs(struct translator *t, struct handler *h)
{
	size_t kept = 0;

	h->by_spa = ARENA_ARRAY(t->arena, h->n_pairs, struct handler_pair *);
	if (!h->by_spa)
		return -ENOMEM;
	if (h->n_errors > 1)
		qsort(h->errors, h->n_errors, sizeof(*h->errors), compare_dpa);
	if (h->n_pairs == 0)
		return 0;
	qsort(h->pairs, h->n_pairs, sizeof(*h->pairs), compare_dpa);
	for (size_t i = 0; i < h->n_pairs; i++)
		h->by_spa[i] = &h->pairs[i];
	check_runs(t, h->by_spa, h->n_pairs, same_dpa, same_spa);
	qsort(h->by_spa, h->n_pairs, sizeof(*h->by_spa), compare_spa);
	check_runs(t, h->by_spa, h->n_pairs, same_spa, same_dpa);
	for (size_t i = 0; i < h->n_pairs; i++) {
		compare_with_decoder(t, &h->pairs[i]);
		refute_interval(t, &h->pairs[i]);
		if (h->pairs[i].rejected ||
		    (kept > 0 && same_dpa(&h->pairs[kept - 1], &h->pairs[i])))
			continue;
		h->pairs[kept++] = h->pairs[i];
	}
	h->n_pairs = kept;
	for (size_t i = 0; i < h->n_pairs; i++)
		h->by_spa[i] = &h->pairs[i];
	if (kept > 1)
		qsort(h->by_spa, h->n_pairs, sizeof(*h->by_spa), compare_spa);
	return 0;
}
