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

static void dedup_forget_old(struct log_dedup *known, uint64_t now_ms)
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

/* Return: the index of the message, or the one at which it is to be inserted. */
static size_t dedup_index(const struct log_dedup_list *list, const char *text)
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

/* Forgets the message not found for longest. Return: false when all are of this poll. */
static bool dedup_make_room(struct log_dedup *known, uint64_t now_ms)
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

/* Out of memory the message is not remembered, and logged again with the next poll. */
static void dedup_remember(struct log_dedup_list *list, const char *text, uint64_t now_ms)
{
	struct log_dedup_entry r = {.text = strdup(text), .last_ms = now_ms};
	size_t index = dedup_index(list, text);

	if (!r.text || !log_dedup_list_add(list)) {
		free(r.text);
		return;
	}
	memmove(&list->items[index + 1], &list->items[index], (list->n - 1 - index) * sizeof(r));
	list->items[index] = r;
}

static void dedup_log_one(struct log_dedup *known, const char *text, uint64_t now_ms)
{
	size_t index = dedup_index(&known->list, text);

	if (index < known->list.n && strcmp(known->list.items[index].text, text) == 0) {
		known->list.items[index].last_ms = now_ms;
	} else if (dedup_make_room(known, now_ms)) {
		dedup_remember(&known->list, text, now_ms);
		log_warning("%s", text);
	} else if (!known->full) {
		known->full = true;
		log_warning("more than %d messages of this kind: further ones are not logged",
			    LOG_DEDUP_MAX);
	}
}

void log_dedup_log(struct log_dedup *known, const char *const *messages, size_t n, uint64_t now_ms)
{
	dedup_forget_old(known, now_ms);
	for (size_t i = 0; i < n; i++)
		dedup_log_one(known, messages[i], now_ms);
}
