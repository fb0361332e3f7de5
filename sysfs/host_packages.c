// SPDX-License-Identifier: LGPL-2.1-or-later
/* CPU sockets and the NUMA nodes of their CPUs. */
#include "sysfs/host_machine.h"
#include "sysfs/host_nodes.h"
#include "sysfs/host_packages.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>

#include "common/cleanup.h"

/* More CPUs than Linux can be configured for; sockets are fewer. */
enum { CPUS_MAX = 8192, PACKAGES_MAX = 1024 };

DEFINE_ARRAY(int, node_list);

struct package {
	unsigned int id;
	struct node_list nodes;
};
DEFINE_ARRAY(struct package, package_list);

struct topology {
	struct build *b;
	int system_fd; /* /sys/devices/system */
	struct package_list packages;
};

static void topology_done(struct topology *t)
{
	cleanup_close(&t->system_fd);
	ARRAY_FOREACH(package, &t->packages)
		node_list_done(&package->nodes);
	package_list_done(&t->packages);
}

static int package_order(const void *a, const void *b)
{
	const struct package *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static int add_node(struct topology *t, unsigned int id, int node)
{
	struct package *found = NULL;
	int *slot;

	ARRAY_FOREACH(package, &t->packages) {
		if (package->id == id)
			found = package;
	}
	if (!found) {
		if (t->packages.n == PACKAGES_MAX)
			return 0;
		found = package_list_add(&t->packages);
		if (!found)
			return -ENOMEM;
		*found = (struct package){.id = id};
	}
	/* In order of the nodes, so a node that was added before is the last one. */
	if (found->nodes.n > 0 && found->nodes.items[found->nodes.n - 1] == node)
		return 0;
	slot = node_list_add(&found->nodes);
	if (!slot)
		return -ENOMEM;
	*slot = node;
	return 0;
}

static int add_cpu(struct topology *t, unsigned int cpu, int node)
{
	static const struct attr_field field = {"topology/physical_package_id", ATTR_INT, 0};
	char name[sizeof("cpu4294967295")], path[sizeof("cpu/") + sizeof(name)];
	_cleanup_close_ int fd = -1;
	struct opt_int id = {0};

	(void)snprintf(name, sizeof(name), "cpu%u", cpu);
	(void)snprintf(path, sizeof(path), "cpu/%s", name);
	fd = attr_open_dir(t->system_fd, path);
	if (fd < 0)
		return 0;
	(void)attr_read(&(struct attr_dir){fd, "cpu", name, &t->b->notes}, &field, &id);
	return id.present ? add_node(t, (unsigned int)id.value, node) : 0;
}

static int add_cpus_of_node(struct topology *t, int node)
{
	char name[sizeof("node-2147483648")], path[sizeof("node/") + sizeof(name)];
	char text[ATTR_BYTES_MAX + 1], *list = text;
	_cleanup_close_ int fd = -1;
	uint64_t first, last;
	int r;

	(void)snprintf(name, sizeof(name), "node%d", node);
	(void)snprintf(path, sizeof(path), "node/%s", name);
	fd = attr_open_dir(t->system_fd, path);
	if (fd < 0 ||
	    attr_read_text(&(struct attr_dir){fd, "node", name, &t->b->notes}, "cpulist", text) < 0)
		return 0;
	while (build_next_range(&list, &first, &last))
		for (uint64_t cpu = first; cpu <= last && cpu < CPUS_MAX; cpu++) {
			r = add_cpu(t, (unsigned int)cpu, node);
			if (r < 0)
				return r;
		}
	return 0;
}

static int read_topology(struct topology *t)
{
	const struct host *host = t->b->host;
	int r;

	for (size_t i = 0; i < host->n_nodes; i++) {
		r = host->nodes[i].has_cpu ? add_cpus_of_node(t, host->nodes[i].id) : 0;
		if (r < 0)
			return r;
	}
	return 0;
}

int build_packages(struct build *b)
{
	_cleanup_(topology_done) struct topology t = {
		.b = b,
		.system_fd = host_root_open_sys(b->root, "/sys/devices/system"),
	};
	struct cpu_package *packages;
	int r;

	r = t.system_fd >= 0 ? read_topology(&t) : 0;
	if (r < 0)
		return r;
	if (t.packages.n > 1)
		qsort(t.packages.items, t.packages.n, sizeof(t.packages.items[0]), package_order);
	packages = ARENA_ARRAY(b->arena, t.packages.n, struct cpu_package);
	if (!packages)
		return -ENOMEM;
	for (size_t i = 0; i < t.packages.n; i++) {
		const struct package *package = &t.packages.items[i];

		packages[i] = (struct cpu_package){
			.id = package->id,
			.nodes = LIST_FREEZE(&package->nodes, b->arena),
			.n_nodes = package->nodes.n,
		};
		if (!packages[i].nodes)
			return -ENOMEM;
	}
	b->host->packages = packages;
	b->host->n_packages = t.packages.n;
	return build_cpu_models(b, packages, t.packages.n);
}
