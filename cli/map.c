// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa map: each chunk is asked of the translation engine, so that the map says what translate
// says.
#include "cli/map.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "common/cleanup.h"
#include "common/log.h"
#include "common/strutil.h"

/* Return: Normalized when one is; otherwise the first that is not ordinary. */
static enum decoder_mapping mapping_of_region(const struct region *r)
{
	enum decoder_mapping mapping = r->n_targets ? MAPPING_ORDINARY : MAPPING_UNKNOWN;

	for (size_t i = 0; i < r->n_targets; i++) {
		const struct decoder *d = r->targets[i].decoder;
		enum decoder_mapping one = d ? decoder_mapping(d) : MAPPING_IDLE;

		if (one == MAPPING_NORMALIZED)
			return one;
		if (mapping == MAPPING_ORDINARY)
			mapping = one;
	}
	return mapping;
}

/* ---- chunks -----------------------------------------------------------------------------------
 */

static void set_reason(char reason[ANSWER_REASON_MAX], const char *text)
{
	(void)snprintf(reason, ANSWER_REASON_MAX, "%s", text);
}

/* Return: one answer of translate, or NULL without memory. */
static const struct answer *ask(struct cli *cli, uint64_t spa, struct answers *answers)
{
	if (addresses_translate(&cli->addresses, NULL, spa, spa, answers) < 0 || !answers->n)
		return NULL;
	return &answers->items[0];
}

static bool is_exact(const struct answer *a, const struct region *r)
{
	return a->exact && a->memdev && a->has_dpa && a->mapping == r;
}

/*
 * The first and the last byte of a chunk are asked for: the chunk belongs to a device if both do,
 * at the distance that they have in the chunk. Firmware's answers hold for 256 bytes only.
 *
 * Return: 0 or -ENOMEM.
 */
static int fill_in_chunk(struct cli *cli, const struct region *r, struct map_chunk *c)
{
	struct answers answers = {0};
	const struct answer *a = ask(cli, c->spa, &answers);
	const char *why = NULL;
	struct answer first;

	if (!a)
		goto no_memory;
	first = *a;
	a = ask(cli, c->spa_last, &answers);
	if (!a)
		goto no_memory;
	if (!is_exact(&first, r))
		why = first.reason;
	else if (!is_exact(a, r))
		why = a->reason;
	else if (a->memdev != first.memdev || a->dpa - first.dpa != c->spa_last - c->spa)
		why = "the ends of the chunk are at different devices";
	c->exact = why == NULL;
	c->source = first.source;
	if (why)
		set_reason(c->reason, why[0] ? why : "no translation source has an answer");
	if (c->exact) {
		c->memdev = first.memdev;
		c->position = first.position;
		c->dpa = first.dpa;
		c->dpa_last = a->dpa;
	}
	answers_done(&answers);
	return 0;
no_memory:
	answers_done(&answers);
	return -ENOMEM;
}

/* Return: why the region has no chunks to show; NULL when it has. */
static const char *no_chunks(const struct region *r)
{
	if (!r->resource.present)
		return "the region has no system addresses";
	if (!r->size.present || !r->size.value)
		return "the size of the region is not known";
	if (!r->ways.present || !r->ways.value || r->ways.value > INTERLEAVE_WAYS_MAX)
		return "the interleave ways of the region are not known";
	if (!r->granularity.present || !r->granularity.value)
		return "the granularity of the region is not known";
	if (r->size.value % r->granularity.value ||
	    r->size.value - 1 > UINT64_MAX - r->resource.value)
		return "the size of the region is not a multiple of its granularity";
	return NULL;
}

/* Return: 0 or -ENOMEM. */
static int fill_in(struct cli *cli, const struct region *r, struct region_map_view *map)
{
	const char *why = no_chunks(r);
	uint64_t n;

	map->region = r;
	map->mapping = mapping_of_region(r);
	if (map->mapping != MAPPING_NORMALIZED && r->root)
		map->arithmetic = translator_arithmetic(cli->addresses.translator, r->root);
	if (why) {
		set_reason(map->reason, why);
		return 0;
	}
	n = r->size.value / r->granularity.value;
	map->stripe = (size_t)r->ways.value;
	map->n_chunks = map->stripe * (map->stripe > 1 ? MAP_STRIPES_MAX : 1);
	if (map->n_chunks > n)
		map->n_chunks = (size_t)n;
	for (size_t i = 0; i < map->n_chunks; i++) {
		struct map_chunk *c = &map->chunks[i];

		c->spa = r->resource.value + i * r->granularity.value;
		c->spa_last = c->spa + (r->granularity.value - 1);
		if (fill_in_chunk(cli, r, c) < 0)
			return -ENOMEM;
		if (!c->exact && !map->reason[0])
			set_reason(map->reason, c->reason);
	}
	return 0;
}

int command_map(struct cli *cli, int n, char **operands)
{
	_cleanup_free_ struct region_map_view *map = calloc(1, sizeof(*map));
	const struct region *region;
	int r;

	(void)n;
	if (cli_open(cli) != STATUS_OK)
		return STATUS_ERROR;
	region = host_mapping(cli->host, operands[0]);
	if (!region) {
		log_err("map: %.64s: no such region or mapping; cxl-spa list shows the names",
			operands[0]);
		return STATUS_ERROR;
	}
	/* A region that is not complete is mapped as its decoders are. */
	if (region->derived)
		region = region->derived;
	cli_print_notes(cli);
	r = map ? fill_in(cli, region, map) : -ENOMEM;
	if (r == 0 && cli->json)
		r = map_json(map);
	else if (r == 0)
		map_text(map);
	if (r < 0) {
		log_err("map: out of memory");
		return STATUS_ERROR;
	}
	return map->reason[0] ? STATUS_PARTIAL : STATUS_OK;
}
