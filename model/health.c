// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/health.h"

#include <errno.h>
#include <string.h>

#include "model/topology.h"

static struct finding *health_add(struct health *h, const char *object, enum finding_code code)
{
	struct finding *f = &h->findings[h->n++];

	*f = (struct finding){.code = code, .object = object};
	return f;
}

/* @warning: its code; the next one is that of the critical level */
static void health_add_level(struct health *h, const char *object, struct opt_int level,
			     enum finding_code warning)
{
	if (level.present && (level.value == LEVEL_WARNING || level.value == LEVEL_CRITICAL))
		(void)health_add(h, object, warning + (unsigned int)(level.value - LEVEL_WARNING));
}

static void health_add_corrected(struct health *h, const char *object, enum finding_code code,
				 const struct mailbox_alert *alert)
{
	struct finding *f = health_add(h, object, code);

	if (alert->warning.present && alert->warning.value >= 0)
		f->args[0] = finding_number((uint64_t)alert->warning.value);
}

static void health_add_readings(struct health *h, const char *object, const struct mailbox *mb)
{
	if (mb->unresponsive)
		(void)health_add(h, object, FINDING_DEVICE_NOT_ANSWERING);
	if (mb->media.present && mb->media.value > MEDIA_NORMAL && mb->media.value < MEDIA_STATES)
		(void)health_add(h, object,
				 FINDING_MEDIA_NOT_READY +
					 (unsigned int)(mb->media.value - MEDIA_NOT_READY));
	if (mb->maintenance_needed)
		(void)health_add(h, object, FINDING_MAINTENANCE_NEEDED);
	if (mb->performance_degraded)
		(void)health_add(h, object, FINDING_PERFORMANCE_DEGRADED);
	if (mb->replacement_needed)
		(void)health_add(h, object, FINDING_REPLACEMENT_NEEDED);
	if (mb->capacity_degraded)
		(void)health_add(h, object, FINDING_CAPACITY_DEGRADED);
	health_add_level(h, object, mb->life_used_level, FINDING_LIFE_USED_WARNING);
	health_add_level(h, object, mb->temperature_level, FINDING_TEMPERATURE_WARNING);
	/* DSP0288 1.2.0, comment 4: the flags of the two kinds of memory. */
	if (mb->corrected_volatile_warning)
		health_add_corrected(h, object, FINDING_CORRECTED_VOLATILE_ERRORS,
				     &mb->alerts[ALERT_CORRECTED_VOLATILE]);
	if (mb->corrected_persistent_warning)
		health_add_corrected(h, object, FINDING_CORRECTED_PERSISTENT_ERRORS,
				     &mb->alerts[ALERT_CORRECTED_PERSISTENT]);
}

/* @args: of the entry and of its time */
static void health_set_entry(struct finding_arg *args, const struct event_health_entry *entry)
{
	if (entry->seq)
		args[0] = finding_entry(entry->seq);
	if (entry->seq && entry->wall_ns.present)
		args[1] = finding_time(entry->wall_ns.value);
}

static bool health_has(const struct health *h, enum finding_code code)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->findings[i].code == code)
			return true;
	return false;
}

/* Adds a state that the header of an unresolved record has, unless the device reports it itself. */
static void health_add_flag(struct health *h, const char *object, size_t flag,
			    const struct event_health_group *groups, size_t n)
{
	static const enum finding_code codes[EVENT_HEALTH_FLAGS] = {
		FINDING_PERMANENT_CONDITION,
		FINDING_MAINTENANCE_NEEDED,
		FINDING_PERFORMANCE_DEGRADED,
		FINDING_REPLACEMENT_NEEDED,
	};
	const struct event_health_entry *newest = NULL;

	for (size_t i = 0; i < n; i++)
		if (groups[i].flagged[flag].seq &&
		    (!newest || groups[i].flagged[flag].seq > newest->seq))
			newest = &groups[i].flagged[flag];
	if (!newest || h->n == HEALTH_FINDINGS_MAX || health_has(h, codes[flag]))
		return;
	health_set_entry(health_add(h, object, codes[flag])->args, newest);
}

static void health_add_events(struct health *h, const char *object,
			      const struct event_health *events, const char *device)
{
	const struct event_health_group *groups;
	size_t n;

	groups = event_health_of(events, device, &n);
	for (size_t i = 0; i < n && h->n < HEALTH_FINDINGS_MAX; i++) {
		const struct event_health_group *g = &groups[i];
		struct finding *f = health_add(h, object, FINDING_UNRESOLVED_EVENTS);

		f->args[0] = finding_number(g->unresolved);
		f->args[1] = finding_event_type(g->type);
		f->args[4] = finding_of_severity((enum health_level)g->severity);
		health_set_entry(&f->args[2], &g->newest);
	}
	for (size_t i = 0; i < EVENT_HEALTH_FLAGS; i++)
		health_add_flag(h, object, i, groups, n);
}

static enum health_level health_worst(const struct health *h)
{
	enum health_level worst = HEALTH_OK;

	for (size_t i = 0; i < h->n; i++)
		if (finding_severity(&h->findings[i]) > worst)
			worst = finding_severity(&h->findings[i]);
	return worst;
}

static bool reports_all_health(const struct mailbox *mb)
{
	return mb && mb->has_health && mb->media.present && mb->life_used_level.present &&
	       mb->temperature_level.present;
}

void health_of_device(const char *object, const struct mailbox *mb,
		      const struct event_health *events, const char *device, struct health *ret)
{
	enum health_level worst;

	ret->n = 0;
	/* Nothing else is known of a device that does not answer. */
	if (mb && (mb->has_health || mb->unresponsive))
		health_add_readings(ret, object, mb);
	health_add_events(ret, object, events, device);
	worst = health_worst(ret);
	ret->level = worst > HEALTH_OK || reports_all_health(mb) ? OPT_INT((int)worst)
								 : (struct opt_int){0};
}

struct opt_int health_level_of_device(const struct mailbox *mb, const struct event_health *events,
				      const char *device)
{
	struct health h;

	health_of_device(device, mb, events, device, &h);
	return h.level;
}

void health_of_host_events(const struct event_health *events, struct health *ret)
{
	ret->n = 0;
	health_add_events(ret, "host", events, "");
	ret->level = OPT_INT((int)health_worst(ret));
}

void health_add_reserved(const char *object, const struct memdev *m, struct health *ret)
{
	const struct decoder *first = NULL;
	struct finding *f;
	uint64_t bytes = 0;

	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders; i++) {
		const struct decoder *d = m->endpoint->decoders[i];

		if (d->region || decoder_is_committed(d) || !d->dpa_size.present ||
		    d->dpa_size.value == 0)
			continue;
		first = first ? first : d;
		bytes += d->dpa_size.value;
	}
	if (!first || ret->n == HEALTH_FINDINGS_MAX)
		return;
	f = health_add(ret, object, FINDING_DECODER_DPA_RESERVED);
	f->args[0] = finding_number(bytes);
	f->args[1] = finding_name(first->name);
	ret->level = OPT_INT((int)health_worst(ret));
}

/* A list ends with the findings: of positions, the first one is kept. */
static struct finding without_lists(const struct finding *found)
{
	struct finding f = *found;

	for (size_t i = 0; i < FINDING_ARGS_MAX; i++) {
		const struct finding_item *first;

		if (f.args[i].type != FINDING_ARG_LIST)
			continue;
		first = f.args[i].list;
		f.args[i] = (struct finding_arg){0};
		if (first && first->position.present)
			f.args[i] = finding_number(first->position.value);
	}
	return f;
}

int health_of_region(const struct host *host, const struct translator *translator,
		     const struct region *region, struct health *ret)
{
	enum health_level worst;
	struct findings f;
	int r;

	ret->n = 0;
	r = findings_init(&f, host, translator, NULL, (struct firmware_timeout){0});
	if (r == 0)
		findings_of_region_state(&f, region);
	if (f.no_memory)
		r = -ENOMEM;
	for (size_t i = 0; i < f.list.n && ret->n < HEALTH_FINDINGS_MAX; i++) {
		const struct finding *found = &f.list.items[i];

		if (finding_level(found->code) == FINDING_PROBLEM &&
		    finding_row(found->code)->message.key)
			ret->findings[ret->n++] = without_lists(found);
	}
	findings_done(&f);
	worst = health_worst(ret);
	ret->level = worst > HEALTH_OK || region->commit != REGION_COMMIT_UNKNOWN
			     ? OPT_INT((int)worst)
			     : (struct opt_int){0};
	return r;
}

void health_rollup_add(struct health_rollup *rollup, struct opt_int level)
{
	rollup->n++;
	if (!level.present)
		rollup->n_unknown++;
	else if ((enum health_level)level.value > rollup->worst)
		rollup->worst = (enum health_level)level.value;
}

struct opt_int health_rollup_level(const struct health_rollup *rollup)
{
	bool known = rollup->n > 0 && rollup->n_unknown == 0;

	return rollup->worst > HEALTH_OK || known ? OPT_INT((int)rollup->worst)
						  : (struct opt_int){0};
}
