// SPDX-License-Identifier: LGPL-2.1-or-later
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/capture_private.h"
#include "capture/tree_check.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"

enum { FORMAT_BYTES_MAX = 64 * 1024 /* of an event; those of system cxl have 4 KiB */ };

/* Patterns are those of fnmatch(3) with "@(this|that)"; NULL is everything. */
struct selection {
	const char *files; /* files and links */
	const char *directories;
	bool deep; /* also the contents of its directories */
};

static const struct {
	const char *path;
	struct selection what;
} directories[] = {
	{"sys/bus/cxl", {.deep = true}},
	{"sys/bus/dax", {.deep = true}},
	{"proc", {.files = "config.gz"}}, /* where the kernel has it */
	{"sys/bus/nd", {.deep = true}},
	/* Names of the EDAC devices, which are below their parents, the memory devices. */
	{"sys/bus/edac", {.files = "cxl_*", .directories = "devices", .deep = true}},
	/* Reading the other files of a slot waits for its hot-plug controller. */
	{"sys/bus/pci/slots", {.files = "@(address|attention)", .deep = true}},
	{"sys/class/dmi", {0}},
	{"sys/devices/system/cpu",
	 {.files =
		  "@(online|possible|present|node[0-9]*|physical_package_id|die_id|core_id|package_cpus_list|core_cpus_list)",
	  .directories = "@(cpu[0-9]*|topology)",
	  .deep = true}},
	{"sys/devices/system/memory",
	 {.files =
		  "@(block_size_bytes|auto_online_blocks|state|online|phys_index|removable|valid_zones|node[0-9]*)",
	  .directories = "memory[0-9]*",
	  .deep = true}},
	{"sys/devices/system/node", {.deep = true}},
	{"sys/devices/virtual/memory_tiering", {.deep = true}},
	/* By name, because other tables contain licence keys. */
	{"sys/firmware/acpi/tables",
	 {.files =
		  "@(APIC|BERT|CEDT|DSDT|EINJ|ERST|FACP|HEST|HMAT|MCFG|MSCT|NFIT|PPTT|PRMT|SLIT|SRAT)*([0-9])"}},
	{"sys/firmware/memmap", {.files = "@(start|end|type)", .deep = true}},
	{"sys/kernel/debug/cxl", {.deep = true}},
	{"sys/kernel/tracing/events/cxl", {.files = "@(format|id)", .deep = true}},
	{"sys/kernel/tracing/events/ras", {.files = "@(format|id)", .deep = true}},
	/* The settings and losses of the trace instance of the service. Not its records: reading
	 * removes them, and the service, which stores them, would lose them. */
	{"sys/kernel/tracing/instances/cxl-redfish",
	 {.files = "@(buffer_percent|buffer_size_kb|enable|stats|trace_clock|tracing_on)",
	  .directories = "@(events|cxl|per_cpu|cpu[0-9]*)",
	  .deep = true}},
};

static const char *const files[] = {
	"proc/cmdline",
	"proc/iomem",
	"proc/meminfo",
	"proc/stat",
	"proc/sys/kernel/hostname",
	"proc/sys/kernel/random/boot_id",
	"proc/uptime",
	"proc/version",
	"sys/devices/virtual/dmi/id/bios_vendor",
	"sys/devices/virtual/dmi/id/bios_version",
	"sys/devices/virtual/dmi/id/product_name",
	"sys/devices/virtual/dmi/id/product_serial",
	"sys/devices/virtual/dmi/id/product_uuid",
	"sys/devices/virtual/dmi/id/sys_vendor",
	/* Named again, so that their absence is reported. */
	"sys/firmware/acpi/tables/CEDT",
	"sys/firmware/acpi/tables/HMAT",
	"sys/firmware/acpi/tables/PRMT",
	"sys/firmware/acpi/tables/SRAT",
	"sys/kernel/tracing/events/header_event",
	"sys/kernel/tracing/events/header_page",
	"sys/kernel/tracing/trace_clock",
};

/*
 * Readable, but not read: reading a BAR or a ROM accesses the device, vital product data takes
 * seconds, wait_probe waits for drivers, the data of firmware loading is an image.
 */
#define FILES_NEVER_READ "@(resource[0-9]*|rom|vpd|wait_probe|data|loading|trigger_*|inject_*)"
/* Not used: run-time power management, and the block layer of persistent memory. */
#define FOLDERS_LEFT_OUT "@(power|block|wakeup|wakeup[0-9]*)"
/* Links whose targets are needed with their attributes, but not with their children. */
#define LINKS_FOLLOWED "@(uport|parent_dport|dport[0-9]*|firmware_node|physical_node)"

static bool pattern_matches(const char *pattern, const char *name)
{
	return fnmatch(pattern, name, FNM_EXTMATCH) == 0;
}

/* Sets *ret to the target of the link at @path. Return: false when it is outside of sys/. */
static bool resolve_link(const char *path, const char *target, char ret[CAPTURE_PATH_MAX])
{
	const char *rest;
	size_t len;
	int n;

	if (!tree_link_stays_inside(path, target))
		return false;
	len = (size_t)(strrchr(path, '/') - path);
	while ((rest = str_after_prefix(target, "../"))) {
		target = rest;
		while (len > 0 && path[--len] != '/')
			;
	}
	n = snprintf(ret, CAPTURE_PATH_MAX, "%.*s/%s", (int)len, path, target);
	return n > 0 && n < CAPTURE_PATH_MAX && host_path_is_safe(ret);
}

static bool read_link(const struct capture_set *set, const char *path, char ret[CAPTURE_PATH_MAX])
{
	ssize_t n = readlinkat(set->dirfd, path, ret, CAPTURE_PATH_MAX);

	if (n <= 0 || n >= CAPTURE_PATH_MAX)
		return false;
	ret[n] = '\0';
	return true;
}

static void add_link(struct capture_set *set, const char *path, const char *name)
{
	char target[CAPTURE_PATH_MAX], leads_to[CAPTURE_PATH_MAX];

	if (!read_link(set, path, target)) {
		capture_set_missed(set, path, strerror(errno));
		return;
	}
	if (!resolve_link(path, target, leads_to)) {
		capture_set_missed(set, path, "this symlink points outside sys/");
		return;
	}
	(void)capture_set_add(set, path, MEMBER_LINK, 0777, target, strlen(target));
	if (pattern_matches(LINKS_FOLLOWED, name))
		capture_set_follow(set, leads_to);
}

static void list_directory(struct capture_set *set, const char *path, const struct selection *what);

static void list_entry(struct capture_set *set, const char *directory, const char *name,
		       const struct selection *what)
{
	char path[CAPTURE_PATH_MAX];
	struct stat st;
	int n = snprintf(path, sizeof(path), "%s/%s", directory, name);

	if (n < 0 || (size_t)n >= sizeof(path) || !host_path_is_safe(path)) {
		capture_set_missed(set, directory,
				   "the name of an entry is not valid in a capture");
		return;
	}
	if (fstatat(set->dirfd, path, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		capture_set_missed(set, path, strerror(errno));
		return;
	}
	if (S_ISDIR(st.st_mode)) {
		if (what->deep && !pattern_matches(FOLDERS_LEFT_OUT, name) &&
		    (!what->directories || pattern_matches(what->directories, name)))
			list_directory(set, path, what);
		return;
	}
	if (what->files && !pattern_matches(what->files, name))
		return;
	if (S_ISLNK(st.st_mode))
		add_link(set, path, name);
	/* Without any read permission it is a trigger, not an attribute. */
	if (S_ISREG(st.st_mode) && (st.st_mode & 0444) && !pattern_matches(FILES_NEVER_READ, name))
		(void)capture_set_add(set, path, MEMBER_FILE, st.st_mode & 0777, NULL, 0);
}

static void list_directory(struct capture_set *set, const char *path, const struct selection *what)
{
	enum directory_listed wanted = what->deep ? LISTED_DEEP : LISTED_SHALLOW;
	_cleanup_closedir_ DIR *dir = NULL;
	struct dirent *d;
	struct member *m;
	int fd;

	m = capture_set_find(set, path);
	if (m && m->listed >= wanted)
		return;
	fd = openat(set->dirfd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		capture_set_missed(set, path, strerror(errno));
		if (fd >= 0)
			(void)close(fd);
		return;
	}
	m = capture_set_add(set, path, MEMBER_DIRECTORY, 0755, NULL, 0);
	if (!m)
		return;
	m->listed = wanted;
	while ((d = readdir(dir)))
		if (!str_equal(d->d_name, ".") && !str_equal(d->d_name, ".."))
			list_entry(set, path, d->d_name, what);
}

/* A device with its children, and the attributes of each device above it. */
static void list_device(struct capture_set *set, const char *path, bool deep)
{
	static const struct selection attributes = {0}, everything = {.deep = true};
	const char *below = str_after_prefix(path, "sys/devices/");
	char above[CAPTURE_PATH_MAX];

	if (!below)
		return;
	list_directory(set, path, deep ? &everything : &attributes);
	for (const char *slash = below; (slash = strchr(slash, '/')); slash++) {
		(void)snprintf(above, sizeof(above), "%.*s", (int)(slash - path), path);
		list_directory(set, above, &attributes);
	}
}

/* Calls @fn with each link in @directory and its target. */
static void foreach_link(struct capture_set *set, const char *directory,
			 void (*fn)(struct capture_set *set, const char *link, const char *target))
{
	int fd = openat(set->dirfd, directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_closedir_ DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *d;

	while (dir && (d = readdir(dir))) {
		char path[CAPTURE_PATH_MAX], target[CAPTURE_PATH_MAX], leads_to[CAPTURE_PATH_MAX];
		int n = snprintf(path, sizeof(path), "%s/%s", directory, d->d_name);

		if (n > 0 && (size_t)n < sizeof(path) && read_link(set, path, target) &&
		    resolve_link(path, target, leads_to))
			fn(set, path, leads_to);
	}
}

static void list_linked_device(struct capture_set *set, const char *link, const char *target)
{
	(void)link;
	list_device(set, target, true);
}

/*
 * A CXL memory device that may have no memdev: explain names the driver that it lacks. And the
 * mailbox of a switch, for which there is no driver.
 */
static void list_cxl_function(struct capture_set *set, const char *link, const char *target)
{
	/* Base class and subclass (CXL 3.2 8.1.12.1, 8.1.13.1). */
	static const char memory_class[] = "0x0502", switch_class[] = "0x0c0b";
	char path[CAPTURE_PATH_MAX], text[sizeof(memory_class) - 1];
	int n = snprintf(path, sizeof(path), "%s/class", target);
	_cleanup_close_ int fd = -1;

	(void)link;
	if (n < 0 || (size_t)n >= sizeof(path))
		return;
	fd = openat(set->dirfd, path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && read(fd, text, sizeof(text)) == (ssize_t)sizeof(text) &&
	    (memcmp(text, memory_class, sizeof(text)) == 0 ||
	     memcmp(text, switch_class, sizeof(text)) == 0))
		list_device(set, target, false);
}

/* The link to a PCI function, when that function is in the set. */
static void take_pci_link(struct capture_set *set, const char *link, const char *target)
{
	const struct member *m = capture_set_find(set, target);

	if (m && m->listed != LISTED_NOT)
		add_link(set, link, strrchr(link, '/') + 1);
}

/* libcxl and daxctl(1) ignore devices without their node: an empty file replaces it. */
static void take_stand_in(struct capture_set *set, const char *directory, const char *name)
{
	char path[CAPTURE_PATH_MAX];
	struct stat st;
	int n = snprintf(path, sizeof(path), "%s/%s", directory, name);

	if (n < 0 || (size_t)n >= sizeof(path))
		return;
	/* A sandboxed process has no device nodes: the device is in sysfs, and that is enough. */
	if (!set->opener && fstatat(set->dirfd, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
		capture_set_missed(set, path, strerror(errno));
	else
		(void)capture_set_add(set, path, MEMBER_DATA, 0644, "", 0);
}

static void take_memdev_node(struct capture_set *set, const char *link, const char *target)
{
	const char *name = strrchr(link, '/') + 1;

	(void)target;
	if (pattern_matches("mem[0-9]*", name))
		take_stand_in(set, "dev/cxl", name);
}

static void take_dax_node(struct capture_set *set, const char *link, const char *target)
{
	static const char subsystem[] = "../../../bus/dax";

	(void)target;
	take_stand_in(set, "dev", strrchr(link, '/') + 1);
	/* daxctl(1) finds here the driver of a file whose device number is 0:0. */
	(void)capture_set_add(set, "sys/dev/char/0:0/subsystem", MEMBER_LINK, 0777, subsystem,
			      strlen(subsystem));
}

static void list_single_file(struct capture_set *set, const char *path)
{
	struct stat st;

	if (fstatat(set->dirfd, path, &st, AT_SYMLINK_NOFOLLOW) == 0)
		(void)capture_set_add(set, path, MEMBER_FILE, st.st_mode & 0777, NULL, 0);
	else if (set->opener)
		/* Whether the helper can read it is seen then. */
		(void)capture_set_add(set, path, MEMBER_FILE, 0400, NULL, 0);
	else
		capture_set_missed(set, path, strerror(errno));
}

void capture_list_all(struct capture_set *set)
{
	for (size_t i = 0; i < ARRAY_SIZE(directories); i++)
		list_directory(set, directories[i].path, &directories[i].what);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		list_single_file(set, files[i]);
	foreach_link(set, "sys/bus/cxl/devices", list_linked_device);
	foreach_link(set, "sys/bus/dax/devices", list_linked_device);
	foreach_link(set, "sys/bus/nd/devices", list_linked_device);
	foreach_link(set, "sys/bus/pci/devices", list_cxl_function);
	/* The list grows when a device that is followed has a firmware node. */
	for (size_t i = 0; i < set->n_follow; i++)
		list_device(set, set->follow[i], false);
	foreach_link(set, "sys/bus/pci/devices", take_pci_link);
	foreach_link(set, "sys/bus/cxl/devices", take_memdev_node);
	foreach_link(set, "sys/bus/dax/devices", take_dax_node);
}

/* ---- by cxl-redfish-helper --------------------------------------------------------------------
 */

#define TRACE	       "sys/kernel/tracing/"
#define TRACE_INSTANCE TRACE "instances/cxl-redfish/"

/* Calls @fn with each entry of a directory that the helper lists. */
static void foreach_listed(struct capture_set *set, const char *directory,
			   void (*fn)(struct capture_set *set, const char *name))
{
	_cleanup_free_ char *names = NULL;
	char path[CAPTURE_PATH_MAX];
	size_t len = 0;
	int r;

	(void)snprintf(path, sizeof(path), "/%s", directory);
	r = opener_list(set->opener, path, &names, &len);
	if (r < 0) {
		capture_set_missed(set, directory, strerror(-r));
		return;
	}
	for (size_t i = 0; i < len; i += strlen(names + i) + 1)
		if (host_path_is_safe(names + i))
			fn(set, names + i);
}

/* Reads a format of the instance, and lists it as @path, where the formats of all events are. */
static void take_format(struct capture_set *set, const char *from, const char *path)
{
	_cleanup_free_ char *text = NULL;
	size_t len;

	/* A directory entry that is no event, such as "enable", has no format. */
	if (host_root_read(set->root, from, FORMAT_BYTES_MAX, &text, &len) == 0)
		(void)capture_set_add(set, path, MEMBER_DATA, 0444, text, len);
}

static void take_event(struct capture_set *set, const char *name)
{
	char from[CAPTURE_PATH_MAX], path[CAPTURE_PATH_MAX];

	(void)snprintf(from, sizeof(from), TRACE_INSTANCE "events/cxl/%.*s/format", NAME_MAX, name);
	(void)snprintf(path, sizeof(path), TRACE "events/cxl/%.*s/format", NAME_MAX, name);
	take_format(set, from, path);
}

static void take_cpu(struct capture_set *set, const char *name)
{
	char path[CAPTURE_PATH_MAX];

	(void)snprintf(path, sizeof(path), TRACE_INSTANCE "per_cpu/%.*s/stats", NAME_MAX, name);
	list_single_file(set, path);
}

void capture_list_trace(struct capture_set *set)
{
	static const char *const settings[] = {"buffer_percent", "events/cxl/enable", "trace_clock",
					       "tracing_on"};
	char path[CAPTURE_PATH_MAX];

	foreach_listed(set, TRACE_INSTANCE "events/cxl", take_event);
	take_format(set, TRACE_INSTANCE "events/header_page", TRACE "events/header_page");
	foreach_listed(set, TRACE_INSTANCE "per_cpu", take_cpu);
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++) {
		(void)snprintf(path, sizeof(path), TRACE_INSTANCE "%s", settings[i]);
		list_single_file(set, path);
	}
}

/* ---- a captured host --------------------------------------------------------------------------
 */

static void take_tree(struct capture_set *set, const char *path);

/* tree_check() has seen all of it when the host was opened. */
static void take_tree_entry(struct capture_set *set, const char *path)
{
	char target[CAPTURE_PATH_MAX];
	struct stat st;

	if (fstatat(set->dirfd, path, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		capture_set_missed(set, path, strerror(errno));
	} else if (S_ISDIR(st.st_mode)) {
		(void)capture_set_add(set, path, MEMBER_DIRECTORY, 0755, NULL, 0);
		take_tree(set, path);
	} else if (S_ISREG(st.st_mode)) {
		(void)capture_set_add(set, path, MEMBER_FILE, st.st_mode & 0777, NULL, 0);
	} else if (S_ISLNK(st.st_mode) && read_link(set, path, target)) {
		(void)capture_set_add(set, path, MEMBER_LINK, 0777, target, strlen(target));
	}
}

static void take_tree(struct capture_set *set, const char *path)
{
	int fd = openat(set->dirfd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	_cleanup_closedir_ DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *d;

	if (!dir)
		capture_set_missed(set, path, strerror(errno));
	while (dir && (d = readdir(dir))) {
		char below[CAPTURE_PATH_MAX];
		int n = snprintf(below, sizeof(below), "%s%s%s", str_equal(path, ".") ? "" : path,
				 str_equal(path, ".") ? "" : "/", d->d_name);

		if (n > 0 && (size_t)n < sizeof(below) && host_path_is_safe(below))
			take_tree_entry(set, below);
	}
}

void capture_list_tree(struct capture_set *set)
{
	take_tree(set, ".");
}
