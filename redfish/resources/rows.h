/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_ROWS_H
#define CXLR_REDFISH_RESOURCES_ROWS_H

/*
 * The rows that each file of this directory exports to resources.c.
 */

#include "redfish/core/resource_table.h"

extern const struct resource_rows switch_device_rows, virtual_switch_rows;

extern const struct resource_rows root_rows, metadata_rows, openapi_rows, schema_rows, session_rows,
	system_rows, memory_rows, memory_metrics_rows, log_rows, incident_rows, memory_domain_rows,
	memory_chunks_rows, processor_rows, port_rows, sensor_rows, fabric_adapter_rows,
	chassis_rows, pcie_rows, pcie_device_rows, logical_device_rows, fabric_rows, endpoint_rows,
	zone_rows, connection_rows, binding_rows, manager_rows, audit_rows, event_rows,
	registry_rows, device_domain_rows, account_service_rows, account_rows, certificate_rows,
	network_rows, privilege_rows, task_rows, remote_device_rows, remote_endpoint_rows,
	remote_ld_rows, switch_log_rows, update_service_rows, software_inventory_rows, capture_rows,
	isolation_rows, telemetry_rows, aggregation_rows, extent_rows, action_info_rows;

/* Reasons, for `not_changed` of rows in several files. */
#define REGION_BY_HOST                                                                             \
	"it is a region of the host, which the host itself removes (cxl destroy-region)"
#define ZONES_BY_BINDING                                                                           \
	"zones follow from the bindings of vPPBs, which are Connections: change those"

#endif
