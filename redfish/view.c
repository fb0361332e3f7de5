// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "redfish/render.h"

static int fill_index(struct view *v)
{
	const struct resource_type *type;
	int r = 0;

	for (size_t i = 0; (type = resource_table_at(v->table, i)) && r >= 0; i++) {
		if (type->dynamic)
			continue;
		r = type->enumerate ? type->enumerate(v, type, v->index)
				    : resource_add(v->index, type, NULL, NULL);
	}
	return r < 0 ? r : resource_index_seal(v->index);
}

static bool needs_firmware(const struct memdev *m)
{
	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders; i++) {
		enum decoder_mapping mapping = decoder_mapping(m->endpoint->decoders[i]);

		if (mapping == MAPPING_NORMALIZED || mapping == MAPPING_UNKNOWN)
			return true;
	}
	return false;
}

static void look_at_firmware(struct view *v)
{
	struct firmware *firmware = translator_firmware(v->translator);

	for (size_t i = 0; firmware && i < v->host->n_memdevs; i++)
		v->needs_firmware |= needs_firmware(v->host->memdevs[i]);
	if (v->needs_firmware)
		firmware_status(firmware, &v->firmware);
}

bool view_memdev_needs_firmware(const struct view *v, const struct memdev *memdev)
{
	return v->needs_firmware && needs_firmware(memdev);
}

/* Lays out the resources of a view that has the rest. @v is taken over, also on failure. */
static int lay_out(struct view *view, struct view **ret, struct error *e)
{
	_cleanup_view_ struct view *v = view;
	int r;

	v->arena = arena_new();
	v->ids = v->arena ? memory_ids_new(v->arena, v->host) : NULL;
	v->fabric = v->ids ? fabric_new(v) : NULL;
	v->index = v->arena ? resource_index_new(v->arena, v->table->privileges) : NULL;
	r = v->fabric && v->index ? fill_index(v) : -ENOMEM;
	if (r < 0)
		return error_set(e, r, "laying out the resources: %s", strerror(-r));
	*ret = STEAL_PTR(v);
	return 0;
}

/* The translator is taken over, also on failure. Return: NULL when out of memory. */
static struct view *make_view(const struct resource_table *table, const struct host *host,
			      struct translator *translator, const struct readings *readings,
			      struct error *e)
{
	struct view *v = calloc(1, sizeof(*v));

	if (!v) {
		(void)translator_unref(translator);
		(void)error_set(e, ENOMEM, "out of memory while laying out the resources");
		return NULL;
	}
	atomic_init(&v->references, 1);
	v->table = table;
	v->translator = translator;
	v->host = host_ref(host);
	v->readings = readings ? readings_ref(readings) : NULL;
	return v;
}

int view_new(const struct resource_table *table, const struct host *host,
	     struct translator *translator, const struct readings *readings, struct view **ret,
	     struct error *e)
{
	struct view *v = make_view(table, host, translator, readings, e);

	if (!v)
		return -ENOMEM;
	look_at_firmware(v);
	return lay_out(v, ret, e);
}

int view_renew(const struct view *old, const struct readings *readings, struct view **ret,
	       struct error *e)
{
	struct view *v =
		make_view(old->table, old->host, translator_ref(old->translator), readings, e);

	if (!v)
		return -ENOMEM;
	v->recording_faults = old->recording_faults;
	/* As it was: what has changed since then is for the next walk to see and to say. */
	v->needs_firmware = old->needs_firmware;
	v->firmware = old->firmware;
	view_set_event_health(v, old->event_health);
	return lay_out(v, ret, e);
}

void view_set_event_health(struct view *v, const struct event_health *h)
{
	(void)event_health_unref(v->event_health);
	v->event_health = h ? event_health_ref(h) : NULL;
}

void view_set_recording_faults(struct view *v, const struct recording_faults *t)
{
	v->recording_faults = *t;
}

struct view *view_ref(struct view *v)
{
	atomic_fetch_add_explicit(&v->references, 1, memory_order_relaxed);
	return v;
}

struct view *view_unref(struct view *v)
{
	if (!v || atomic_fetch_sub_explicit(&v->references, 1, memory_order_acq_rel) != 1)
		return NULL;
	resource_index_done(v->index);
	(void)arena_free(v->arena);
	(void)translator_unref(v->translator);
	(void)readings_unref(v->readings);
	(void)event_health_unref(v->event_health);
	(void)host_unref(v->host);
	free(v);
	return NULL;
}

static struct representation *make_representation(const struct view *v, const struct resource *r)
{
	struct json_writer w = {0};
	size_t begun = render_begin(r, &w);

	r->type->render(v, r, &w);
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
	/* Two threads may have made it at the same time: the second one throws its own away. */
	if (!atomic_compare_exchange_strong(&r->cached, &expected, rep)) {
		(void)representation_unref(rep);
		rep = expected;
	}
	return rep;
}

const char *view_memory_id(const struct view *v, const struct memdev *memdev)
{
	return memory_id(v->ids, memdev);
}

const struct mailbox *view_mailbox(const struct view *v, const struct memdev *memdev)
{
	static const struct mailbox silent;
	const struct mailbox *mb = readings_mailbox(v->readings, memdev);

	return mb ? mb : &silent;
}

const struct cpu_package *view_package_of_node(const struct view *v, struct opt_int node)
{
	const struct cpu_package *found = NULL;

	for (size_t i = 0; node.present && i < v->host->n_packages; i++) {
		const struct cpu_package *p = &v->host->packages[i];

		for (size_t k = 0; k < p->n_nodes; k++) {
			if (p->nodes[k] != node.value)
				continue;
			if (found && found != p)
				return NULL;
			found = p;
		}
	}
	return found;
}
