// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/enumerators.h"

#include <stdio.h>

#include "common/strutil.h"
#include "model/fabric.h"
#include "model/partitions.h"
#include "redfish/core/resource_index.h"
#include "redfish/view/view.h"

int enumerate_memdevs(const struct view *v, const struct resource_type *t,
		      struct resource_index *ix)
{
	int r = 0;

	for (size_t i = 0; i < v->host->n_memdevs && r >= 0; i++) {
		const struct memdev *m = v->host->memdevs[i];

		r = resource_add(ix, t, m, (const char *const[]){view_memory_id(v, m)});
	}
	return r;
}

int enumerate_modules(const struct view *v, const struct resource_type *t,
		      struct resource_index *ix)
{
	int r = 0;

	for (size_t i = 0; i < v->host->n_memdevs && r >= 0; i++) {
		const struct memdev *m = v->host->memdevs[i];

		if (!fabric_whole(fabric_device_port(v->fabric, m)))
			r = resource_add(ix, t, m, (const char *const[]){view_memory_id(v, m)});
	}
	return r;
}

int enumerate_partitions(const struct view *v, const struct resource_type *t,
			 struct resource_index *ix)
{
	int r = 0;

	for (size_t i = 0; i < v->host->n_memdevs && r >= 0; i++) {
		const struct memdev *m = v->host->memdevs[i];
		struct partition parts[PARTITIONS_MAX];
		size_t n = memdev_partitions(m, parts);

		if (fabric_whole(fabric_device_port(v->fabric, m)))
			continue;
		for (size_t k = 0; k < n && r >= 0; k++)
			r = resource_add(ix, t, m,
					 (const char *const[]){view_memory_id(v, m), parts[k].id});
	}
	return r;
}

int enumerate_windows(const struct view *v, const struct resource_type *t,
		      struct resource_index *ix)
{
	int r = 0;

	for (size_t i = 0; i < v->host->n_decoders && r >= 0; i++) {
		const struct decoder *d = v->host->decoders[i];

		if (d->port->kind == PORT_ROOT)
			r = resource_add(ix, t, d, (const char *const[]){d->id});
	}
	return r;
}

int enumerate_fabric(const struct view *v, const struct resource_type *t, struct resource_index *ix)
{
	return v->fabric->exists ? resource_add(ix, t, NULL, NULL) : 0;
}

int enumerate_switches(const struct view *v, const struct resource_type *t,
		       struct resource_index *ix)
{
	int r = 0;

	for (const struct fabric_item *i = v->fabric->switches.first; i && r >= 0; i = i->next) {
		const struct fabric_switch *sw = i->object;

		r = resource_add(ix, t, sw, (const char *const[]){sw->id});
	}
	return r;
}

int enumerate_vcs(const struct view *v, const struct resource_type *t, struct resource_index *ix)
{
	int r = 0;

	for (const struct fabric_item *i = v->fabric->switches.first; i; i = i->next) {
		const struct fabric_switch *sw = i->object;

		for (size_t k = 0; k < sw->n_vcs && r >= 0; k++) {
			char id[8];

			(void)snprintf(id, sizeof(id), "%u", (unsigned int)sw->vcs[k].reading->id);
			r = resource_add(ix, t, &sw->vcs[k], (const char *const[]){sw->id, id});
		}
	}
	return r;
}

int enumerate_remote_devices(const struct view *v, const struct resource_type *t,
			     struct resource_index *ix)
{
	int r = 0;

	for (const struct fabric_item *i = v->fabric->remote_devices.first; i && r >= 0;
	     i = i->next) {
		const struct fabric_device *d = i->object;

		r = resource_add(ix, t, d, (const char *const[]){d->id});
	}
	return r;
}

int enumerate_remote_lds(const struct view *v, const struct resource_type *t,
			 struct resource_index *ix)
{
	int r = 0;

	for (const struct fabric_item *i = v->fabric->remote_devices.first; i; i = i->next) {
		const struct fabric_device *d = i->object;

		for (size_t k = 0; k < d->n_lds && r >= 0; k++)
			r = resource_add(ix, t, &d->lds[k],
					 (const char *const[]){d->id, d->lds[k].id});
	}
	return r;
}

int enumerate_initiators(const struct view *v, const struct resource_type *t,
			 struct resource_index *ix)
{
	int r = 0;

	for (const struct fabric_item *i = v->fabric->initiators.first; i && r >= 0; i = i->next) {
		const struct fabric_initiator *initiator = i->object;

		r = resource_add(ix, t, initiator, (const char *const[]){initiator->id});
	}
	return r;
}

bool initiator_is_socket(const void *initiator)
{
	return ((const struct fabric_initiator *)initiator)->package;
}

bool initiator_is_adapter(const void *initiator)
{
	return !initiator_is_socket(initiator);
}

const struct memdev *memdev_at(const struct view *v, const char *uri, const char *schema)
{
	const struct resource *r = uri ? resource_find_shown(v->index, uri) : NULL;

	if (!r || r->action || !str_equal(r->type->schema, schema))
		return NULL;
	/* Resources of other hosts' devices have other objects. */
	return r->type->enumerate == enumerate_memdevs || r->type->enumerate == enumerate_modules
		       ? r->object
		       : NULL;
}
