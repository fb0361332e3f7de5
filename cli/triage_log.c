// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The incidents of the log, as far as they are asked for.
#include <errno.h>
#include <string.h>

#include "cli/event_store.h"
#include "cli/triage_run.h"
#include "cli/verdict.h"
#include "common/clock.h"
#include "common/strutil.h"
#include "events/component_id.h"
#include "events/event_fill.h"

static int add_entry(void *userdata, uint64_t seq)
{
	uint64_t *new = entry_list_add(userdata);

	if (!new)
		return -ENOMEM;
	*new = seq;
	return 0;
}

static bool is_wanted(const struct triage_run *run, const struct triage_incident *t)
{
	const struct triage_selection *s = &run->selection;

	if (s->id)
		return t->incident.id == s->id;
	/* The words of a finding without device say which object it is about; they come later. */
	if (s->object && !t->now.memdev && !t->incident.device[0])
		return incident_is_only_found(&t->incident);
	if (s->object && (!t->now.memdev || !verdict_has_memdev(s->object, t->now.memdev)))
		return false;
	for (size_t k = 0; s->has_spa && k < t->now.n_pages; k++)
		if (t->now.pages[k] <= s->spa_last &&
		    t->now.pages[k] + (run->cli->host->page_size - 1) >= s->spa)
			return true;
	return !s->has_spa;
}

static int add_incident(void *userdata, const struct incident *i)
{
	struct triage_run *run = userdata;
	struct triage_incident *t;
	int r;

	if (run->reports) {
		triage_adopt(run->reports, i, &run->log);
		return 0;
	}
	t = triage_list_add(&run->list);
	if (!t)
		return -ENOMEM;
	*t = (struct triage_incident){.incident = *i,
				      .age = run->log.age,
				      .age_is_now = run->log.age_is_now,
				      .host = run->log.host,
				      .is_of_log = true};
	r = triage_look(run->cli, run->ids, t);
	if (r == 0 && !is_wanted(run, t))
		run->list.n--;
	return r;
}

/* The log of another machine, or of a boot before this one, knows nothing of the time since. */
static void set_log(struct triage_run *run, const struct incident_age *then)
{
	struct triage_log *log = &run->log;
	uint8_t boot_id[EVENT_BOOT_ID_SIZE];
	uint64_t machine;

	log->age = then->age;
	if (run->cli->host_path)
		return;
	event_boot_id(run->cli->root, boot_id);
	machine = event_machine(run->cli->root);
	log->age_is_now = memcmp(boot_id, then->boot_id, sizeof(boot_id)) == 0;
	if (log->age_is_now)
		log->age = incident_age_at(then, boot_id, clock_boottime_ms() * 1000000);
	else if (!machine || !then->machine)
		log->host = TRIAGE_UNKNOWN_HOST;
	else if (machine != then->machine)
		log->host = TRIAGE_OTHER_HOST;
}

/* The component is that of the newest record, or the one that is selected; @ret_is: as of the
 * selection. */
static int find_component(struct store_reader *r, struct triage_run *run, struct triage_incident *t,
			  bool *ret_is, struct error *e)
{
	const char *wanted = run->selection.component;
	const size_t n = !wanted[0] && t->entries.n ? 1 : t->entries.n;
	struct stored_event ev;
	int result = 0;

	*ret_is = !wanted[0];
	for (size_t k = 0; k < n && (!t->component[0] || !*ret_is); k++) {
		result = store_read_one(r, t->entries.items[k], &ev, e);
		if (result < 0)
			return result == -ENOENT ? 0 : result;
		if (!wanted[0] || component_id_is(&ev.record, wanted)) {
			(void)component_id_text(&ev.record, t->component);
			*ret_is = true;
		}
	}
	return result;
}

static int read_components(struct store_reader *r, struct triage_run *run, struct error *e)
{
	int result = 0;

	for (size_t i = 0; i < run->list.n && result == 0; i++) {
		struct triage_incident *t = &run->list.items[i];
		bool is_wanted = true;

		if (t->incident.id && !t->component[0])
			result = find_component(r, run, t, &is_wanted, e);
		t->is_left_out = !is_wanted;
	}
	return result;
}

static int read_incidents(struct store_reader *r, void *userdata, struct error *e)
{
	struct triage_run *run = userdata;
	struct incident_age then;
	int result = store_read_age(r, &then, e);

	set_log(run, &then);
	if (result == 0)
		result = store_read_incidents(r, run->selection.id != 0 || run->reports,
					      add_incident, run, e);
	for (size_t i = 0; i < run->list.n && result == 0; i++) {
		struct triage_incident *t = &run->list.items[i];

		if (!t->incident.id)
			continue;
		if (incident_is_only_found(&t->incident))
			result = store_read_finding(r, t->incident.id, &t->finding, e);
		if (result == 0)
			result = store_read_incident_entries(r, t->incident.id, TRIAGE_ENTRIES_MAX,
							     add_entry, &t->entries, e);
	}
	return result == 0 && (run->in_full || run->cli->json) ? read_components(r, run, e)
							       : result;
}

static bool is_of_other_object(const struct triage_run *run, const struct triage_incident *t)
{
	const struct object *o = run->selection.object;

	return o && o->kind != OBJECT_HOST && !t->incident.device[0] && t->incident.id &&
	       !str_equal(t->finding.object, o->name);
}

void triage_drop_others(struct triage_run *run)
{
	size_t n = 0;

	for (size_t i = 0; i < run->list.n; i++) {
		struct triage_incident *t = &run->list.items[i];

		if (t->is_left_out || is_of_other_object(run, t))
			entry_list_done(&t->entries);
		else
			run->list.items[n++] = *t;
	}
	run->list.n = n;
}

int triage_read_log(struct triage_run *run, struct store_found *found, struct error *e)
{
	return event_store_read(run->cli, found, read_incidents, run, e);
}
