// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Creating and releasing a translator, and what it knows about the host.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "prm/cedt.h"
#include "prm/handler.h"
#include "prm/translator_text.h"
#include "prm/prmt.h"
#include "prm/translate.h"
#include "prm/window_map.h"

/* An absent or unreadable table is a reason of the answers that need it; other errors get a note.
 */
static void note_unreadable(struct translator *t, const char *name, int error)
{
	if (error != 0 && error != -ENOENT && error != -EACCES && error != -EPERM)
		translator_note(t, NOTE_TABLE_UNREADABLE, "ACPI table %s cannot be read: %s", name,
				strerror(-error));
}

/*
 * A table that was handed in may be that of another machine: Linux makes windows of its own table
 * only, so a window that is not in it, or has another interleave there, tells. Other windows of the
 * same addresses prove nothing then.
 */
static bool cedt_is_others(const struct host *host, const struct cedt *cedt)
{
	for (size_t i = 0; i < host->n_decoders; i++) {
		const struct decoder *w = host->decoders[i];
		const struct cedt_window *c;

		if (w->port->kind != PORT_ROOT || !w->start.present || !w->size.present)
			continue;
		c = cedt_window_find(cedt, w->start.value, w->size.value);
		if (!c || window_contradicts_cedt(w, c))
			return true;
	}
	return false;
}

static void drop_others_cedt(struct translator *t, const char *from)
{
	if (!from || !t->cedt || !cedt_is_others(t->host, t->cedt))
		return;
	translator_note(
		t, NOTE_TABLE_INVALID,
		"the CEDT in %.200s is that of another machine: it does not have the windows that Linux shows here; it is not used",
		from);
	t->cedt = cedt_free(t->cedt);
	t->cedt_missing = "that was handed in is another machine's";
}

static void parse_tables(struct translator *t)
{
	const struct host_table *cedt = &t->host->tables[HOST_TABLE_CEDT];
	const struct host_table *prmt = &t->host->tables[HOST_TABLE_PRMT];
	struct error e;

	if (cedt->data && cedt_parse(cedt->data, cedt->len, &t->cedt, &e) < 0) {
		translator_note(t, NOTE_TABLE_INVALID, "%s; the table is not used", e.text);
		t->cedt_missing = "is malformed";
	} else if (!cedt->data) {
		t->cedt_missing = cedt->error == -EACCES
					  ? "is not readable (needs CAP_DAC_READ_SEARCH)"
				  : cedt->error == -ENOENT ? "is missing"
							   : "cannot be read";
	}
	drop_others_cedt(t, cedt->from);
	note_unreadable(t, "CEDT", cedt->error);
	note_unreadable(t, "PRMT", prmt->error);
	if (prmt->data && prmt_parse(prmt->data, prmt->len, &t->prmt, &e) < 0)
		translator_note(t, NOTE_TABLE_INVALID, "%s; the table is not used", e.text);
}

static void finish_notes(struct translator *t)
{
	size_t dropped = t->n_notes_dropped + 1;

	if (t->n_notes_dropped == 0)
		return;
	t->note_codes[TRANSLATOR_NOTES_MAX - 1] = NOTES_DROPPED;
	t->notes[TRANSLATOR_NOTES_MAX - 1] =
		translator_text(t, "%zu more notes were dropped", dropped);
}

static int translator_prepare(struct translator *t)
{
	int r;

	t->arena = arena_new();
	if (!t->arena)
		return -ENOMEM;
	t->notes = ARENA_ARRAY(t->arena, TRANSLATOR_NOTES_MAX, const char *);
	t->note_codes = ARENA_ARRAY(t->arena, TRANSLATOR_NOTES_MAX, enum translator_note);
	if (!t->notes || !t->note_codes)
		return -ENOMEM;
	parse_tables(t);
	r = maps_prepare(t);
	if (r == 0 && t->host->root && t->host->root->captured)
		r = handler_prepare(t);
	finish_notes(t);
	return t->out_of_memory ? -ENOMEM : r;
}

int translator_new(const struct host *host, struct firmware *firmware, struct translator **ret,
		   struct error *e)
{
	struct translator *t = calloc(1, sizeof(*t));

	if (!t)
		return error_set(e, ENOMEM, "out of memory");
	atomic_init(&t->references, 1);
	t->host = host_ref(host);
	if (!host->root || !host->root->captured)
		t->firmware = firmware;
	if (translator_prepare(t) < 0) {
		translator_unref(t);
		return error_set(e, ENOMEM, "out of memory");
	}
	*ret = t;
	return 0;
}

struct translator *translator_ref(struct translator *t)
{
	atomic_fetch_add_explicit(&t->references, 1, memory_order_relaxed);
	return t;
}

struct translator *translator_unref(struct translator *t)
{
	if (!t || atomic_fetch_sub_explicit(&t->references, 1, memory_order_acq_rel) != 1)
		return NULL;
	for (size_t i = 0; i < t->n_devices; i++)
		spans_done(&t->devices[i].decoders);
	spans_done(&t->window_spans);
	spans_done(&t->region_spans);
	spans_done(&t->dax_spans);
	spans_done(&t->lone_spans);
	handler_free(t->handler);
	cedt_free(t->cedt);
	prmt_free(t->prmt);
	arena_free(t->arena);
	host_unref(t->host);
	free(t);
	return NULL;
}

const char *const *translator_notes(const struct translator *t, size_t *ret_n)
{
	*ret_n = t->n_notes;
	return t->notes;
}

const enum translator_note *translator_note_codes(const struct translator *t)
{
	return t->note_codes;
}

struct firmware *translator_firmware(const struct translator *t)
{
	return t->firmware;
}

const struct cedt *translator_cedt(const struct translator *t)
{
	return t->cedt;
}

const struct prmt *translator_prmt(const struct translator *t)
{
	return t->prmt;
}

const char *translator_arithmetic(const struct translator *t, const struct decoder *window)
{
	const struct window_map *w = window_map_of(t, window);

	return w ? w->arithmetic : NULL;
}

bool translator_is_ambiguous(const struct translator *t, const struct decoder *window)
{
	const struct window_map *w = window_map_of(t, window);

	return w && w->is_ambiguous;
}

enum region_routing translator_region_routing(const struct translator *t,
					      const struct region *region)
{
	const struct region_map *map = region_map_of(t, region);

	return map ? map->routing : REGION_ROUTING_UNKNOWN;
}

const struct reason *translator_region_reason(const struct translator *t,
					      const struct region *region)
{
	const struct region_map *map = region_map_of(t, region);

	if (!map)
		return NULL;
	return map->unusable.code ? &map->unusable : &map->no_arithmetic;
}

bool translator_kernel_errs(const struct translator *t, const struct region *region)
{
	const struct region_map *map = region_map_of(t, region);

	return map && map->kernel_errs;
}

bool translator_kernel_is_right(const struct translator *t, const struct region *region)
{
	const struct region_map *map = region_map_of(t, region);

	if (!map || map->unusable.code)
		return false;
	if (map->no_arithmetic.code)
		return map->no_arithmetic.code == REASON_NORMALIZED;
	return !map->kernel_errs && (map->routed || map->ways == 1);
}
