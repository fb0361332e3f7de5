// SPDX-License-Identifier: LGPL-2.1-or-later
/* The ranges that a device describes in its CDAT (Coherent Device Attribute Table 1.03). */
#include "sysfs/host_cdat.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"

enum {
	/* Devices have a few hundred bytes. */
	CDAT_BYTES_MAX = 16 * 1024,
	CDAT_HEADER_BYTES = 16,
	CDAT_ENTRY_BYTES = 4,
	CDAT_DSMAS = 0,
	CDAT_DSMAS_BYTES = 24,
	DSMAS_NONVOLATILE = 1 << 2,
	DSMAS_SHAREABLE = 1 << 3,
	DSMAS_HARDWARE_COHERENT = 1 << 4,
};

DEFINE_ARRAY(struct cdat_range, range_list);

static uint64_t get_le(const uint8_t *p, size_t bytes)
{
	uint64_t value = 0;

	for (size_t i = bytes; i > 0; i--)
		value = value << 8 | p[i - 1];
	return value;
}

static int take_dsmas(const uint8_t *entry, struct range_list *list)
{
	uint64_t first = get_le(entry + 8, 8), size = get_le(entry + 16, 8), last;
	struct cdat_range *range;

	if (size == 0 || __builtin_add_overflow(first, size - 1, &last))
		return -EINVAL;
	range = range_list_add(list);
	if (!range)
		return -ENOMEM;
	*range = (struct cdat_range){
		.first = first,
		.last = last,
		.nonvolatile = entry[5] & DSMAS_NONVOLATILE,
		.shareable = entry[5] & DSMAS_SHAREABLE,
		.hardware_coherent = entry[5] & DSMAS_HARDWARE_COHERENT,
	};
	return 0;
}

/* Return: 0; -ENOMEM; -EINVAL when it is no valid table. */
static int parse(const uint8_t *data, size_t len, struct range_list *list)
{
	uint8_t sum = 0;
	size_t at, entry;
	int r;

	if (len < CDAT_HEADER_BYTES || get_le(data, 4) != len)
		return -EINVAL;
	for (size_t i = 0; i < len; i++)
		sum = (uint8_t)(sum + data[i]);
	if (sum != 0)
		return -EINVAL;
	for (at = CDAT_HEADER_BYTES; at < len; at += entry) {
		if (len - at < CDAT_ENTRY_BYTES)
			return -EINVAL;
		entry = get_le(data + at + 2, 2);
		if (entry < CDAT_ENTRY_BYTES || entry > len - at)
			return -EINVAL;
		if (data[at] != CDAT_DSMAS)
			continue;
		r = entry < CDAT_DSMAS_BYTES ? -EINVAL : take_dsmas(data + at, list);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Return: the number of bytes, at most @max; 0 without a table, or without permission. */
static size_t read_table(struct opener *opener, int dir_fd, uint8_t *buf, size_t max)
{
	_cleanup_close_ int fd =
		openat(dir_fd, "CDAT", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	size_t len = 0;
	ssize_t n = 1;

	if (fd < 0 && errno == EACCES)
		fd = opener_open_at(opener, dir_fd, "CDAT");
	while (fd >= 0 && len < max && n > 0) {
		n = pread(fd, buf + len, max - len, (off_t)len);
		if (n > 0)
			len += (size_t)n;
	}
	return len;
}

int build_cdat(struct build *b, int fd, struct port *endpoint)
{
	_cleanup_(range_list_done) struct range_list list = {0};
	_cleanup_free_ uint8_t *data = malloc(CDAT_BYTES_MAX + 1);
	size_t len;
	int r;

	if (!data)
		return -ENOMEM;
	len = read_table(b->root->opener, fd, data, CDAT_BYTES_MAX + 1);
	r = len == 0 ? 0 : len > CDAT_BYTES_MAX ? -EINVAL : parse(data, len, &list);
	if (r == -ENOMEM)
		return r;
	if (r < 0) {
		read_notes_add(&b->notes, "%s: CDAT: not a valid table", endpoint->name);
		list.n = 0;
	}
	endpoint->cdat = LIST_FREEZE(&list, b->arena);
	endpoint->n_cdat = list.n;
	return endpoint->cdat ? 0 : -ENOMEM;
}
