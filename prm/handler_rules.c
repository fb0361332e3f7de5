// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <jansson.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "prm/handler_memdev.h"
#include "prm/handler_rules.h"
#include "prm/translator_text.h"

static void cleanup_json(json_t **j)
{
	json_decref(*j);
}

/* Text of the file for a message, if it is short and printable. */
static const char *printable(const char *s)
{
	return str_is_plain(s) && strlen(s) < 64 ? s : "(not printable)";
}

static void rule_reject(struct translator *t, struct handler_rule *r, const char *why)
{
	r->rejected = true;
	translator_note(
		t, NOTE_RULE_REJECTED, RULES_FILE ": rule %zu (%s) %s; it is not used", r->number,
		r->device->memdev->bdf ? r->device->memdev->bdf : r->device->memdev->name, why);
}

static int rule_string(const json_t *rule, const char *key, size_t number, const char **ret,
		       struct error *e)
{
	const json_t *v = json_object_get(rule, key);

	*ret = NULL;
	if (!v)
		return 0;
	*ret = json_string_value(v);
	if (!*ret)
		return error_set(e, EINVAL, RULES_FILE ": rule %zu: \"%s\" is not a string", number,
				 key);
	return 0;
}

static int rule_address(const json_t *rule, const char *key, size_t number, uint64_t *ret,
			struct error *e)
{
	const char *text = json_string_value(json_object_get(rule, key));

	if (!text || parse_address(text, ret) < 0)
		return error_set(e, EINVAL,
				 RULES_FILE
				 ": rule %zu: \"%s\" is not an address like \"0x210000000\"",
				 number, key);
	return 0;
}

static int rule_count(const json_t *rule, const char *key, size_t number, unsigned int *ret,
		      struct error *e)
{
	const json_t *v = json_object_get(rule, key);

	if (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) > INT32_MAX)
		return error_set(e, EINVAL, RULES_FILE ": rule %zu: \"%s\" is not a number", number,
				 key);
	*ret = (unsigned int)json_integer_value(v);
	return 0;
}

/*
 * Finds the rule's device.
 *
 * Return: 0; -ENODEV when the rule is rejected, with a note; -EINVAL for a malformed file.
 */
static int rule_device(struct translator *t, const struct handler *h, const json_t *rule,
		       size_t number, struct memdev_map **ret, struct error *e)
{
	const char *bdf, *serial;
	struct memdev_map *found = NULL;
	uint64_t value = 0;
	size_t n = 0;

	if (rule_string(rule, "bdf", number, &bdf, e) < 0 ||
	    rule_string(rule, "serial", number, &serial, e) < 0)
		return -EINVAL;
	if (!bdf == !serial)
		return error_set(e, EINVAL,
				 RULES_FILE
				 ": rule %zu: exactly one of \"bdf\" and \"serial\" is required",
				 number);
	if (serial && rule_address(rule, "serial", number, &value, e) < 0)
		return -EINVAL;
	if (bdf) {
		found = handler_memdev(h, bdf);
		n = found ? 1 : 0;
	}
	for (size_t i = 0; serial && i < t->n_devices; i++)
		if (opt_u64_is(t->devices[i].memdev->serial, value)) {
			found = &t->devices[i];
			n++;
		}
	if (n != 1) {
		translator_note(t, NOTE_RULE_REJECTED,
				RULES_FILE ": rule %zu: %s %s; it is not used", number,
				printable(bdf ? bdf : serial),
				n == 0 ? "is not a memdev of this host"
				       : "is the serial of several memdevs");
		return -ENODEV;
	}
	*ret = found;
	return 0;
}

/* Return: NULL, or why the rule is invalid. */
static const char *check_rule(struct handler_rule *r)
{
	const struct spans *decoders = &r->device->decoders;
	uint64_t size, last, block;

	if (!interleave_ways_valid(r->ways))
		return "has invalid interleave ways";
	if (!interleave_granularity_valid(r->granularity))
		return "has an invalid interleave granularity";
	if (r->position >= r->ways)
		return "has a position that is not below its ways";
	if (r->base % CHUNK_SIZE != 0)
		return "has a base that is not a multiple of 256";
	if (r->device->capacity.present)
		r->dpa_size = r->device->capacity.value;
	else if (decoders->n > 0)
		r->dpa_size = decoders->items[decoders->n - 1].last + 1;
	if (r->dpa_size == 0)
		return "is for a device of unknown size";
	block = (uint64_t)r->ways * r->granularity;
	if (__builtin_mul_overflow((r->dpa_size - 1) / r->granularity + 1, block, &size) ||
	    __builtin_add_overflow(r->base, size - 1, &last))
		return "ends beyond 64 bits";
	return NULL;
}

static int parse_rule(struct translator *t, struct handler *h, const json_t *j, size_t number,
		      struct error *e)
{
	struct handler_rule r = {.number = number};
	const char *why;
	int ret;

	if (!json_is_object(j))
		return error_set(e, EINVAL, RULES_FILE ": rule %zu is not an object", number);
	if (rule_address(j, "base", number, &r.base, e) < 0 ||
	    rule_count(j, "ways", number, &r.ways, e) < 0 ||
	    rule_count(j, "granularity", number, &r.granularity, e) < 0 ||
	    rule_count(j, "position", number, &r.position, e) < 0)
		return -EINVAL;
	ret = rule_device(t, h, j, number, &r.device, e);
	if (ret < 0)
		return ret == -ENODEV ? 0 : ret;
	why = check_rule(&r);
	if (why)
		rule_reject(t, &r, why);
	/* A rejected rule stays in the list, so that a second one for its device is rejected, too.
	 */
	h->rules[h->n_rules++] = r;
	return 0;
}

int handler_parse_rules(struct translator *t, struct handler *h, const char *text, size_t len,
			struct error *e)
{
	_cleanup_(cleanup_json) json_t *root = NULL;
	json_error_t je;
	size_t n;
	int r = 0;

	root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &je);
	if (!root)
		return error_set(e, EINVAL, RULES_FILE ":%d: %s", je.line, printable(je.text));
	if (!json_is_array(root))
		return error_set(e, EINVAL, RULES_FILE ": the file is not an array of rules");
	n = json_array_size(root);
	if (n > RULES_MAX)
		return error_set(e, EINVAL, RULES_FILE ": the file has more than %d rules",
				 RULES_MAX);
	h->rules = ARENA_ARRAY(t->arena, n, struct handler_rule);
	if (!h->rules)
		return -ENOMEM;
	for (size_t i = 0; i < n && r == 0; i++)
		r = parse_rule(t, h, json_array_get(root, i), i + 1, e);
	return r;
}

uint64_t rule_to_spa(const struct handler_rule *r, uint64_t dpa)
{
	return r->base + (dpa / r->granularity * r->ways + r->position) * r->granularity +
	       dpa % r->granularity;
}

static int compare_device(const void *a, const void *b)
{
	const struct handler_rule *x = a, *y = b;

	if (x->device != y->device)
		return (uintptr_t)x->device < (uintptr_t)y->device ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static int compare_base(const void *a, const void *b)
{
	const struct handler_rule *x = a, *y = b;

	if (x->base != y->base)
		return x->base < y->base ? -1 : 1;
	if (x->ways != y->ways)
		return x->ways < y->ways ? -1 : 1;
	if (x->granularity != y->granularity)
		return x->granularity < y->granularity ? -1 : 1;
	if (x->position != y->position)
		return x->position < y->position ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void rule_reject_with(struct translator *t, struct handler_rule *r, const char *what,
			     size_t other, const char *detail)
{
	char why[96];

	if (r->rejected)
		return;
	(void)snprintf(why, sizeof(why), "%s rule %zu%s", what, other, detail);
	rule_reject(t, r, why);
}

static void find_double_devices(struct translator *t, struct handler *h)
{
	qsort(h->rules, h->n_rules, sizeof(*h->rules), compare_device);
	for (size_t i = 1; i < h->n_rules; i++) {
		struct handler_rule *a = &h->rules[i - 1], *b = &h->rules[i];

		if (a->device != b->device)
			continue;
		rule_reject_with(t, a, "is for the same device as", b->number, "");
		rule_reject_with(t, b, "is for the same device as", a->number, "");
	}
}

static void rule_reject_for_pair(struct translator *t, struct handler_rule *r,
				 const struct handler_pair *p)
{
	char why[160];

	if (r->rejected)
		return;
	(void)snprintf(why, sizeof(why),
		       "contradicts " PAIRS_FILE ":%u (DPA 0x%" PRIx64 " of %s is at SPA 0x%" PRIx64
		       ")",
		       p->line, p->dpa, p->device->memdev->bdf, p->spa);
	rule_reject(t, r, why);
}

/* Recorded pairs of the device of a rule. */
static void compare_with_pairs(struct translator *t, struct handler *h)
{
	for (size_t i = 0; i < h->n_rules; i++)
		if (!h->rules[i].rejected)
			h->rules[i].device->rule = &h->rules[i];
	for (size_t i = 0; i < h->n_pairs; i++) {
		const struct handler_pair *p = &h->pairs[i];
		struct handler_rule *r = p->device->rule;

		if (r && (p->dpa >= r->dpa_size || rule_to_spa(r, p->dpa) != p->spa))
			rule_reject_for_pair(t, r, p);
	}
}

static bool same_geometry(const struct handler_rule *a, const struct handler_rule *b)
{
	return a->base == b->base && a->ways == b->ways && a->granularity == b->granularity;
}

static void find_double_positions(struct translator *t, struct handler *h)
{
	struct handler_rule *previous = NULL;

	for (size_t i = 0; i < h->n_rules; i++) {
		struct handler_rule *r = &h->rules[i];

		if (r->rejected)
			continue;
		if (previous && same_geometry(previous, r) && previous->position == r->position) {
			rule_reject_with(t, r, "claims the same SPAs as", previous->number, "");
			rule_reject_with(t, previous, "claims the same SPAs as", r->number, "");
		}
		previous = r;
	}
}

static void group_reject(struct translator *t, const struct handler_rule_group *g,
			 const struct handler_rule_group *other)
{
	const struct handler_rule *first = NULL;

	for (unsigned int i = 0; i < other->ways && !first; i++)
		first = other->members[i];
	for (unsigned int i = 0; i < g->ways; i++)
		if (g->members[i])
			rule_reject_with(t, g->members[i], "overlaps", first ? first->number : 0,
					 ", which has another base or geometry");
}

static void groups_overlap(void *ctx, void *a, void *b)
{
	group_reject(ctx, a, b);
	group_reject(ctx, b, a);
}

static int build_groups(struct translator *t, struct handler *h)
{
	struct handler_rule_group *groups = ARENA_ARRAY(t->arena, h->n_rules,
							struct handler_rule_group),
				  *g = NULL;
	struct handler_rule *previous = NULL;

	if (!groups)
		return -ENOMEM;
	for (size_t i = 0; i < h->n_rules; i++) {
		struct handler_rule *r = &h->rules[i];
		uint64_t last;

		if (r->rejected)
			continue;
		if (!previous || !same_geometry(previous, r)) {
			g = groups++;
			*g = (struct handler_rule_group){.base = r->base,
							 .block =
								 (uint64_t)r->ways * r->granularity,
							 .ways = r->ways,
							 .granularity = r->granularity};
		}
		g->members[r->position] = r;
		r->group = g;
		last = r->base + ((r->dpa_size - 1) / r->granularity + 1) * g->block - 1;
		if (last > g->last)
			g->last = last;
		previous = r;
	}
	g = NULL;
	for (size_t i = 0; i < h->n_rules; i++) {
		struct handler_rule *r = &h->rules[i];

		if (r->rejected || r->group == g)
			continue;
		g = r->group;
		if (spans_add_range(&h->groups, g->base, g->last, g) < 0)
			return -ENOMEM;
	}
	spans_sort(&h->groups, groups_overlap, t);
	return 0;
}

/* Recorded pairs of another device at an SPA of a rule. */
static void compare_with_foreign_pairs(struct translator *t, struct handler *h)
{
	for (size_t i = 0; i < h->n_pairs; i++) {
		const struct handler_pair *p = &h->pairs[i];
		const struct span *s = spans_find(&h->groups, p->spa);
		const struct handler_rule_group *g = s ? s->item : NULL;
		struct handler_rule *r;

		if (!g)
			continue;
		r = g->members[(p->spa - g->base) / g->granularity % g->ways];
		if (r && r->device != p->device)
			rule_reject_for_pair(t, r, p);
	}
}

bool rule_applies_to(const struct decoder_map *dm)
{
	return dm->mapping != MAPPING_ORDINARY && firmware_applies_to(dm);
}

/* Return: whether the rule gives the DPAs of a decoder the interleave blocks of its region. */
static bool rule_fits_region(const struct translator *t, const struct handler_rule *r,
			     const struct decoder_map *dm)
{
	const struct region_map *rm = dm->region_map;

	if (!rm || rm->unusable.code || !rule_applies_to(dm) || dm->last >= r->dpa_size)
		return true;
	return r->ways == rm->ways && (r->ways == 1 || r->granularity == rm->granularity) &&
	       spa_check(t, dm, dm->first, rule_to_spa(r, dm->first)) == REASON_NONE &&
	       spa_check(t, dm, dm->last, rule_to_spa(r, dm->last)) == REASON_NONE;
}

/* A rule of another geometry than that of the region is wrong also where its SPAs happen to fit. */
static void compare_with_regions(struct translator *t, struct handler *h)
{
	for (size_t i = 0; i < h->n_rules; i++) {
		struct handler_rule *r = &h->rules[i];
		const struct spans *decoders = &r->device->decoders;
		char why[128];

		for (size_t k = 0; k < decoders->n && !r->rejected; k++) {
			const struct decoder_map *dm = decoders->items[k].item;

			if (rule_fits_region(t, r, dm))
				continue;
			(void)snprintf(
				why, sizeof(why),
				"contradicts %s, which has %u interleave ways, granularity %u and begins at 0x%" PRIx64,
				dm->region_map->region->name, dm->region_map->ways,
				dm->region_map->granularity, dm->region_map->base);
			rule_reject(t, r, why);
		}
	}
}

int handler_index_rules(struct translator *t, struct handler *h)
{
	if (h->n_rules == 0)
		return 0;
	find_double_devices(t, h);
	qsort(h->rules, h->n_rules, sizeof(*h->rules), compare_base);
	compare_with_pairs(t, h);
	compare_with_regions(t, h);
	find_double_positions(t, h);
	if (build_groups(t, h) < 0)
		return -ENOMEM;
	compare_with_foreign_pairs(t, h);
	for (size_t i = 0; i < h->n_rules; i++) {
		struct handler_rule *r = &h->rules[i];

		if (!r->rejected)
			continue;
		if (r->device->rule == r)
			r->device->rule = NULL;
		if (r->group)
			r->group->members[r->position] = NULL;
	}
	return 0;
}
