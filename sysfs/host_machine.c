// SPDX-License-Identifier: LGPL-2.1-or-later
/* The machine by its firmware's names, and the models of its CPUs. */
#include "sysfs/host_machine.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "common/cleanup.h"
#include "sysfs/dmi_table.h"

static void read_names(struct build *b, struct machine_names *m)
{
	static const struct attr_field fields[] = {
		{"sys_vendor", ATTR_TEXT, offsetof(struct machine_names, manufacturer)},
		{"product_name", ATTR_TEXT, offsetof(struct machine_names, model)},
		{"product_serial", ATTR_TEXT, offsetof(struct machine_names, serial)},
		{"bios_version", ATTR_TEXT, offsetof(struct machine_names, bios_version)},
	};
	const char **const names[] = {&m->manufacturer, &m->model, &m->serial, &m->bios_version};
	_cleanup_close_ int fd = host_root_open_sys(b->root, "/sys/class/dmi/id");

	if (fd < 0)
		return;
	attr_read_all(&(struct attr_dir){fd, "dmi", "dmi", &b->notes, b->root->opener}, fields,
		      ARRAY_SIZE(fields), m);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (*names[i] && dmi_is_placeholder(*names[i]))
			*names[i] = NULL;
}

/*
 * The words that hypervisors write into the tables of their machines. A cloud that also lends whole
 * machines writes the same there: their CPUs say that no hypervisor is below.
 */
static bool is_named_virtual(const struct machine_names *m)
{
	static const char *const starts[] = {
		"QEMU",	      "KVM",
		"Bochs",      "VMware",
		"VMW",	      "innotek GmbH",
		"Xen",	      "OpenStack",
		"KubeVirt",   "BHYVE",
		"Parallels",  "Apple Virtualization",
		"Amazon EC2", "Google Compute Engine",
		"VirtualBox", "Virtual Machine",
	};

	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if ((m->manufacturer && str_after_prefix(m->manufacturer, starts[i])) ||
		    (m->model && str_after_prefix(m->model, starts[i])))
			return true;
	return false;
}

/*
 * The CPU's word and the names must not contradict each other: the first domain of a hypervisor has
 * a virtual CPU in a real machine, and a virtual machine may have the names of a real one.
 */
static struct opt_bool find_virtual(const struct machine_names *m, const struct cpuinfo *cpu)
{
	const bool named = m->manufacturer || m->model, named_virtual = is_named_virtual(m);
	const struct opt_bool said = cpu->hypervisor, not_known = {0};

	if (named_virtual)
		return said.present && !said.value ? not_known : OPT_BOOL(true);
	if (said.present)
		return said.value == named ? not_known : OPT_BOOL(said.value);
	return named && cpu->architecture == CPU_ARM_64 ? OPT_BOOL(false) : not_known;
}

/* Return: 0 or -ENOMEM. */
static int name_package(struct build *b, struct cpu_package *p, const struct cpuinfo *cpu)
{
	p->architecture = cpu->architecture;
	if (cpu->vendor[0]) {
		p->vendor = arena_strdup(b->arena, cpu->vendor);
		if (!p->vendor)
			return -ENOMEM;
	}
	if (dmi_is_placeholder(cpu->model))
		return 0;
	p->model = arena_strdup(b->arena, cpu->model);
	return p->model ? 0 : -ENOMEM;
}

/* A CPU of Arm does not say its socket: all CPUs of such a machine are of one kind. */
static bool is_of(const struct cpu_package *p, const struct cpuinfo *cpu)
{
	return cpu->package.present ? cpu->package.value == p->id : cpu->architecture == CPU_ARM_64;
}

int build_cpu_models(struct build *b, struct cpu_package *packages, size_t n)
{
	_cleanup_free_ char *text = NULL;
	struct cpuinfo cpu;
	const char *at;
	int r;

	r = host_root_read(b->root, CPUINFO_PATH, CPUINFO_BYTES_MAX, &text, NULL);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (at = text; r >= 0 && cpuinfo_next(&at, &cpu);) {
		if (!b->cpu.architecture)
			b->cpu = cpu;
		for (size_t i = 0; i < n && r >= 0; i++)
			if (!packages[i].architecture && is_of(&packages[i], &cpu))
				r = name_package(b, &packages[i], &cpu);
	}
	return r;
}

int build_machine(struct build *b)
{
	read_names(b, &b->host->machine);
	b->host->machine.is_virtual = find_virtual(&b->host->machine, &b->cpu);
	return 0;
}
