/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_URIS_H
#define CXLR_REDFISH_URIS_H

/*
 * URIs of the resources, for links and for the rows of the resource table. Some are formats. They
 * have the default Ids; clients may see others (system_id.h).
 */

#include <inttypes.h>

#include "redfish/core/registry_version.h"

enum { RESOURCE_URI_MAX = 256 };

#define URI_ROOT		"/redfish/v1/"
#define URI_SYSTEMS		"/redfish/v1/Systems"
#define URI_SYSTEM		URI_SYSTEMS "/Host"
#define URI_MEMORY		URI_SYSTEM "/Memory/%s"
#define URI_MEMORY_METRICS	URI_MEMORY "/MemoryMetrics"
#define URI_ENVIRONMENT_METRICS URI_MEMORY "/EnvironmentMetrics"
#define URI_DEVICE_LOG		URI_MEMORY "/DeviceLog"
#define URI_HOST_LOGS		URI_SYSTEM "/LogServices"
#define URI_HOST_LOG		URI_HOST_LOGS "/CXL"
#define URI_HOST_INCIDENTS	URI_HOST_LOGS "/Incidents"
#define URI_ISOLATION		URI_HOST_LOGS "/HardwareIsolation"
#define URI_HOST_CAPTURES	URI_HOST_LOGS "/Captures"
#define URI_MEMORY_DOMAIN	URI_SYSTEM "/MemoryDomains/%s"
#define URI_MEMORY_CHUNKS	URI_MEMORY_DOMAIN "/MemoryChunks/%s"
#define URI_PROCESSOR		URI_SYSTEM "/Processors/CPU%u"
#define URI_PROCESSOR_PORT	URI_PROCESSOR "/Ports/%s"
#define URI_HOST_ADAPTER	URI_SYSTEM "/FabricAdapters/%s"
#define URI_HOST_PORT		URI_HOST_ADAPTER "/Ports/%s"
#define URI_CHASSES		"/redfish/v1/Chassis"
#define URI_CHASSIS		URI_CHASSES "/%s"
#define URI_HOST_CHASSIS	URI_CHASSES "/Host"
#define URI_TEMPERATURE		URI_CHASSIS "/Sensors/Temperature"
#define URI_PART_TEMPERATURE	URI_TEMPERATURE "-%s" /* of a part of an MLD: Id of the Memory */
#define URI_PCIE_DEVICE		URI_CHASSIS "/PCIeDevices/1"
#define URI_PCIE_FUNCTION	URI_PCIE_DEVICE "/PCIeFunctions/0"
#define URI_LOGICAL_DEVICE	URI_PCIE_DEVICE "/CXLLogicalDevices/0"
#define URI_NTH_LOGICAL_DEVICE	URI_PCIE_DEVICE "/CXLLogicalDevices/%s" /* of an MLD */
#define URI_NTH_PCIE_FUNCTION	URI_PCIE_DEVICE "/PCIeFunctions/%s"
#define URI_MEMORY_REGION	URI_NTH_LOGICAL_DEVICE "/MemoryRegions/%s" /* "ram", "pmem" */
#define URI_DEVICE_ADAPTER	URI_CHASSIS "/FabricAdapters/1"
#define URI_DEVICE_DOMAIN	URI_CHASSIS "/MemoryDomains/1"
#define URI_DEVICE_CHUNKS	URI_DEVICE_DOMAIN "/MemoryChunks/%s"   /* "ram", "pmem" */
#define URI_LD_CHUNK		URI_DEVICE_DOMAIN "/MemoryChunks/LD%s" /* of an MLD: Id of the LD */
#define URI_MEMORY_EXTENTS	URI_PCIE_DEVICE "/MemoryExtents"
#define URI_MEMORY_EXTENT	URI_MEMORY_EXTENTS "/%s"
#define URI_DC_REGION		URI_NTH_LOGICAL_DEVICE "/MemoryRegions/%s" /* Ids of LD and region */
#define URI_DEVICE_PORT		URI_DEVICE_ADAPTER "/Ports/1"
#define URI_FABRIC		"/redfish/v1/Fabrics/CXL"
#define URI_SWITCH		URI_FABRIC "/Switches/%s"
#define URI_SWITCH_PORT		URI_SWITCH "/Ports/%s"
#define URI_VCSS		URI_SWITCH "/VCSs"
#define URI_VCS			URI_VCSS "/%u"
#define URI_VPPBS		URI_VCS "/VPPBs"
#define URI_VPPB		URI_VPPBS "/%u"
#define URI_TARGET_ENDPOINT	URI_FABRIC "/Endpoints/T-%s" /* Id of the Memory */
#define URI_LD_ENDPOINT		URI_TARGET_ENDPOINT "-%s"    /* of an MLD: Ids of device and LD */
#define URI_FM_ENDPOINT		URI_TARGET_ENDPOINT "-FM"    /* Id of an MLD or of a switch */
#define URI_PORT_INITIATOR	URI_FABRIC "/Endpoints/I-%s-%s" /* Ids of switch and port */
#define URI_INITIATOR		URI_FABRIC "/Endpoints/I-%s" /* Id of the Processor or FabricAdapter */
#define URI_ZONE		URI_FABRIC "/Zones/1"
#define URI_VCS_ZONE		URI_FABRIC "/Zones/%s-VCS%u" /* Ids of switch and VCS */
#define URI_DEFAULT_ZONE	URI_FABRIC "/Zones/Default"
#define URI_CONNECTION		URI_FABRIC "/Connections/%s"
#define URI_MANAGER		"/redfish/v1/Managers/Service"
#define URI_MANAGER_LOGS	URI_MANAGER "/LogServices"
#define URI_AUDIT_LOG		URI_MANAGER_LOGS "/Audit"
#define URI_MANAGER_CAPTURES	URI_MANAGER_LOGS "/Captures"
#define URI_CAPTURE_FILE	"/Entries/{LogEntry}/capture.tar.zst" /* below one of the two */
#define URI_NETWORK_PROTOCOL	URI_MANAGER "/NetworkProtocol"
#define URI_INTERFACES		URI_MANAGER "/EthernetInterfaces"
#define URI_SERVER_CERTIFICATES URI_NETWORK_PROTOCOL "/HTTPS/Certificates"
#define URI_SERVER_CERTIFICATE	URI_SERVER_CERTIFICATES "/1"
#define URI_SESSION_SERVICE	"/redfish/v1/SessionService"
#define URI_SESSIONS		URI_SESSION_SERVICE "/Sessions"
#define URI_SESSION		URI_SESSIONS "/%" PRIu64
#define URI_ACCOUNT_SERVICE	"/redfish/v1/AccountService"
#define URI_ROLES		URI_ACCOUNT_SERVICE "/Roles"
#define URI_ACCOUNTS		URI_ACCOUNT_SERVICE "/Accounts"
#define URI_ACCOUNT		URI_ACCOUNTS "/%" PRIu64
#define URI_CLIENT_AUTHORITIES	URI_ACCOUNT_SERVICE "/MultiFactorAuth/ClientCertificate/Certificates"
#define URI_CERTIFICATE_SERVICE "/redfish/v1/CertificateService"
#define URI_TASK_SERVICE	"/redfish/v1/TaskService"
#define URI_TASKS		URI_TASK_SERVICE "/Tasks"
#define URI_TASK		URI_TASKS "/%" PRIu64
#define URI_SUB_TASKS		URI_TASK "/SubTasks"
#define URI_SUB_TASK		URI_SUB_TASKS "/%zu"
#define URI_TASK_MONITORS	URI_TASK_SERVICE "/TaskMonitors"
#define URI_TASK_MONITOR	URI_TASK_MONITORS "/%" PRIu64
#define URI_UPDATE_SERVICE	"/redfish/v1/UpdateService"
#define URI_FIRMWARE_INVENTORY	URI_UPDATE_SERVICE "/FirmwareInventory"
#define URI_AGGREGATION_SERVICE "/redfish/v1/AggregationService"
#define URI_CONNECTION_METHODS	URI_AGGREGATION_SERVICE "/ConnectionMethods"
#define URI_TELEMETRY_SERVICE	"/redfish/v1/TelemetryService"
#define URI_METRIC_REPORTS	URI_TELEMETRY_SERVICE "/MetricReports"
#define URI_METRIC_REPORT_DAY	URI_METRIC_REPORTS "/%s-Day" /* Id of the Memory */
#define URI_METRIC_DEFINITIONS	URI_TELEMETRY_SERVICE "/MetricReportDefinitions"
#define URI_METRIC_DEFINITION	URI_METRIC_DEFINITIONS "/Day"
#define URI_EVENT_SERVICE	"/redfish/v1/EventService"
#define URI_SUBSCRIPTIONS	URI_EVENT_SERVICE "/Subscriptions"
#define URI_SSE			URI_EVENT_SERVICE "/SSE"
#define URI_REGISTRIES		"/redfish/v1/Registries"
#define URI_OWN_REGISTRY	URI_REGISTRIES "/" OWN_REGISTRY_ID "/" OWN_REGISTRY_ID ".json"
#define PRIVILEGE_REGISTRY_ID	"CXLHost_PrivilegeRegistry"
#define URI_PRIVILEGE_REGISTRY	URI_REGISTRIES "/" PRIVILEGE_REGISTRY_ID "/" PRIVILEGE_REGISTRY_ID
#define URI_SCHEMAS		"/redfish/v1/schemas"

#endif
