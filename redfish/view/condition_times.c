// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/view/condition_times.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "common/strutil.h"

enum { SLOTS_MIN = 64 };

struct slot {
	uint64_t hash;
	const char *message, *object; /* NULL in a free slot */
	uint64_t since_ns;
};

struct condition_times {
	struct arena *arena;
	const struct condition_times *before; /* NULL when sealed */
	bool open;
	uint64_t now_ns;
	struct slot *slots; /* open addressing */
	size_t n, n_slots;  /* the latter a power of two, at least twice the former */
};

struct condition_times *condition_times_new(struct arena *a, const struct condition_times *before,
					    uint64_t now_ns)
{
	struct condition_times *t = ARENA_NEW(a, struct condition_times);

	if (!t)
		return NULL;
	*t = (struct condition_times){
		.arena = a,
		.before = before,
		.open = true,
		.now_ns = now_ns,
		.slots = ARENA_ARRAY(a, SLOTS_MIN, struct slot),
		.n_slots = SLOTS_MIN,
	};
	return t->slots ? t : NULL;
}

void condition_times_seal(struct condition_times *t)
{
	t->open = false;
	t->before = NULL;
}

static struct slot key_of(const char *message, const char *object)
{
	return (struct slot){
		.hash = hash_bytes(message, strlen(message)) * 3 +
			hash_bytes(object, strlen(object)),
		.message = message,
		.object = object,
	};
}

/* Return: the slot that holds the key, or the free slot for it. */
static struct slot *slot_of(const struct condition_times *t, const struct slot *key)
{
	size_t i = (size_t)key->hash & (t->n_slots - 1);

	for (; t->slots[i].message; i = (i + 1) & (t->n_slots - 1))
		if (t->slots[i].hash == key->hash && str_equal(t->slots[i].message, key->message) &&
		    str_equal(t->slots[i].object, key->object))
			break;
	return &t->slots[i];
}

/* Makes space for one more. The smaller array remains in the arena. */
static int grow(struct condition_times *t)
{
	struct condition_times larger = *t;

	if ((t->n + 1) * 2 <= t->n_slots)
		return 0;
	larger.n_slots *= 2;
	larger.slots = ARENA_ARRAY(t->arena, larger.n_slots, struct slot);
	if (!larger.slots)
		return -ENOMEM;
	for (size_t i = 0; i < t->n_slots; i++)
		if (t->slots[i].message)
			*slot_of(&larger, &t->slots[i]) = t->slots[i];
	*t = larger;
	return 0;
}

static uint64_t add(struct condition_times *t, const struct slot *key)
{
	const struct slot *known = t->before ? slot_of(t->before, key) : NULL;
	struct slot added = *key;

	if (t->n == CONDITION_TIMES_MAX || grow(t) < 0)
		return 0;
	added.object = arena_strdup(t->arena, key->object);
	added.since_ns = known && known->message ? known->since_ns : t->now_ns;
	if (!added.object)
		return 0;
	*slot_of(t, key) = added;
	t->n++;
	return added.since_ns;
}

uint64_t condition_since(struct condition_times *t, const char *message, const char *object)
{
	const struct slot key = key_of(message, object);
	const struct slot *found;

	if (!t)
		return 0;
	found = slot_of(t, &key);
	if (found->message || !t->open)
		return found->since_ns;
	return add(t, &key);
}
