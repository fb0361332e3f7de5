// SPDX-License-Identifier: LGPL-2.1-or-later
/* NUMA nodes and their distances. */
#include "sysfs/host_nodes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"

/* The largest number that Linux can be configured for. */
enum { NODES_MAX = 1024 };

DEFINE_ARRAY(struct numa_node, numa_node_list);

bool build_next_range(char **list, uint64_t *ret_first, uint64_t *ret_last)
{
	char *word = strsep(list, ","), *dash;

	if (!word)
		return false;
	dash = strchr(word, '-');
	if (dash)
		*dash++ = '\0';
	return parse_u64(word, ret_first) == 0 && parse_u64(dash ? dash : word, ret_last) == 0 &&
	       *ret_first <= *ret_last;
}

/* The list names each node once and in order: an entry that is invalid or out of order ends it. */
static int read_online(const struct attr_dir *dir, struct numa_node_list *nodes)
{
	char text[ATTR_BYTES_MAX + 1], *list = text;
	uint64_t first, last, next = 0;

	if (attr_read_text(dir, "online", text) < 0)
		return 0;
	while (build_next_range(&list, &first, &last) && first >= next && last < NODES_MAX) {
		for (uint64_t id = first; id <= last; id++) {
			struct numa_node *node = numa_node_list_add(nodes);

			if (!node)
				return -ENOMEM;
			*node = (struct numa_node){.id = (int)id};
		}
		next = last + 1;
	}
	return 0;
}

static void read_cpus(const struct attr_dir *dir, struct numa_node_list *nodes)
{
	char text[ATTR_BYTES_MAX + 1], *list = text;
	uint64_t first, last;

	if (attr_read_text(dir, "has_cpu", text) < 0)
		return;
	while (build_next_range(&list, &first, &last))
		ARRAY_FOREACH(node, nodes)
			node->has_cpu |= (uint64_t)node->id >= first && (uint64_t)node->id <= last;
}

/*
 * One number for each node that is online (drivers/base/node.c, node_read_distance()). A node that
 * was added or removed since the list was read makes their count wrong, and then none is used.
 */
static bool parse_distances(char *text, uint8_t *distances, size_t n)
{
	size_t i = 0;
	char *word;

	while ((word = strsep(&text, " "))) {
		uint64_t distance;

		if (*word == '\0')
			continue;
		if (i == n || parse_u64(word, &distance) < 0 || distance > UINT8_MAX)
			return false;
		distances[i++] = (uint8_t)distance;
	}
	return i == n;
}

static int read_distances(struct build *b, int fd, struct numa_node *node, size_t n)
{
	char name[sizeof("node-2147483648")], text[ATTR_BYTES_MAX + 1];
	_cleanup_close_ int node_fd = -1;
	uint8_t *distances;

	(void)snprintf(name, sizeof(name), "node%d", node->id);
	node_fd = attr_open_dir(fd, name);
	if (node_fd < 0 || attr_read_text(&(struct attr_dir){node_fd, "node", name, &b->notes},
					  "distance", text) < 0)
		return 0;
	distances = ARENA_ARRAY(b->arena, n, uint8_t);
	if (!distances)
		return -ENOMEM;
	if (parse_distances(text, distances, n))
		node->distances = distances;
	else
		read_notes_add(&b->notes, "%s: distance is not one number for each of %zu nodes",
			       name, n);
	return 0;
}

static int read_nodes(struct build *b, int fd, struct numa_node_list *nodes)
{
	const struct attr_dir dir = {fd, "node", "system", &b->notes};
	int r;

	r = read_online(&dir, nodes);
	if (r < 0)
		return r;
	read_cpus(&dir, nodes);
	ARRAY_FOREACH(node, nodes) {
		r = read_distances(b, fd, node, nodes->n);
		if (r < 0)
			return r;
	}
	return 0;
}

int build_nodes(struct build *b)
{
	_cleanup_(numa_node_list_done) struct numa_node_list nodes = {0};
	_cleanup_close_ int fd = host_root_open_sys(b->root, "/sys/devices/system/node");
	int r;

	r = fd >= 0 ? read_nodes(b, fd, &nodes) : 0;
	if (r < 0)
		return r;
	b->host->nodes = LIST_FREEZE(&nodes, b->arena);
	b->host->n_nodes = nodes.n;
	return b->host->nodes ? 0 : -ENOMEM;
}
