// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/view/view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "redfish/core/render.h"
#include "redfish/view/condition_times.h"

static void find_unchangeable(struct view *v)
{
	struct resource *r;

	for (size_t i = 0; (r = resource_at(v->index, i)); i++)
		resource_find_reason(v, r);
}

static int fill_index(struct view *v)
{
	struct resource_cursor at = {0};
	const struct resource_type *type;
	int r = 0;

	while (r >= 0 && (type = resource_table_next(v->table, &at))) {
		if (type->dynamic)
			continue;
		r = type->enumerate ? type->enumerate(v, type, v->index)
				    : resource_add(v->index, type, NULL, NULL);
	}
	if (r < 0)
		return r;
	find_unchangeable(v);
	return resource_index_seal(v->index);
}

static bool memdev_needs_firmware(const struct memdev *m)
{
	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders; i++) {
		enum decoder_mapping mapping = decoder_mapping(m->endpoint->decoders[i]);

		if (mapping == MAPPING_NORMALIZED || mapping == MAPPING_UNKNOWN)
			return true;
	}
	return false;
}

bool view_host_needs_firmware(const struct host *host)
{
	for (size_t i = 0; i < host->n_memdevs; i++)
		if (memdev_needs_firmware(host->memdevs[i]))
			return true;
	return false;
}

bool view_memdev_needs_firmware(const struct view *v, const struct memdev *memdev)
{
	return v->needs_firmware && memdev_needs_firmware(memdev);
}

static int lay_out_resources(struct view *v)
{
	v->arena = arena_new();
	v->ids = v->arena ? memdev_ids_new(v->arena, v->host) : NULL;
	v->fabric = v->ids ? fabric_new(v->arena, v->host, v->ids, v->inputs.switches) : NULL;
	/* Firmware was queried by the producer of the incidents. */
	v->log.incidents = v->ids ? host_incidents_new(v->arena, v->inputs.incidents, v->host,
						       v->translator, v->ids, NULL)
				  : NULL;
	v->index = v->log.incidents ? resource_index_new(v->arena, v->table->privileges) : NULL;
	v->expansions = v->index ? expansions_new() : NULL;
	return v->fabric && v->expansions ? fill_index(v) : -ENOMEM;
}

int view_new(const struct resource_table *table, const struct view_inputs *in, struct view **ret,
	     struct error *e)
{
	struct view *v = calloc(1, sizeof(*v));
	int r;

	if (!v)
		return error_set(e, ENOMEM, "cannot build the Redfish resources: %s",
				 strerror(ENOMEM));
	atomic_init(&v->references, 1);
	v->table = table;
	view_inputs_copy(&v->inputs, in);
	v->host = v->inputs.host;
	v->translator = v->inputs.translator;
	v->readings = v->inputs.readings;
	v->log.events = v->inputs.event_health;
	v->needs_firmware = translator_firmware(v->translator) && view_host_needs_firmware(v->host);
	r = lay_out_resources(v);
	if (r < 0) {
		(void)view_unref(v);
		return error_set(e, r, "cannot build the Redfish resources: %s", strerror(-r));
	}
	*ret = v;
	return 0;
}

void view_put_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	w->len = 0;
	w->comma = false;
	put_object(w, NULL);
	if (r && r->type->status)
		r->type->status(v, r, w);
	put_end(w);
}

void view_date_conditions(struct view *v, const struct view *before, uint64_t now_ns)
{
	_cleanup_writer_ struct json_writer unread = {0};
	const struct resource *r;

	v->times = condition_times_new(v->arena, before ? before->times : NULL, now_ns);
	if (!v->times)
		return;
	for (size_t i = 0; (r = resource_at(v->index, i)); i++)
		if (r->type->status && !r->action && !r->hidden)
			view_put_status(v, r, &unread);
	condition_times_seal(v->times);
}

/* The reference count is not part of the contents. */
static atomic_uint *references_of(const struct view *v)
{
	return (atomic_uint *)(uintptr_t)&v->references;
}

const struct view *view_ref(const struct view *v)
{
	atomic_fetch_add_explicit(references_of(v), 1, memory_order_relaxed);
	return v;
}

struct view *view_unref(const struct view *v)
{
	struct view *mine = (struct view *)(uintptr_t)v;

	if (!v || atomic_fetch_sub_explicit(&mine->references, 1, memory_order_acq_rel) != 1)
		return NULL;
	(void)expansions_free(mine->expansions);
	resource_index_done(mine->index);
	(void)arena_free(mine->arena);
	view_inputs_done(&mine->inputs);
	free(mine);
	return NULL;
}

static struct representation *make_representation(const struct view *v, const struct resource *r)
{
	struct json_writer w = {0};
	size_t begun = render_begin(r, &w);

	r->type->render(v, r, &w);
	if (r->type->status)
		r->type->status(v, r, &w);
	return render_end(r, begun, &w);
}

struct representation *view_representation(const struct view *v, struct resource *r)
{
	struct representation *rep = atomic_load_explicit(&r->cached, memory_order_acquire);
	struct representation *expected = NULL;

	if (rep)
		return rep;
	rep = make_representation(v, r);
	if (!rep)
		return NULL;
	/* Two threads may have rendered it at the same time: the second one drops its result. */
	if (!atomic_compare_exchange_strong(&r->cached, &expected, rep)) {
		(void)representation_unref(rep);
		rep = expected;
	}
	return rep;
}

const char *view_memory_id(const struct view *v, const struct memdev *memdev)
{
	return memdev_id(v->ids, memdev);
}

const struct mailbox *view_mailbox(const struct view *v, const struct memdev *memdev)
{
	static const struct mailbox absent;
	const struct mailbox *mb = readings_mailbox(v->readings, memdev);

	return mb ? mb : &absent;
}

struct memdev_security view_security(const struct view *v, const struct memdev *memdev)
{
	const struct memdev_security *read = readings_security(v->readings, memdev);

	return read ? *read : (struct memdev_security){memdev->security_state, memdev->has_nvdimm};
}

/* A new reference is taken before the old one is dropped: they may refer to the same value. */

static void set_topology(struct view_inputs *to, const struct view_inputs *from)
{
	const struct host *host = to->host;
	struct translator *translator = to->translator;

	to->host = from->host ? host_ref(from->host) : NULL;
	to->translator = from->translator ? translator_ref(from->translator) : NULL;
	(void)translator_unref(translator);
	(void)host_unref(host);
}

/* Hosts are not compared: each walk makes a new view. */
static bool equal_topology(const struct view_inputs *a, const struct view_inputs *b)
{
	return a->host == b->host && a->translator == b->translator;
}

static void set_firmware(struct view_inputs *to, const struct view_inputs *from)
{
	to->firmware = from->firmware;
}

/* The counters and the times in the text change with each call and do not make a new view. */
static bool equal_firmware(const struct view_inputs *a, const struct view_inputs *b)
{
	const struct firmware_status *x = &a->firmware, *y = &b->firmware;

	return x->state == y->state && (x->text[0] != '\0') == (y->text[0] != '\0') &&
	       (x->rejected[0] != '\0') == (y->rejected[0] != '\0') && x->n_failing == y->n_failing;
}

static void set_readings(struct view_inputs *to, const struct view_inputs *from)
{
	const struct readings *old = to->readings;

	to->readings = from->readings ? readings_ref(from->readings) : NULL;
	(void)readings_unref(old);
}

static bool equal_readings(const struct view_inputs *a, const struct view_inputs *b)
{
	return readings_equal(a->readings, b->readings);
}

static void set_switches(struct view_inputs *to, const struct view_inputs *from)
{
	const struct switch_readings *old = to->switches;

	to->switches = from->switches ? switch_readings_ref(from->switches) : NULL;
	(void)switch_readings_unref(old);
}

static bool equal_switches(const struct view_inputs *a, const struct view_inputs *b)
{
	return switch_readings_equal(a->switches, b->switches);
}

static void set_event_health(struct view_inputs *to, const struct view_inputs *from)
{
	const struct event_health *old = to->event_health;

	to->event_health = from->event_health ? event_health_ref(from->event_health) : NULL;
	(void)event_health_unref(old);
}

static bool equal_event_health(const struct view_inputs *a, const struct view_inputs *b)
{
	return event_health_equal(a->event_health, b->event_health);
}

static void set_incidents(struct view_inputs *to, const struct view_inputs *from)
{
	const struct open_incidents *old = to->incidents;

	to->incidents = from->incidents ? open_incidents_ref(from->incidents) : NULL;
	(void)open_incidents_unref(old);
}

static bool equal_incidents(const struct view_inputs *a, const struct view_inputs *b)
{
	return open_incidents_equal(a->incidents, b->incidents);
}

static void set_recording_faults(struct view_inputs *to, const struct view_inputs *from)
{
	to->recording_faults = from->recording_faults;
}

static bool equal_recording_faults(const struct view_inputs *a, const struct view_inputs *b)
{
	return recording_faults_equal(&a->recording_faults, &b->recording_faults);
}

static void set_service_faults(struct view_inputs *to, const struct view_inputs *from)
{
	to->service_faults = from->service_faults;
}

static bool equal_service_faults(const struct view_inputs *a, const struct view_inputs *b)
{
	return service_faults_equal(&a->service_faults, &b->service_faults);
}

static void set_changes_allowed(struct view_inputs *to, const struct view_inputs *from)
{
	to->changes_allowed = from->changes_allowed;
}

static bool equal_changes_allowed(const struct view_inputs *a, const struct view_inputs *b)
{
	return a->changes_allowed.configured == b->changes_allowed.configured &&
	       a->changes_allowed.helper == b->changes_allowed.helper;
}

static void set_memory_use(struct view_inputs *to, const struct view_inputs *from)
{
	const struct memory_use *old = to->memory_use;

	to->memory_use = from->memory_use ? memory_use_ref(from->memory_use) : NULL;
	(void)memory_use_unref(old);
}

static bool equal_memory_use(const struct view_inputs *a, const struct view_inputs *b)
{
	return memory_use_equal(a->memory_use, b->memory_use);
}

static void set_interfaces(struct view_inputs *to, const struct view_inputs *from)
{
	const struct interfaces *old = to->interfaces;

	to->interfaces = from->interfaces ? interfaces_ref(from->interfaces) : NULL;
	(void)interfaces_unref(old);
}

static bool equal_interfaces(const struct view_inputs *a, const struct view_inputs *b)
{
	return interfaces_equal(a->interfaces, b->interfaces);
}

static const struct {
	void (*set)(struct view_inputs *to, const struct view_inputs *from);
	bool (*equal)(const struct view_inputs *a, const struct view_inputs *b);
} rows[VIEW_INPUT_COUNT] = {
	[VIEW_INPUT_TOPOLOGY] = {set_topology, equal_topology},
	[VIEW_INPUT_FIRMWARE] = {set_firmware, equal_firmware},
	[VIEW_INPUT_READINGS] = {set_readings, equal_readings},
	[VIEW_INPUT_SWITCHES] = {set_switches, equal_switches},
	[VIEW_INPUT_EVENT_HEALTH] = {set_event_health, equal_event_health},
	[VIEW_INPUT_INCIDENTS] = {set_incidents, equal_incidents},
	[VIEW_INPUT_RECORDING_FAULTS] = {set_recording_faults, equal_recording_faults},
	[VIEW_INPUT_SERVICE_FAULTS] = {set_service_faults, equal_service_faults},
	[VIEW_INPUT_CHANGES_ALLOWED] = {set_changes_allowed, equal_changes_allowed},
	[VIEW_INPUT_MEMORY_USE] = {set_memory_use, equal_memory_use},
	[VIEW_INPUT_INTERFACES] = {set_interfaces, equal_interfaces},
};

void view_inputs_set(struct view_inputs *to, const struct view_inputs *from, enum view_input input)
{
	rows[input].set(to, from);
}

bool view_inputs_equal(const struct view_inputs *a, const struct view_inputs *b,
		       enum view_input input)
{
	return rows[input].equal(a, b);
}

void view_inputs_copy(struct view_inputs *to, const struct view_inputs *from)
{
	*to = (struct view_inputs){0};
	for (enum view_input i = 0; i < VIEW_INPUT_COUNT; i++)
		rows[i].set(to, from);
}

void view_inputs_done(struct view_inputs *in)
{
	static const struct view_inputs none;

	for (enum view_input i = 0; i < VIEW_INPUT_COUNT; i++)
		rows[i].set(in, &none);
}

static void report_missing(const struct view *of, const struct view *in, enum view_change change,
			   view_change_fn *fn, void *userdata)
{
	const struct resource *r;

	for (size_t i = 0; (r = resource_at(of->index, i)); i++)
		if (!r->action && !resource_find(in->index, r->uri))
			fn(userdata, change, r);
}

void view_compare(const struct view *before, const struct view *now, view_change_fn *fn,
		  void *userdata)
{
	report_missing(before, now, RESOURCE_REMOVED, fn, userdata);
	report_missing(now, before, RESOURCE_CREATED, fn, userdata);
}
