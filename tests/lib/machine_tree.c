// SPDX-License-Identifier: LGPL-2.1-or-later
/* A machine as a captured host: the directories, attributes and links that the readers use. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/machine.h"

enum { TREE_PATH_MAX = 1024, TREE_TEXT_MAX = 256 };

#define ROOT_PATH "sys/devices/platform/ACPI0017:00/root0"

struct tree {
	const struct machine *m;
	int dirfd;
	int error; /* the first one */
};

static void failed(struct tree *t)
{
	if (!t->error)
		t->error = -errno;
}

/* Makes the directories above the last component, and that one too with @all. */
static void make_directories(struct tree *t, const char *path, bool all)
{
	char part[TREE_PATH_MAX];

	for (const char *p = path; *p; p++) {
		if (*p != '/' && !(all && p[1] == '\0'))
			continue;
		(void)snprintf(part, sizeof(part), "%.*s", (int)(p - path + (*p != '/')), path);
		if (mkdirat(t->dirfd, part, 0755) < 0 && errno != EEXIST)
			failed(t);
	}
}

static void put_bytes(struct tree *t, const char *path, const void *data, size_t len)
{
	int fd;

	make_directories(t, path, false);
	fd = openat(t->dirfd, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, data, len) != (ssize_t)len)
		failed(t);
	if (fd >= 0)
		(void)close(fd);
}

__attribute__((format(printf, 4, 5))) static void put(struct tree *t, const char *directory,
						      const char *name, const char *fmt, ...)
{
	char path[TREE_PATH_MAX], text[TREE_TEXT_MAX];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text) - 1, fmt, ap);
	va_end(ap);
	strcat(text, "\n");
	(void)snprintf(path, sizeof(path), "%s/%s", directory, name);
	put_bytes(t, path, text, strlen(text));
}

/* Addresses and sizes are hexadecimal, the others decimal. */
static void put_hex(struct tree *t, const char *directory, const char *name, struct opt_u64 v)
{
	if (v.present)
		put(t, directory, name, "0x%llx", (unsigned long long)v.value);
}

static void put_number(struct tree *t, const char *directory, const char *name, struct opt_u64 v)
{
	if (v.present)
		put(t, directory, name, "%llu", (unsigned long long)v.value);
}

/* The shortest relative link, @directory/@name, to another path of the tree. */
static void put_link(struct tree *t, const char *directory, const char *name, const char *to)
{
	char path[TREE_PATH_MAX], target[2 * TREE_PATH_MAX] = "";
	size_t common = 0;

	(void)snprintf(path, sizeof(path), "%s/%s", directory, name);
	make_directories(t, path, false);
	make_directories(t, to, true);
	for (size_t i = 0; path[i] && path[i] == to[i]; i++)
		if (path[i] == '/')
			common = i + 1;
	for (const char *p = path + common; *p; p++)
		if (*p == '/')
			strcat(target, "../");
	strcat(target, to + common);
	if (symlinkat(target, t->dirfd, path) < 0)
		failed(t);
}

static const char *base_name(const char *path)
{
	return strrchr(path, '/') + 1;
}

static void put_device(struct tree *t, const char *directory, const char *bus, const char *driver)
{
	char path[TREE_PATH_MAX];

	(void)snprintf(path, sizeof(path), "sys/bus/%s", bus);
	put_link(t, directory, "subsystem", path);
	(void)snprintf(path, sizeof(path), "sys/bus/%s/devices", bus);
	put_link(t, path, base_name(directory), directory);
	if (!driver)
		return;
	(void)snprintf(path, sizeof(path), "sys/bus/%s/drivers/%s", bus, driver);
	put_link(t, directory, "driver", path);
	put_link(t, path, base_name(directory), directory);
}

static void put_type(struct tree *t, const char *directory, const char *type, int modalias)
{
	put(t, directory, "devtype", "%s", type);
	put(t, directory, "modalias", "cxl:t%d", modalias);
	put(t, directory, "uevent", "DEVTYPE=%s\nMODALIAS=cxl:t%d", type, modalias);
}

/* ---- where things are ---- */

static unsigned int port_number(const struct machine *m, const struct port *p)
{
	unsigned int i = 0;

	while (m->ports[i] != p)
		i++;
	return i;
}

static void port_path(const struct port *p, char ret[static TREE_PATH_MAX])
{
	char above[TREE_PATH_MAX];

	if (!p->parent) {
		(void)snprintf(ret, TREE_PATH_MAX, "%s", ROOT_PATH);
		return;
	}
	port_path(p->parent, above);
	(void)snprintf(ret, TREE_PATH_MAX, "%.900s/%s", above, p->name);
}

static void decoder_path(const struct decoder *d, char ret[static TREE_PATH_MAX])
{
	char above[TREE_PATH_MAX];

	port_path(d->port, above);
	(void)snprintf(ret, TREE_PATH_MAX, "%.900s/%s", above, d->name);
}

/* The PCI function of a downstream port; below the root the host bridge. */
static void dport_path(const struct machine *m, const struct port *p, const struct dport *d,
		       char ret[static TREE_PATH_MAX])
{
	unsigned int n = port_number(m, p), i = (unsigned int)(d - p->dports);

	if (!p->parent)
		(void)snprintf(ret, TREE_PATH_MAX, "sys/devices/pci%04x:00", 0x100 + i);
	else
		(void)snprintf(ret, TREE_PATH_MAX, "sys/devices/pci0000:00/%04x:00:%02x.0",
			       0x200 + n, i);
}

static void memdev_path(const struct memdev *d, char ret[static TREE_PATH_MAX])
{
	(void)snprintf(ret, TREE_PATH_MAX, "sys/devices/pci0001:00/%s/%s",
		       d->bdf ? d->bdf : "0002:00:00.0", d->name);
}

/* ---- objects ---- */

static void put_pci(struct tree *t, const char *directory, const char *class_code)
{
	put_device(t, directory, "pci", NULL);
	put(t, directory, "class", "%s", class_code);
	put(t, directory, "vendor", "0x8086");
	put(t, directory, "device", "0x0d93");
}

static void put_port(struct tree *t, const struct port *p)
{
	char path[TREE_PATH_MAX], to[TREE_PATH_MAX], name[32];

	port_path(p, path);
	put_device(t, path, "cxl", p->parent ? "cxl_port" : NULL);
	put_type(t, path, "cxl_port", 3);
	for (size_t i = 0; i < p->n_dports; i++) {
		dport_path(t->m, p, &p->dports[i], to);
		(void)snprintf(name, sizeof(name), "dport%llu",
			       (unsigned long long)p->dports[i].id);
		put_link(t, path, name, to);
		if (p->parent)
			put_pci(t, to, "0x060400");
	}
	if (!p->parent) {
		put_link(t, path, "uport", "sys/devices/platform/ACPI0017:00");
		return;
	}
	if (p->parent_dport) {
		dport_path(t->m, p->parent, p->parent_dport, to);
		put_link(t, path, "parent_dport", to);
	}
	if (p->memdev)
		memdev_path(p->memdev, to);
	else if (p->kind == PORT_SWITCH)
		(void)snprintf(to, sizeof(to), "sys/devices/pci0003:00/0003:%02x:00.0",
			       port_number(t->m, p));
	put_link(t, path, "uport", to);
	if (p->kind == PORT_SWITCH)
		put_pci(t, to, "0x060400");
}

static const char *mode_name(enum decoder_mode mode)
{
	static const char *const names[] = {"none", "ram", "pmem", "mixed"};

	return names[mode];
}

static void put_decoder(struct tree *t, const struct decoder *d)
{
	bool is_root = d->port->kind == PORT_ROOT, is_endpoint = d->port->kind == PORT_ENDPOINT;
	char path[TREE_PATH_MAX], list[TREE_TEXT_MAX] = "", type[32];

	decoder_path(d, path);
	(void)snprintf(type, sizeof(type), "cxl_decoder_%s",
		       is_root	     ? "root"
		       : is_endpoint ? "endpoint"
				     : "switch");
	put_device(t, path, "cxl", NULL);
	put_type(t, path, type, 0);
	put_hex(t, path, "start", d->start);
	put_hex(t, path, "size", d->size);
	put_number(t, path, "interleave_ways", d->ways);
	put_number(t, path, "interleave_granularity", d->granularity);
	put(t, path, "locked", "%d", d->locked.value);
	for (size_t i = 0; i < d->n_targets; i++)
		(void)snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%llu",
			       i ? "," : "", (unsigned long long)d->targets[i].id);
	if (is_root) {
		for (size_t i = 0; i < 4; i++)
			put(t, path,
			    (const char *const[]){"cap_ram", "cap_pmem", "cap_type2",
						  "cap_type3"}[i],
			    "1");
		put(t, path, "create_ram_region", "region%zu", t->m->host.n_regions);
		put(t, path, "create_pmem_region", "region%zu", t->m->host.n_regions);
	} else {
		put(t, path, "target_type", "expander");
		put(t, path, "region", "%s", d->region ? d->region->name : "");
	}
	if (!is_endpoint) {
		put(t, path, "target_list", "%s", list);
		return;
	}
	put(t, path, "mode", "%s", mode_name(d->mode));
	put_hex(t, path, "dpa_resource",
		d->dpa_resource.present ? d->dpa_resource : OPT_U64(UINT64_MAX));
	put_hex(t, path, "dpa_size", d->dpa_size);
}

static void put_region(struct tree *t, const struct region *r)
{
	char path[TREE_PATH_MAX], window[TREE_PATH_MAX], name[32];

	decoder_path(r->root, window);
	(void)snprintf(path, sizeof(path), "%.900s/%s", window, r->name);
	put_device(t, path, "cxl", "cxl_region");
	put_type(t, path, "cxl_region", 6);
	put(t, path, "uuid", "%s", r->uuid ? r->uuid : "");
	put_hex(t, path, "resource", r->resource);
	put_hex(t, path, "size", r->size);
	put_number(t, path, "interleave_ways", r->ways);
	put_number(t, path, "interleave_granularity", r->granularity);
	put(t, path, "mode", "%s", mode_name(r->mode));
	if (r->commit != REGION_COMMIT_UNKNOWN)
		put(t, path, "commit", "%d", r->commit == REGION_COMMITTED);
	put_hex(t, path, "extended_linear_cache_size", r->extended_linear_cache_size);
	for (size_t i = 0; i < r->n_targets; i++) {
		(void)snprintf(name, sizeof(name), "target%zu", i);
		put(t, path, name, "%s",
		    r->targets[i].decoder_name ? r->targets[i].decoder_name : "");
	}
}

static void put_memdev(struct tree *t, const struct memdev *d)
{
	char path[TREE_PATH_MAX], function[TREE_PATH_MAX], name[64];
	int n = atoi(d->name + 3);

	memdev_path(d, path);
	(void)snprintf(function, sizeof(function), "%.*s", (int)(strrchr(path, '/') - path), path);
	put_pci(t, function, "0x050210");
	put_device(t, path, "cxl", "cxl_mem");
	put(t, path, "uevent",
	    "MAJOR=249\nMINOR=%d\nDEVNAME=cxl/%s\nDEVTYPE=cxl_memdev\n"
	    "DRIVER=cxl_mem\nMODALIAS=cxl:t5",
	    n, d->name);
	put(t, path, "dev", "249:%d", n);
	put_hex(t, path, "serial", d->serial);
	put(t, path, "firmware_version", "1");
	put(t, path, "numa_node", "-1");
	put(t, path, "payload_max", "2048");
	put(t, path, "label_storage_size", "0");
	put_hex(t, path, "ram/size", d->ram_size);
	put_hex(t, path, "pmem/size", d->pmem_size);
	(void)snprintf(name, sizeof(name), "dev/cxl/%s", d->name);
	put_bytes(t, name, "", 0);
}

int machine_write(const struct machine *m, int dirfd)
{
	struct tree t = {.m = m, .dirfd = dirfd};
	const struct host_table *cedt = &m->host.tables[HOST_TABLE_CEDT];

	for (size_t i = 0; i < m->host.n_ports; i++)
		put_port(&t, m->ports[i]);
	for (size_t i = 0; i < m->host.n_decoders; i++)
		put_decoder(&t, m->decoders[i]);
	for (size_t i = 0; i < m->host.n_regions; i++)
		put_region(&t, m->regions[i]);
	for (size_t i = 0; i < m->host.n_memdevs; i++)
		put_memdev(&t, m->memdevs[i]);
	if (cedt->data)
		put_bytes(&t, "sys/firmware/acpi/tables/CEDT", cedt->data, cedt->len);
	put_bytes(&t, "sys/bus/cxl/flush", "", 0);
	put(&t, "proc", "version", "Linux version %s (random machine)", m->host.kernel_release);
	put(&t, ".", "change.txt", "%s", m->change[0] ? m->change : "none");
	return t.error;
}
