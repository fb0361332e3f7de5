// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/list.h"
#include "cli/map.h"
#include "cli/map_position.h"

#include "cli/output.h"
#include "common/json_writer.h"

static struct opt_u64 last_of(struct opt_u64 start, struct opt_u64 size)
{
	if (!start.present || !size.present || !size.value ||
	    size.value - 1 > UINT64_MAX - start.value)
		return (struct opt_u64){0};
	return OPT_U64(start.value + (size.value - 1));
}

static void put_position(struct json_writer *w, const struct region_target *t)
{
	const struct decoder *d = t->decoder;
	struct opt_u64 dpa = d ? d->dpa_resource : (struct opt_u64){0};

	put_object(w, NULL);
	put_number(w, "position", t->position);
	put_string(w, "state", map_position_state(t));
	put_string(w, "memdev", t->memdev ? t->memdev->name : NULL);
	put_opt_hex(w, "serial", t->memdev ? t->memdev->serial : (struct opt_u64){0});
	put_string(w, "decoder", t->decoder_name);
	put_opt_hex(w, "dpa", dpa);
	put_opt_hex(w, "dpa_last", d ? last_of(dpa, d->dpa_size) : (struct opt_u64){0});
	put_string(w, "bridge", map_bridge(t->memdev));
	put_end(w);
}

static void put_chunk(struct json_writer *w, const struct map_chunk *c)
{
	struct opt_u64 none = {0};

	put_object(w, NULL);
	put_hex(w, "spa", c->spa);
	put_hex(w, "spa_last", c->spa_last);
	put_opt_int(w, "position", c->position);
	put_string(w, "memdev", c->memdev ? c->memdev->name : NULL);
	put_opt_hex(w, "dpa", c->exact ? OPT_U64(c->dpa) : none);
	put_opt_hex(w, "dpa_last", c->exact ? OPT_U64(c->dpa_last) : none);
	put_bool(w, "exact", c->exact);
	put_string(w, "source", answer_source_name(c->source));
	put_string(w, "reason", c->reason[0] ? c->reason : NULL);
	put_end(w);
}

int map_json(const struct region_map_view *map)
{
	_cleanup_writer_ struct json_writer w = {.absent_is_null = true, .break_depth = 2};
	const struct region *r = map->region;

	put_object(&w, NULL);
	put_string(&w, "region", r->name);
	put_bool(&w, "by_decoders", r->by_decoders);
	put_string(&w, "window", r->root ? r->root->name : NULL);
	put_opt_hex(&w, "spa", r->resource);
	put_opt_hex(&w, "spa_last", last_of(r->resource, r->size));
	put_opt_number(&w, "size", r->size);
	put_opt_number(&w, "ways", r->ways);
	put_opt_number(&w, "granularity", r->granularity);
	put_string(&w, "mode", region_mode_word(r));
	list_put_extents(&w, r);
	put_string(&w, "mapping", decoder_mapping_name(map->mapping));
	put_string(&w, "arithmetic", map->arithmetic);
	put_string(&w, "reason", map->reason[0] ? map->reason : NULL);
	put_array(&w, "positions");
	for (size_t i = 0; i < r->n_targets; i++)
		put_position(&w, &r->targets[i]);
	put_end(&w);
	put_array(&w, "chunks");
	for (size_t i = 0; i < map->n_chunks; i++)
		put_chunk(&w, &map->chunks[i]);
	put_end(&w);
	put_end(&w);
	return out_json(&w);
}
