// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/event_extents.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

bool event_length_is_unknown(const struct event_record *rec)
{
	const struct opt_u64 length = event_number(rec, FIELD_DPA_LENGTH);

	return length.present && length.value == 0;
}

/* Appends the lines in DRAM of @n extents. Return: how many there are then. */
static size_t add_aliases(struct event_extent ret[static EVENT_EXTENTS_MAX], size_t n)
{
	size_t all = n;

	for (size_t i = 0; i < n && all < EVENT_EXTENTS_MAX; i++) {
		if (ret[i].alias == 0)
			continue;
		ret[all] = ret[i];
		ret[all].spa -= ret[i].alias;
		ret[all++].spa_last -= ret[i].alias;
	}
	return all;
}

/* The extents but for their aliases. */
static size_t own_extents(const struct stored_event *ev,
			  struct event_extent ret[static EVENT_EXTENTS_MAX])
{
	const struct event_answer *a = &ev->answer;
	const struct opt_u64 dpa = event_number(&ev->record, FIELD_DPA);

	if (!a->has_spa || !dpa.present)
		return 0;
	for (size_t i = 0; i < a->n_extents; i++)
		ret[i] = a->extents[i];
	if (a->n_extents)
		return a->n_extents;
	ret[0] = (struct event_extent){
		.dpa = dpa.value,
		.dpa_last = dpa.value,
		.spa = a->spa,
		.spa_last = a->spa_last,
		.exact = a->exact,
	};
	return 1;
}

static size_t all_extents(const struct stored_event *ev,
			  struct event_extent ret[static EVENT_EXTENTS_MAX])
{
	const size_t n = own_extents(ev, ret);

	return add_aliases(ret, n);
}

size_t event_extents(const struct stored_event *ev,
		     struct event_extent ret[static EVENT_EXTENTS_MAX])
{
	if (event_length_is_unknown(&ev->record))
		return 0;
	return all_extents(ev, ret);
}

static int compare_ranges(const void *a, const void *b)
{
	const struct event_page_range *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

size_t event_page_ranges(const struct event_extent *extents, size_t n, uint64_t page_size,
			 struct event_page_range ret[static EVENT_EXTENTS_MAX])
{
	const uint64_t in_page = page_size - 1;
	size_t last = 0;

	for (size_t i = 0; i < n; i++)
		ret[i] = (struct event_page_range){extents[i].spa & ~in_page,
						   extents[i].spa_last | in_page};
	if (n == 0)
		return 0;
	qsort(ret, n, sizeof(*ret), compare_ranges);
	for (size_t i = 1; i < n; i++) {
		if (ret[last].last == UINT64_MAX || ret[i].first <= ret[last].last + 1) {
			if (ret[i].last > ret[last].last)
				ret[last].last = ret[i].last;
		} else {
			ret[++last] = ret[i];
		}
	}
	return last + 1;
}

/* Whether all of the record is in one page, which may have an alias. */
static bool is_in_one_page(const struct stored_event *ev, uint64_t page_size)
{
	struct event_page_range pages[EVENT_EXTENTS_MAX];
	struct event_extent extents[EVENT_EXTENTS_MAX];

	return ev->answer.exact &&
	       event_page_ranges(extents, own_extents(ev, extents), page_size, pages) == 1 &&
	       pages[0].last - pages[0].first < page_size;
}

void event_put_extents(struct json_writer *w, const struct stored_event *ev, uint64_t page_size,
		       const struct event_extent_keys *keys)
{
	const uint64_t beyond = ev->answer.bytes_beyond;
	struct event_page_range pages[EVENT_EXTENTS_MAX];
	struct event_extent extents[EVENT_EXTENTS_MAX];
	const size_t n = event_extents(ev, extents);
	const size_t n_pages = event_page_ranges(extents, n, page_size, pages);

	if (event_length_is_unknown(&ev->record)) {
		if (w->absent_is_null) {
			put_null(w, keys->extents);
			put_null(w, keys->bytes_beyond);
			put_null(w, keys->page_ranges);
		}
		return;
	}
	/* One address has one page; others are in the ranges alone. */
	if (keys->page && is_in_one_page(ev, page_size))
		put_hex(w, keys->page, ev->answer.spa & ~(page_size - 1));
	put_array(w, keys->extents);
	for (size_t i = 0; i < n; i++) {
		put_object(w, NULL);
		put_hex(w, keys->dpa, extents[i].dpa);
		put_hex(w, keys->dpa_last, extents[i].dpa_last);
		put_hex(w, keys->spa, extents[i].spa);
		put_hex(w, keys->spa_last, extents[i].spa_last);
		put_bool(w, keys->exact, extents[i].exact);
		put_end(w);
	}
	put_end(w);
	if (beyond || w->absent_is_null)
		put_number(w, keys->bytes_beyond, beyond < INT64_MAX ? beyond : INT64_MAX);
	put_array(w, keys->page_ranges);
	for (size_t i = 0; i < n_pages; i++) {
		put_object(w, NULL);
		put_hex(w, keys->first, pages[i].first);
		put_hex(w, keys->last, pages[i].last);
		put_end(w);
	}
	put_end(w);
}

bool event_span(const struct event_answer *a, uint64_t *ret_first, uint64_t *ret_last)
{
	*ret_first = a->spa;
	*ret_last = a->spa_last;
	for (size_t i = 0; i < a->n_extents; i++) {
		if (a->extents[i].spa < *ret_first)
			*ret_first = a->extents[i].spa;
		if (a->extents[i].spa_last > *ret_last)
			*ret_last = a->extents[i].spa_last;
	}
	return a->has_spa;
}

bool event_alias_span(const struct event_answer *a, uint64_t *ret_first, uint64_t *ret_last)
{
	bool found = false;

	for (size_t i = 0; a->has_spa && i < a->n_extents; i++) {
		const struct event_extent *x = &a->extents[i];

		if (x->alias == 0)
			continue;
		if (!found || x->spa - x->alias < *ret_first)
			*ret_first = x->spa - x->alias;
		if (!found || x->spa_last - x->alias > *ret_last)
			*ret_last = x->spa_last - x->alias;
		found = true;
	}
	return found;
}

bool event_indexed_span(const struct event_answer *a, uint64_t *ret_first, uint64_t *ret_last)
{
	uint64_t alias, alias_last;

	if (!event_span(a, ret_first, ret_last))
		return false;
	if (event_alias_span(a, &alias, &alias_last) && alias < *ret_first)
		*ret_first = alias;
	return true;
}

bool event_touches(const struct stored_event *ev, uint64_t first, uint64_t last)
{
	struct event_extent extents[EVENT_EXTENTS_MAX];
	const size_t n = all_extents(ev, extents);

	for (size_t i = 0; i < n; i++)
		if (extents[i].spa <= last && extents[i].spa_last >= first)
			return true;
	return false;
}

/* ---- text -------------------------------------------------------------------------------------
 */

void event_extents_print(const struct event_answer *a, char text[static EVENT_EXTENTS_TEXT_MAX])
{
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 0; i < a->n_extents; i++) {
		const struct event_extent *x = &a->extents[i];

		n += (size_t)snprintf(text + n, EVENT_EXTENTS_TEXT_MAX - n,
				      "%s%" PRIx64 "-%" PRIx64 "@%" PRIx64 "-%" PRIx64 "%s",
				      i ? " " : "", x->dpa, x->dpa_last, x->spa, x->spa_last,
				      x->exact ? "!" : "");
		if (x->alias)
			n += (size_t)snprintf(text + n, EVENT_EXTENTS_TEXT_MAX - n, "~%" PRIx64,
					      x->alias);
	}
}

static bool take_number(const char **at, char end, uint64_t *ret)
{
	char *after;

	if (!isxdigit((unsigned char)**at))
		return false;
	*ret = strtoull(*at, &after, 16);
	if (end && *after != end)
		return false;
	*at = after + (end != '\0');
	return true;
}

void event_extents_parse(const char *text, struct event_answer *ret)
{
	ret->n_extents = 0;
	while (*text && ret->n_extents < EVENT_EXTENTS_MAX) {
		struct event_extent *x = &ret->extents[ret->n_extents];

		if (!take_number(&text, '-', &x->dpa) || !take_number(&text, '@', &x->dpa_last) ||
		    !take_number(&text, '-', &x->spa) || !take_number(&text, '\0', &x->spa_last) ||
		    x->dpa_last < x->dpa || x->spa_last < x->spa)
			return;
		x->exact = *text == '!';
		text += x->exact;
		x->alias = 0;
		if (*text == '~') {
			text++;
			if (!take_number(&text, '\0', &x->alias))
				return;
		}
		if (x->alias > x->spa || (*text && *text != ' '))
			return;
		text += *text == ' ';
		ret->n_extents++;
	}
}
