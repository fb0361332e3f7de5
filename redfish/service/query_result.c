// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/service/query_result.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"
#include "redfish/core/render.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/system_id.h"
#include "redfish/service/client_context.h"

static const struct query no_query = {.top = QUERY_TOP_DEFAULT};

/* Options that the core supports. */
static unsigned int options_of_core(const struct resource_type *t)
{
	if (t->open || !t->schema)
		return 0;
	return t->members ? QUERY_OF_COLLECTIONS : QUERY_OF_RESOURCES;
}

unsigned int query_options_of(const struct resource *r)
{
	return r->action ? 0 : options_of_core(r->type);
}

unsigned int query_options_of_type(const struct resource_type *t)
{
	return options_of_core(t) | t->options;
}

static unsigned int options_left(const struct exchange *x)
{
	return x->query.given & ~x->resource->type->options;
}

bool query_is_given(const struct exchange *x)
{
	return options_left(x) != 0 || client_context_is_asked(x);
}

struct representation *query_kept(const struct exchange *x)
{
	if (x->query.given != QUERY_EXPAND || x->query.context)
		return NULL;
	return expansions_find(x->view->expansions, x->resource, &x->query.expand,
			       x->principal.privileges);
}

bool query_is_long(const struct exchange *x)
{
	/* Without a login nothing is expanded, and the queue is for those who have one. */
	return x->principal.privileges != 0 &&
	       (x->result->len > QUERY_AT_ONCE_BYTES ||
		(x->query.given & QUERY_EXPAND && x->query.expand.levels > 1));
}

/* ---- other resources --------------------------------------------------------------------------
 */

/* Reads the resources that a result needs. */
struct finder {
	struct exchange *x;
	struct dynamic_location place;
	struct expansion_needs needs;
	bool only_cached; /* all of them are cached in the view */
	unsigned int n;
};

enum { FOUND_BETWEEN_CHECKS = 64 };

static void finder_init(struct finder *f, struct exchange *x)
{
	f->x = x;
	f->needs = (struct expansion_needs){0};
	f->only_cached = true;
	f->n = 0;
}

static struct resource *find_target(struct finder *f, struct json_span uri)
{
	char shown[SHOWN_URI_MAX], path[RESOURCE_URI_MAX];
	struct resource *r;

	if (uri.len >= sizeof(shown))
		return NULL;
	memcpy(shown, uri.at, uri.len);
	shown[uri.len] = '\0';
	if (!system_id_read(shown, path))
		return NULL;
	r = resource_find(f->x->view->index, path);
	if (!r)
		r = dynamic_find(f->x->view, path, &f->place);
	return r && query_options_of(r) ? r : NULL;
}

/* A client whose password must be changed reads its account, and nothing that this leads to. */
static bool may_be_shown(const struct exchange *x, const struct resource *r)
{
	return !x->principal.password_change_required &&
	       resource_needs(r, METHOD_GET) & (x->principal.privileges | PRIVILEGE_NO_AUTH);
}

/* Return: 1 with one reference; 0 when it cannot be shown; or a negative errno. */
static int find_representation(struct finder *f, struct json_span uri, struct representation **ret)
{
	struct exchange *x = f->x;
	struct resource *r = find_target(f, uri);
	int result = 0;

	if (x->job && ++f->n % FOUND_BETWEEN_CHECKS == 0)
		result = exchange_interrupted(x);
	if (result < 0)
		return result;
	if (!r)
		return 0;
	if (!may_be_shown(x, r)) {
		f->only_cached = false;
		return 0;
	}
	f->only_cached &= !r->type->get;
	expansion_needs_add(&f->needs, resource_needs(r, METHOD_GET));
	result = exchange_represent(x, r, &no_query, ret);
	if (result == -ENOMEM)
		return result;
	return result == 0;
}

static int find_link(void *userdata, struct json_span uri, struct json_span *ret, void **ret_held)
{
	struct representation *found;
	int r = find_representation(userdata, uri, &found);

	if (r <= 0)
		return r;
	*ret = (struct json_span){found->bytes, found->len};
	*ret_held = found;
	return 1;
}

static void drop_found(void *held)
{
	(void)representation_unref(held);
}

/* ---- steps: each replaces the text by another one ---------------------------------------------
 */

/* Takes over the text of @w. */
static int replace_result(struct exchange *x, struct json_writer *w)
{
	const struct representation *before = x->result;
	struct representation *r = redfish_body_new(w, CONTENT_TYPE_JSON);
	char digits[ETAG_DIGITS + 1];

	if (!r)
		return -ENOMEM;
	r->described_by = before->described_by;
	r->allow = before->allow;
	r->varies = r->len >= GZIP_BYTES_MIN;
	etag_digits(r->bytes, r->len, digits);
	if (digits[0])
		(void)snprintf(r->etag, sizeof(r->etag), "\"%s\"", digits);
	(void)representation_unref(x->result);
	x->result = r;
	return 0;
}

static struct json_span text_of(const struct exchange *x)
{
	return (struct json_span){x->result->bytes, x->result->len};
}

/* Return: whether the collection has exactly one member; then @ret_uri is its URI. */
static bool has_one_member(struct json_span collection, struct json_span *ret_uri)
{
	struct json_span members, item, id;
	struct json_cursor c;

	if (!json_member(collection, "Members", &members) || !json_enter(members, '[', &c) ||
	    !json_next_item(&c, &item) || !json_member(item, "@odata.id", &id) || id.len < 2)
		return false;
	*ret_uri = (struct json_span){id.at + 1, id.len - 2};
	return !json_next_item(&c, &item);
}

/* The member instead of the collection, if it has exactly one (DSP0266 1.20 7.3.5). */
static int take_only_member(struct exchange *x)
{
	struct representation *member;
	struct finder f;
	struct json_span uri;
	int r;

	if (!has_one_member(text_of(x), &uri))
		return 0;
	finder_init(&f, x);
	r = find_representation(&f, uri, &member);
	if (r <= 0)
		return r;
	(void)representation_unref(x->result);
	x->result = member;
	return 0;
}

struct page_walk {
	struct exchange *x;
	const struct filter *filter; /* NULL: all members */
	struct finder finder;
	uint64_t matching, taken; /* members so far */
};

/* Return: 1 when a member meets the filter. */
static int member_matches(struct page_walk *p, struct json_span member)
{
	struct representation *found;
	struct json_span uri;
	int r;

	if (!p->filter)
		return 1;
	if (!json_is_link(member, &uri))
		return filter_matches(p->filter, member);
	r = find_representation(&p->finder, uri, &found);
	if (r <= 0)
		return r;
	r = filter_matches(p->filter, (struct json_span){found->bytes, found->len});
	(void)representation_unref(found);
	return r;
}

static int put_members(struct page_walk *p, struct json_span members, struct json_writer *w)
{
	const struct query *q = &p->x->query;
	uint64_t top = q->given & QUERY_TOP ? q->top : UINT64_MAX;
	struct json_cursor c;
	struct json_span item;

	put_array(w, "Members");
	if (!json_enter(members, '[', &c))
		c = (struct json_cursor){0};
	while (json_next_item(&c, &item)) {
		int r = member_matches(p, item);

		if (r < 0)
			return r;
		if (r == 0)
			continue;
		if (p->matching >= q->skip && p->taken < top) {
			put_json(w, NULL, item.at, item.len);
			p->taken++;
		}
		p->matching++;
	}
	put_end(w);
	return 0;
}

/* Their number is that of all pages (DSP0266 1.20 7.6.2). */
static void put_count(struct page_walk *p, struct json_writer *w)
{
	const struct query *q = &p->x->query;
	char link[QUERY_LINK_MAX];

	put_number(w, "Members@odata.count", p->matching);
	if (p->taken == 0 || q->skip + p->taken >= p->matching)
		return;
	query_next_link(q, p->x->resource->uri, "$skip", q->skip + p->taken, link);
	put_string(w, "Members@odata.nextLink", link);
}

static int put_page(struct page_walk *p, struct json_writer *w)
{
	struct json_span key, value;
	struct json_cursor c;
	char name[64];
	int r = 0;

	if (!json_enter(text_of(p->x), '{', &c))
		return -EIO;
	put_object(w, NULL);
	while (r >= 0 && json_next_member(&c, &key, &value)) {
		if (json_span_is(key, "Members")) {
			r = put_members(p, value, w);
		} else if (!json_span_is(key, "Members@odata.count") && key.len < sizeof(name)) {
			(void)snprintf(name, sizeof(name), "%.*s", (int)key.len, key.at);
			put_json(w, name, value.at, value.len);
		}
	}
	put_count(p, w);
	put_end(w);
	return r;
}

/* $filter, $skip and $top. */
static int take_page(struct exchange *x)
{
	_cleanup_writer_ struct json_writer w = {0};
	struct page_walk p = {.x = x};
	struct filter *filter = NULL;
	int r = 0;

	finder_init(&p.finder, x);
	if (x->query.filter) {
		filter = malloc(sizeof(*filter));
		if (!filter)
			return -ENOMEM;
		r = filter_parse(x->query.filter, filter, &x->message);
		p.filter = filter;
	}
	if (r >= 0)
		r = put_page(&p, &w);
	free(filter);
	return r < 0 ? r : replace_result(x, &w);
}

static int refuse_long(struct exchange *x)
{
	char value[32];

	_Static_assert(EXPANSION_BYTES_MAX == 16 * 1024 * 1024, "it is in the text");
	(void)snprintf(value, sizeof(value), "%c($levels=%u)", (char)x->query.expand.links,
		       x->query.expand.levels);
	return exchange_refuse(x, MESSAGE_QUERY_PARAMETER_OUT_OF_RANGE, value, "$expand",
			       "of 16777216 bytes; use fewer levels, or $top and $skip");
}

static int expand_result(struct exchange *x, unsigned int options)
{
	const bool is_whole =
		!(options & (QUERY_PAGING | QUERY_FILTER)) && x->resource->type->render;
	_cleanup_writer_ struct json_writer w = {0};
	struct representation *kept = NULL;
	struct finder f;
	int r;

	if (is_whole)
		kept = expansions_find(x->view->expansions, x->resource, &x->query.expand,
				       x->principal.privileges);
	if (kept) {
		(void)representation_unref(x->result);
		x->result = representation_ref(kept);
		return 0;
	}
	finder_init(&f, x);
	r = expand_links(text_of(x), &x->query.expand,
			 &(struct expansion_source){find_link, drop_found, &f}, &w);
	if (r == -E2BIG)
		return refuse_long(x);
	if (r >= 0)
		r = replace_result(x, &w);
	if (r >= 0 && is_whole && f.only_cached)
		expansions_keep(x->view->expansions, x->resource, &x->query.expand, &f.needs,
				x->result);
	return r;
}

static int take_excerpt(struct exchange *x)
{
	_cleanup_writer_ struct json_writer w = {0};

	put_excerpt(text_of(x), &w);
	return replace_result(x, &w);
}

static int select_from_result(struct exchange *x)
{
	_cleanup_writer_ struct json_writer w = {0};
	struct selection s;
	int r = select_parse(x->query.select, &s, &x->message);

	if (r < 0)
		return r;
	select_properties(&s, text_of(x), &w);
	return replace_result(x, &w);
}

/* The last: $select keeps no annotations of this kind. */
static int annotate_context(struct exchange *x)
{
	_cleanup_writer_ struct json_writer w = {0};

	client_context_put(x, text_of(x), &w);
	return replace_result(x, &w);
}

int query_result(struct exchange *x)
{
	unsigned int options = options_left(x);
	int r = 0;

	if (options & QUERY_ONLY)
		r = take_only_member(x);
	if (r >= 0 && options & (QUERY_FILTER | QUERY_SKIP | QUERY_TOP))
		r = take_page(x);
	if (r >= 0 && options & QUERY_EXPAND)
		r = expand_result(x, x->query.given);
	if (r >= 0 && options & QUERY_EXCERPT)
		r = take_excerpt(x);
	if (r >= 0 && options & QUERY_SELECT)
		r = select_from_result(x);
	if (r >= 0 && client_context_is_asked(x))
		r = annotate_context(x);
	x->query.given &= ~options;
	return r;
}
