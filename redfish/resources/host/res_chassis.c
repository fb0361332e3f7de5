// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The machine and, within it, one module for each CXL device.

#include "redfish/resources/mapping.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/resources/enumerators.h"

static void render_host_chassis(const struct view *v, const struct resource *r,
				struct json_writer *w)
{
	size_t n;

	(void)r;
	put_string(w, "Name", "Host");
	/* The type of the enclosure is not known here, and the schema requires one. */
	put_string(w, "ChassisType", "Other");
	put_object(w, "Links");
	put_link_list(w, "ComputerSystems", URI_SYSTEM);
	put_array(w, "Contains");
	n = put_module_links(v, w);
	put_end(w);
	put_number(w, "Contains@odata.count", n);
	if (v->host->n_packages > 0) {
		put_array(w, "Processors");
		for (size_t i = 0; i < v->host->n_packages; i++)
			put_link(w, NULL, URI_PROCESSOR, v->host->packages[i].id);
		put_end(w);
	}
	put_link_list(w, "ManagedBy", URI_MANAGER);
	put_link_list(w, "ManagersInChassis", URI_MANAGER);
	put_end(w);
}

/* The link in Oem leads to the Memory without the collection. */
static void put_oem(const struct memdev *m, const char *id, struct json_writer *w)
{
	put_object(w, "Oem");
	put_object(w, "CXLHost");
	put_string(w, "@odata.type", "#CXLHostChassis.v1_0_0.Chassis");
	put_string(w, "KernelName", m->host);
	put_link(w, "Memory", URI_MEMORY, id);
	put_end(w);
	put_end(w);
}

static void render_device_chassis(const struct view *v, const struct resource *r,
				  struct json_writer *w)
{
	const struct memdev *m = r->object;
	const char *id = view_memory_id(v, m);

	put_format(w, "Name", "CXL device of %s", m->name);
	put_string(w, "ChassisType", "Module");
	put_string(w, "Manufacturer", m->manufacturer);
	put_string(w, "PartNumber", m->part_number);
	put_serial_number(m, w);
	put_link(w, "PCIeDevices", URI_CHASSIS "/PCIeDevices", id);
	put_link(w, "FabricAdapters", URI_CHASSIS "/FabricAdapters", id);
	put_link(w, "Memory", URI_CHASSIS "/Memory", id);
	put_link(w, "MemoryDomains", URI_CHASSIS "/MemoryDomains", id);
	put_link(w, "Sensors", URI_CHASSIS "/Sensors", id);
	/* Clients look for sensors only in a chassis that has this or another subsystem. */
	put_link(w, "EnvironmentMetrics", URI_ENVIRONMENT_METRICS, id);
	put_object(w, "Links");
	put_link(w, "ContainedBy", URI_HOST_CHASSIS);
	put_link_list(w, "ManagedBy", URI_MANAGER);
	put_end(w);
	put_oem(m, id, w);
}

/* The memory that is in the chassis, which is below the system that uses it. */
static void render_memory_of_chassis(const struct view *v, const struct resource *r,
				     struct json_writer *w)
{
	put_string(w, "Name", r->type->title);
	put_link_list(w, "Members", URI_MEMORY, view_memory_id(v, r->object));
	put_number(w, "Members@odata.count", 1);
}

static void put_host_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	(void)r;
	put_status_of_host(v, w);
}

static void put_device_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	put_status_of_module(v, r->object, "Enabled", w);
}

static const struct resource_type chassis_types[] = {
	{.pattern = "/redfish/v1/Chassis", COLLECTION("ChassisCollection", "Chassis", "Chassis")},
	{.pattern = URI_HOST_CHASSIS,
	 SCHEMA("Chassis", "v1_28_0"),
	 .render = render_host_chassis,
	 .status = put_host_status},
	{.pattern = "/redfish/v1/Chassis/{Chassis}",
	 SCHEMA("Chassis", "v1_28_0"),
	 .enumerate = enumerate_modules,
	 .render = render_device_chassis,
	 .status = put_device_status},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/Memory",
	 COLLECTION_SCHEMA("MemoryCollection", "Memory", "Memory"),
	 .enumerate = enumerate_modules,
	 .render = render_memory_of_chassis},
};

const struct resource_rows chassis_rows = RESOURCE_ROWS(chassis_types);
