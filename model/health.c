// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/health.h"

#include <errno.h>
#include <string.h>

#include "events/event_strings.h"
#include "model/found_rows.h"
#include "model/topology.h"

static struct finding *health_add(struct health *h, const char *object, enum finding_code code)
{
	struct finding *f = &h->findings[h->n++];

	*f = (struct finding){.code = code, .object = object};
	h->incidents[h->n - 1] = NULL;
	h->found[h->n - 1] = NULL;
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

/* ---- findings that are incidents --------------------------------------------------------------
 */

/* @thing: "" when it is about a device */
static const struct found_incident *find_found(const struct health_log *log, const char *device,
					       const char *thing, enum finding_code code)
{
	struct incident_anchor anchor;
	enum incident_kind kind;

	if (!log || !log->incidents || !found_identity(code, thing, &kind, &anchor))
		return NULL;
	return open_incidents_found(log->incidents->open, device, kind, &anchor);
}

static void health_link_found(struct health *h, const struct health_log *log, const char *device,
			      const char *thing)
{
	for (size_t i = 0; i < h->n; i++)
		h->found[i] = find_found(log, device, thing, h->findings[i].code);
}

/* Its incident has records, too, and says all of it. */
static void health_drop_found(struct health *h, uint64_t id)
{
	size_t n = 0;

	for (size_t i = 0; i < h->n; i++) {
		if (h->found[i] && h->found[i]->id == id)
			continue;
		h->findings[n] = h->findings[i];
		h->incidents[n] = h->incidents[i];
		h->found[n++] = h->found[i];
	}
	h->n = n;
}

/* ---- incidents --------------------------------------------------------------------------------
 */

/* Numbers for the findings of several devices. */
struct incident_sum {
	size_t n_named, n_others;
	enum health_level worst; /* of the others */
};

static enum health_level worse_of(enum health_level level, enum event_severity severity)
{
	return (int)severity > (int)level ? (enum health_level)severity : level;
}

static void health_add_incident(struct health *h, const char *object,
				const struct host_incident *named)
{
	const struct incident *i = &named->open->incident;
	struct finding *f = health_add(h, object, FINDING_OPEN_INCIDENT);

	h->incidents[h->n - 1] = named;
	f->args[0] = finding_text(named->what);
	f->args[1] = finding_text(named->where);
	f->args[2] = finding_text(named->last);
	f->args[3] = finding_incident(i->id);
	f->args[4] = finding_text(incident_state_name(i->state));
	if (named->open->entry)
		f->args[5] = finding_entry(named->open->entry);
	if (i->first_ns)
		f->args[6] = finding_time(i->first_ns);
	f->args[7] = finding_of_severity((enum health_level)i->severity);
}

/* Adds a state that a record of the incident has, unless the device reports it itself. */
static void health_add_flags(struct health *h, const char *object, const struct open_incident *open)
{
	static const enum finding_code codes[HEALTH_FLAGS] = {
		FINDING_PERMANENT_CONDITION,
		FINDING_MAINTENANCE_NEEDED,
		FINDING_PERFORMANCE_DEGRADED,
		FINDING_REPLACEMENT_NEEDED,
	};
	const struct event_health_entry newest = {
		.seq = open->entry,
		.wall_ns = {open->incident.last_ns, open->incident.last_ns != 0},
	};

	for (size_t i = 0; i < HEALTH_FLAGS; i++)
		if (open->incident.flags & event_flag_at(i)->bit && !health_has(h, codes[i]))
			health_set_entry(health_add(h, object, codes[i])->args, &newest);
}

static void health_add_incidents(struct health *h, const char *object, const struct device_state *d,
				 struct incident_sum *sum)
{
	struct incident_tally rest = d->all->tally;

	for (size_t k = 0; k < d->all->n; k++) {
		const struct incident *i = &d->named[k].open->incident;

		if (i->severity == EVENT_OK || sum->n_named == INCIDENTS_NAMED_MAX)
			continue;
		sum->n_named++;
		if (i->found)
			health_drop_found(h, i->id);
		health_add_incident(h, object, &d->named[k]);
		rest.n[i->kind][i->severity][i->state == INCIDENT_ACKNOWLEDGED]--;
	}
	sum->n_others += incident_tally_unhealthy(&rest);
	sum->worst = worse_of(sum->worst, incident_tally_worst(&rest, INCIDENT_OPEN));
	sum->worst = worse_of(sum->worst, incident_tally_worst(&rest, INCIDENT_ACKNOWLEDGED));
}

static void health_add_others(struct health *h, const char *object, const struct incident_sum *sum)
{
	struct finding *f;

	if (!sum->n_others)
		return;
	f = health_add(h, object, FINDING_MORE_INCIDENTS);
	f->args[0] = finding_number(sum->n_others);
	f->args[1] = finding_of_severity(sum->worst);
}

/* ---- entries of no incident -------------------------------------------------------------------
 */

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
}

static void health_add_log(struct health *h, const char *object, const struct health_log *log,
			   const char *device)
{
	const struct device_state *d = host_incidents_of(log->incidents, device);
	struct incident_sum sum = {0};

	if (d)
		health_add_incidents(h, object, d, &sum);
	health_add_others(h, object, &sum);
	for (size_t k = 0; d && k < d->all->n; k++)
		health_add_flags(h, object, d->named[k].open);
	health_add_events(h, object, log->events, device);
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

void health_of_device(const char *object, const struct mailbox *mb, const struct health_log *log,
		      const char *device, struct health *ret)
{
	enum health_level worst;

	ret->n = 0;
	/* Nothing else is known of a device that does not answer. */
	if (mb && (mb->has_health || mb->unresponsive))
		health_add_readings(ret, object, mb);
	health_link_found(ret, log, device, "");
	if (log)
		health_add_log(ret, object, log, device);
	worst = health_worst(ret);
	ret->level = worst > HEALTH_OK || reports_all_health(mb) ? OPT_INT((int)worst)
								 : (struct opt_int){0};
}

struct opt_int health_level_of_device(const struct mailbox *mb, const struct health_log *log,
				      const char *device)
{
	struct health h;

	health_of_device(device, mb, log, device, &h);
	return h.level;
}

struct opt_int health_to_alert(const struct mailbox *mb, const struct health_log *log,
			       const char *device)
{
	const struct health_log entries = {.events = log->events};
	const struct device_state *d = host_incidents_of(log->incidents, device);
	int worst = d ? (int)incident_tally_worst(&d->all->tally, INCIDENT_OPEN) : EVENT_OK;
	struct health h;

	health_of_device(device, mb, &entries, device, &h);
	for (size_t i = 0; i < h.n; i++) {
		const struct found_incident *found =
			find_found(log, device, "", h.findings[i].code);

		if ((!found || found->state == INCIDENT_OPEN) &&
		    (int)finding_severity(&h.findings[i]) > worst)
			worst = (int)finding_severity(&h.findings[i]);
	}
	return worst > HEALTH_OK || reports_all_health(mb) ? OPT_INT(worst) : (struct opt_int){0};
}

void health_of_host_events(const struct health_log *log, struct health *ret)
{
	struct incident_sum sum = {0};

	ret->n = 0;
	for (size_t i = 0; log->incidents && i < log->incidents->n; i++)
		if (!log->incidents->devices[i].memdev)
			health_add_incidents(ret, "host", &log->incidents->devices[i], &sum);
	health_add_others(ret, "host", &sum);
	health_add_events(ret, "host", log->events, "");
	ret->level = OPT_INT((int)health_worst(ret));
}

void health_add_reserved(const char *object, const struct memdev *m, const struct health_log *log,
			 const char *device, struct health *ret)
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
	ret->found[ret->n - 1] = find_found(log, device, "", f->code);
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
		     const struct region *region, const struct health_log *log, struct health *ret)
{
	char thing[FOUND_THING_MAX];
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
			*health_add(ret, found->object, found->code) = without_lists(found);
	}
	findings_done(&f);
	health_link_found(ret, log, "", found_region_thing(region, thing));
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
