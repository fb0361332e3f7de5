// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/found.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"
#include "events/incident_act.h"
#include "model/finding_text.h"
#include "model/found_rows.h"
#include "model/health.h"

int found_init(struct found *f)
{
	*f = (struct found){.arena = arena_new()};
	return f->arena ? 0 : -ENOMEM;
}

void found_done(struct found *f)
{
	found_array_done(&f->list);
	names_array_done(&f->unread);
	f->arena = arena_free(f->arena);
}

/* ---- objects ----------------------------------------------------------------------------------
 */

/* A name of the snapshot, and what has it. */
struct named_object {
	const char *name;
	const struct memdev *memdev; /* of it or above it; NULL without */
	const struct decoder *decoder;
	const struct region *region;
	const struct port *port;
};
DEFINE_ARRAY(struct named_object, named_array);

struct search {
	struct found *f;
	const struct host *host;
	const struct memdev_ids *ids;
	struct named_array names; /* in their order */
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct named_object *)a)->name,
		      ((const struct named_object *)b)->name);
}

static int add_name(struct search *s, struct named_object named)
{
	struct named_object *one = named_array_add(&s->names);

	if (!one)
		return -ENOMEM;
	*one = named;
	return 0;
}

/* Sorted, so that the time for all findings is in proportion to them. */
static int add_names(struct search *s)
{
	const struct host *h = s->host;
	int r = 0;

	for (size_t i = 0; i < h->n_memdevs && r == 0; i++)
		r = add_name(s,
			     (struct named_object){h->memdevs[i]->name, .memdev = h->memdevs[i]});
	for (size_t i = 0; i < h->n_ports && r == 0; i++)
		r = add_name(s,
			     (struct named_object){h->ports[i]->name, .memdev = h->ports[i]->memdev,
						   .port = h->ports[i]});
	for (size_t i = 0; i < h->n_decoders && r == 0; i++)
		r = add_name(s, (struct named_object){h->decoders[i]->name,
						      .memdev = h->decoders[i]->port->memdev,
						      .decoder = h->decoders[i]});
	for (size_t i = 0; i < host_n_mappings(h) && r == 0; i++)
		r = add_name(s, (struct named_object){host_mapping_at(h, i)->name,
						      .region = host_mapping_at(h, i)});
	if (r == 0 && s->names.n)
		qsort(s->names.items, s->names.n, sizeof(*s->names.items), compare_names);
	return r;
}

static const struct named_object *find_name(const struct search *s, const char *name)
{
	const struct named_object key = {.name = name};

	return s->names.n ? bsearch(&key, s->names.items, s->names.n, sizeof(key), compare_names)
			  : NULL;
}

/* The kernel numbers windows and decoders anew with each boot; their addresses last. */
static void name_decoder(const struct decoder *d, char text[static FOUND_THING_MAX])
{
	if (d->port->kind == PORT_ROOT && d->start.present)
		(void)snprintf(text, FOUND_THING_MAX, "window 0x%" PRIx64, d->start.value);
	else if (d->port->kind != PORT_ROOT && d->port->host)
		(void)snprintf(text, FOUND_THING_MAX, "decoder %.40s %u", d->port->host, d->index);
	else
		(void)snprintf(text, FOUND_THING_MAX, "decoder %.40s", d->name);
}

/* Return: the device that an object is part of; NULL without, and then @thing is its name. */
static const struct memdev *owner_of(const struct search *s, const char *object,
				     char thing[static FOUND_THING_MAX])
{
	const struct named_object *n = find_name(s, object);

	thing[0] = '\0';
	if (n && n->memdev)
		return n->memdev;
	if (n && n->region)
		(void)found_region_thing(n->region, thing);
	else if (n && n->decoder)
		name_decoder(n->decoder, thing);
	else
		(void)snprintf(thing, FOUND_THING_MAX, "%.60s",
			       n && n->port && n->port->host ? n->port->host : object);
	return NULL;
}

/* ---- one finding ------------------------------------------------------------------------------
 */

_Static_assert((int)INCIDENT_TEXT_MAX >= 2 * (int)FINDING_TEXT_MAX &&
		       (int)INCIDENT_NEXT_MAX >= (int)FINDING_NEXT_MAX,
	       "an incident has the whole words of its finding");

/* A command is whole or not there. */
static const char *keep_next(struct arena *a, char *next)
{
	char *end;

	if (!next[0] || strlen(next) < INCIDENT_NEXT_MAX)
		return arena_strdup(a, next);
	next[INCIDENT_NEXT_MAX - 1] = '\0';
	end = strrchr(next, '\n');
	if (!end)
		return arena_strdup(a, "");
	*end = '\0';
	return arena_strdup(a, next);
}

/* Cut in front of a character, not in it. */
static const char *keep_text(struct arena *a, char *text)
{
	static const char dots[] = "...";
	size_t end = INCIDENT_TEXT_MAX - sizeof(dots);

	if (strlen(text) < INCIDENT_TEXT_MAX)
		return arena_strdup(a, text);
	while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80)
		end--;
	memcpy(text + end, dots, sizeof(dots));
	return arena_strdup(a, text);
}

static bool is_same(const struct incident_found *f, const struct incident_found *new)
{
	return str_equal(f->device, new->device) && f->kind == new->kind &&
	       f->anchor.type == new->anchor.type && f->anchor.value == new->anchor.value;
}

/* Steps that set something up; those that take memory away are left to a person. */
static bool is_change(enum finding_code code)
{
	return found_row(code)->use == FOUND_CHANGE;
}

static uint8_t advice_of(const struct finding *f, const struct finding *end)
{
	const struct found_row *row = found_row(f->code);

	if (row->advised || row->kind != INCIDENT_CONFIGURATION)
		return row->advised;
	for (const struct finding *next = f + 1;
	     next < end && finding_level(next->code) == FINDING_ADVICE; next++)
		if (is_change(next->code))
			return ACT_CHANGE_CONFIGURATION;
	return ACT_WATCH;
}

/* Return: 0 or -ENOMEM. */
static int fill_texts(struct arena *a, const struct finding *f, const struct finding *end,
		      struct incident_found *ret)
{
	char text[FINDING_TEXT_MAX], next[FINDING_NEXT_MAX];

	ret->code = finding_row(f->code)->name;
	ret->object = arena_strdup(a, f->object);
	(void)finding_sentence(f, text);
	ret->text = keep_text(a, text);
	ret->next = finding_next_step(f, end, next) ? keep_next(a, next) : "";
	return ret->object && ret->text && ret->next ? 0 : -ENOMEM;
}

static int fill_device(struct search *s, const struct memdev *m, struct incident_found *ret)
{
	struct arena *a = s->f->arena;

	ret->device = ret->host = "";
	if (!m)
		return 0;
	ret->device = arena_strdup(a, memdev_id(s->ids, m));
	ret->host = arena_strdup(a, m->bdf ? m->bdf : "");
	ret->serial = memdev_unique_serial(s->ids, m).value;
	return ret->device && ret->host ? 0 : -ENOMEM;
}

/* The worst of several that are one incident; of equals the first with a next step. */
static void merge(struct incident_found *f, const struct incident_found *new)
{
	if (new->severity > f->severity ||
	    (new->severity == f->severity && !f->next[0] && new->next[0]))
		*f = *new;
}

/*
 * @first: the list's number where those of the same owner begin: others cannot be the same
 * @ret_at: that of the incident which it is, or is a part of
 */
static int add_one(struct search *s, const struct finding *f, const struct finding *end,
		   const struct memdev *m, const char *thing, size_t first, size_t *ret_at)
{
	struct incident_found new = {.severity = (enum event_severity)finding_severity(f),
				     .advised = advice_of(f, end)};
	struct found_array *list = &s->f->list;
	struct incident_found *to;

	if (!found_identity(f->code, thing, &new.kind, &new.anchor))
		return 0;
	if (fill_device(s, m, &new) < 0 || fill_texts(s->f->arena, f, end, &new) < 0)
		return -ENOMEM;
	for (size_t i = first; i < list->n; i++)
		if (is_same(&list->items[i], &new)) {
			merge(&list->items[i], &new);
			*ret_at = i;
			return 0;
		}
	*ret_at = list->n;
	to = found_array_add(list);
	if (!to)
		return -ENOMEM;
	*to = new;
	return 0;
}

/* ---- the configuration ------------------------------------------------------------------------
 */

/* The step of a finding may come with the finding that explains it. */
static int explain_by(struct search *s, struct incident_found *f, const struct finding *part,
		      const struct finding *end)
{
	/* More than keep_text() keeps: several parts may explain one, and what is cut has a mark.
	 */
	char text[INCIDENT_TEXT_MAX + FINDING_TEXT_MAX];
	char sentence[FINDING_TEXT_MAX], next[FINDING_NEXT_MAX];

	(void)snprintf(text, sizeof(text), "%s; %s", f->text, finding_sentence(part, sentence));
	f->text = keep_text(s->f->arena, text);
	if (!f->next[0] && finding_next_step(part, end, next)) {
		f->next = keep_next(s->f->arena, next);
		f->advised = advice_of(part, end);
	}
	return f->text && f->next ? 0 : -ENOMEM;
}

/* Without a device there is nothing that could be set up. */
static bool is_incident(const struct search *s, enum finding_code code)
{
	const struct found_row *row = found_row(code);

	return finding_level(code) == FINDING_PROBLEM &&
	       (row->use == FOUND_INCIDENT || row->use == FOUND_PART) &&
	       (!row->needs_device || s->host->n_memdevs || s->host->n_unclaimed);
}

static int add_findings(struct search *s, const struct findings *all)
{
	const struct finding *end = all->list.items + all->list.n;
	const struct memdev *last_owner = NULL, *m;
	const char *last_object = NULL; /* of the last incident */
	struct found_array *list = &s->f->list;
	size_t first = list->n, at = 0; /* of the last incident, too */
	int r = 0;

	for (const struct finding *f = all->list.items; f < end && r == 0; f++) {
		char thing[FOUND_THING_MAX];

		if (!is_incident(s, f->code))
			continue;
		if (found_row(f->code)->use == FOUND_PART && str_equal(last_object, f->object)) {
			r = explain_by(s, &list->items[at], f, end);
			continue;
		}
		m = owner_of(s, f->object, thing);
		/* Decoders of a device follow it. */
		if (!str_equal(last_object, f->object) && (!m || m != last_owner))
			first = list->n;
		r = add_one(s, f, end, m, thing, first, &at);
		last_object = f->object;
		last_owner = m;
	}
	return r;
}

int found_add_configuration(struct found *f, const struct host *host,
			    const struct translator *translator, const struct fabric *fabric,
			    const struct memdev_ids *ids)
{
	struct search s = {.f = f, .host = host, .ids = ids};
	struct findings all;
	int r = findings_init(&all, host, translator, NULL, (struct firmware_timeout){0});

	all.fabric = fabric;
	all.never_waits = true;
	if (r == 0)
		findings_of_host(&all);
	/* Half of a list would end incidents that go on. */
	if (all.no_memory)
		r = -ENOMEM;
	if (r == 0)
		r = add_names(&s);
	if (r == 0)
		r = add_findings(&s, &all);
	named_array_done(&s.names);
	findings_done(&all);
	return r;
}

/* ---- readings ---------------------------------------------------------------------------------
 */

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int add_unread(struct found *f, const char *id)
{
	const char **name = names_array_add(&f->unread);

	if (!name)
		return -ENOMEM;
	*name = arena_strdup(f->arena, id);
	return *name ? 0 : -ENOMEM;
}

int found_add_readings(struct found *f, const struct host *host, const struct readings *readings,
		       const struct memdev_ids *ids)
{
	struct search s = {.f = f, .host = host, .ids = ids};
	int r = 0;

	for (size_t i = 0; i < host->n_memdevs; i++) {
		const struct memdev *m = host->memdevs[i];
		const struct mailbox *mb = readings_mailbox(readings, m);
		const size_t first = f->list.n;
		struct health h;
		size_t at;

		health_of_device(m->name, mb, NULL, m->name, &h);
		for (size_t k = 0; k < h.n && r == 0; k++)
			r = add_one(&s, &h.findings[k], &h.findings[k] + 1, m, "", first, &at);
		if (r == 0 && (!mb || !mb->has_health))
			r = add_unread(f, memdev_id(ids, m));
	}
	if (r == 0 && f->unread.n)
		qsort(f->unread.items, f->unread.n, sizeof(*f->unread.items), compare_texts);
	return r;
}

/* ---- comparison -------------------------------------------------------------------------------
 */

static uint64_t hash_text(const char *text)
{
	return hash_bytes(text, strlen(text));
}

uint64_t found_hash(const struct found *f)
{
	uint64_t hash = 0;

	for (size_t k = 0; k < f->list.n; k++) {
		const struct incident_found *i = &f->list.items[k];
		const uint64_t parts[] = {hash,
					  i->kind,
					  i->anchor.type,
					  i->anchor.value,
					  i->severity,
					  i->advised,
					  hash_text(i->device),
					  hash_text(i->object),
					  hash_text(i->text),
					  hash_text(i->next)};

		hash = hash_bytes(parts, sizeof(parts));
	}
	for (size_t k = 0; k < f->unread.n; k++) {
		const uint64_t parts[] = {hash, hash_text(f->unread.items[k])};

		hash = hash_bytes(parts, sizeof(parts));
	}
	return hash;
}
