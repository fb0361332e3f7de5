// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/log_dedup.h"

#include <stdlib.h>
#include <string.h>

#include "common/log.h"

enum { FORGET_MS = 60 * 60 * 1000 };

void log_dedup_init(struct log_dedup *known, uint64_t poll_ms)
{
	*known = (struct log_dedup){.forget_ms = 2 * poll_ms};
	if (known->forget_ms < FORGET_MS)
		known->forget_ms = FORGET_MS;
}

void log_dedup_done(struct log_dedup *known)
{
	ARRAY_FOREACH(r, &known->list)
		free(r->text);
	log_dedup_list_done(&known->list);
}

static void forget_old(struct log_dedup *known, uint64_t now_ms)
{
	struct log_dedup_list *list = &known->list;
	size_t kept = 0;

	for (size_t i = 0; i < list->n; i++)
		if (now_ms - list->items[i].last_ms < known->forget_ms)
			list->items[kept++] = list->items[i];
		else
			free(list->items[i].text);
	list->n = kept;
	known->full &= kept == LOG_DEDUP_MAX;
}

/* Return: its place, or where it belongs when it is not there. */
static size_t place_of(const struct log_dedup_list *list, const char *text)
{
	size_t first = 0, end = list->n;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (strcmp(list->items[middle].text, text) < 0)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

/* Forgets the one not met for longest. Return: false when all were met just now. */
static bool make_room(struct log_dedup *known, uint64_t now_ms)
{
	struct log_dedup_list *list = &known->list;
	struct log_dedup_entry *oldest = &list->items[0];

	if (list->n < LOG_DEDUP_MAX)
		return true;
	ARRAY_FOREACH(r, list)
		if (r->last_ms < oldest->last_ms)
			oldest = r;
	if (oldest->last_ms == now_ms)
		return false;
	free(oldest->text);
	list->n--;
	memmove(oldest, oldest + 1, (size_t)(list->items + list->n - oldest) * sizeof(*oldest));
	return true;
}

/* What cannot be remembered for lack of memory is met as a new one again. */
static void remember(struct log_dedup_list *list, const char *text, uint64_t now_ms)
{
	struct log_dedup_entry r = {.text = strdup(text), .last_ms = now_ms};
	size_t place = place_of(list, text);

	if (!r.text || !log_dedup_list_add(list)) {
		free(r.text);
		return;
	}
	memmove(&list->items[place + 1], &list->items[place], (list->n - 1 - place) * sizeof(r));
	list->items[place] = r;
}

static void log_one(struct log_dedup *known, const char *text, uint64_t now_ms)
{
	size_t place = place_of(&known->list, text);

	if (place < known->list.n && strcmp(known->list.items[place].text, text) == 0) {
		known->list.items[place].last_ms = now_ms;
	} else if (make_room(known, now_ms)) {
		remember(&known->list, text, now_ms);
		log_warning("%s", text);
	} else if (!known->full) {
		known->full = true;
		log_warning("more than %d reasons like these: the others are not logged",
			    LOG_DEDUP_MAX);
	}
}

void log_dedup_log(struct log_dedup *known, const char *const *reasons, size_t n, uint64_t now_ms)
{
	forget_old(known, now_ms);
	for (size_t i = 0; i < n; i++)
		log_one(known, reasons[i], now_ms);
}
