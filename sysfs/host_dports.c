// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Downstream ports: the dportN links in a port's directory.
 *
 * Not from libcxl, which resolves three paths component by component for each of them, and so
 * would take longer for dports than for all the memory devices below.
 */
#include "sysfs/host_dports.h"
#include "sysfs/host_pci.h"

#include <errno.h>
#include <string.h>

#include "common/cleanup.h"

/* A root has one for each host bridge. */
enum { DPORTS_MAX = 4096 };

DEFINE_ARRAY(struct dport, dport_list);

int build_dport_id(const char *text, uint64_t *ret)
{
	int negative;

	if (text[0] == '-' && parse_int(text, &negative) == 0) {
		*ret = (uint32_t)negative;
		return 0;
	}
	return parse_u64(text, ret);
}

const struct dport *build_find_dport(const struct port *port, uint64_t id)
{
	for (size_t i = 0; i < port->n_dports; i++)
		if (port->dports[i].id == id)
			return &port->dports[i];
	return NULL;
}

static int dport_order(const void *a, const void *b)
{
	const struct dport *x = a, *y = b;

	return str_natural_cmp(x->name, y->name);
}

static int read_dport(struct build *b, int port_fd, const char *link, uint64_t id,
		      struct dport_list *list)
{
	_cleanup_close_ int fd = attr_open_dir(port_fd, link);
	struct dport *dport;
	const char *name;

	if (fd < 0) {
		read_notes_add(&b->notes, "%s: left out: %s", link, strerror(errno));
		return 0;
	}
	name = build_link_name(b, port_fd, link);
	if (!name)
		read_notes_add(&b->notes, "%s: left out: not a symbolic link", link);
	else if (!build_name_is_valid(name))
		build_note_invalid_name(b, name);
	if (!name || !build_name_is_valid(name))
		return b->notes.out_of_memory ? -ENOMEM : 0;
	dport = dport_list_add(list);
	if (!dport)
		return -ENOMEM;
	*dport = (struct dport){
		.id = id,
		.name = name,
		.physical_node = build_link_name(b, fd, "physical_node"),
		.firmware_node = build_link_name(b, fd, "firmware_node"),
	};
	return build_pci(b, fd, dport->name, &dport->pci);
}

static int read_dports(struct build *b, int fd, const struct port *port, struct dport_list *list)
{
	_cleanup_closedir_ DIR *dir = build_open_list(fd);
	const struct dirent *entry;
	int r;

	while (dir && (entry = readdir(dir))) {
		const char *number = str_after_prefix(entry->d_name, "dport");
		uint64_t id;

		if (!number || build_dport_id(number, &id) < 0)
			continue;
		if (list->n == DPORTS_MAX) {
			read_notes_add(&b->notes,
				       "%s: more than %d dports, the others are left out",
				       port->name, DPORTS_MAX);
			break;
		}
		r = read_dport(b, fd, entry->d_name, id, list);
		if (r < 0)
			return r;
	}
	return 0;
}

int build_dports(struct build *b, int fd, struct port *port)
{
	_cleanup_(dport_list_done) struct dport_list list = {0};
	int r;

	r = read_dports(b, fd, port, &list);
	if (r < 0)
		return r;
	if (list.n > 1)
		qsort(list.items, list.n, sizeof(list.items[0]), dport_order);
	port->dports = LIST_FREEZE(&list, b->arena);
	port->n_dports = list.n;
	return port->dports ? 0 : -ENOMEM;
}
