// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/state/audit_sources.h"

#include <stdio.h>
#include <string.h>

/* FNV-1a, so that most slots are compared by one number. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
	do
		hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
	while (*text++);
	return hash;
}

static struct audit_source *find_slot(struct audit_sources *s, uint64_t hash, const char *user,
				      const char *from)
{
	for (size_t i = 0; i < AUDIT_SOURCES_MAX; i++) {
		struct audit_source *one = &s->slots[i];

		if (one->used && one->hash == hash && strcmp(one->user, user) == 0 &&
		    strcmp(one->from, from) == 0)
			return one;
	}
	return NULL;
}

/* Also one whose time is over and that has no count. */
static struct audit_source *free_slot(struct audit_sources *s, uint64_t now_ms)
{
	struct audit_source *first = &s->slots[0];

	for (size_t i = 0; i < AUDIT_SOURCES_MAX; i++) {
		struct audit_source *one = &s->slots[i];

		if (!one->used || (one->n == 0 && one->due_ms <= now_ms))
			return one;
		if (one->due_ms < first->due_ms)
			first = one;
	}
	return s->replaces ? first : NULL;
}

bool audit_sources_count(struct audit_sources *s, const char *user, const char *from,
			 uint64_t now_ms, uint64_t for_ms, struct audit_source **ret)
{
	const uint64_t hash = hash_text(hash_text(UINT64_C(14695981039346656037), user), from);
	struct audit_source *slot = find_slot(s, hash, user, from);
	bool others = false;

	if (!slot) {
		slot = free_slot(s, now_ms);
		others = !slot;
		if (slot)
			slot->used = false;
		else
			slot = &s->others;
	}
	*ret = slot;
	if (slot->used && (slot->due_ms > now_ms || slot->n > 0)) {
		slot->n++;
		return false;
	}
	*slot = (struct audit_source){.used = true, .hash = hash, .due_ms = now_ms + for_ms};
	(void)snprintf(slot->user, sizeof(slot->user), "%s", others ? "" : user);
	(void)snprintf(slot->from, sizeof(slot->from), "%s", others ? "other addresses" : from);
	return true;
}

static bool take_due(struct audit_source *slot, uint64_t now_ms, struct audit_source *ret)
{
	if (!slot->used || slot->due_ms > now_ms)
		return false;
	*ret = *slot;
	slot->used = false;
	return ret->n > 0;
}

bool audit_sources_due(struct audit_sources *s, uint64_t now_ms, struct audit_source *ret)
{
	for (size_t i = 0; i < AUDIT_SOURCES_MAX; i++)
		if (take_due(&s->slots[i], now_ms, ret))
			return true;
	return take_due(&s->others, now_ms, ret);
}

uint64_t audit_sources_next(const struct audit_sources *s)
{
	uint64_t next = s->others.used && s->others.n > 0 ? s->others.due_ms : UINT64_MAX;

	for (size_t i = 0; i < AUDIT_SOURCES_MAX; i++)
		if (s->slots[i].used && s->slots[i].n > 0 && s->slots[i].due_ms < next)
			next = s->slots[i].due_ms;
	return next;
}
