// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/core/resource_index.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/core/system_id.h"

DEFINE_ARRAY(struct resource *, resources);

struct slot {
	uint64_t hash; /* most other resources are skipped by it without being read */
	struct resource *resource;
};

struct resource_index {
	struct arena *arena;
	const struct privilege_map *privileges;
	struct resources all;
	struct slot *slots; /* open addressing; a NULL resource is free */
	size_t n_slots;	    /* a power of two, at least twice the number of resources */
};

struct resource_index *resource_index_new(struct arena *a, const struct privilege_map *privileges)
{
	struct resource_index *ix = ARENA_NEW(a, struct resource_index);

	if (!ix)
		return NULL;
	ix->arena = a;
	ix->privileges = privileges;
	return ix;
}

void resource_index_done(struct resource_index *ix)
{
	if (!ix)
		return;
	ARRAY_FOREACH(r, &ix->all)
		(void)representation_retire(atomic_exchange(&(*r)->cached, NULL));
	resources_done(&ix->all);
}

struct resource *resource_at(const struct resource_index *ix, size_t i)
{
	return i < ix->all.n ? ix->all.items[i] : NULL;
}

/* Strips one final slash, which clients may add; "/" itself is kept. */
struct path {
	const char *text;
	size_t len;
};

static struct path path_of(const char *text)
{
	size_t n = strlen(text);

	return (struct path){text, n > 1 && text[n - 1] == '/' ? n - 1 : n};
}

static uint64_t hash_path(struct path p)
{
	return hash_bytes(p.text, p.len);
}

/* Return: the slot that holds the path, or the free slot for it. */
static struct slot *slot_of(const struct resource_index *ix, struct path p, uint64_t hash)
{
	size_t i = (size_t)hash & (ix->n_slots - 1);

	for (; ix->slots[i].resource; i = (i + 1) & (ix->n_slots - 1)) {
		struct path found;

		if (ix->slots[i].hash != hash)
			continue;
		found = path_of(ix->slots[i].resource->uri);
		if (found.len == p.len && memcmp(found.text, p.text, p.len) == 0)
			break;
	}
	return &ix->slots[i];
}

static struct resource *index_find(const struct resource_index *ix, struct path p)
{
	return slot_of(ix, p, hash_path(p))->resource;
}

static void join_collection(const struct resource_index *ix, struct resource *r)
{
	struct path above = {r->uri, (size_t)(r->id - r->uri) - 1};
	struct resource *collection = r->id > r->uri + 1 ? index_find(ix, above) : NULL;

	if (r->action || !collection || !collection->type->members ||
	    !str_equal(collection->type->members, r->type->schema))
		return;
	if (collection->last_member)
		collection->last_member->next_member = r;
	else
		collection->first_member = r;
	collection->last_member = r;
	collection->n_members++;
}

int resource_index_seal(struct resource_index *ix)
{
	ix->n_slots = 64;
	while (ix->n_slots < ix->all.n * 2)
		ix->n_slots *= 2;
	ix->slots = ARENA_ARRAY(ix->arena, ix->n_slots, struct slot);
	if (!ix->slots)
		return -ENOMEM;
	ARRAY_FOREACH(r, &ix->all) {
		struct path p = path_of((*r)->uri);
		uint64_t hash = hash_path(p);
		struct slot *slot = slot_of(ix, p, hash);

		/* Names come from the host: if two are equal, the first is shown. */
		(*r)->hidden = slot->resource != NULL;
		if (!slot->resource)
			*slot = (struct slot){hash, *r};
	}
	ARRAY_FOREACH(r, &ix->all) {
		if (!(*r)->hidden)
			join_collection(ix, *r);
	}
	return 0;
}

struct resource *resource_find(const struct resource_index *ix, const char *path)
{
	return index_find(ix, path_of(path));
}

struct resource *resource_find_shown(const struct resource_index *ix, const char *shown)
{
	char path[RESOURCE_URI_MAX];

	return system_id_read(shown, path) ? resource_find(ix, path) : NULL;
}

/* Enumerators add all resources of a type, each with its actions, in a row: the table is searched
 * once for all of them. */
static const struct privilege_needs *find_needs(const struct resource_index *ix,
						const struct resource_type *type,
						const struct action *action)
{
	for (size_t i = 1; i <= ix->all.n && i <= type->n_actions + 1; i++) {
		const struct resource *before = ix->all.items[ix->all.n - i];

		if (before->type == type && before->action == action)
			return before->needs;
	}
	return privileges_find(ix->privileges, type->schema, type->pattern,
			       action ? action->name : NULL);
}

/* @before: whose next action it is; NULL: it is a resource */
static int add_one(struct resource_index *ix, const struct resource_type *type,
		   const struct action *action, const void *object, const char *uri,
		   struct resource *before)
{
	struct resource *r = ARENA_NEW(ix->arena, struct resource), **at;
	const char *slash;

	if (!r)
		return -ENOMEM;
	r->type = type;
	r->action = action;
	r->needs = find_needs(ix, type, action);
	r->object = object;
	r->uri = arena_strdup(ix->arena, uri);
	if (!r->uri)
		return -ENOMEM;
	slash = strrchr(r->uri, '/');
	r->id = slash ? slash + 1 : r->uri;
	atomic_init(&r->cached, NULL);
	at = resources_add(&ix->all);
	if (!at)
		return -ENOMEM;
	*at = r;
	if (before)
		before->next_action = r;
	return 0;
}

/* Replaces the {…} of the pattern with the ids. Return: 0; -EINVAL if the result is too long. */
static int index_expand_uri(const char *pattern, const char *const *ids,
			    char ret[static RESOURCE_URI_MAX])
{
	size_t n = 0;

	while (*pattern) {
		const char *piece = pattern;
		size_t len;

		if (*pattern == '{') {
			piece = *ids++;
			len = strlen(piece);
			pattern = strchr(pattern, '}') + 1;
		} else {
			len = strcspn(pattern, "{");
			pattern += len;
		}
		if (n + len >= RESOURCE_URI_MAX)
			return -EINVAL;
		memcpy(ret + n, piece, len);
		n += len;
	}
	ret[n] = '\0';
	return 0;
}

int resource_add(struct resource_index *ix, const struct resource_type *type, const void *object,
		 const char *const *ids)
{
	char uri[RESOURCE_URI_MAX], target[RESOURCE_URI_MAX];
	int r;

	if (type->has && !type->has(object))
		return 0;
	r = index_expand_uri(type->pattern, ids, uri);
	if (r < 0)
		return r;
	r = add_one(ix, type, NULL, object, uri, NULL);
	for (size_t i = 0; r >= 0 && i < type->n_actions; i++) {
		if (action_target(&type->actions[i], uri, target) < 0)
			return -EINVAL;
		r = add_one(ix, type, &type->actions[i], object, target,
			    ix->all.items[ix->all.n - 1]);
	}
	return r;
}
