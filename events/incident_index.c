// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A slot is looked for from the one that the hash names; a free one ends the search.
#include "events/incident_index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"

enum { FIRST_SLOTS = 64 };

static uint64_t hash_of(const struct incident *i)
{
	const uint64_t parts[] = {hash_bytes(i->device, strlen(i->device)), i->anchor.value,
				  (uint64_t)i->kind << 16 | (uint64_t)i->anchor.type << 8 |
					  i->anchor.known};

	return hash_bytes(parts, sizeof(parts));
}

/* Return: where it is, or the free slot where it would be. */
static size_t slot_of(const struct incident_index *x, const struct incident *key, uint64_t hash)
{
	size_t at = hash & (x->n_slots - 1);

	while (x->slots[at].incident &&
	       (x->slots[at].hash != hash || incident_compare(x->slots[at].incident, key) != 0))
		at = (at + 1) & (x->n_slots - 1);
	return at;
}

void incident_index_done(struct incident_index *x)
{
	free(x->slots);
	*x = (struct incident_index){0};
}

struct incident *incident_index_find(const struct incident_index *x, const struct incident *key)
{
	return x->n ? x->slots[slot_of(x, key, hash_of(key))].incident : NULL;
}

static int grow(struct incident_index *x)
{
	const size_t n_slots = x->n_slots ? x->n_slots * 2 : FIRST_SLOTS;
	struct incident_index new = {calloc(n_slots, sizeof(*new.slots)), x->n, n_slots};

	if (!new.slots)
		return -ENOMEM;
	for (size_t i = 0; i < x->n_slots; i++)
		if (x->slots[i].incident)
			new.slots[slot_of(&new, x->slots[i].incident, x->slots[i].hash)] =
				x->slots[i];
	free(x->slots);
	*x = new;
	return 0;
}

int incident_index_add(struct incident_index *x, struct incident *i)
{
	const uint64_t hash = hash_of(i);
	size_t at;

	if (x->n + 1 > x->n_slots / 4 * 3 && grow(x) < 0)
		return -ENOMEM;
	at = slot_of(x, i, hash);
	if (x->slots[at].incident)
		return 0;
	x->slots[at] = (struct incident_slot){hash, i};
	x->n++;
	return 0;
}

/* The gap gets the next one that was looked for from there or before, whose slot is the gap then.
 */
void incident_index_remove(struct incident_index *x, const struct incident *key)
{
	const size_t mask = x->n_slots - 1;
	size_t gap = x->n ? slot_of(x, key, hash_of(key)) : 0;

	if (!x->n || !x->slots[gap].incident)
		return;
	for (size_t at = (gap + 1) & mask; x->slots[at].incident; at = (at + 1) & mask) {
		if (((at - x->slots[at].hash) & mask) < ((at - gap) & mask))
			continue;
		x->slots[gap] = x->slots[at];
		gap = at;
	}
	x->slots[gap].incident = NULL;
	x->n--;
}
