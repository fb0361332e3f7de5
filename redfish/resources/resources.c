// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/resources.h"

#include "common/array.h"
#include "redfish/resources/rows.h"

/* The order of $metadata and of the schema files. */
static const struct resource_rows *const lists[] = {
	&root_rows,
	&metadata_rows,
	&openapi_rows,
	&schema_rows,
	&session_rows,
	&system_rows,
	&memory_rows,
	&memory_metrics_rows,
	&log_rows,
	&incident_rows,
	&memory_domain_rows,
	&memory_chunks_rows,
	&processor_rows,
	&port_rows,
	&fabric_adapter_rows,
	&chassis_rows,
	&pcie_rows,
	&pcie_device_rows,
	&logical_device_rows,
	&fabric_rows,
	&virtual_switch_rows,
	&switch_device_rows,
	&endpoint_rows,
	&zone_rows,
	&connection_rows,
	&binding_rows,
	&manager_rows,
	&event_rows,
	&registry_rows,
	&device_domain_rows,
	&sensor_rows,
	&account_service_rows,
	&account_rows,
	&network_rows,
	&certificate_rows,
	&privilege_rows,
	&audit_rows,
	&task_rows,
	&remote_device_rows,
	&remote_ld_rows,
	&remote_endpoint_rows,
	&extent_rows,
	&switch_log_rows,
	&update_service_rows,
	&software_inventory_rows,
	&capture_rows,
	&isolation_rows,
	&telemetry_rows,
	&aggregation_rows,
	&action_info_rows, /* the last: it finds the actions of the others */
};

const struct resource_table redfish_resources = {
	.lists = lists,
	.n = ARRAY_SIZE(lists),
	.privileges = &redfish_privileges,
};
