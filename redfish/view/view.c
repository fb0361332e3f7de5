// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/view/view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "redfish/core/render.h"

static void find_unchangeable(struct view *v)
{
	struct resource *r;

	for (size_t i = 0; (r = resource_at(v->index, i)); i++)
		resource_find_reason(v, r);
}

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
	v->index = v->arena ? resource_index_new(v->arena, v->table->privileges) : NULL;
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
	v->event_health = v->inputs.event_health;
	v->needs_firmware = translator_firmware(v->translator) && view_host_needs_firmware(v->host);
	r = lay_out_resources(v);
	if (r < 0) {
		(void)view_unref(v);
		return error_set(e, r, "cannot build the Redfish resources: %s", strerror(-r));
	}
	*ret = v;
	return 0;
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
