// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/query/expand.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"
#include "redfish/core/principal.h"

#define LINK_OPENING "{\"@odata.id\":\""

/* ---- the option -------------------------------------------------------------------------------
 */

static int refuse_value(struct message *m, const char *text)
{
	message_set(m, MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR, text, "$expand", NULL);
	return -EINVAL;
}

/* Reads "($levels=n)". */
static int read_levels(const char *text, const char *rest, unsigned int *ret, struct message *m)
{
	const char *digits = str_after_prefix(rest, "($levels=");
	size_t n = digits ? strspn(digits, "0123456789") : 0;
	uint64_t levels = 0;

	if (n == 0 || !str_equal(digits + n, ")"))
		return refuse_value(m, text);
	for (size_t i = 0; i < n && levels <= EXPANSION_LEVELS_MAX; i++)
		levels = levels * 10 + (uint64_t)(digits[i] - '0');
	if (levels == 0 || levels > EXPANSION_LEVELS_MAX) {
		_Static_assert(EXPANSION_LEVELS_MAX == 6, "it is in the text");
		message_set(m, MESSAGE_QUERY_PARAMETER_OUT_OF_RANGE, text, "$expand",
			    "$levels=1 to $levels=6");
		return -EINVAL;
	}
	*ret = (unsigned int)levels;
	return 0;
}

int expansion_parse(const char *text, struct expansion *ret, struct message *ret_message)
{
	if (!text[0] || !strchr("*.~", text[0]))
		return refuse_value(ret_message, text);
	*ret = (struct expansion){.links = (enum expansion_links)text[0], .levels = 1};
	return text[1] ? read_levels(text, text + 1, &ret->levels, ret_message) : 0;
}

/* ---- the expansion ----------------------------------------------------------------------------
 */

/* Return: the byte behind the link that begins at @s; NULL if no link does. */
static const char *link_end(const char *s, const char *end, struct json_span *ret_uri)
{
	const size_t opening = strlen(LINK_OPENING);
	const char *behind;

	if ((size_t)(end - s) <= opening || memcmp(s, LINK_OPENING, opening) != 0)
		return NULL;
	behind = json_string_end(s + opening - 1, end);
	if (!behind || behind == end || *behind != '}')
		return NULL;
	*ret_uri = (struct json_span){s + opening, (size_t)(behind - s) - opening - 1};
	/* A URI of this service needs no escapes. */
	return memchr(ret_uri->at, '\\', ret_uri->len) ? NULL : behind + 1;
}

bool json_is_link(struct json_span value, struct json_span *ret_uri)
{
	return link_end(value.at, value.at + value.len, ret_uri) == value.at + value.len;
}

struct expander {
	const struct expansion_source *source;
	enum expansion_links links;
	struct json_writer *w;
};

static int expand_body(struct expander *x, struct json_span body, unsigned int levels);

static int append(struct expander *x, const char *from, const char *to)
{
	if ((size_t)(to - from) > EXPANSION_BYTES_MAX ||
	    x->w->len > EXPANSION_BYTES_MAX - (size_t)(to - from))
		return -E2BIG;
	put_raw_bytes(x->w, from, (size_t)(to - from));
	return x->w->failed ? -ENOMEM : 0;
}

/* Return: 1 when the resource was appended instead of the link. */
static int append_target(struct expander *x, struct json_span uri, unsigned int levels)
{
	struct json_span found;
	void *held = NULL;
	int r = x->source->find(x->source->userdata, uri, &found, &held);

	if (r <= 0)
		return r;
	r = expand_body(x, found, levels - 1);
	x->source->release(held);
	return r < 0 ? r : 1;
}

/* Where a scan of a resource is. */
struct place {
	size_t depth;	   /* of objects and arrays */
	size_t links_from; /* depth of the innermost "Links" that is open; 0 none */
	bool links_next;   /* the next value is that of "Links" */
};

static bool is_wanted(const struct expander *x, const struct place *p)
{
	bool within = p->links_from != 0 || p->links_next;

	return x->links == EXPAND_ALL || within == (x->links == EXPAND_LINKS);
}

static void enter(struct place *p)
{
	p->depth++;
	if (p->links_next && p->links_from == 0)
		p->links_from = p->depth;
	p->links_next = false;
}

static void leave(struct place *p)
{
	if (p->links_from == p->depth)
		p->links_from = 0;
	p->depth--;
}

/* Return: the byte behind the string or key at @s; @end if it does not end. */
static const char *pass_string(struct place *p, const char *s, const char *end)
{
	const char *behind = json_string_end(s, end);

	if (!behind)
		return end;
	p->links_next =
		behind < end && *behind == ':' && behind - s == 7 && memcmp(s, "\"Links\"", 7) == 0;
	return behind;
}

static int expand_body(struct expander *x, struct json_span body, unsigned int levels)
{
	const char *s = body.at, *end = body.at + body.len, *kept = body.at, *behind;
	struct place p = {0};
	struct json_span uri;
	int r;

	while (levels > 0 && s < end) {
		if (*s == '"') {
			s = pass_string(&p, s, end);
			continue;
		}
		behind = *s == '{' && is_wanted(x, &p) ? link_end(s, end, &uri) : NULL;
		if (behind) {
			r = append(x, kept, s);
			kept = s;
			if (r >= 0)
				r = append_target(x, uri, levels);
			if (r < 0)
				return r;
			p.links_next = false;
			s = behind;
			if (r > 0)
				kept = behind;
			continue;
		}
		if (*s == '{' || *s == '[')
			enter(&p);
		else if ((*s == '}' || *s == ']') && p.depth > 0)
			leave(&p);
		s++;
	}
	return append(x, kept, end);
}

int expand_links(struct json_span body, const struct expansion *e,
		 const struct expansion_source *source, struct json_writer *w)
{
	struct expander x = {source, e->links, w};

	return expand_body(&x, body, e->levels);
}

struct kept_expansion {
	const struct resource *resource;
	struct expansion expansion;
	struct expansion_needs needs;
	struct representation *made;
};

struct expansions {
	pthread_mutex_t lock;
	struct kept_expansion kept[EXPANSIONS_KEPT_MAX];
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

static struct kept_expansion *find_kept(struct expansions *all, const struct resource *r,
					const struct expansion *e)
{
	for (size_t i = 0; i < all->n; i++) {
		struct kept_expansion *k = &all->kept[i];

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
	struct kept_expansion *k;

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
		all->kept[all->n++] =
			(struct kept_expansion){r, *e, *needs, representation_ref(made)};
		all->bytes += made->len;
	}
	(void)pthread_mutex_unlock(&all->lock);
}
