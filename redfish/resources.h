/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_H
#define CXLR_REDFISH_RESOURCES_H

/*
 * The table of resource types: what stands at which URI, by which schema, made by whom.
 *
 * A new resource is one new file with a renderer (and an enumerator when there can be other than
 * one), a prototype below, and one row in resources.c. Renderers and enumerators only read the
 * view and may run on any thread; a renderer leaves out what is not known. The core writes
 * @odata.id, @odata.type and Id, a renderer all the rest, Name first.
 */

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "common/json_writer.h"
#include "redfish/messages.h"
#include "redfish/odata.h"
#include "redfish/resource_index.h"
#include "redfish/resources/status.h"
#include "redfish/service.h"

struct firmware_timeout;
struct dynamic_ops;
struct dynamic_request;
struct memdev;
struct view;

#define ACTION_PATH	"/Actions/" /* of the standard's actions */
#define OEM_ACTION_PATH ACTION_PATH "Oem/"

/*
 * action.run() - answer a POST
 * @target: the resource's index entry of this action
 * @parameters: the request's body, a JSON object
 * @timeout: how long to wait for firmware, where it must be asked; with a call_ms of 0 what is
 *            known must do; NULL on the threads that may not wait
 * @w: receives the answer, one JSON object
 * @ret_message: filled when the parameters are not accepted
 *
 * Return: 0; -EINVAL with a refusal; -EINPROGRESS when firmware must be asked and @timeout is
 * NULL; other errors are the service's own.
 *
 * action.live() stands in its place where the store or the service itself is to be changed, see
 * redfish/dynamic.h; what it writes into @w is the answer, and nothing is 204.
 */
struct action {
	const char *name; /* "CXLHostMemory.TranslateDPA", "LogService.ClearLog" */
	const char *info; /* URI of its ActionInfo below the resource; NULL none */
	bool standard;	  /* of the resource's own schema, not ours */
	int (*live)(struct dynamic_request *q, struct json_writer *w);
	int (*run)(const struct view *v, const struct resource *target, json_t *parameters,
		   struct firmware_timeout *timeout, struct json_writer *w,
		   struct message *ret_message);
};

struct resource_type {
	const char *pattern; /* URI; a {…} stands for an Id */
	const char *schema;  /* "Memory"; NULL: a document, not a resource */
	const char *version; /* "v1_23_0"; NULL: the schema has no versions */
	const char *odata_type;
	const char *schema_uri;
	const char *content_type; /* NULL: JSON */
	const char *id;		  /* when it is not the last segment of the URI */
	bool open;		  /* may be read without login */

	/* Adds the instances with resource_add(). NULL: there is exactly one. */
	int (*enumerate)(const struct view *v, const struct resource_type *type,
			 struct resource_index *ix);
	void (*render)(const struct view *v, const struct resource *r, struct json_writer *w);
	const struct dynamic_ops *live; /* instead of render, see redfish/dynamic.h; NULL without */

	const char *title;   /* Name of a collection */
	const char *members; /* collections: schema of the members, one segment below */
	const struct action *actions;
	size_t n_actions;
};

const struct resource_type *resource_types(size_t *ret_n);

/* Return: whether a row before the @i-th is of the same schema. */
bool resource_schema_is_repeated(size_t i);

/* Whether a resource or an action's target takes requests by that method. */
bool resource_takes(const struct resource *r, enum request_method method);

/* Return: the methods of a resource or of an action's target, as the Allow header has them. */
const char *resource_allow(const struct resource *r);

/* action_target() - where an action of the resource at @uri is; -EINVAL when that is too long */
int action_target(const struct action *a, const char *uri, char ret[static RESOURCE_URI_MAX]);

/* The properties of "Actions" for all actions of a resource. */
void put_actions(const struct resource *r, struct json_writer *w);

/* Renders any resource collection by its row. */
void render_collection(const struct view *v, const struct resource *r, struct json_writer *w);

/* Where things are, for links. */
#define URI_ROOT		"/redfish/v1/"
#define URI_SYSTEM		"/redfish/v1/Systems/Host"
#define URI_MEMORY		URI_SYSTEM "/Memory/%s"
#define URI_MEMORY_METRICS	URI_MEMORY "/MemoryMetrics"
#define URI_ENVIRONMENT_METRICS URI_MEMORY "/EnvironmentMetrics"
#define URI_DEVICE_LOG		URI_MEMORY "/DeviceLog"
#define URI_HOST_LOGS		URI_SYSTEM "/LogServices"
#define URI_HOST_LOG		URI_HOST_LOGS "/CXL"
#define URI_MEMORY_DOMAIN	URI_SYSTEM "/MemoryDomains/%s"
#define URI_MEMORY_CHUNKS	URI_MEMORY_DOMAIN "/MemoryChunks/%s"
#define URI_PROCESSOR		URI_SYSTEM "/Processors/CPU%u"
#define URI_PROCESSOR_PORT	URI_PROCESSOR "/Ports/%s"
#define URI_HOST_ADAPTER	URI_SYSTEM "/FabricAdapters/%s"
#define URI_HOST_PORT		URI_HOST_ADAPTER "/Ports/%s"
#define URI_CHASSIS		"/redfish/v1/Chassis/%s"
#define URI_HOST_CHASSIS	"/redfish/v1/Chassis/Host"
#define URI_PCIE_DEVICE		URI_CHASSIS "/PCIeDevices/1"
#define URI_PCIE_FUNCTION	URI_PCIE_DEVICE "/PCIeFunctions/0"
#define URI_LOGICAL_DEVICE	URI_PCIE_DEVICE "/CXLLogicalDevices/0"
#define URI_MEMORY_REGION	URI_LOGICAL_DEVICE "/MemoryRegions/%s" /* "ram", "pmem" */
#define URI_DEVICE_ADAPTER	URI_CHASSIS "/FabricAdapters/1"
#define URI_DEVICE_PORT		URI_DEVICE_ADAPTER "/Ports/1"
#define URI_FABRIC		"/redfish/v1/Fabrics/CXL"
#define URI_SWITCH		URI_FABRIC "/Switches/%s"
#define URI_SWITCH_PORT		URI_SWITCH "/Ports/%s"
#define URI_TARGET_ENDPOINT	URI_FABRIC "/Endpoints/T-%s" /* Id of the Memory */
#define URI_INITIATOR		URI_FABRIC "/Endpoints/I-%s" /* Id of the Processor or FabricAdapter */
#define URI_ZONE		URI_FABRIC "/Zones/1"
#define URI_DEFAULT_ZONE	URI_FABRIC "/Zones/Default"
#define URI_CONNECTION		URI_FABRIC "/Connections/%s"
#define URI_MANAGER		"/redfish/v1/Managers/Service"
#define URI_SESSIONS		"/redfish/v1/SessionService/Sessions"
#define URI_EVENT_SERVICE	"/redfish/v1/EventService"
#define URI_SUBSCRIPTIONS	URI_EVENT_SERVICE "/Subscriptions"
#define URI_SSE			URI_EVENT_SERVICE "/SSE"
#define URI_REGISTRIES		"/redfish/v1/Registries"
#define URI_OWN_REGISTRY	URI_REGISTRIES "/CXLHost.1.0.0/CXLHost.1.0.0.json"
#define URI_SCHEMAS		"/redfish/v1/schemas"

/* What differs between the rows, one line for each file of the room. */
void render_versions(const struct view *v, const struct resource *r, struct json_writer *w);
void render_service_root(const struct view *v, const struct resource *r, struct json_writer *w);
void render_odata(const struct view *v, const struct resource *r, struct json_writer *w);
void render_metadata(const struct view *v, const struct resource *r, struct json_writer *w);
void render_session_service(const struct view *v, const struct resource *r, struct json_writer *w);
void render_system(const struct view *v, const struct resource *r, struct json_writer *w);
void render_operating_system(const struct view *v, const struct resource *r, struct json_writer *w);
void render_memory(const struct view *v, const struct resource *r, struct json_writer *w);
void render_memory_metrics(const struct view *v, const struct resource *r, struct json_writer *w);
void render_environment_metrics(const struct view *v, const struct resource *r,
				struct json_writer *w);
void render_memory_domain(const struct view *v, const struct resource *r, struct json_writer *w);
void render_memory_chunks(const struct view *v, const struct resource *r, struct json_writer *w);
void render_processor(const struct view *v, const struct resource *r, struct json_writer *w);
void render_host_chassis(const struct view *v, const struct resource *r, struct json_writer *w);
void render_device_chassis(const struct view *v, const struct resource *r, struct json_writer *w);
void render_port(const struct view *v, const struct resource *r, struct json_writer *w);
void render_port_metrics(const struct view *v, const struct resource *r, struct json_writer *w);
void render_host_adapter(const struct view *v, const struct resource *r, struct json_writer *w);
void render_device_adapter(const struct view *v, const struct resource *r, struct json_writer *w);
void render_fabric(const struct view *v, const struct resource *r, struct json_writer *w);
void render_switch(const struct view *v, const struct resource *r, struct json_writer *w);
void render_initiator(const struct view *v, const struct resource *r, struct json_writer *w);
void render_target(const struct view *v, const struct resource *r, struct json_writer *w);
void render_zone(const struct view *v, const struct resource *r, struct json_writer *w);
void render_default_zone(const struct view *v, const struct resource *r, struct json_writer *w);
void render_connection(const struct view *v, const struct resource *r, struct json_writer *w);
void render_manager(const struct view *v, const struct resource *r, struct json_writer *w);
void render_registry_file(const struct view *v, const struct resource *r, struct json_writer *w);
void render_own_registry(const struct view *v, const struct resource *r, struct json_writer *w);
void render_pcie_device(const struct view *v, const struct resource *r, struct json_writer *w);
void render_pcie_function(const struct view *v, const struct resource *r, struct json_writer *w);
void render_logical_device(const struct view *v, const struct resource *r, struct json_writer *w);
void render_memory_region(const struct view *v, const struct resource *r, struct json_writer *w);
void render_oem_schema(const struct view *v, const struct resource *r, struct json_writer *w);
void render_dmtf_schema_file(const struct view *v, const struct resource *r, struct json_writer *w);
void render_oem_schema_file(const struct view *v, const struct resource *r, struct json_writer *w);
void render_translate_dpa_info(const struct view *v, const struct resource *r,
			       struct json_writer *w);
void render_translate_spa_info(const struct view *v, const struct resource *r,
			       struct json_writer *w);

int enumerate_none(const struct view *v, const struct resource_type *t, struct resource_index *ix);
int enumerate_memdevs(const struct view *v, const struct resource_type *t,
		      struct resource_index *ix);
int enumerate_windows(const struct view *v, const struct resource_type *t,
		      struct resource_index *ix);
int enumerate_regions(const struct view *v, const struct resource_type *t,
		      struct resource_index *ix);
int enumerate_packages(const struct view *v, const struct resource_type *t,
		       struct resource_index *ix);
int enumerate_socket_initiators(const struct view *v, const struct resource_type *t,
				struct resource_index *ix);
int enumerate_adapter_initiators(const struct view *v, const struct resource_type *t,
				 struct resource_index *ix);
int enumerate_initiators(const struct view *v, const struct resource_type *t,
			 struct resource_index *ix);
int enumerate_adapter_collection(const struct view *v, const struct resource_type *t,
				 struct resource_index *ix);
int enumerate_processor_ports(const struct view *v, const struct resource_type *t,
			      struct resource_index *ix);
int enumerate_adapter_ports(const struct view *v, const struct resource_type *t,
			    struct resource_index *ix);
int enumerate_device_ports(const struct view *v, const struct resource_type *t,
			   struct resource_index *ix);
int enumerate_switch_ports(const struct view *v, const struct resource_type *t,
			   struct resource_index *ix);
int enumerate_switches(const struct view *v, const struct resource_type *t,
		       struct resource_index *ix);
int enumerate_fabric(const struct view *v, const struct resource_type *t,
		     struct resource_index *ix);
int enumerate_connections(const struct view *v, const struct resource_type *t,
			  struct resource_index *ix);
int enumerate_registries(const struct view *v, const struct resource_type *t,
			 struct resource_index *ix);
int enumerate_oem_schemas(const struct view *v, const struct resource_type *t,
			  struct resource_index *ix);
int enumerate_pci_functions(const struct view *v, const struct resource_type *t,
			    struct resource_index *ix);
int enumerate_partitions(const struct view *v, const struct resource_type *t,
			 struct resource_index *ix);
int enumerate_oem_csdl(const struct view *v, const struct resource_type *t,
		       struct resource_index *ix);
int enumerate_oem_json_schemas(const struct view *v, const struct resource_type *t,
			       struct resource_index *ix);
int enumerate_dmtf_schema_files(const struct view *v, const struct resource_type *t,
				struct resource_index *ix);
int enumerate_oem_schema_files(const struct view *v, const struct resource_type *t,
			       struct resource_index *ix);

int run_translate_dpa(const struct view *v, const struct resource *target, json_t *parameters,
		      struct firmware_timeout *timeout, struct json_writer *w,
		      struct message *ret_message);
int run_translate_spa(const struct view *v, const struct resource *target, json_t *parameters,
		      struct firmware_timeout *timeout, struct json_writer *w,
		      struct message *ret_message);

#endif
