// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/core/privileges.h"

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/core/uris.h"

#define LOGIN	   PRIVILEGE_LOGIN
#define USERS	   PRIVILEGE_CONFIGURE_USERS
#define MANAGER	   PRIVILEGE_CONFIGURE_MANAGER
#define COMPONENTS PRIVILEGE_CONFIGURE_COMPONENTS
#define SELF	   PRIVILEGE_CONFIGURE_SELF
#define NO_AUTH	   PRIVILEGE_NO_AUTH

/* Read with Login; written with the privilege given. */
#define WRITES(name, privilege)                                                                    \
	{                                                                                          \
		.schema = name, .needs = {LOGIN, privilege, privilege, privilege},                 \
	}

#define WRITES_WITH_COLLECTION(name, privilege)                                                    \
	WRITES(name, privilege), WRITES(name "Collection", privilege)

#define OPEN_DOCUMENT(uri)                                                                         \
	{                                                                                          \
		.pattern = uri, .needs = {NO_AUTH, MANAGER, MANAGER, MANAGER},                     \
	}

#define AUDIT(uri)                                                                                 \
	{                                                                                          \
		.pattern = uri, .needs = {MANAGER, MANAGER, MANAGER, MANAGER},                     \
	}

/* Read and written with the privilege given. */
#define ALL_WITH(name, privilege)                                                                  \
	{                                                                                          \
		.schema = name, .needs = {privilege, privilege, privilege, privilege},             \
	}

#define ACTION(name, privilege)                                                                    \
	{                                                                                          \
		.action = name, .needs = {.post = privilege},                                      \
	}

static const struct privilege_row rows[] = {
	/* The only resources that DSP0266 allows to be read without login. */
	OPEN_DOCUMENT("/redfish"),
	OPEN_DOCUMENT("/redfish/v1/odata"),
	OPEN_DOCUMENT("/redfish/v1/$metadata"),
	OPEN_DOCUMENT("/redfish/v1/openapi.yaml"),
	{.schema = "ServiceRoot", .needs = {LOGIN | NO_AUTH, MANAGER, MANAGER, MANAGER}},

	/* These actions compute an address and change nothing. */
	ACTION("CXLHostMemory.TranslateDPA", LOGIN),
	ACTION("CXLHostComputerSystem.TranslateSPA", LOGIN),
	ACTION("CXLHostComputerSystem.TranslateText", LOGIN),
	/* The use of a page shows what runs on the host. */
	ACTION("CXLHostMemory.DescribePage", COMPONENTS),
	ACTION("CXLHostComputerSystem.DescribePage", COMPONENTS),
	/* The mode Hard needs ConfigureManager, too. */
	ACTION("CXLHostMemory.OfflinePage", COMPONENTS),
	ACTION("CXLHostMemory.OnlinePage", COMPONENTS),
	/* It changes the device, and not the log. */
	ACTION("CXLHostLogEntry.Repair", COMPONENTS),

	/* The audit log is for administrators alone. */
	AUDIT(URI_AUDIT_LOG),
	AUDIT(URI_AUDIT_LOG "/Entries"),
	AUDIT(URI_AUDIT_LOG "/Entries/{LogEntry}"),

	/* A captured machine is for the administrator who has collected it. */
	AUDIT(URI_HOST_CAPTURES URI_CAPTURE_FILE),
	AUDIT(URI_MANAGER_CAPTURES URI_CAPTURE_FILE),

	WRITES("ActionInfo", MANAGER),
	WRITES_WITH_COLLECTION("JsonSchemaFile", MANAGER),
	WRITES_WITH_COLLECTION("MessageRegistryFile", MANAGER),

	WRITES("SessionService", MANAGER),
	/* A login is what this POST is. */
	{.schema = "SessionCollection", .needs = {LOGIN, LOGIN | NO_AUTH, MANAGER, MANAGER}},
	{.schema = "Session", .needs = {MANAGER | SELF, MANAGER, MANAGER, MANAGER | SELF}},
	WRITES("AccountService", USERS),
	WRITES("ManagerAccountCollection", USERS),
	{.schema = "ManagerAccount", .needs = {MANAGER | USERS | SELF, USERS, USERS, USERS}},
	{.schema = "ManagerAccount", .property = "Password", .needs = {.patch = USERS | SELF}},
	WRITES_WITH_COLLECTION("Role", MANAGER),
	WRITES("PrivilegeRegistry", MANAGER),
	WRITES("ManagerNetworkProtocol", MANAGER),
	WRITES_WITH_COLLECTION("EthernetInterface", MANAGER),
	WRITES("CertificateService", MANAGER),
	ALL_WITH("CertificateLocations", MANAGER),
	ALL_WITH("CertificateCollection", MANAGER),
	ALL_WITH("Certificate", MANAGER),

	WRITES_WITH_COLLECTION("ComputerSystem", COMPONENTS),
	WRITES("OperatingSystem", COMPONENTS),
	WRITES_WITH_COLLECTION("Memory", COMPONENTS),
	WRITES("MemoryMetrics", COMPONENTS),
	WRITES("EnvironmentMetrics", MANAGER),
	WRITES_WITH_COLLECTION("LogService", MANAGER),
	WRITES_WITH_COLLECTION("LogEntry", MANAGER),
	WRITES_WITH_COLLECTION("MemoryDomain", COMPONENTS),
	WRITES_WITH_COLLECTION("MemoryChunks", COMPONENTS),
	WRITES_WITH_COLLECTION("Processor", COMPONENTS),
	WRITES_WITH_COLLECTION("Port", COMPONENTS),
	WRITES("PortMetrics", COMPONENTS),
	WRITES_WITH_COLLECTION("FabricAdapter", COMPONENTS),
	WRITES_WITH_COLLECTION("Chassis", COMPONENTS),
	WRITES_WITH_COLLECTION("Sensor", COMPONENTS),
	WRITES_WITH_COLLECTION("PCIeDevice", COMPONENTS),
	WRITES_WITH_COLLECTION("PCIeFunction", COMPONENTS),
	WRITES_WITH_COLLECTION("CXLLogicalDevice", COMPONENTS),
	WRITES_WITH_COLLECTION("MemoryRegion", COMPONENTS),
	WRITES_WITH_COLLECTION("MemoryExtent", COMPONENTS),
	WRITES_WITH_COLLECTION("Fabric", COMPONENTS),
	WRITES_WITH_COLLECTION("Switch", COMPONENTS),
	WRITES_WITH_COLLECTION("VirtualCXLSwitch", COMPONENTS),
	WRITES_WITH_COLLECTION("VirtualPCI2PCIBridge", COMPONENTS),
	WRITES_WITH_COLLECTION("Endpoint", COMPONENTS),
	WRITES_WITH_COLLECTION("Zone", COMPONENTS),
	WRITES_WITH_COLLECTION("Connection", COMPONENTS),
	WRITES_WITH_COLLECTION("Manager", MANAGER),

	WRITES_WITH_COLLECTION("SoftwareInventory", COMPONENTS),
	WRITES("UpdateService", COMPONENTS),

	WRITES("TaskService", MANAGER),
	WRITES_WITH_COLLECTION("Task", MANAGER),

	WRITES("AggregationService", MANAGER),
	WRITES_WITH_COLLECTION("ConnectionMethod", MANAGER),

	WRITES("TelemetryService", MANAGER),
	WRITES_WITH_COLLECTION("MetricReport", MANAGER),
	WRITES_WITH_COLLECTION("MetricReportDefinition", MANAGER),

	WRITES("EventService", MANAGER),
	WRITES("EventDestinationCollection", MANAGER | COMPONENTS),
	WRITES("EventDestination", MANAGER | SELF),
};

const struct privilege_map redfish_privileges = {rows, ARRAY_SIZE(rows)};

static const struct privilege_needs default_needs = {LOGIN, MANAGER, MANAGER, MANAGER};

const struct privilege_needs *privileges_find(const struct privilege_map *map, const char *schema,
					      const char *pattern, const char *action)
{
	const struct privilege_row *of_pattern = NULL, *of_schema = NULL;

	for (size_t i = 0; map && i < map->n; i++) {
		const struct privilege_row *row = &map->rows[i];

		if (row->property)
			continue;
		if (row->action) {
			if (action && str_equal(row->action, action))
				return &row->needs;
		} else if (row->pattern) {
			if (str_equal(row->pattern, pattern))
				of_pattern = row;
		} else if (schema && str_equal(row->schema, schema)) {
			of_schema = row;
		}
	}
	if (of_pattern)
		return &of_pattern->needs;
	return of_schema ? &of_schema->needs : &default_needs;
}

unsigned int privileges_of_property(const struct privilege_map *map, const char *schema,
				    const char *name)
{
	for (size_t i = 0; map && schema && i < map->n; i++) {
		const struct privilege_row *row = &map->rows[i];

		if (row->property && str_equal(row->schema, schema) &&
		    (!name || str_equal(row->property, name)))
			return row->needs.patch;
	}
	return 0;
}

unsigned int privileges_for(const struct privilege_needs *needs, enum http_method method)
{
	switch (method) {
	case METHOD_GET:
	case METHOD_HEAD:
	case METHOD_OPTIONS:
		return needs->read;
	case METHOD_POST:
		return needs->post;
	case METHOD_PATCH:
		return needs->patch;
	case METHOD_DELETE:
		return needs->remove;
	case METHOD_OTHER:
		break;
	}
	return 0;
}

const char *privilege_name(unsigned int bit)
{
	switch (bit) {
	case PRIVILEGE_LOGIN:
		return "Login";
	case PRIVILEGE_CONFIGURE_MANAGER:
		return "ConfigureManager";
	case PRIVILEGE_CONFIGURE_USERS:
		return "ConfigureUsers";
	case PRIVILEGE_CONFIGURE_COMPONENTS:
		return "ConfigureComponents";
	case PRIVILEGE_CONFIGURE_SELF:
		return "ConfigureSelf";
	case PRIVILEGE_NO_AUTH:
		return "NoAuth";
	default:
		return NULL;
	}
}
