// SPDX-License-Identifier: LGPL-2.1-or-later
/* host_read(): one walk, from an empty arena to a finished snapshot. */
#include "sysfs/host_dax.h"
#include "sysfs/host_derived.h"
#include "sysfs/host_dmi.h"
#include "sysfs/host_edac.h"
#include "sysfs/host_firmware_map.h"
#include "sysfs/host_iomem.h"
#include "sysfs/host_kernel_log.h"
#include "sysfs/host_links.h"
#include "sysfs/host_memdevs.h"
#include "sysfs/host_machine.h"
#include "sysfs/host_misc.h"
#include "sysfs/host_nd.h"
#include "sysfs/host_nodes.h"
#include "sysfs/host_packages.h"
#include "sysfs/host_partitions.h"
#include "sysfs/host_pci.h"
#include "sysfs/host_ports.h"
#include "sysfs/host_slots.h"
#include "sysfs/host_tables.h"
#include "sysfs/stable_id.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"

static const char devices_path[] = "/sys/bus/cxl/devices";

enum device_kind { DEVICE_MEMDEV, DEVICE_PORT, DEVICE_DECODER, DEVICE_REGION, DEVICE_OTHER };

/* The kinds of device on the cxl bus that a snapshot shows, by name: letters and a number. */
static enum device_kind device_kind(const char *name)
{
	static const struct {
		const char *prefix;
		enum device_kind kind;
	} kinds[] = {
		{"mem", DEVICE_MEMDEV},	   {"root", DEVICE_PORT},	{"port", DEVICE_PORT},
		{"endpoint", DEVICE_PORT}, {"decoder", DEVICE_DECODER}, {"region", DEVICE_REGION},
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (build_is_numbered(name, kinds[i].prefix))
			return kinds[i].kind;
	return DEVICE_OTHER;
}

static bool build_has_device(const struct build *b, const char *name)
{
	switch (device_kind(name)) {
	case DEVICE_MEMDEV:
		return memdev_list_find(&b->memdevs, name);
	case DEVICE_PORT:
		return port_list_find(&b->ports, name);
	case DEVICE_DECODER:
		return decoder_list_find(&b->decoders, name);
	case DEVICE_REGION:
		return region_list_find(&b->regions, name);
	case DEVICE_OTHER:
		break;
	}
	return true;
}

/*
 * Notes the devices on the bus that were not found below their parents. Counting first saves
 * thousands of look-ups when, as nearly always, none is missing.
 */
static void build_note_left_out(struct build *b)
{
	const size_t n_known = b->memdevs.n + b->ports.n + b->decoders.n + b->regions.n;
	_cleanup_closedir_ DIR *dir = build_open_list(b->devices_fd);
	const struct dirent *entry;
	size_t n = 0;

	if (!dir)
		return;
	while ((entry = readdir(dir)))
		n += device_kind(entry->d_name) != DEVICE_OTHER;
	if (n == n_known)
		return;
	rewinddir(dir);
	while ((entry = readdir(dir))) {
		const char *name = entry->d_name;

		if (device_kind(name) == DEVICE_OTHER)
			continue;
		if (!build_name_is_valid(name))
			build_note_invalid_name(b, name);
		else if (!build_has_device(b, name))
			read_notes_add(
				&b->notes,
				"%s: left out: not found below its parent device (it may have vanished)",
				name);
	}
}

static int bdf_order(const void *a, const void *b)
{
	const struct memdev *const *x = a, *const *y = b;

	return strcmp((*x)->bdf, (*y)->bdf);
}

static int host_publish_by_bdf(struct build *b)
{
	const struct memdev **by_bdf = ARENA_ARRAY(b->arena, b->memdevs.n, const struct memdev *);
	size_t n = 0;

	if (!by_bdf)
		return -ENOMEM;
	ARRAY_FOREACH(memdev, &b->memdevs) {
		if ((*memdev)->bdf)
			by_bdf[n++] = *memdev;
	}
	if (n > 1)
		qsort(by_bdf, n, sizeof(by_bdf[0]), bdf_order);
	b->snap->by_bdf = by_bdf;
	b->snap->n_by_bdf = n;
	return 0;
}

static int build_window_ids(struct build *b)
{
	struct decoder **windows = ARENA_ARRAY(b->arena, b->decoders.n, struct decoder *);
	size_t n = 0;

	if (!windows)
		return -ENOMEM;
	ARRAY_FOREACH(d, &b->decoders)
		if ((*d)->port->kind == PORT_ROOT)
			windows[n++] = *d;
	return window_ids_make(b->arena, windows, n);
}

/* Also those of mappings without a region of Linux: no two of both have the same one. */
static int build_region_ids(struct build *b)
{
	const size_t n = b->regions.n;
	struct region **all = ARENA_ARRAY(b->arena, n + b->derived.n, struct region *);

	if (!all)
		return -ENOMEM;
	if (n > 0)
		memcpy(all, b->regions.items, n * sizeof(*all));
	if (b->derived.n > 0)
		memcpy(all + n, b->derived.items, b->derived.n * sizeof(*all));
	return region_ids_make(b->arena, all, n + b->derived.n);
}

static int build_ids(struct build *b)
{
	int r = build_window_ids(b);

	return r < 0 ? r : build_region_ids(b);
}

static int host_publish(struct build *b)
{
	struct host *host = b->host;

	host->memdevs = LIST_FREEZE(&b->memdevs, b->arena);
	host->n_memdevs = b->memdevs.n;
	host->ports = LIST_FREEZE(&b->ports, b->arena);
	host->n_ports = b->ports.n;
	host->decoders = LIST_FREEZE(&b->decoders, b->arena);
	host->n_decoders = b->decoders.n;
	host->regions = LIST_FREEZE(&b->regions, b->arena);
	host->n_regions = b->regions.n;
	host->derived = LIST_FREEZE(&b->derived, b->arena);
	host->n_derived = b->derived.n;
	host->dax_regions = LIST_FREEZE(&b->dax_regions, b->arena);
	host->n_dax_regions = b->dax_regions.n;
	if (!host->memdevs || !host->ports || !host->decoders || !host->regions || !host->derived ||
	    !host->dax_regions || host_publish_by_bdf(b) < 0 || build_unclaimed(b) < 0)
		return -ENOMEM;
	host->notes = read_notes_list(&b->notes, &host->n_notes);
	host->denied = arena_memdup(b->arena, b->notes.denied,
				    b->notes.n_denied * sizeof(b->notes.denied[0]));
	host->n_denied = b->notes.n_denied;
	return b->notes.out_of_memory || !host->denied ? -ENOMEM : 0;
}

/* The driver of a new device may be at work. Only root may wait for it, as libcxl does. */
static void end_probing(void)
{
	_cleanup_close_ int fd = open("/sys/bus/cxl/flush", O_WRONLY | O_CLOEXEC);

	if (fd >= 0 && write(fd, "1\n", 2) < 0)
		return; /* what is there is read */
}

static int host_read_parts(struct build *b)
{
	static int (*const parts[])(struct build *) = {
		build_memdevs,
		build_buses,
		build_partitions,
		build_links,
		build_tables,
		build_derived,
		build_dax,
		build_nd,
		build_iomem,
		build_nodes,
		build_packages,
		build_slots,
		build_dmi,
		build_misc,
		build_firmware_map,
		build_kernel_log,
		build_machine,
		build_ids,
		build_kernel_options,
	};
	int r;

	if (!b->root->captured)
		end_probing();
	b->devices_fd = host_root_open_sys(b->root, devices_path);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		r = parts[i](b);
		if (r < 0)
			return r;
	}
	build_note_left_out(b);
	return host_publish(b);
}

static int build_init(struct build *b, const struct host_root *root, struct error *e)
{
	static atomic_ullong generation;

	*b = (struct build){.root = root, .arena = arena_new(), .error = e, .devices_fd = -1};
	b->snap = b->arena ? ARENA_NEW(b->arena, struct snapshot) : NULL;
	if (!b->snap)
		return -ENOMEM;
	snapshot_init(b->snap, b->arena);
	b->notes.arena = b->arena;
	b->host = &b->snap->host;
	b->host->root = root;
	b->host->generation = atomic_fetch_add(&generation, 1) + 1;
	return 0;
}

static void build_done(struct build *b)
{
	cleanup_close(&b->devices_fd);
	memdev_list_done(&b->memdevs);
	port_list_done(&b->ports);
	decoder_list_done(&b->decoders);
	region_list_done(&b->regions);
	region_list_done(&b->derived);
	dax_region_list_done(&b->dax_regions);
	decoder_link_list_done(&b->links);
	arena_free(b->arena); /* NULL once the snapshot owns it */
}

int host_read(const struct host_root *root, const struct host **ret, struct error *e)
{
	_cleanup_(build_done) struct build b;
	int r;

	r = build_init(&b, root, e);
	if (r == 0)
		r = host_read_parts(&b);
	if (r == -EBADMSG)
		return r; /* build_tables() gave the reason */
	if (r < 0)
		return error_set(e, r, "the host cannot be read: %s", strerror(-r));
	b.arena = NULL;
	*ret = b.host;
	return 0;
}
