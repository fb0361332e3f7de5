// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/eventing/resource_event.h"
#include "redfish/resources/log_service.h"

#define DMTF_SCHEMAS "http://redfish.dmtf.org/schemas/v1/"

#define SCHEMA(name, ver)                                                                          \
	.schema = name, .version = ver, .odata_type = "#" name "." ver "." name,                   \
	.schema_uri = DMTF_SCHEMAS name "." ver ".json"

#define COLLECTION(name, of, shown)                                                                \
	.schema = name, .odata_type = "#" name "." name, .schema_uri = DMTF_SCHEMAS name ".json",  \
	.members = of, .title = shown, .render = render_collection

#define ACTION_INFO SCHEMA("ActionInfo", "v1_5_0")

#define ACTIONS(list) .actions = list, .n_actions = ARRAY_SIZE(list)

static const struct action memory_actions[] = {
	{"CXLHostMemory.TranslateDPA", "/Oem/CXLHost/TranslateDPAActionInfo",
	 .run = run_translate_dpa},
};

static const struct action system_actions[] = {
	{"CXLHostComputerSystem.TranslateSPA", "/Oem/CXLHost/TranslateSPAActionInfo",
	 .run = run_translate_spa},
};

static const struct action log_actions[] = {
	{"LogService.ClearLog", .standard = true, .live = run_clear_log},
};

static const struct action event_service_actions[] = {
	{"EventService.SubmitTestEvent", .standard = true, .live = run_submit_test_event},
	{"EventService.TestEventSubscription", .standard = true,
	 .live = run_test_event_subscription},
};

static const struct action subscription_actions[] = {
	{"EventDestination.SuspendSubscription", .standard = true,
	 .live = run_suspend_subscription},
	{"EventDestination.ResumeSubscription", .standard = true, .live = run_resume_subscription},
};

/* In the log of the host, and in each device's. */
#define LOG_ENTRIES                                                                                \
	COLLECTION("LogEntryCollection", "LogEntry", "Log Entries"), .live = &log_entries_ops
#define LOG_ENTRY                                                                                  \
	SCHEMA("LogEntry", LOG_ENTRY_VERSION), .enumerate = enumerate_none, .live = &log_entry_ops

/* These three stand in four places each. */
#define PORTS	     COLLECTION("PortCollection", "Port", "Ports")
#define PORT	     SCHEMA("Port", "v1_18_0"), .render = render_port
#define PORT_METRICS SCHEMA("PortMetrics", "v1_8_1"), .render = render_port_metrics

static const struct resource_type types[] = {
	{.pattern = "/redfish", .open = true, .render = render_versions},
	{.pattern = URI_ROOT,
	 SCHEMA("ServiceRoot", "v1_20_0"),
	 .id = "RootService",
	 .open = true,
	 .render = render_service_root},
	{.pattern = "/redfish/v1/odata", .open = true, .render = render_odata},
	{.pattern = "/redfish/v1/$metadata",
	 .content_type = CONTENT_TYPE_XML,
	 .open = true,
	 .render = render_metadata},
	{.pattern = URI_SCHEMAS "/{Schema}",
	 .content_type = CONTENT_TYPE_XML,
	 .enumerate = enumerate_oem_csdl,
	 .render = render_oem_schema},
	{.pattern = URI_SCHEMAS "/{Schema}",
	 .enumerate = enumerate_oem_json_schemas,
	 .render = render_oem_schema},
	{.pattern = "/redfish/v1/JsonSchemas",
	 COLLECTION("JsonSchemaFileCollection", "JsonSchemaFile", "JSON Schemas")},
	{.pattern = "/redfish/v1/JsonSchemas/{JsonSchemaFile}",
	 SCHEMA("JsonSchemaFile", "v1_1_5"),
	 .enumerate = enumerate_dmtf_schema_files,
	 .render = render_dmtf_schema_file},
	{.pattern = "/redfish/v1/JsonSchemas/{JsonSchemaFile}",
	 SCHEMA("JsonSchemaFile", "v1_1_5"),
	 .enumerate = enumerate_oem_schema_files,
	 .render = render_oem_schema_file},

	{.pattern = "/redfish/v1/SessionService",
	 SCHEMA("SessionService", "v1_2_0"),
	 .render = render_session_service},
	{.pattern = URI_SESSIONS, COLLECTION("SessionCollection", "Session", "Sessions")},

	{.pattern = "/redfish/v1/Systems",
	 COLLECTION("ComputerSystemCollection", "ComputerSystem", "Systems")},
	{.pattern = URI_SYSTEM,
	 SCHEMA("ComputerSystem", "v1_27_0"),
	 .render = render_system,
	 ACTIONS(system_actions)},
	{.pattern = URI_SYSTEM "/OperatingSystem",
	 SCHEMA("OperatingSystem", "v1_0_2"),
	 .render = render_operating_system},
	{.pattern = URI_SYSTEM "/Oem/CXLHost/TranslateSPAActionInfo",
	 ACTION_INFO,
	 .render = render_translate_spa_info},

	{.pattern = URI_SYSTEM "/Memory", COLLECTION("MemoryCollection", "Memory", "Memory")},
	{.pattern = URI_SYSTEM "/Memory/{Memory}",
	 SCHEMA("Memory", "v1_23_0"),
	 .enumerate = enumerate_memdevs,
	 .render = render_memory,
	 ACTIONS(memory_actions)},
	{.pattern = URI_SYSTEM "/Memory/{Memory}/Oem/CXLHost/TranslateDPAActionInfo",
	 ACTION_INFO,
	 .enumerate = enumerate_memdevs,
	 .render = render_translate_dpa_info},

	{.pattern = URI_SYSTEM "/Memory/{Memory}/MemoryMetrics",
	 SCHEMA("MemoryMetrics", "v1_8_0"),
	 .enumerate = enumerate_memdevs,
	 .render = render_memory_metrics},
	{.pattern = URI_SYSTEM "/Memory/{Memory}/EnvironmentMetrics",
	 SCHEMA("EnvironmentMetrics", "v1_5_0"),
	 .enumerate = enumerate_memdevs,
	 .render = render_environment_metrics},
	{.pattern = URI_SYSTEM "/Memory/{Memory}/DeviceLog",
	 SCHEMA("LogService", "v1_9_0"),
	 .enumerate = enumerate_memdevs,
	 .live = &device_log_ops,
	 ACTIONS(log_actions)},
	{.pattern = URI_SYSTEM "/Memory/{Memory}/DeviceLog/Entries",
	 LOG_ENTRIES,
	 .enumerate = enumerate_memdevs},
	{.pattern = URI_SYSTEM "/Memory/{Memory}/DeviceLog/Entries/{LogEntry}", LOG_ENTRY},

	{.pattern = URI_HOST_LOGS,
	 COLLECTION("LogServiceCollection", "LogService", "Log Services")},
	{.pattern = URI_HOST_LOG,
	 SCHEMA("LogService", "v1_9_0"),
	 .live = &log_service_ops,
	 ACTIONS(log_actions)},
	{.pattern = URI_HOST_LOG "/Entries", LOG_ENTRIES},
	{.pattern = URI_HOST_LOG "/Entries/{LogEntry}", LOG_ENTRY},

	{.pattern = URI_SYSTEM "/MemoryDomains",
	 COLLECTION("MemoryDomainCollection", "MemoryDomain", "Memory Domains")},
	{.pattern = URI_SYSTEM "/MemoryDomains/{MemoryDomain}",
	 SCHEMA("MemoryDomain", "v1_5_1"),
	 .enumerate = enumerate_windows,
	 .render = render_memory_domain},
	{.pattern = URI_SYSTEM "/MemoryDomains/{MemoryDomain}/MemoryChunks",
	 COLLECTION("MemoryChunksCollection", "MemoryChunks", "Memory Chunks"),
	 .enumerate = enumerate_windows},
	{.pattern = URI_SYSTEM "/MemoryDomains/{MemoryDomain}/MemoryChunks/{MemoryChunks}",
	 SCHEMA("MemoryChunks", "v1_6_2"),
	 .enumerate = enumerate_regions,
	 .render = render_memory_chunks},

	{.pattern = URI_SYSTEM "/Processors",
	 COLLECTION("ProcessorCollection", "Processor", "Processors")},
	{.pattern = URI_SYSTEM "/Processors/{Processor}",
	 SCHEMA("Processor", "v1_22_0"),
	 .enumerate = enumerate_packages,
	 .render = render_processor},
	{.pattern = URI_SYSTEM "/Processors/{Processor}/Ports",
	 PORTS,
	 .enumerate = enumerate_socket_initiators},
	{.pattern = URI_SYSTEM "/Processors/{Processor}/Ports/{Port}",
	 PORT,
	 .enumerate = enumerate_processor_ports},
	{.pattern = URI_SYSTEM "/Processors/{Processor}/Ports/{Port}/Metrics",
	 PORT_METRICS,
	 .enumerate = enumerate_processor_ports},

	{.pattern = URI_SYSTEM "/FabricAdapters",
	 COLLECTION("FabricAdapterCollection", "FabricAdapter", "Fabric Adapters"),
	 .enumerate = enumerate_adapter_collection},
	{.pattern = URI_SYSTEM "/FabricAdapters/{FabricAdapter}",
	 SCHEMA("FabricAdapter", "v1_5_3"),
	 .enumerate = enumerate_adapter_initiators,
	 .render = render_host_adapter},
	{.pattern = URI_SYSTEM "/FabricAdapters/{FabricAdapter}/Ports",
	 PORTS,
	 .enumerate = enumerate_adapter_initiators},
	{.pattern = URI_SYSTEM "/FabricAdapters/{FabricAdapter}/Ports/{Port}",
	 PORT,
	 .enumerate = enumerate_adapter_ports},
	{.pattern = URI_SYSTEM "/FabricAdapters/{FabricAdapter}/Ports/{Port}/Metrics",
	 PORT_METRICS,
	 .enumerate = enumerate_adapter_ports},

	{.pattern = "/redfish/v1/Chassis", COLLECTION("ChassisCollection", "Chassis", "Chassis")},
	{.pattern = URI_HOST_CHASSIS, SCHEMA("Chassis", "v1_28_0"), .render = render_host_chassis},
	{.pattern = "/redfish/v1/Chassis/{Chassis}",
	 SCHEMA("Chassis", "v1_28_0"),
	 .enumerate = enumerate_memdevs,
	 .render = render_device_chassis},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/PCIeDevices",
	 COLLECTION("PCIeDeviceCollection", "PCIeDevice", "PCIe Devices"),
	 .enumerate = enumerate_memdevs},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/PCIeDevices/1",
	 SCHEMA("PCIeDevice", "v1_21_0"),
	 .enumerate = enumerate_memdevs,
	 .render = render_pcie_device},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/PCIeDevices/1/PCIeFunctions",
	 COLLECTION("PCIeFunctionCollection", "PCIeFunction", "PCIe Functions"),
	 .enumerate = enumerate_memdevs},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/PCIeDevices/1/PCIeFunctions/0",
	 SCHEMA("PCIeFunction", "v1_7_0"),
	 .enumerate = enumerate_pci_functions,
	 .render = render_pcie_function},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/PCIeDevices/1/CXLLogicalDevices",
	 COLLECTION("CXLLogicalDeviceCollection", "CXLLogicalDevice", "CXL Logical Devices"),
	 .enumerate = enumerate_memdevs},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/PCIeDevices/1/CXLLogicalDevices/0",
	 SCHEMA("CXLLogicalDevice", "v1_3_0"),
	 .enumerate = enumerate_memdevs,
	 .render = render_logical_device},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/PCIeDevices/1/CXLLogicalDevices/0/MemoryRegions",
	 COLLECTION("MemoryRegionCollection", "MemoryRegion", "Memory Regions"),
	 .enumerate = enumerate_memdevs},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/PCIeDevices/1/CXLLogicalDevices/0/MemoryRegions/"
		    "{MemoryRegion}",
	 SCHEMA("MemoryRegion", "v1_0_3"),
	 .enumerate = enumerate_partitions,
	 .render = render_memory_region},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/FabricAdapters",
	 COLLECTION("FabricAdapterCollection", "FabricAdapter", "Fabric Adapters"),
	 .enumerate = enumerate_memdevs},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/FabricAdapters/1",
	 SCHEMA("FabricAdapter", "v1_5_3"),
	 .enumerate = enumerate_memdevs,
	 .render = render_device_adapter},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/FabricAdapters/1/Ports",
	 PORTS,
	 .enumerate = enumerate_memdevs},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/FabricAdapters/1/Ports/{Port}",
	 PORT,
	 .enumerate = enumerate_device_ports},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/FabricAdapters/1/Ports/{Port}/Metrics",
	 PORT_METRICS,
	 .enumerate = enumerate_device_ports},

	{.pattern = "/redfish/v1/Fabrics", COLLECTION("FabricCollection", "Fabric", "Fabrics")},
	{.pattern = URI_FABRIC,
	 SCHEMA("Fabric", "v1_4_0"),
	 .enumerate = enumerate_fabric,
	 .render = render_fabric},
	{.pattern = URI_FABRIC "/Switches",
	 COLLECTION("SwitchCollection", "Switch", "Switches"),
	 .enumerate = enumerate_fabric},
	{.pattern = URI_FABRIC "/Switches/{Switch}",
	 SCHEMA("Switch", "v1_11_0"),
	 .enumerate = enumerate_switches,
	 .render = render_switch},
	{.pattern = URI_FABRIC "/Switches/{Switch}/Ports", PORTS, .enumerate = enumerate_switches},
	{.pattern = URI_FABRIC "/Switches/{Switch}/Ports/{Port}",
	 PORT,
	 .enumerate = enumerate_switch_ports},
	{.pattern = URI_FABRIC "/Switches/{Switch}/Ports/{Port}/Metrics",
	 PORT_METRICS,
	 .enumerate = enumerate_switch_ports},
	{.pattern = URI_FABRIC "/Endpoints",
	 COLLECTION("EndpointCollection", "Endpoint", "Endpoints"),
	 .enumerate = enumerate_fabric},
	{.pattern = URI_FABRIC "/Endpoints/I-{Endpoint}",
	 SCHEMA("Endpoint", "v1_8_2"),
	 .enumerate = enumerate_initiators,
	 .render = render_initiator},
	{.pattern = URI_FABRIC "/Endpoints/T-{Endpoint}",
	 SCHEMA("Endpoint", "v1_8_2"),
	 .enumerate = enumerate_memdevs,
	 .render = render_target},
	{.pattern = URI_FABRIC "/Zones",
	 COLLECTION("ZoneCollection", "Zone", "Zones"),
	 .enumerate = enumerate_fabric},
	{.pattern = URI_ZONE,
	 SCHEMA("Zone", "v1_6_3"),
	 .enumerate = enumerate_fabric,
	 .render = render_zone},
	{.pattern = URI_DEFAULT_ZONE,
	 SCHEMA("Zone", "v1_6_3"),
	 .enumerate = enumerate_fabric,
	 .render = render_default_zone},
	{.pattern = URI_FABRIC "/Connections",
	 COLLECTION("ConnectionCollection", "Connection", "Connections"),
	 .enumerate = enumerate_fabric},
	{.pattern = URI_FABRIC "/Connections/{Connection}",
	 SCHEMA("Connection", "v1_4_0"),
	 .enumerate = enumerate_connections,
	 .render = render_connection},

	{.pattern = "/redfish/v1/Managers", COLLECTION("ManagerCollection", "Manager", "Managers")},
	{.pattern = URI_MANAGER, SCHEMA("Manager", "v1_24_0"), .render = render_manager},

	{.pattern = URI_EVENT_SERVICE,
	 SCHEMA("EventService", "v1_12_0"),
	 .live = &event_service_ops,
	 ACTIONS(event_service_actions)},
	{.pattern = URI_SSE, .content_type = "text/event-stream", .live = &event_stream_ops},
	{.pattern = URI_SUBSCRIPTIONS,
	 COLLECTION("EventDestinationCollection", "EventDestination", "Event Subscriptions"),
	 .live = &subscriptions_ops},
	{.pattern = URI_SUBSCRIPTIONS "/{EventDestination}",
	 SCHEMA("EventDestination", "v1_16_0"),
	 .enumerate = enumerate_none,
	 .live = &subscription_ops,
	 ACTIONS(subscription_actions)},

	{.pattern = URI_REGISTRIES,
	 COLLECTION("MessageRegistryFileCollection", "MessageRegistryFile", "Registries")},
	{.pattern = URI_REGISTRIES "/{MessageRegistryFile}",
	 SCHEMA("MessageRegistryFile", "v1_1_5"),
	 .enumerate = enumerate_registries,
	 .render = render_registry_file},
	/* A document by a schema, no resource: it has no @odata.id. */
	{.pattern = URI_OWN_REGISTRY,
	 .odata_type = "#MessageRegistry.v1_7_0.MessageRegistry",
	 .schema_uri = DMTF_SCHEMAS "MessageRegistry.v1_7_0.json",
	 .render = render_own_registry},
};

const struct resource_type *resource_types(size_t *ret_n)
{
	*ret_n = ARRAY_SIZE(types);
	return types;
}

bool resource_schema_is_repeated(size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (str_equal(types[k].schema, types[i].schema))
			return true;
	return false;
}

int action_target(const struct action *a, const char *uri, char ret[static RESOURCE_URI_MAX])
{
	int n = snprintf(ret, RESOURCE_URI_MAX, "%s%s%s", uri,
			 a->standard ? ACTION_PATH : OEM_ACTION_PATH, a->name);

	return n < RESOURCE_URI_MAX ? 0 : -EINVAL;
}

bool resource_takes(const struct resource *r, enum request_method method)
{
	const struct dynamic_ops *live = r->type->live;

	if (r->action)
		return method == METHOD_POST;
	switch (method) {
	case METHOD_GET:
	case METHOD_HEAD:
		return true;
	case METHOD_POST:
		return live && live->create;
	case METHOD_PATCH:
		return live && live->patch;
	case METHOD_DELETE:
		return live && live->remove;
	default:
		return false;
	}
}

const char *resource_allow(const struct resource *r)
{
	static const char *const lists[] = {
		"GET, HEAD",
		"GET, HEAD, POST",
		"GET, HEAD, PATCH",
		"GET, HEAD, POST, PATCH",
		"GET, HEAD, DELETE",
		"GET, HEAD, POST, DELETE",
		"GET, HEAD, PATCH, DELETE",
		"GET, HEAD, POST, PATCH, DELETE",
	};

	if (r->action)
		return "POST";
	return lists[resource_takes(r, METHOD_POST) | resource_takes(r, METHOD_PATCH) << 1 |
		     resource_takes(r, METHOD_DELETE) << 2];
}

static void put_actions_of(const struct resource *r, bool standard, struct json_writer *w)
{
	char text[RESOURCE_URI_MAX];

	for (size_t i = 0; i < r->type->n_actions; i++) {
		const struct action *a = &r->type->actions[i];

		if (a->standard != standard)
			continue;
		(void)snprintf(text, sizeof(text), "#%s", a->name);
		put_object(w, text);
		(void)action_target(a, r->uri, text);
		put_string(w, "target", text);
		if (a->info)
			put_format(w, "@Redfish.ActionInfo", "%s%s", r->uri, a->info);
		put_end(w);
	}
}

void put_actions(const struct resource *r, struct json_writer *w)
{
	bool oem = false;

	for (size_t i = 0; i < r->type->n_actions; i++)
		oem |= !r->type->actions[i].standard;
	put_object(w, "Actions");
	put_actions_of(r, true, w);
	if (oem) {
		put_object(w, "Oem");
		put_actions_of(r, false, w);
		put_end(w);
	}
	put_end(w);
}

int enumerate_none(const struct view *v, const struct resource_type *t, struct resource_index *ix)
{
	(void)v;
	(void)t;
	(void)ix;
	return 0;
}

void render_collection(const struct view *v, const struct resource *r, struct json_writer *w)
{
	(void)v;
	put_string(w, "Name", r->type->title);
	put_array(w, "Members");
	for (const struct resource *m = r->first_member; m; m = m->next_member)
		put_link(w, NULL, "%s", m->uri);
	put_end(w);
	put_number(w, "Members@odata.count", r->n_members);
}
