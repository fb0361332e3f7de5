// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/query/expansions.h"

#include <pthread.h>
#include <stdlib.h>

#include "redfish/core/principal.h"

struct kept {
	const struct resource *resource;
	struct expansion expansion;
	struct expansion_needs needs;
	struct representation *made;
};

struct expansions {
	pthread_mutex_t lock;
	struct kept kept[EXPANSIONS_KEPT_MAX];
	size_t n, bytes;
};

struct expansions *expansions_new(void)
{
	struct expansions *all = calloc(1, sizeof(*all));

	if (all)
		(void)pthread_mutex_init(&all->lock, NULL);
	return all;
}

struct expansions *expansions_free(struct expansions *all)
{
	if (!all)
		return NULL;
	for (size_t i = 0; i < all->n; i++)
		(void)representation_retire(all->kept[i].made);
	(void)pthread_mutex_destroy(&all->lock);
	free(all);
	return NULL;
}

void expansion_needs_add(struct expansion_needs *n, unsigned int set)
{
	for (size_t i = 0; i < n->n; i++)
		if (n->sets[i] == set)
			return;
	if (n->n == EXPANSION_NEEDS_MAX)
		n->too_many = true;
	else
		n->sets[n->n++] = set;
}

static bool are_met(const struct expansion_needs *n, unsigned int privileges)
{
	for (size_t i = 0; i < n->n; i++)
		if (!(n->sets[i] & (privileges | PRIVILEGE_NO_AUTH)))
			return false;
	return true;
}

static struct kept *find_kept(struct expansions *all, const struct resource *r,
			      const struct expansion *e)
{
	for (size_t i = 0; i < all->n; i++) {
		struct kept *k = &all->kept[i];

		if (k->resource == r && k->expansion.links == e->links &&
		    k->expansion.levels == e->levels)
			return k;
	}
	return NULL;
}

struct representation *expansions_find(struct expansions *all, const struct resource *r,
				       const struct expansion *e, unsigned int privileges)
{
	struct representation *made = NULL;
	struct kept *k;

	(void)pthread_mutex_lock(&all->lock);
	k = find_kept(all, r, e);
	if (k && are_met(&k->needs, privileges))
		made = k->made;
	(void)pthread_mutex_unlock(&all->lock);
	return made;
}

void expansions_keep(struct expansions *all, const struct resource *r, const struct expansion *e,
		     const struct expansion_needs *needs, struct representation *made)
{
	if (needs->too_many)
		return;
	(void)pthread_mutex_lock(&all->lock);
	if (all->n < EXPANSIONS_KEPT_MAX && all->bytes + made->len <= EXPANSIONS_BYTES_MAX &&
	    !find_kept(all, r, e)) {
		all->kept[all->n++] = (struct kept){r, *e, *needs, representation_ref(made)};
		all->bytes += made->len;
	}
	(void)pthread_mutex_unlock(&all->lock);
}
