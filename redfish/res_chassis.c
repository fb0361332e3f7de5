// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The machine and, within it, one module for each CXL device.
#include "redfish/resources.h"

#include "redfish/view.h"

static void put_managed_by(struct json_writer *w)
{
	put_array(w, "ManagedBy");
	put_link(w, NULL, URI_MANAGER);
	put_end(w);
}

void render_host_chassis(const struct view *v, const struct resource *r, struct json_writer *w)
{
	(void)r;
	put_string(w, "Name", "Host");
	/* What the enclosure looks like is not known here, and the schema wants a type. */
	put_string(w, "ChassisType", "Other");
	put_status_of_host(v, w);
	put_object(w, "Links");
	put_array(w, "ComputerSystems");
	put_link(w, NULL, URI_SYSTEM);
	put_end(w);
	put_array(w, "Contains");
	for (size_t i = 0; i < v->host->n_memdevs; i++)
		put_link(w, NULL, URI_CHASSIS, view_memory_id(v, v->host->memdevs[i]));
	put_end(w);
	put_number(w, "Contains@odata.count", v->host->n_memdevs);
	put_managed_by(w);
	put_end(w);
}

void render_device_chassis(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct memdev *m = r->object;

	put_format(w, "Name", "CXL device of %s", m->name);
	put_string(w, "ChassisType", "Module");
	if (m->serial.present && m->serial.value != 0)
		put_format(w, "SerialNumber", "%016llx", (unsigned long long)m->serial.value);
	put_status_of_module(v, m, w);
	put_link(w, "FabricAdapters", "%s/FabricAdapters", r->uri);
	put_object(w, "Links");
	put_link(w, "ContainedBy", URI_HOST_CHASSIS);
	put_managed_by(w);
	put_end(w);
}
