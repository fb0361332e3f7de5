// SPDX-License-Identifier: LGPL-2.1-or-later
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/map.h"
#include "cli/map_position.h"
#include "cli/output.h"

enum {
	LABEL_MAX = 32, /* "15 mem15" */
	WHERE_MAX = 96,
	POSITION_INDENT = 3, /* of the rest of the line of a position */
	ADDRESS_COLUMN = 21, /* of a row, the indented address of its first chunk */
};

static void heading(const struct region_map_view *map)
{
	const struct region *r = map->region;
	char range[RANGE_TEXT_MAX], bytes[SIZE_TEXT_MAX];

	out_styled(STYLE_NAME, "%s", r->name);
	out("  %s  %s  %s", range_text(r->resource, r->size, range), size_text(r->size, bytes),
	    region_mode_word(r));
	if (r->by_decoders)
		out("  by decoders, no region");
	out_end();
	out_indent(1);
	out("window %s, ", r->root ? r->root->name : "unknown");
	if (r->ways.present && r->granularity.present)
		out("%" PRIu64 "-way at %" PRIu64 " B, ", r->ways.value, r->granularity.value);
	else
		out("interleaving unknown, ");
	if (map->mapping == MAPPING_NORMALIZED)
		out("Normalized: firmware's arithmetic");
	else
		out("arithmetic %s", map->arithmetic ? map->arithmetic : "unknown");
	out_end();
}

/* Where memory is in a region of dynamic capacity: a map of addresses alone would not show it. */
static void extents_line(const struct region *r)
{
	const struct opt_u64 bytes = region_backed(r);
	char text[SIZE_TEXT_MAX];

	if (!region_has_extents(r))
		return;
	out_indent(1);
	if (bytes.present)
		out("memory at %s of it, in %zu extents; at its other addresses is none",
		    size_text(bytes, text), r->dax ? r->dax->n_extents : 0);
	else
		out("not all its extents are known: at which of its addresses memory is, is unknown");
	out_end();
}

static void position_line(const struct region_target *t)
{
	const struct decoder *d = t->decoder;
	const char *state = map_position_state(t), *bridge = map_bridge(t->memdev);
	const char *name = t->memdev ? t->memdev->name : "-";
	const unsigned int terminal = out_terminal_width();
	char range[RANGE_TEXT_MAX], where[WHERE_MAX] = "", from[WHERE_MAX] = "";
	int width;

	if (d && d->dpa_resource.present)
		(void)snprintf(where, sizeof(where), "  DPA %s",
			       range_text(d->dpa_resource, d->dpa_size, range));
	if (t->memdev)
		(void)snprintf(from, sizeof(from), "bridge %.64s  ", bridge ? bridge : "unknown");
	out_indent(1);
	width = snprintf(NULL, 0, "  position %-2u  %s  %s%s  %s%s", t->position, name,
			 t->decoder_name ? t->decoder_name : "", where, from, state);
	out("position %-2u  ", t->position);
	out_styled(STYLE_NAME, "%s", name);
	if (t->decoder_name)
		out("  %s", t->decoder_name);
	out("%s", where);
	if (terminal && width > (int)terminal) {
		out_end();
		out_indent(POSITION_INDENT);
	} else {
		out("  ");
	}
	out("%s", from);
	out_styled(strcmp(state, "committed") == 0 ? STYLE_GOOD : STYLE_BAD, "%s", state);
	out_end();
}

/* The label of a block: the position, and the device where there is room for it. */
static void label(const struct map_chunk *c, bool with_name, char text[static LABEL_MAX])
{
	if (!c->exact)
		(void)snprintf(text, LABEL_MAX, "?");
	else if (!c->position.present)
		(void)snprintf(text, LABEL_MAX, "%.20s", c->memdev->name);
	else if (with_name)
		(void)snprintf(text, LABEL_MAX, "%d %.20s", c->position.value, c->memdev->name);
	else
		(void)snprintf(text, LABEL_MAX, "%d", c->position.value);
}

static size_t widest(const struct region_map_view *map, bool with_name)
{
	char text[LABEL_MAX];
	size_t width = 0;

	for (size_t i = 0; i < map->n_chunks; i++) {
		label(&map->chunks[i], with_name, text);
		if (strlen(text) > width)
			width = strlen(text);
	}
	return width;
}

/* How the blocks are laid out. */
struct layout {
	bool with_name;
	size_t cell; /* columns of a block with its bar */
	size_t row;  /* blocks on a line */
};

/* A stripe is a line if it fits; otherwise the largest part of it that divides it evenly. */
static struct layout lay_out(const struct region_map_view *map)
{
	const unsigned int terminal = out_terminal_width();
	const size_t columns = terminal ? terminal : OUT_COLUMNS;
	const size_t room = columns > ADDRESS_COLUMN + 1 ? columns - ADDRESS_COLUMN - 1 : 1;
	struct layout l = {.with_name = true, .cell = widest(map, true) + 3, .row = map->stripe};

	if (l.row * l.cell > room) {
		l.with_name = false;
		l.cell = widest(map, false) + 1;
		if (l.row * (l.cell + 2) <= room)
			l.cell += 2;
	}
	while (l.row > 1 && (l.row * l.cell > room || map->stripe % l.row))
		l.row--;
	return l;
}

static void block(const struct map_chunk *c, const struct layout *l)
{
	const size_t inside = l->cell - 1;
	char text[LABEL_MAX];
	size_t len, before;

	label(c, l->with_name, text);
	len = strlen(text);
	before = (inside - len) / 2;
	out("%*s", (int)before, "");
	out_styled(c->exact ? STYLE_PLAIN : STYLE_BAD, "%s", text);
	out("%*s|", (int)(inside - len - before), "");
}

static void blocks(const struct region_map_view *map)
{
	const struct layout l = lay_out(map);
	char start[LABEL_MAX];

	for (size_t i = 0; i < map->n_chunks; i++) {
		if (i % map->stripe == 0 && i && l.row < map->stripe)
			out_end(); /* the lines of a stripe belong together */
		if (i % map->stripe % l.row == 0) {
			(void)snprintf(start, sizeof(start), "0x%" PRIx64, map->chunks[i].spa);
			out("  %-*s|", ADDRESS_COLUMN - 2, start);
		}
		block(&map->chunks[i], &l);
		if (i % map->stripe % l.row == l.row - 1 || i + 1 == map->n_chunks)
			out_end();
	}
}

void map_text(const struct region_map_view *map)
{
	const struct region *r = map->region;
	uint64_t all;

	heading(map);
	extents_line(r);
	for (size_t i = 0; i < r->n_targets; i++)
		position_line(&r->targets[i]);
	out_end();
	if (map->n_chunks) {
		all = r->size.value / r->granularity.value;
		out("the first %zu of %" PRIu64 " chunks of %" PRIu64 " B, each by its position",
		    map->n_chunks, all, r->granularity.value);
		if (map->chunks[0].exact)
			out(" (source: %s)", answer_source_name(map->chunks[0].source));
		out(":");
		out_end();
		blocks(map);
	}
	if (map->reason[0]) {
		out_styled(STYLE_BAD, "%s: ", map->n_chunks ? "?" : "no map");
		out_wrapped(map->reason, map->n_chunks ? 3 : 8, 1);
		out_end();
	}
}
