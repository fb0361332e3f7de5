/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_PRIVATE_H
#define CXLR_SYSFS_HOST_PRIVATE_H

/*
 * A snapshot under construction.
 *
 * host_read() creates a `struct build`, calls each part below, which adds what it finds, and frees
 * the build; the snapshot and all it points to are in one arena and stay. The parts run in the
 * order below, because each looks up what the former found. They return 0 or -ENOMEM, unless noted;
 * every other problem is a note in `notes`.
 *
 * Private to sysfs/. Single-threaded.
 */

#include <dirent.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <cxl/libcxl.h>

#include "common/arena.h"
#include "common/array.h"
#include "common/strutil.h"
#include "sysfs/attr.h"
#include "sysfs/host.h"
#include "sysfs/read_notes.h"

/* The public part comes first: host_unref() goes from the one to the other. */
struct snapshot {
	struct host host;
	atomic_uint refs;
	struct arena *arena; /* holds this struct, too */

	const struct memdev *const *by_bdf; /* those on PCI, in strcmp() order */
	size_t n_by_bdf;
};

/*
 * For a type whose objects have a `name`:
 *	struct TYPE_list	a growable array of pointers to them
 *	TYPE_order()		compares two elements for qsort(), naturally by name
 *	TYPE_find()		the object of that very name in a sorted array, or NULL
 *	TYPE_list_find()	the same in a sorted list, whose objects may still be changed
 */
#define DEFINE_NAMED(type)                                                                         \
	DEFINE_ARRAY(struct type *, type##_list);                                                  \
	__attribute__((unused)) static inline int type##_order(const void *a, const void *b)       \
	{                                                                                          \
		const struct type *const *x = a, *const *y = b;                                    \
                                                                                                   \
		return str_natural_cmp((*x)->name, (*y)->name);                                    \
	}                                                                                          \
	__attribute__((unused)) static inline const struct type *type##_find(                      \
		const struct type *const *items, size_t n, const char *name)                       \
	{                                                                                          \
		const struct type key = {.name = name}, *pkey = &key;                              \
		const struct type *const *found = NULL;                                            \
                                                                                                   \
		if (n > 0 && name)                                                                 \
			found = bsearch(&pkey, items, n, sizeof(*items), type##_order);            \
		return found && str_equal((*found)->name, name) ? *found : NULL;                   \
	}                                                                                          \
	__attribute__((unused)) static inline struct type *type##_list_find(                       \
		const struct type##_list *list, const char *name)                                  \
	{                                                                                          \
		return (struct type *)(uintptr_t)type##_find(                                      \
			(const struct type *const *)list->items, list->n, name);                   \
	}                                                                                          \
	struct cxlr_swallow_semicolon_named_##type

DEFINE_NAMED(port);
DEFINE_NAMED(decoder);
DEFINE_NAMED(region);
DEFINE_NAMED(memdev);
DEFINE_NAMED(dax_device);
DEFINE_ARRAY(struct dax_region *, dax_region_list);
DEFINE_ARRAY(struct unclaimed_function, unclaimed_list);

/* Sorts a DEFINE_NAMED() list. */
#define LIST_SORT(list, type)                                                                      \
	do {                                                                                       \
		if ((list)->n > 1)                                                                 \
			qsort((list)->items, (list)->n, sizeof((list)->items[0]), type##_order);   \
	} while (0)

/* A copy of the pointers of a list in the arena, for the snapshot; NULL when out of memory. */
#define LIST_FREEZE(list, arena)                                                                   \
	arena_memdup((arena), (list)->items, (list)->n * sizeof((list)->items[0]))

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
	struct cxl_ctx *cxl;
	struct error *error; /* of host_read() */
	int devices_fd;	     /* /sys/bus/cxl/devices, negative when it does not exist */

	struct memdev_list memdevs;
	struct port_list ports;
	struct decoder_list decoders;
	struct region_list regions;
	struct dax_region_list dax_regions;
	struct decoder_link_list links;
};

/* host_memdevs.c: CXL memory devices; sorts b->memdevs */
int build_memdevs(struct build *b);

/* host_ports.c: buses, and below each its ports, dports, decoders and regions */
int build_buses(struct build *b);

/* host_links.c: sorts ports, decoders and regions, and connects them */
int build_links(struct build *b);

/* host_dax.c: dax regions and devices, with their memory blocks */
int build_dax(struct build *b);

/* host_nd.c: persistent memory regions on the nvdimm bus, and their namespaces */
int build_nd(struct build *b);

/* host_iomem.c: /proc/iomem */
int build_iomem(struct build *b);

/* host_nodes.c: NUMA nodes */
int build_nodes(struct build *b);

/* host_packages.c: CPU sockets */
int build_packages(struct build *b);

/* host_slots.c: slots of the memdevs */
int build_slots(struct build *b);

/* host_misc.c: kernel release, host name, DMI UUID, size of a page, memory */
int build_misc(struct build *b);

/*
 * host_tables.c: ACPI tables
 *
 * Return: also -EBADMSG with the reason in b->error when a table that was handed in is not that of
 * this host.
 */
int build_tables(struct build *b);

/*
 * build_decoders() - the decoders right below a port (host_decoders.c)
 * @fd: the port's directory
 */
int build_decoders(struct build *b, int fd, struct port *port);

/*
 * build_regions() - the regions of a root decoder (host_regions.c)
 * @fd: the decoder's directory
 */
int build_regions(struct build *b, int fd, struct decoder *root);

/* build_dports() - the dports of a port (host_dports.c); @fd: the port's directory */
int build_dports(struct build *b, int fd, struct port *port);

/* The dport of @port with that id, or NULL. */
const struct dport *build_find_dport(const struct port *port, uint64_t id);

/*
 * build_dport_id() - a dport's id as the kernel prints it
 *
 * Ids are 32 bits wide, and large ones (_UID of a host bridge) are printed as negative numbers.
 *
 * Return: 0, -EINVAL or -ERANGE.
 */
int build_dport_id(const char *text, uint64_t *ret);

/*
 * build_next_range() - parse the next "3" or "0-7" of a list as the kernel prints it (host_nodes.c)
 *
 * Return: false at the end of the list, and at an invalid range.
 */
bool build_next_range(char **list, uint64_t *ret_first, uint64_t *ret_last);

/*
 * build_pci() - a PCI function (host_pci.c)
 * @fd: its directory, or negative
 * @name: its name in sysfs
 * @ret: NULL when the name is not that of a PCI function, or there is no directory
 */
int build_pci(struct build *b, int fd, const char *name, const struct pci_function **ret);

/* build_config() - its configuration space (host_config.c); @dir_fd: the function's directory */
void build_config(struct opener *opener, int dir_fd, struct pci_config *ret);

/* build_cdat() - the CDAT of an endpoint (host_cdat.c); @fd: the endpoint's directory */
int build_cdat(struct build *b, int fd, struct port *endpoint);

/*
 * build_device_path() - where a device is, for struct memdev (host_pci.c)
 * @target: of a link on a bus to the device, "../../../devices/pci0000:0c/0000:0c:00.0"
 *
 * Return: the part below /sys/devices; NULL when the link leads elsewhere, or when out of memory.
 */
const char *build_device_path(struct build *b, const char *target);

/*
 * build_unclaimed() - CXL memory devices on the PCI bus without a memdev (host_pci.c)
 *
 * When memdevs can be looked up by their PCI addresses.
 */
int build_unclaimed(struct build *b);

/*
 * build_open_child() - the directory of an object that was found below another (host_read.c)
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
 * build_name_is_valid() - whether the kernel may give a device this name (host_read.c)
 *
 * Letters, digits and ".:_-", not long. Devices of a captured host with other names are left out,
 * so that a name can be used in a URI, a path, or a graph as it is.
 */
bool build_name_is_valid(const char *name);

/* build_is_numbered() - whether @name is @prefix and a number, as "mem0" is for "mem" */
bool build_is_numbered(const char *name, const char *prefix);

/* build_has_driver() - whether a driver is bound to the device whose directory is @fd */
bool build_has_driver(int fd);

/* build_note_invalid_name() - note that a device is left out because of its name */
void build_note_invalid_name(struct build *b, const char *name);

/* build_mode() - parse @word, the mode of the decoder or region @name; NULL is "none" */
enum decoder_mode build_mode(struct build *b, const char *name, const char *word);

#endif
