// SPDX-License-Identifier: LGPL-2.1-or-later
//
// This service as the manager of the host's CXL memory.

#include <string.h>

#include "redfish/core/fabric_links.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/mapping.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/service/service_uuid.h"
#include "redfish/resources/status.h"
#include "redfish/service/exchange.h"
#include "redfish/service/service.h"

/* The modules of switches with a mailbox. Return: how many. */
static size_t put_switch_modules(const struct fabric *f, struct json_writer *w)
{
	size_t n = 0;

	for (const struct fabric_item *i = f->switches.first; i; i = i->next) {
		const struct fabric_switch *sw = i->object;

		if (!sw->reading)
			continue;
		put_link(w, NULL, URI_CHASSIS, sw->id);
		n++;
	}
	return n;
}

static void put_links(const struct view *v, struct json_writer *w)
{
	const struct fabric_list *remote = &v->fabric->remote_devices;
	size_t n_modules;

	put_object(w, "Links");
	put_link(w, "ManagerInChassis", URI_HOST_CHASSIS);
	put_link_list(w, "ManagerForServers", URI_SYSTEM);
	put_number(w, "ManagerForServers@odata.count", 1);
	put_array(w, "ManagerForChassis");
	put_link(w, NULL, URI_HOST_CHASSIS);
	n_modules = put_module_links(v, w);
	for (const struct fabric_item *i = remote->first; i; i = i->next)
		put_device_chassis_link(w, i->object);
	n_modules += put_switch_modules(v->fabric, w);
	put_end(w);
	put_number(w, "ManagerForChassis@odata.count", 1 + remote->n + n_modules);
	if (v->fabric->exists) {
		put_link_list(w, "ManagerForFabrics", URI_FABRIC);
	}
	put_fabric_list(w, "ManagerForSwitches", &v->fabric->switches, put_switch_link);
	put_end(w);
}

/* Made for each request: its clock goes on. */
static int get_manager(struct exchange *x)
{
	const struct view *v = x->view;
	struct json_writer *w = &x->w;

	put_string(w, "Name", PACKAGE_NAME);
	put_string(w, "Description", "The service that shows the host's CXL memory");
	put_string(w, "ManagerType", "Service");
	put_string(w, "FirmwareVersion", PACKAGE_VERSION);
	put_clock(w);
	put_service_uuid(v, w, "UUID");
	put_service_uuid(v, w, "ServiceEntryPointUUID");
	put_link(w, "LogServices", URI_MANAGER_LOGS);
	put_link(w, "NetworkProtocol", URI_NETWORK_PROTOCOL);
	put_link(w, "EthernetInterfaces", URI_INTERFACES);
	put_links(v, w);
	put_actions(x->resource, w);
	put_status_of_service(v, w);
	return 0;
}

/* ---- Manager.Reset ----------------------------------------------------------------------------
 */

/* Both end the service in order: streams, tasks and records are closed as by systemctl restart. */
static const char *const reset_types[] = {"ForceRestart", "GracefulRestart", NULL};

static const struct parameter reset_rows[] = {
	{.name = "ResetType",
	 .type = PARAMETER_TEXT,
	 .values = reset_types,
	 .description = "the service is restarted in order by each of them, and without it"},
};

static const struct parameters reset_parameters = {PARAMETER_ROWS(reset_rows)};

static const char *not_restarted(const struct view *v, const struct resource *r)
{
	(void)r;
	return v->host->root->service_restarts
		       ? NULL
		       : "nothing starts the service again after its end: it is no service of "
			 "systemd, or its unit has no RestartForceExitStatus=";
}

static int run_reset(struct exchange *x)
{
	atomic_store(&x->service->restart_wanted, true);
	return 0;
}

static const struct action manager_actions[] = {
	{"Manager.Reset", &reset_parameters, .standard = true, .unchangeable = not_restarted,
	 .run = run_reset},
};

static void put_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	(void)r;
	put_status_of_service(v, w);
}

static const struct resource_type manager_types[] = {
	{.pattern = "/redfish/v1/Managers", COLLECTION("ManagerCollection", "Manager", "Managers")},
	{.pattern = URI_MANAGER,
	 SCHEMA("Manager", "v1_25_0"),
	 .get = get_manager,
	 .status = put_status,
	 ACTIONS(manager_actions)},
};

const struct resource_rows manager_rows = RESOURCE_ROWS(manager_types);
