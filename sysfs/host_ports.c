// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Buses and the ports below them: roots, host bridges, switches and endpoints.
 *
 * The buses are devices of the bus cxl; everything else is found by its name in the directory of
 * its parent. libcxl would resolve two paths component by component for each of them, read all
 * attributes, which have to be read again here (see attr.h), and load libkmod and libcrypto, 1.7
 * MiB.
 */
#include "sysfs/host_cdat.h"
#include "sysfs/host_decoders.h"
#include "sysfs/host_dports.h"
#include "sysfs/host_pci.h"
#include "sysfs/host_ports.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"

/*
 * A machine has one ACPI0017, cxl_test adds another, and the deepest legal path is a root, a host
 * bridge, a few switches and an endpoint. More than that is not a real host.
 */
enum { BUSES_MAX = 16, PORT_DEPTH_MAX = 16 };

static const struct attr_field port_fields[] = {
	{"decoders_committed", ATTR_U64, offsetof(struct port, decoders_committed)},
};

static int read_port(struct build *b, int parent_fd, const char *name, const struct port *parent,
		     struct port **ret);

static const struct dport *dport_by_name(const struct port *port, const char *name)
{
	for (size_t i = 0; i < port->n_dports; i++)
		if (str_equal(port->dports[i].name, name) ||
		    str_equal(port->dports[i].physical_node, name))
			return &port->dports[i];
	return NULL;
}

/*
 * Kernels before 6.3 have no parent_dport link. There the path of the device that the port belongs
 * to contains the dport, as in "../../pci0000:0c/0000:0c:00.0/0000:0d:00.0/mem2".
 */
static const struct dport *find_parent_dport(int fd, const struct port *parent)
{
	static const char *const links[] = {"parent_dport", "uport"};
	const struct dport *dport = NULL;
	char path[ATTR_BYTES_MAX], *slash;
	ssize_t n = -1;

	for (size_t i = 0; i < ARRAY_SIZE(links) && n < 0; i++)
		n = readlinkat(fd, links[i], path, sizeof(path) - 1);
	if (n < 0)
		return NULL;
	path[n] = '\0';
	while (!dport && (slash = strrchr(path, '/'))) {
		dport = dport_by_name(parent, slash + 1);
		*slash = '\0';
	}
	return dport;
}

static void link_endpoint(struct build *b, struct port *port)
{
	struct memdev *memdev = memdev_list_find(&b->memdevs, port->host);

	port->memdev = memdev;
	if (memdev && memdev->endpoint)
		read_notes_add(&b->notes, "%s: %s belongs to %s already", port->name, memdev->name,
			       memdev->endpoint->name);
	else if (memdev)
		memdev->endpoint = port;
}

static int add_child(struct build *b, int fd, const char *name, const struct port *parent,
		     struct port_list *children)
{
	struct port *child, **slot;
	int r;

	r = read_port(b, fd, name, parent, &child);
	if (r < 0 || !child)
		return r;
	slot = port_list_add(children);
	if (!slot)
		return -ENOMEM;
	*slot = child;
	return 0;
}

static int read_children(struct build *b, int fd, struct port *port)
{
	_cleanup_(port_list_done) struct port_list children = {0};
	_cleanup_closedir_ DIR *dir = build_open_list(fd);
	const struct dirent *entry;
	int r;

	while (dir && (entry = readdir(dir))) {
		if (!build_is_numbered(entry->d_name, "port") &&
		    !build_is_numbered(entry->d_name, "endpoint"))
			continue;
		r = add_child(b, fd, entry->d_name, port, &children);
		if (r < 0)
			return r;
	}
	LIST_SORT(&children, port);
	port->children = LIST_FREEZE(&children, b->arena);
	port->n_children = children.n;
	return port->children ? 0 : -ENOMEM;
}

static enum port_kind kind_of(const char *name, const struct port *parent)
{
	if (!parent)
		return PORT_ROOT;
	if (build_is_numbered(name, "endpoint"))
		return PORT_ENDPOINT;
	return parent->kind == PORT_ROOT ? PORT_HOST_BRIDGE : PORT_SWITCH;
}

/* @name, @host: belong to the snapshot; NULL when out of memory */
static int describe_port(struct build *b, int fd, const char *name, const char *host,
			 const struct port *parent, struct port *port)
{
	if (!name || !host)
		return -ENOMEM;
	port->name = name;
	port->host = host;
	port->kind = kind_of(name, parent);
	port->parent = parent;
	port->depth = parent ? parent->depth + 1 : 0;
	/* No driver binds to a root: it exists as long as cxl_acpi is bound to its host. */
	port->enabled = !parent || build_has_driver(fd);
	attr_read_all(&(struct attr_dir){fd, "port", port->name, &b->notes}, port_fields,
		      ARRAY_SIZE(port_fields), port);
	if (parent) {
		port->bus = parent->bus;
		port->parent_dport = find_parent_dport(fd, parent);
	}
	if (port->kind == PORT_ENDPOINT)
		link_endpoint(b, port);
	return 0;
}

/* The children of a port; dports first, because targets name them. */
static int fill_port(struct build *b, int fd, struct port *port)
{
	struct port **slot;
	int r;

	slot = port_list_add(&b->ports);
	if (!slot)
		return -ENOMEM;
	*slot = port;
	/* An endpoint has decoders only, and each kind of child costs a scan of the directory. */
	if (port->kind == PORT_ENDPOINT) {
		r = build_cdat(b, fd, port);
		return r < 0 ? r : build_decoders(b, fd, port);
	}
	r = build_dports(b, fd, port);
	if (r == 0)
		r = build_decoders(b, fd, port);
	if (r == 0)
		r = read_children(b, fd, port);
	return r;
}

/* @ret: NULL when the port is left out */
static int read_port(struct build *b, int parent_fd, const char *name, const struct port *parent,
		     struct port **ret)
{
	_cleanup_close_ int fd = -1, uport_fd = -1;
	const char *host;
	struct port *port;
	int r;

	*ret = NULL;
	fd = build_open_child(b, parent_fd, name);
	if (fd < 0)
		return 0;
	if (parent->depth == PORT_DEPTH_MAX) {
		read_notes_add(&b->notes, "%s: more than %d ports deep, left out", name,
			       PORT_DEPTH_MAX);
		return 0;
	}
	uport_fd = attr_open_dir(fd, "uport");
	host = build_link_name(b, fd, "uport");
	/* An endpoint whose memory device has gone shows what the decoders above still refer to. */
	if (!host || (uport_fd < 0 && !build_is_numbered(host, "mem"))) {
		read_notes_add(&b->notes, "%s: left out: uport is not a link to a device", name);
		return b->notes.out_of_memory ? -ENOMEM : 0;
	}
	port = ARENA_NEW(b->arena, struct port);
	if (!port)
		return -ENOMEM;
	r = describe_port(b, fd, build_name(b, name), host, parent, port);
	if (r == 0 && port->kind == PORT_SWITCH)
		r = build_pci(b, uport_fd, port->host, &port->pci);
	if (r == 0)
		r = fill_port(b, fd, port);
	if (r == 0)
		*ret = port;
	return r;
}

/* The provider of a bus by the device that it belongs to, as libcxl names it. */
static const char *provider_of(const char *host)
{
	if (str_equal(host, "ACPI0017:00"))
		return "ACPI.CXL";
	return str_equal(host, "cxl_acpi.0") ? "cxl_test" : host;
}

/*
 * The device that a bus belongs to. The link may be "..", which names no device, so its directory
 * tells, as libcxl has it.
 *
 * Return: NULL without a link to a device.
 */
static const char *bus_host(struct build *b, int fd)
{
	_cleanup_close_ int uport_fd = attr_open_dir(fd, "uport");
	char link[sizeof("/proc/self/fd/2147483647")];
	const char *host;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", uport_fd);
	host = uport_fd < 0 ? NULL : build_link_name(b, AT_FDCWD, link);
	return host ? host : build_link_name(b, fd, "uport");
}

static int read_bus(struct build *b, const char *name, struct bus *bus)
{
	_cleanup_close_ int fd = build_open_device(b, name);
	const char *host;
	struct port *root;
	int r;

	if (fd < 0)
		return 0;
	host = bus_host(b, fd);
	if (!host)
		return 0; /* noted by build_note_left_out() */
	root = ARENA_NEW(b->arena, struct port);
	if (!root)
		return -ENOMEM;
	root->bus = bus;
	r = describe_port(b, fd, build_name(b, name), host, NULL, root);
	if (r < 0)
		return r;
	bus->name = root->name;
	bus->root = root;
	bus->provider = provider_of(host);
	return fill_port(b, fd, root);
}

static int name_order(const void *a, const void *b)
{
	return str_natural_cmp(*(const char *const *)a, *(const char *const *)b);
}

/* Return: how many names there are; -ENOMEM. */
static int find_buses(struct build *b, const char *names[static BUSES_MAX])
{
	_cleanup_closedir_ DIR *dir = build_open_list(b->devices_fd);
	struct dirent *entry;
	int n = 0;

	while (dir && (entry = readdir(dir))) {
		if (!build_is_numbered(entry->d_name, "root"))
			continue;
		if (n == BUSES_MAX) {
			read_notes_add(&b->notes, "more than %d CXL buses, the others are left out",
				       BUSES_MAX);
			break;
		}
		names[n] = arena_strdup(b->arena, entry->d_name);
		if (!names[n++])
			return -ENOMEM;
	}
	return n;
}

int build_buses(struct build *b)
{
	const char *names[BUSES_MAX];
	const int n = find_buses(b, names);
	struct bus *buses;
	int r;

	if (n < 0)
		return n;
	if (n > 1)
		qsort(names, (size_t)n, sizeof(names[0]), name_order);
	buses = ARENA_ARRAY(b->arena, (size_t)n, struct bus);
	if (!buses)
		return -ENOMEM;
	b->host->buses = buses;
	for (int i = 0; i < n; i++) {
		r = read_bus(b, names[i], &buses[b->host->n_buses]);
		if (r < 0)
			return r;
		if (buses[b->host->n_buses].root)
			b->host->n_buses++;
	}
	return 0;
}
