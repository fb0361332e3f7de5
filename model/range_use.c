// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/range_use.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"
#include "model/topology.h"
#include "prm/decoder_mapping.h"

struct search {
	const struct host *host;
	const struct decoder *window;
	uint64_t first, last; /* of the window */
	struct range_uses *uses;
};

/* Return: false when the addresses of the window are not known. */
static bool search_init(struct search *s, const struct host *host, const struct decoder *window,
			struct range_uses *uses)
{
	*s = (struct search){host, window, window->start.value, 0, uses};
	return window->start.present && window->size.present && window->size.value &&
	       !__builtin_add_overflow(s->first, window->size.value - 1, &s->last);
}

static bool end_of(uint64_t first, uint64_t size, uint64_t *ret_last)
{
	if (!size)
		return false;
	if (__builtin_add_overflow(first, size - 1, ret_last))
		*ret_last = UINT64_MAX;
	return true;
}

/* Adds the part of @use that is in the window. Return: 0 or -ENOMEM. */
static int add(const struct search *s, struct range_use use)
{
	struct range_use *kept;

	if (use.last < s->first || use.first > s->last || use.last < use.first)
		return 0;
	kept = range_uses_add(s->uses);
	if (!kept)
		return -ENOMEM;
	*kept = use;
	if (kept->first < s->first)
		kept->first = s->first;
	if (kept->last > s->last)
		kept->last = s->last;
	return 0;
}

static int add_regions(const struct search *s)
{
	int r = 0;

	for (size_t i = 0; i < s->host->n_regions && r == 0; i++) {
		const struct region *region = s->host->regions[i];
		struct range_use use = {.user = RANGE_OF_REGION,
					.name = region->name,
					.is_avoided = region->root == s->window};

		use.first = region->resource.value;
		if (region->resource.present && region->size.present &&
		    end_of(use.first, region->size.value, &use.last))
			r = add(s, use);
	}
	return r;
}

bool decoder_decodes_spa(const struct decoder *d)
{
	return d->port->kind != PORT_ROOT && decoder_is_committed(d) && d->start.present &&
	       decoder_is_counted(d) &&
	       !(d->port->kind == PORT_ENDPOINT && decoder_mapping(d) == MAPPING_NORMALIZED);
}

static int add_decoders(const struct search *s)
{
	int r = 0;

	for (size_t i = 0; i < s->host->n_decoders && r == 0; i++) {
		const struct decoder *d = s->host->decoders[i];
		struct range_use use = {.user = RANGE_OF_DECODER, .name = d->name, .decoder = d};

		use.first = d->start.value;
		if (decoder_decodes_spa(d) && end_of(use.first, d->size.value, &use.last))
			r = add(s, use);
	}
	return r;
}

static int add_dax_device(const struct search *s, const struct dax_device *d)
{
	struct range_use use = {.user = RANGE_OF_DAX, .name = d->name};
	int r = 0;

	for (size_t i = 0; i < d->n_ranges && r == 0; i++) {
		use.first = d->ranges[i].first;
		use.last = d->ranges[i].last;
		r = add(s, use);
	}
	use.first = d->resource.value;
	if (!d->n_ranges && d->resource.present && d->size.present &&
	    end_of(use.first, d->size.value, &use.last))
		r = add(s, use);
	return r;
}

static int add_dax_devices(const struct search *s)
{
	int r = 0;

	for (size_t i = 0; i < s->host->n_dax_regions; i++)
		for (size_t k = 0; k < s->host->dax_regions[i]->n_devices && r == 0; k++)
			r = add_dax_device(s, s->host->dax_regions[i]->devices[k]);
	return r;
}

/* ---- /proc/iomem ------------------------------------------------------------------------------
 */

bool iomem_name_is_ram(const char *name)
{
	return str_after_prefix(name, "System RAM") != NULL;
}

bool range_use_is_ram(const struct range_use *use)
{
	return use->user == RANGE_OF_IOMEM && iomem_name_is_ram(use->name);
}

bool iomem_name_is_memory_in_use(const char *name)
{
	return iomem_name_is_ram(name) || str_after_prefix(name, "dax") ||
	       str_after_prefix(name, "region") || str_after_prefix(name, "namespace") ||
	       str_after_prefix(name, "Persistent Memory");
}

bool iomem_name_leaves_free(const char *name)
{
	return str_equal(name, "Soft Reserved");
}

/* The entry of the window itself; @host->n_iomem when there is none. */
static size_t find_own_entry(const struct search *s)
{
	size_t i = 0;

	while (i < s->host->n_iomem &&
	       !(str_after_prefix(s->host->iomem[i].name, "CXL Window") &&
		 s->host->iomem[i].start == s->first && s->host->iomem[i].last == s->last))
		i++;
	return i;
}

static bool encloses(const struct search *s, const struct iomem_range *m)
{
	return m->start <= s->first && m->last >= s->last;
}

/*
 * Whether entry @i is one of those that the window, entry @own, lies in. An entry of the same range
 * is, when it is before. Without an entry of the window, only a larger one is.
 */
static bool is_around(const struct search *s, size_t i, size_t own)
{
	const struct iomem_range *m = &s->host->iomem[i];

	if (!encloses(s, m))
		return false;
	return own < s->host->n_iomem ? i < own : m->start < s->first || m->last > s->last;
}

bool iomem_is_around_window(const struct host *host, size_t i, const struct decoder *window)
{
	struct search s;

	return search_init(&s, host, window, NULL) && is_around(&s, i, find_own_entry(&s));
}

static int add_iomem(const struct search *s)
{
	const size_t own = find_own_entry(s);
	int r = 0;

	for (size_t i = 0; i < s->host->n_iomem && r == 0; i++) {
		const struct iomem_range *m = &s->host->iomem[i];
		const bool around = is_around(s, i, own);

		if (i != own && !(around && iomem_name_leaves_free(m->name)))
			r = add(s, (struct range_use){.first = m->start,
						      .last = m->last,
						      .user = RANGE_OF_IOMEM,
						      .name = m->name,
						      .depth = m->depth,
						      .is_avoided = !around});
	}
	return r;
}

/* ---- all of them ------------------------------------------------------------------------------
 */

static int compare_uses(const void *a, const void *b)
{
	const struct range_use *x = a, *y = b;

	if (x->first != y->first)
		return x->first > y->first ? 1 : -1;
	if (x->user != y->user)
		return x->user > y->user ? 1 : -1;
	if (x->last != y->last)
		return x->last < y->last ? 1 : -1;
	return (x->depth > y->depth) - (x->depth < y->depth);
}

/* The uses are in order: a range that holds another one is before it. */
static void find_holders(struct range_uses *uses)
{
	struct range_use *region = NULL, *dax = NULL;

	ARRAY_FOREACH(u, uses) {
		bool is_dax = u->user == RANGE_OF_DAX || str_after_prefix(u->name, "dax");

		if (u->user == RANGE_OF_REGION && (!region || u->last > region->last))
			region = u;
		if (is_dax && (!dax || u->last > dax->last))
			dax = u;
		u->has_region = (u->user == RANGE_OF_DECODER && u->decoder->region) ||
				(region && region->last >= u->last);
		u->dax = dax && dax->last >= u->first ? dax->name : NULL;
		if (u->dax && range_use_is_ram(u))
			dax->has_ram = true;
	}
}

int window_uses(const struct host *host, const struct decoder *window, struct range_uses *ret)
{
	struct search s;
	int r;

	if (!search_init(&s, host, window, ret))
		return 0;
	r = add_regions(&s);
	if (r == 0)
		r = add_decoders(&s);
	if (r == 0)
		r = add_dax_devices(&s);
	if (r == 0)
		r = add_iomem(&s);
	if (r == 0 && ret->n)
		qsort(ret->items, ret->n, sizeof(*ret->items), compare_uses);
	find_holders(ret);
	return r;
}

bool range_uses_are_known(const struct host *host)
{
	return host->n_iomem > 0;
}

const struct range_use *range_uses_find(const struct range_uses *uses, uint64_t first,
					uint64_t last)
{
	for (size_t i = 0; i < uses->n; i++)
		if (uses->items[i].first <= last && uses->items[i].last >= first)
			return &uses->items[i];
	return NULL;
}

/* ---- in words ---------------------------------------------------------------------------------
 */

/* "PCI Bus 0000:0c", "PCI MMCONFIG 0000", "0000:0d:00.0" */
bool iomem_name_is_pci(const char *name)
{
	return str_after_prefix(name, "PCI ") ||
	       (strlen(name) > 7 && strchr("0123456789abcdef", *name) && name[4] == ':' &&
		strchr(name, '.'));
}

bool iomem_name_is_reserved(const char *name)
{
	return str_equal(name, "Reserved") || str_equal(name, "reserved");
}

static enum finding_code code_of(const struct range_use *use)
{
	if (use->user == RANGE_OF_DECODER)
		return FINDING_WINDOW_DECODED;
	if (use->user == RANGE_OF_DAX || str_after_prefix(use->name, "dax"))
		return FINDING_WINDOW_DAX_DEVICE;
	if (range_use_is_ram(use))
		return FINDING_WINDOW_SYSTEM_RAM;
	if (iomem_name_is_reserved(use->name))
		return FINDING_WINDOW_RESERVED;
	if (str_equal(use->name, "Soft Reserved"))
		return FINDING_WINDOW_SOFT_RESERVED;
	return iomem_name_is_pci(use->name) ? FINDING_WINDOW_PCI : FINDING_WINDOW_UNKNOWN_USE;
}

void range_use_finding(const struct range_use *use, const struct decoder *window,
		       struct finding *ret, struct finding_item *item)
{
	struct opt_u64 start = OPT_U64(use->first), size = OPT_U64(use->last - use->first + 1);
	const enum finding_code code = code_of(use);

	*item = (struct finding_item){.name = use->name};
	*ret = (struct finding){.code = code, .object = window->name};
	ret->args[0] = finding_range(start, size);
	if (code == FINDING_WINDOW_PCI) {
		item->start = start;
		item->size = size;
		ret->args[0] = finding_list(item);
	} else if (code == FINDING_WINDOW_DECODED) {
		ret->args[1] = finding_list(item);
	} else if (code == FINDING_WINDOW_SYSTEM_RAM) {
		ret->args[1] = finding_name(use->dax);
	} else if (code == FINDING_WINDOW_DAX_DEVICE || code == FINDING_WINDOW_UNKNOWN_USE) {
		ret->args[1] = finding_name(use->name);
	}
}
