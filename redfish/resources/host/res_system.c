// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The host itself, as its operating system sees it.

#include "common/clock.h"
#include "redfish/core/fabric_links.h"
#include "redfish/resources/host/translate_action.h"
#include "redfish/resources/mapping.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/host/findings_list.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/service/exchange.h"

static void put_strings(struct json_writer *w, const char *key, const char *const *list, size_t n)
{
	if (n == 0)
		return;
	put_array(w, key);
	for (size_t i = 0; i < n; i++)
		put_string(w, NULL, list[i]);
	put_end(w);
}

static void put_oem(const struct view *v, struct json_writer *w)
{
	const char *const *notes;
	size_t n;

	put_object(w, "Oem");
	put_object(w, "CXLHost");
	put_string(w, "@odata.type", "#CXLHostComputerSystem.v1_0_0.ComputerSystem");
	put_string(w, "KernelRelease", v->host->kernel_release);
	/* A client must see that it is a captured host. */
	put_bool(w, "CapturedHost", v->host->root->captured);
	put_number(w, "PageSizeBytes", v->host->page_size);
	put_strings(w, "UnreadableAttributes", v->host->denied, v->host->n_denied);
	put_strings(w, "TopologyNotes", v->host->notes, v->host->n_notes);
	notes = translator_notes(v->translator, &n);
	put_strings(w, "TranslationNotes", notes, n);
	put_findings_list(v, w);
	put_end(w);
	put_end(w);
}

/* Several parts of an MLD are one PCIe device. */
static bool is_first_part(const struct view *v, const struct memdev *m)
{
	const struct fabric_port *p = fabric_device_port(v->fabric, m);
	const struct fabric_device *whole = fabric_whole(p);

	return !whole || whole->parts.first->object == p;
}

static void put_function(const struct view *v, const struct memdev *m, struct json_writer *w)
{
	const char *ld = device_ld_id(v, m);

	if (m->pci && ld)
		put_link(w, NULL, URI_NTH_PCIE_FUNCTION, device_chassis_id(v, m), ld);
}

static void put_pcie(const struct view *v, struct json_writer *w)
{
	put_array(w, "PCIeDevices");
	for (size_t i = 0; i < v->host->n_memdevs; i++)
		if (is_first_part(v, v->host->memdevs[i]))
			put_link(w, NULL, URI_PCIE_DEVICE,
				 device_chassis_id(v, v->host->memdevs[i]));
	put_end(w);
	put_array(w, "PCIeFunctions");
	for (size_t i = 0; i < v->host->n_memdevs; i++)
		put_function(v, v->host->memdevs[i], w);
	put_end(w);
}

/*
 * Clients that boot systems read Boot of each one and fail without it. Nothing is overridden here,
 * and nothing can be.
 */
static void put_boot(struct json_writer *w)
{
	put_object(w, "Boot");
	put_string(w, "BootSourceOverrideEnabled", "Disabled");
	put_array(w, "BootSourceOverrideEnabled@Redfish.AllowableValues");
	put_string(w, NULL, "Disabled");
	put_end(w);
	put_string(w, "BootSourceOverrideTarget", "None");
	put_array(w, "BootSourceOverrideTarget@Redfish.AllowableValues");
	put_string(w, NULL, "None");
	put_end(w);
	put_end(w);
}

/* The RAM that the kernel uses, CXL memory that is online included. */
static void put_memory_summary(const struct host *h, struct json_writer *w)
{
	if (!h->memory_total.present)
		return;
	put_object(w, "MemorySummary");
	put_tenths(w, "TotalSystemMemoryGiB", (h->memory_total.value >> 20) * 10 / 1024);
	put_end(w);
}

/* The type is absent where firmware and CPU do not decide it. */
static void put_machine(const struct machine_names *m, struct json_writer *w)
{
	if (m->is_virtual.present)
		put_string(w, "SystemType", m->is_virtual.value ? "Virtual" : "Physical");
	put_string(w, "Manufacturer", m->manufacturer);
	put_string(w, "Model", m->model);
	put_string(w, "SerialNumber", m->serial);
	put_string(w, "BiosVersion", m->bios_version);
}

static void render_system(const struct view *v, const struct resource *r, struct json_writer *w)
{
	put_string(w, "Name", "Host");
	put_string(w, "Description",
		   "The host and its CXL memory, as the operating system sees it");
	put_machine(&v->host->machine, w);
	put_link(w, "OperatingSystem", URI_SYSTEM "/OperatingSystem");
	put_string(w, "HostName", v->host->hostname);
	put_string(w, "UUID", v->host->dmi_uuid);
	/* It is on, or it would not answer; that says nothing of the machine of a capture. */
	if (!v->host->root->captured)
		put_string(w, "PowerState", "On");
	put_boot(w);
	put_memory_summary(v->host, w);
	if (v->host->n_packages > 0) {
		put_object(w, "ProcessorSummary");
		put_number(w, "Count", v->host->n_packages);
		put_string(w, "Model", v->host->packages[0].model);
		put_end(w);
	}
	put_link(w, "Processors", URI_SYSTEM "/Processors");
	put_link(w, "Memory", URI_SYSTEM "/Memory");
	put_link(w, "MemoryDomains", URI_SYSTEM "/MemoryDomains");
	put_link(w, "LogServices", URI_HOST_LOGS);
	if (v->fabric->n_adapters > 0)
		put_link(w, "FabricAdapters", URI_SYSTEM "/FabricAdapters");
	put_pcie(v, w);
	put_object(w, "Links");
	put_link_list(w, "Chassis", URI_HOST_CHASSIS);
	put_link_list(w, "ManagedBy", URI_MANAGER);
	put_fabric_list(w, "Endpoints", &v->fabric->initiators, put_initiator_link);
	put_end(w);
	put_actions(r, w);
	put_oem(v, w);
}

/* For how long the host runs; a captured one, until it was captured. */
static struct opt_u64 uptime_s(const struct host *h)
{
	return h->root->captured ? h->captured_uptime_s : OPT_U64(clock_boottime_ms() / 1000);
}

/* Made for each request: what was rendered before has another uptime. */
static int get_operating_system(struct exchange *x)
{
	const struct host *h = x->view->host;
	struct json_writer *w = &x->w;

	put_string(w, "Name", "Operating System");
	put_string(w, "Type", "Linux");
	put_object(w, "Kernel");
	put_string(w, "Name", "Linux");
	put_string(w, "Release", h->kernel_release);
	put_end(w);
	put_opt_number(w, "UptimeSeconds", uptime_s(h));
	put_state(w, "Enabled");
	return 0;
}

static void put_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	(void)r;
	put_status_of_host(v, w);
}

static const struct resource_type system_types[] = {
	{.pattern = "/redfish/v1/Systems",
	 COLLECTION("ComputerSystemCollection", "ComputerSystem", "Systems")},
	{.pattern = URI_SYSTEM,
	 SCHEMA("ComputerSystem", "v1_28_0"),
	 .render = render_system,
	 .status = put_status,
	 ACTIONS(system_actions)},
	{.pattern = URI_SYSTEM "/OperatingSystem",
	 SCHEMA("OperatingSystem", "v1_0_2"),
	 .get = get_operating_system},
};

const struct resource_rows system_rows = RESOURCE_ROWS(system_types);
