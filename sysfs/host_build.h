/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_BUILD_H
#define CXLR_SYSFS_HOST_BUILD_H

/*
 * A snapshot under construction.
 *
 * host_read() creates a `struct build`, calls each part, which adds what it finds, and frees
 * the build; the snapshot and all it points to are in one arena and stay. The parts run in the
 * order of host_read.c, because each looks up what the former found. They return 0 or -ENOMEM,
 * unless noted; every other problem is a note in `notes`.
 *
 * Private to sysfs/. Single-threaded.
 */

#include <dirent.h>

#include "sysfs/attr.h"
#include "sysfs/host_private.h"
#include "sysfs/snapshot.h"
#include "sysfs/read_notes.h"

/* Regions are known only when all decoders have been read, see build_links(). */
struct decoder_link {
	struct decoder *decoder;
	const char *region; /* as the decoder's attribute names it */
};
DEFINE_ARRAY(struct decoder_link, decoder_link_list);

struct build {
	const struct host_root *root;
	struct snapshot *snap;
	struct host *host; /* inside snap */
	struct arena *arena;
	struct read_notes notes;
	struct error *error; /* of host_read() */
	int devices_fd;	     /* /sys/bus/cxl/devices, negative when it does not exist */
	struct cpuinfo cpu;  /* the first one; zeros when it is not known */

	struct memdev_list memdevs;
	struct port_list ports;
	struct decoder_list decoders;
	struct region_list regions;
	struct region_list derived;
	struct dax_region_list dax_regions;
	struct decoder_link_list links;
};

/*
 * build_open_child() - the directory of an object that was found below another
 * @fd: the parent's directory
 *
 * Such a directory is never a link in sysfs. A captured host may have one that leads upwards, and
 * then the walk would not end.
 *
 * Return: a descriptor, or -1 after noting why the object is left out.
 */
int build_open_child(struct build *b, int fd, const char *name);

/* build_open_device() - likewise for a memdev or a root: /sys/bus/cxl/devices/@name, a link */
int build_open_device(struct build *b, const char *name);

/* build_link_name() - last component of a link's target, as build_name(); NULL without a link */
const char *build_link_name(struct build *b, int fd, const char *link);

/* build_open_list() - the entries of a directory. Return: NULL when it cannot be listed. */
DIR *build_open_list(int fd);

/*
 * build_name() - a copy of a device's name in the arena, with '?' for what is not printable ASCII:
 * the names in a captured host are untrusted, and are printed and put into JSON
 *
 * Return: the copy; NULL when @name is NULL or when out of memory.
 */
const char *build_name(struct build *b, const char *name);

/*
 * build_name_is_valid() - whether the kernel may give a device this name
 *
 * Letters, digits and ".:_-", not long. Devices of a captured host with other names are left out,
 * so that a name can be used in a URI, a path, or a graph as it is.
 */
bool build_name_is_valid(const char *name);

/* build_is_numbered() - whether @name is @prefix and a number, as "mem0" is for "mem" */
bool build_is_numbered(const char *name, const char *prefix);

/* build_count_numbered() - how many such names the directory @fd has; 0 when it cannot be read */
size_t build_count_numbered(int fd, const char *prefix);

/* build_has_driver() - whether a driver is bound to the device whose directory is @fd */
bool build_has_driver(int fd);

/* build_note_invalid_name() - note that a device is left out because of its name */
void build_note_invalid_name(struct build *b, const char *name);

/*
 * build_mode() - parse @word, the mode of the decoder or region @name; NULL is "none"
 * @ret_other: set to @word when it is DECODER_MODE_OTHER
 */
enum decoder_mode build_mode(struct build *b, const char *name, const char *word,
			     const char **ret_other);

#endif
