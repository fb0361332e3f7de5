// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa list --scrub: patrol scrub and error check scrub, read from the devices now.
#include "cli/list.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include "cli/output.h"
#include "common/arena.h"
#include "common/log.h"
#include "mailbox/scrub_reader.h"
#include "model/scrub.h"

struct list_scrub {
	const struct host *host;
	struct memdev_scrub *memdevs; /* in the order of the host's */
};

static void read_one(const struct host *host, size_t i, struct memdev_scrub *ret)
{
	struct arena *arena = arena_new();
	struct read_notes notes = {.arena = arena};

	*ret = (struct memdev_scrub){.unread = true};
	if (!arena)
		return;
	if (host->root->captured)
		memdev_scrub_read(host->memdevs[i]->name, &notes, ret);
	else
		scrub_read_in_time(host->memdevs[i]->name, &notes, ret);
	for (size_t k = 0; k < notes.n_notes && k < HOST_NOTES_MAX; k++)
		log_warning("%s", notes.notes[k]);
	(void)arena_free(arena);
}

struct list_scrub *list_scrub_read(const struct host *host)
{
	struct list_scrub *l = calloc(1, sizeof(*l));

	if (l)
		l->memdevs = calloc(host->n_memdevs + 1, sizeof(*l->memdevs));
	if (!l || !l->memdevs) {
		free(l);
		return NULL;
	}
	l->host = host;
	for (size_t i = 0; i < host->n_memdevs; i++)
		read_one(host, i, &l->memdevs[i]);
	return l;
}

struct list_scrub *list_scrub_free(struct list_scrub *l)
{
	if (l)
		free(l->memdevs);
	free(l);
	return NULL;
}

static const struct memdev_scrub *scrub_of(const void *userdata, const struct memdev *m)
{
	const struct list_scrub *l = userdata;

	for (size_t i = 0; i < l->host->n_memdevs; i++)
		if (l->host->memdevs[i] == m)
			return &l->memdevs[i];
	return NULL;
}

static bool region_of(const struct list_scrub *l, size_t i, struct scrub *ret, bool *same)
{
	region_scrub_by(l->host->regions[i], scrub_of, l, ret, same);
	return ret->found;
}

/* ---- text -------------------------------------------------------------------------------------
 */

static void print_patrol(const char *name, const struct scrub *s, bool same)
{
	char text[SCRUB_TEXT_MAX];

	out_styled(STYLE_NAME, "%s", name);
	out("  patrol scrub %s", same ? scrub_text(s, text) : "not the same of all its devices");
	if (s->min_cycle_s.present)
		out("  shortest cycle %" PRIu64 " h", s->min_cycle_s.value / SCRUB_HOUR_S);
	out_end();
}

static void print_ecs(const char *name, const struct memdev_scrub *s)
{
	char text[SCRUB_TEXT_MAX];

	out_styled(STYLE_NAME, "%s", name);
	out("  error check scrub of %zu FRU%s  %s", s->n_frus, s->n_frus == 1 ? "" : "s",
	    ecs_text(s, text));
	out_end();
}

void list_scrub_text(const struct list_scrub *l)
{
	size_t n = 0;
	struct scrub s;
	bool same;

	for (size_t i = 0; i < l->host->n_memdevs; i++) {
		const struct memdev_scrub *m = &l->memdevs[i];

		if (m->patrol.found)
			print_patrol(l->host->memdevs[i]->name, &m->patrol, true);
		if (m->n_frus > 0)
			print_ecs(l->host->memdevs[i]->name, m);
		n += m->patrol.found || m->n_frus > 0;
	}
	for (size_t i = 0; i < l->host->n_regions; i++)
		if (region_of(l, i, &s, &same))
			print_patrol(l->host->regions[i]->name, &s, same);
	if (n > 0)
		return;
	out("no device shows scrub: Linux does since 6.16, if it is built with CONFIG_CXL_EDAC_SCRUB and CONFIG_CXL_EDAC_ECS");
	out_end();
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

static void put_patrol(struct json_writer *w, const struct scrub *s)
{
	put_opt_bool(w, "enabled", s->enabled);
	put_opt_number(w, "cycle_s", s->cycle_s);
	put_opt_number(w, "min_cycle_s", s->min_cycle_s);
}

static const char *word(struct opt_u64 value, const char *zero, const char *one)
{
	return !value.present ? NULL : value.value ? one : zero;
}

static void put_frus(struct json_writer *w, const struct memdev_scrub *s)
{
	put_array(w, "frus");
	for (size_t i = 0; i < s->n_frus && i < SCRUB_FRUS_MAX; i++) {
		put_object(w, NULL);
		put_number(w, "number", i);
		put_string(w, "log_entry_type", word(s->frus[i].per_fru, "dram", "fru"));
		put_string(w, "mode", word(s->frus[i].codewords, "rows", "codewords"));
		put_opt_number(w, "threshold", s->frus[i].threshold);
		put_end(w);
	}
	put_end(w);
}

void list_put_scrub(struct json_writer *w, const struct list_scrub *l)
{
	struct scrub s;
	bool same;

	put_array(w, "scrub");
	for (size_t i = 0; i < l->host->n_memdevs; i++) {
		const struct memdev_scrub *m = &l->memdevs[i];

		if (!m->patrol.found && m->n_frus == 0)
			continue;
		put_object(w, NULL);
		put_string(w, "name", l->host->memdevs[i]->name);
		put_patrol(w, &m->patrol);
		put_frus(w, m);
		put_end(w);
	}
	for (size_t i = 0; i < l->host->n_regions; i++) {
		if (!region_of(l, i, &s, &same))
			continue;
		put_object(w, NULL);
		put_string(w, "name", l->host->regions[i]->name);
		put_patrol(w, &s);
		put_bool(w, "members_differ", !same);
		put_end(w);
	}
	put_end(w);
}
