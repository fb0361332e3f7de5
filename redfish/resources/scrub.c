// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/scrub.h"

#include <stddef.h>
#include <stdio.h>

#include "common/array.h"
#include "common/clock.h"
#include "common/log.h"
#include "common/strutil.h"
#include "redfish/resources/mapping.h"
#include "redfish/service/body_check.h"
#include "redfish/service/service.h"
#include "redfish/state/scrub_settings.h"

#define ENABLED	  SCRUB_PATROL_PATH "/Enabled"
#define CYCLE	  SCRUB_PATROL_PATH "/CycleSeconds"
#define ENTRIES	  SCRUB_ECS_PATH "/LogEntryType"
#define MODE	  SCRUB_ECS_PATH "/CountMode"
#define THRESHOLD SCRUB_ECS_PATH "/ThresholdPerGibit"

enum { ECS_THRESHOLD_MIN = 256, ECS_THRESHOLD_MAX = 4096 };

static const char *const entry_types[] = {"DRAM", "FRU", NULL};
static const char *const count_modes[] = {"Rows", "Codewords", NULL};

static const char cycle_text[] = "the time in which all memory is scrubbed; cut to whole hours";
static const char threshold_text[] = "256, 1024 or 4096, of all FRUs";

const struct parameter scrub_patrol_members[2] = {
	{.name = "Enabled",
	 .type = PARAMETER_BOOLEAN,
	 .description = "whether the device scrubs in the background"},
	{.name = "CycleSeconds",
	 .type = PARAMETER_NUMBER,
	 .min = SCRUB_HOUR_S,
	 .max = SCRUB_CYCLE_S_MAX,
	 .description = cycle_text},
};

const struct parameter scrub_ecs_members[3] = {
	{.name = "LogEntryType",
	 .type = PARAMETER_TEXT,
	 .values = entry_types,
	 .description = "of all FRUs"},
	{.name = "CountMode",
	 .type = PARAMETER_TEXT,
	 .values = count_modes,
	 .description = "of all FRUs"},
	{.name = "ThresholdPerGibit",
	 .type = PARAMETER_NUMBER,
	 .min = ECS_THRESHOLD_MIN,
	 .max = ECS_THRESHOLD_MAX,
	 .description = threshold_text},
};

/* ---- properties -------------------------------------------------------------------------------
 */

static void put_set(const struct scrub_set *set, struct json_writer *w)
{
	put_opt_time(w, "Time", OPT_U64(set->time_ns));
	put_string(w, "By", set->by);
	put_string(w, "Text", set->text);
}

static void put_last_set(const struct scrub_set *set, struct json_writer *w)
{
	if (!set)
		return;
	put_object(w, "LastSet");
	put_set(set, w);
	put_end(w);
}

/* Another program wrote the files of the kernel, or the device began anew. Values that are not
 * known are no change. */
static bool is_changed(const struct scrub_set *set, const struct scrub *now)
{
	return (set->enabled.present && now->enabled.present &&
		set->enabled.value != now->enabled.value) ||
	       (set->cycle_s.present && now->cycle_s.present &&
		set->cycle_s.value != now->cycle_s.value);
}

static void put_last_patrol(const struct scrub_set *set, const struct scrub *now,
			    struct json_writer *w)
{
	if (!set)
		return;
	put_object(w, "LastSet");
	put_set(set, w);
	put_bool(w, "ChangedSince", is_changed(set, now));
	put_end(w);
}

static void put_patrol(const struct scrub *s, struct json_writer *w)
{
	put_opt_bool(w, "Enabled", s->enabled);
	put_opt_number(w, "CycleSeconds", s->cycle_s);
	put_opt_number(w, "MinCycleSeconds", s->min_cycle_s);
	put_number(w, "MaxCycleSeconds", SCRUB_CYCLE_S_MAX);
}

static void put_word(struct json_writer *w, const char *key, struct opt_u64 value,
		     const char *const *words)
{
	if (value.present)
		put_string(w, key, words[value.value != 0]);
}

static void put_fru(size_t number, const struct ecs_fru *f, struct json_writer *w)
{
	put_object(w, NULL);
	put_number(w, "Number", number);
	put_word(w, "LogEntryType", f->per_fru, entry_types);
	put_word(w, "CountMode", f->codewords, count_modes);
	put_opt_number(w, "ThresholdPerGibit", f->threshold);
	put_end(w);
}

/* The values that all FRUs have, which a PATCH sets, and those of each. */
static void put_ecs(const struct memdev_scrub *s, struct json_writer *w)
{
	put_word(w, "LogEntryType", memdev_ecs_common(s, offsetof(struct ecs_fru, per_fru)),
		 entry_types);
	put_word(w, "CountMode", memdev_ecs_common(s, offsetof(struct ecs_fru, codewords)),
		 count_modes);
	put_opt_number(w, "ThresholdPerGibit",
		       memdev_ecs_common(s, offsetof(struct ecs_fru, threshold)));
	put_number(w, "FRUCount", s->n_frus);
	put_array(w, "FRUs");
	for (size_t i = 0; i < s->n_frus && i < SCRUB_FRUS_MAX; i++)
		put_fru(i, &s->frus[i], w);
	put_end(w);
}

void put_memory_scrub(const struct view *v, const struct memdev *m, struct json_writer *w)
{
	const struct memdev_scrub *s = readings_scrub(v->readings, m);

	if (!s)
		return;
	if (s->patrol.found) {
		put_object(w, "PatrolScrub");
		put_patrol(&s->patrol, w);
		put_last_patrol(readings_scrub_set(v->readings, m, SCRUB_PATROL), &s->patrol, w);
		put_end(w);
	}
	if (s->n_frus > 0) {
		put_object(w, "ErrorCheckScrub");
		put_ecs(s, w);
		put_last_set(readings_scrub_set(v->readings, m, SCRUB_ECS), w);
		put_end(w);
	}
}

/* Return: the setting that all members have had last, by the region; NULL: there is none. */
static const struct scrub_set *set_of_region(const struct view *v, const struct region *region)
{
	const struct scrub_set *first = NULL, *set;

	for (size_t i = 0; i < region->n_targets; i++) {
		const struct memdev *m = region->targets[i].memdev;

		set = m ? readings_scrub_set(v->readings, m, SCRUB_PATROL) : NULL;
		if (!set || (first && set->time_ns != first->time_ns))
			return NULL;
		first = set;
	}
	return first;
}

void put_region_scrub(const struct view *v, const struct region *region, struct json_writer *w)
{
	struct scrub s;
	bool same;

	region_scrub(region, v->readings, &s, &same);
	if (!s.found)
		return;
	put_object(w, "PatrolScrub");
	put_patrol(&s, w);
	put_bool(w, "MembersDiffer", !same);
	put_last_patrol(set_of_region(v, region), &s, w);
	put_end(w);
}

/* ---- PATCH ------------------------------------------------------------------------------------
 */

void scrub_take_patrol(const struct exchange *x, struct change_scrub *ret)
{
	const struct opt_bool enabled = body_boolean(x, ENABLED);
	const struct opt_u64 cycle = body_number(x, CYCLE);

	*ret = (struct change_scrub){0};
	if (enabled.present) {
		ret->fields |= CHANGE_SCRUB_ENABLED;
		ret->enabled = enabled.value;
	}
	if (cycle.present) {
		ret->fields |= CHANGE_SCRUB_CYCLE;
		ret->cycle_s = cycle.value;
	}
}

void scrub_take_ecs(const struct exchange *x, struct change_ecs *ret)
{
	const char *entries = body_text(x, ENTRIES), *mode = body_text(x, MODE);
	const struct opt_u64 threshold = body_number(x, THRESHOLD);

	*ret = (struct change_ecs){0};
	if (entries) {
		ret->fields |= CHANGE_ECS_PER_FRU;
		ret->per_fru = str_equal(entries, entry_types[1]);
	}
	if (mode) {
		ret->fields |= CHANGE_ECS_CODEWORDS;
		ret->codewords = str_equal(mode, count_modes[1]);
	}
	if (threshold.present) {
		ret->fields |= CHANGE_ECS_THRESHOLD;
		ret->threshold = (uint32_t)threshold.value;
	}
}

const char *scrub_property(const struct exchange *x, enum change_kind kind)
{
	if (kind == CHANGE_ECS)
		return body_has(x, THRESHOLD) ? THRESHOLD : body_has(x, MODE) ? MODE : ENTRIES;
	return body_has(x, CYCLE) ? CYCLE : ENABLED;
}

/* ---- who had it set ---------------------------------------------------------------------------
 */

/* A setting that is not kept is one that a restart forgets; it was made all the same. */
static void note(struct exchange *x, const struct memdev *m, enum scrub_kind kind,
		 const struct scrub_set *set)
{
	const char *id = memdev_id(x->view->ids, m);
	struct error e = {0};

	scrub_set_note(m, kind, set);
	if (x->service->state && id &&
	    scrub_settings_keep(x->service->state, id, kind, set, &e) < 0)
		log_warning("who had the scrub of %s set is not kept: %s", m->name, e.text);
}

static void note_members(struct exchange *x, const struct region *region,
			 const struct scrub_set *set)
{
	for (size_t i = 0; region && i < region->n_targets; i++)
		if (region->targets[i].memdev)
			note(x, region->targets[i].memdev, SCRUB_PATROL, set);
}

static void take_values(const struct change_scrub *c, struct scrub_set *set)
{
	if (c->fields & CHANGE_SCRUB_ENABLED)
		set->enabled = OPT_BOOL(c->enabled != 0);
	if (c->fields & CHANGE_SCRUB_CYCLE)
		set->cycle_s = OPT_U64(c->cycle_s / SCRUB_HOUR_S * SCRUB_HOUR_S);
}

void scrub_note_set(struct exchange *x, const struct change *c, const struct change_result *result)
{
	struct scrub_set set = {.time_ns = clock_realtime_ns()};
	const struct memdev *m = host_memdev(x->view->host, c->object);

	(void)snprintf(set.by, sizeof(set.by), "%s",
		       x->principal.name[0] ? x->principal.name : x->principal.from);
	(void)snprintf(set.text, sizeof(set.text), "%.*s", SCRUB_SAID_MAX - 1, result->text);
	if (c->kind == CHANGE_SCRUB || c->kind == CHANGE_REGION_SCRUB)
		take_values(&c->scrub, &set);
	if (c->kind == CHANGE_REGION_SCRUB)
		note_members(x, host_region(x->view->host, c->object), &set);
	else if (m && (c->kind == CHANGE_SCRUB || c->kind == CHANGE_ECS))
		note(x, m, c->kind == CHANGE_ECS ? SCRUB_ECS : SCRUB_PATROL, &set);
}
