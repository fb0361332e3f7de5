// SPDX-License-Identifier: LGPL-2.1-or-later
/* PCI functions: memory devices, switch ports and the ports above them. */
#include "sysfs/host_config.h"
#include "sysfs/host_pci.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"

#define FIELD(attr, type, member)                                                                  \
	{                                                                                          \
		attr, type, offsetof(struct pci_function, member)                                  \
	}

static const struct attr_field pci_fields[] = {
	FIELD("vendor", ATTR_U64, vendor),
	FIELD("device", ATTR_U64, device),
	FIELD("subsystem_vendor", ATTR_U64, subsystem_vendor),
	FIELD("subsystem_device", ATTR_U64, subsystem_device),
	FIELD("revision", ATTR_U64, revision),
	FIELD("class", ATTR_U64, class_code),
	FIELD("numa_node", ATTR_INT, numa_node),
	FIELD("current_link_speed", ATTR_TEXT, current_link_speed),
	FIELD("max_link_speed", ATTR_TEXT, max_link_speed),
	FIELD("current_link_width", ATTR_LANES, current_link_width),
	FIELD("max_link_width", ATTR_LANES, max_link_width),
};

/* Domain, bus, device, function: "0000:0d:00.0"; the domain may have more digits (VMD). */
static bool pci_is_bdf(const char *name)
{
	size_t domain = strspn(name, "0123456789abcdef");
	const char *p = name + domain;

	return domain >= 4 && domain <= 8 && strlen(p) == strlen(":0d:00.0") && p[0] == ':' &&
	       isxdigit((unsigned char)p[1]) && isxdigit((unsigned char)p[2]) && p[3] == ':' &&
	       isxdigit((unsigned char)p[4]) && isxdigit((unsigned char)p[5]) && p[6] == '.' &&
	       p[7] >= '0' && p[7] <= '7';
}

/* The kernel prints "Unknown" for a link that is down or whose speed it does not know. */
static void drop_unknown(const char **speed)
{
	if (*speed && str_after_prefix(*speed, "Unknown"))
		*speed = NULL;
}

int build_pci(struct build *b, int fd, const char *name, const struct pci_function **ret)
{
	struct pci_function *pci;

	*ret = NULL;
	if (fd < 0 || !pci_is_bdf(name))
		return 0;
	pci = ARENA_NEW(b->arena, struct pci_function);
	if (!pci)
		return -ENOMEM;
	pci->bdf = build_name(b, name);
	if (!pci->bdf)
		return -ENOMEM;
	attr_read_all(&(struct attr_dir){fd, "PCI function", pci->bdf, &b->notes}, pci_fields,
		      ARRAY_SIZE(pci_fields), pci);
	drop_unknown(&pci->current_link_speed);
	drop_unknown(&pci->max_link_speed);
	build_config(b->root->opener, fd, &pci->config);
	/* In captures that do not have the attributes. Their own word for "none" stays. */
	if (faccessat(fd, "max_link_speed", F_OK, 0) < 0)
		pci->max_link_speed = pci->config.max_link_speed;
	if (faccessat(fd, "max_link_width", F_OK, 0) < 0)
		pci->max_link_width = pci->config.max_link_width;
	*ret = pci;
	return 0;
}

const char *build_device_path(struct build *b, const char *target)
{
	static const char devices[] = "/devices/";
	const char *below = strstr(target, devices);

	return below ? build_name(b, below + strlen(devices)) : NULL;
}

/* ---- CXL memory devices without a memdev ------------------------------------------------------
 */

/* @fd: /sys/bus/pci/devices. One attribute, because there may be hundreds of other functions. */
static bool pci_is_cxl_memory(struct build *b, int fd, const char *name)
{
	char attr[NAME_MAX + sizeof("/class")];
	struct pci_function pci = {0};
	const struct attr_field field = {attr, ATTR_U64, offsetof(struct pci_function, class_code)};

	(void)snprintf(attr, sizeof(attr), "%s/class", name);
	(void)attr_read(&(struct attr_dir){fd, "PCI function", name, &b->notes}, &field, &pci);
	return pci.class_code.present && pci.class_code.value >> 8 == PCI_CLASS_CXL_MEMORY;
}

/* @fd: /sys/bus/pci/devices */
static int unclaimed_read(struct build *b, int fd, const char *name, struct unclaimed_list *found)
{
	_cleanup_close_ int function_fd = attr_open_dir(fd, name);
	struct unclaimed_function *function = unclaimed_list_add(found);
	char path[ATTR_BYTES_MAX];
	ssize_t n = readlinkat(fd, name, path, sizeof(path) - 1);
	int r;

	if (!function)
		return -ENOMEM;
	r = build_pci(b, function_fd, name, &function->pci);
	if (r < 0 || !function->pci) {
		found->n--; /* it has vanished */
		return r;
	}
	function->driver = build_link_name(b, function_fd, "driver");
	if (n > 0) {
		path[n] = '\0';
		function->path = build_device_path(b, path);
	}
	return 0;
}

/* Return: the BDF of the port that a committed decoder leads to, and where Linux has nothing. */
static const char *lone_target(const struct decoder *d)
{
	for (size_t i = 0; i < d->port->n_children; i++)
		if (d->n_targets == 1 && d->port->children[i]->parent_dport == d->targets[0].dport)
			return NULL;
	if (d->port->kind == PORT_ROOT || d->port->kind == PORT_ENDPOINT || !d->size.present ||
	    d->size.value == 0 || decoder_mapped_by(d) || d->n_targets != 1 || !d->targets[0].dport)
		return NULL;
	return d->targets[0].dport->name;
}

/* Whether the path of a device, ".../0000:0c:00.0/NAME", is right below that of another one. */
static bool is_right_below(const char *path, const char *above, const char *name)
{
	const size_t n = strlen(above), n_name = strlen(name), len = strlen(path);
	const char *at = path + len - n_name - 1 - n;

	return len > n + 1 + n_name && at[-1] == '/' && memcmp(at, above, n) == 0 && at[n] == '/' &&
	       memcmp(at + n + 1, name, n_name) == 0;
}

/* Sets what the lone decoders lead to. @fd: /sys/bus/pci/devices */
static int build_lone_function(struct build *b, int fd, const char *name)
{
	_cleanup_close_ int function_fd = -1;
	char path[ATTR_BYTES_MAX];
	ssize_t n = readlinkat(fd, name, path, sizeof(path) - 1);

	if (n <= 0)
		return 0;
	path[n] = '\0';
	ARRAY_FOREACH(d, &b->decoders) {
		const char *above = lone_target(*d);

		if (!above || (*d)->function || !is_right_below(path, above, name))
			continue;
		if (function_fd < 0)
			function_fd = attr_open_dir(fd, name);
		if (build_pci(b, function_fd, name, &(*d)->function) < 0)
			return -ENOMEM;
	}
	return 0;
}

static bool has_lone_decoder(const struct build *b)
{
	for (size_t i = 0; i < b->decoders.n; i++)
		if (lone_target(b->decoders.items[i]))
			return true;
	return false;
}

int build_unclaimed(struct build *b)
{
	_cleanup_(unclaimed_list_done) struct unclaimed_list found = {0};
	_cleanup_close_ int fd = host_root_open_sys(b->root, "/sys/bus/pci/devices");
	_cleanup_closedir_ DIR *dir = build_open_list(fd);
	const bool lone = has_lone_decoder(b);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const char *name = entry->d_name;

		if (!pci_is_bdf(name) || host_memdev_by_bdf(b->host, name))
			continue;
		if (pci_is_cxl_memory(b, fd, name) && unclaimed_read(b, fd, name, &found) < 0)
			return -ENOMEM;
		if (lone && build_lone_function(b, fd, name) < 0)
			return -ENOMEM;
	}
	b->host->unclaimed = LIST_FREEZE(&found, b->arena);
	b->host->n_unclaimed = found.n;
	return b->host->unclaimed ? 0 : -ENOMEM;
}
