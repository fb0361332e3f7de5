// SPDX-License-Identifier: LGPL-2.1-or-later
//
// CPU sockets, as far as CXL needs them: the memory that is nearest to each, and the ports of their
// host bridges.

#include <stdio.h>

#include "common/array.h"
#include "common/strutil.h"
#include "model/topology.h"
#include "redfish/core/fabric_links.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"

static int enumerate_packages(const struct view *v, const struct resource_type *t,
			      struct resource_index *ix)
{
	char id[32];
	int r = 0;

	for (size_t i = 0; i < v->host->n_packages && r >= 0; i++) {
		(void)snprintf(id, sizeof(id), "CPU%u", v->host->packages[i].id);
		r = resource_add(ix, t, &v->host->packages[i], (const char *const[]){id});
	}
	return r;
}

static void put_memory_links(const struct view *v, const struct cpu_package *p,
			     struct json_writer *w)
{
	uint64_t n = 0;

	put_array(w, "Memory");
	for (size_t i = 0; i < v->host->n_memdevs; i++) {
		const struct memdev *m = v->host->memdevs[i];

		if (package_of_node(v->host, m->numa_node) != p)
			continue;
		put_link(w, NULL, URI_MEMORY, view_memory_id(v, m));
		n++;
	}
	put_end(w);
	put_number(w, "Memory@odata.count", n);
}

/* Names of makers in place of the words that their CPUs say; another word is shown as it is. */
static const char *maker(const char *vendor)
{
	static const struct {
		const char *vendor, *name;
	} makers[] = {
		{"GenuineIntel", "Intel"},
		{"AuthenticAMD", "AMD"},
		{"HygonGenuine", "Hygon"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(makers); i++)
		if (str_equal(vendor, makers[i].vendor))
			return makers[i].name;
	return vendor;
}

static void put_model(const struct cpu_package *p, struct json_writer *w)
{
	static const struct {
		const char *architecture, *instructions;
	} names[] = {
		[CPU_X86_64] = {"x86", "x86-64"},
		[CPU_ARM_64] = {"ARM", "ARM-A64"},
	};

	put_string(w, "ProcessorArchitecture", names[p->architecture].architecture);
	put_string(w, "InstructionSet", names[p->architecture].instructions);
	put_string(w, "Manufacturer", maker(p->vendor));
	put_string(w, "Model", p->model);
	if (!p->vendor)
		return;
	put_object(w, "ProcessorId");
	put_string(w, "VendorId", p->vendor);
	put_end(w);
}

static void render_processor(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct cpu_package *p = r->object;
	const struct fabric_initiator *initiator = fabric_initiator_of(v->fabric, p);

	put_string(w, "Name", r->id);
	put_string(w, "ProcessorType", "CPU");
	put_format(w, "Socket", "%u", p->id);
	put_model(p, w);
	put_state(w, "Enabled");
	if (initiator)
		put_link(w, "Ports", "%s/Ports", r->uri);
	put_object(w, "Links");
	put_link(w, "Chassis", URI_HOST_CHASSIS);
	if (initiator) {
		put_array(w, "Endpoints");
		put_initiator_link(w, initiator);
		put_end(w);
	}
	put_memory_links(v, p, w);
	put_end(w);
	put_object(w, "Oem");
	put_object(w, "CXLHost");
	put_string(w, "@odata.type", "#CXLHostProcessor.v1_0_0.Processor");
	put_array(w, "NUMANodes");
	for (size_t i = 0; i < p->n_nodes; i++)
		put_opt_int(w, NULL, OPT_INT(p->nodes[i]));
	put_end(w);
	put_end(w);
	put_end(w);
}

static const struct resource_type processor_types[] = {
	{.pattern = URI_SYSTEM "/Processors",
	 COLLECTION("ProcessorCollection", "Processor", "Processors")},
	{.pattern = URI_SYSTEM "/Processors/{Processor}",
	 SCHEMA("Processor", "v1_23_0"),
	 .enumerate = enumerate_packages,
	 .render = render_processor},
};

const struct resource_rows processor_rows = RESOURCE_ROWS(processor_types);
