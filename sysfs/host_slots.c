// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The slots of memory devices and switches: by the names that the kernel and firmware give them, or
 * else by the number that the port above the device shows.
 */
#include "sysfs/host_slots.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"

enum { SLOTS_MAX = 4096 };

/* "0000:0d:00" of the slot, "0000:0d:00.0" of the function. */
static bool is_in_slot(const char *bdf, const char *address)
{
	const char *function = bdf ? str_after_prefix(bdf, address) : NULL;

	return function && function[0] == '.';
}

static int take_slot_of_switches(struct build *b, const char *name, const char *address)
{
	ARRAY_FOREACH(port, &b->ports) {
		if ((*port)->kind != PORT_SWITCH || !is_in_slot((*port)->host, address))
			continue;
		(*port)->slot = build_name(b, name);
		if (!(*port)->slot)
			return -ENOMEM;
	}
	return 0;
}

static int take_slot(struct build *b, int slots_fd, const char *name)
{
	_cleanup_close_ int fd = attr_open_dir(slots_fd, name);
	char address[ATTR_BYTES_MAX + 1];

	if (fd < 0 ||
	    attr_read_text(&(struct attr_dir){fd, "slot", name, &b->notes}, "address", address) < 0)
		return 0;
	ARRAY_FOREACH(memdev, &b->memdevs) {
		if (!is_in_slot((*memdev)->bdf, address))
			continue;
		(*memdev)->slot = build_name(b, name);
		if (!(*memdev)->slot)
			return -ENOMEM;
		/* The kernel makes the file for indicators that are there. It is read where one
		 * may wait, see slot_light.h. */
		(*memdev)->slot_has_light = faccessat(fd, "attention", F_OK, 0) == 0;
	}
	return take_slot_of_switches(b, name, address);
}

static int take_slots(struct build *b)
{
	_cleanup_close_ int fd = host_root_open_sys(b->root, "/sys/bus/pci/slots");
	_cleanup_closedir_ DIR *dir = fd >= 0 ? build_open_list(fd) : NULL;
	const struct dirent *entry;
	int n = 0, r;

	while (dir && (entry = readdir(dir)) && n < SLOTS_MAX) {
		if (entry->d_name[0] == '.')
			continue;
		n++;
		r = take_slot(b, fd, entry->d_name);
		if (r < 0)
			return r;
	}
	return 0;
}

/* A device without an endpoint is found by the directory that its own is in. */
static const struct pci_function *function_above(struct build *b, const struct memdev *m)
{
	const char *slash = m->path ? strrchr(m->path, '/') : NULL;

	if (m->endpoint)
		return m->endpoint->parent_dport ? m->endpoint->parent_dport->pci : NULL;
	ARRAY_FOREACH(port, &b->ports)
		for (size_t i = 0; slash && i < (*port)->n_dports; i++) {
			const struct pci_function *pci = (*port)->dports[i].pci;
			const size_t n = pci ? strlen(pci->bdf) : 0;

			if (pci && (size_t)(slash - m->path) >= n &&
			    strncmp(slash - n, pci->bdf, n) == 0)
				return pci;
		}
	return NULL;
}

/*
 * @above: the function that the device is below; NULL unknown
 * Number 0 is a device on the board (PCI Express Base Specification 7.5.3.9).
 */
static int take_slot_number(struct build *b, const struct pci_function *above, const char **slot)
{
	if (*slot || !above || !above->config.slot_number.present ||
	    above->config.slot_number.value == 0)
		return 0;
	*slot = arena_printf(b->arena, "%" PRIu64, above->config.slot_number.value);
	return *slot ? 0 : -ENOMEM;
}

int build_slots(struct build *b)
{
	int r = take_slots(b);

	ARRAY_FOREACH(memdev, &b->memdevs)
		if (r == 0)
			r = take_slot_number(b, function_above(b, *memdev), &(*memdev)->slot);
	ARRAY_FOREACH(port, &b->ports)
		if (r == 0 && (*port)->kind == PORT_SWITCH && (*port)->parent_dport)
			r = take_slot_number(b, (*port)->parent_dport->pci, &(*port)->slot);
	return r;
}
