// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/memory_blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "sysfs/attr.h"

/* 128 TiB in the smallest blocks of x86. A captured host may claim any size. */
enum { BLOCKS_MAX = 1024 * 1024 };

/* block_size_bytes is printed as bare hexadecimal. */
static bool memory_blocks_start(struct memory_blocks *m)
{
	char text[ATTR_BYTES_MAX + 1], hex[32];

	if (m->block_size > 0 || m->failed)
		return !m->failed;
	m->failed = true;
	m->fd = host_root_open_sys(m->root, "/sys/devices/system/memory");
	if (m->fd < 0 || attr_read_text(&(struct attr_dir){m->fd, "memory", "memory", m->notes},
					"block_size_bytes", text) < 0)
		return false;
	(void)snprintf(hex, sizeof(hex), "0x%.20s", text);
	if (parse_u64(hex, &m->block_size) < 0 || m->block_size == 0) {
		read_notes_add(m->notes, "memory: block_size_bytes is not a number");
		m->block_size = 0;
		return false;
	}
	m->failed = false;
	return true;
}

/* Return: 1 when the block is online, 0 when not; -ENOENT when there is no such block. */
static int block_is_online(const struct memory_blocks *m, uint64_t number)
{
	static const char online[] = "online\n";
	char path[48], state[sizeof(online)];
	_cleanup_close_ int fd = -1;
	ssize_t n;

	(void)snprintf(path, sizeof(path), "memory%llu/state", (unsigned long long)number);
	fd = openat(m->fd, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -errno;
	n = read(fd, state, sizeof(state));
	if (n < 0)
		return -errno;
	return n == sizeof(online) - 1 && memcmp(state, online, (size_t)n) == 0;
}

static void add_offline(const struct memory_blocks *m, uint64_t number, struct dax_device *device)
{
	uint64_t first = number * m->block_size;
	struct dax_range *last = device->offline + device->n_offline;

	if (device->n_offline > 0 && last[-1].last + 1 == first) {
		last[-1].last += m->block_size;
	} else if (device->n_offline < DAX_OFFLINE_MAX) {
		*last = (struct dax_range){first, first + (m->block_size - 1)};
		device->n_offline++;
	} else {
		device->n_offline_more++;
	}
}

/* Return: false when the blocks of the range cannot be counted. */
static bool memory_blocks_add(struct memory_blocks *m, struct dax_device *device, uint64_t start,
			      uint64_t size, uint64_t *total, uint64_t *online)
{
	uint64_t first, end;

	if (__builtin_add_overflow(start, size, &end))
		return false;
	/* Blocks that are completely in the range: kmem uses no others. */
	first = start / m->block_size + (start % m->block_size != 0);
	end /= m->block_size;
	if (end > first && end - first > BLOCKS_MAX - m->n_examined) {
		read_notes_add(m->notes, "%s: too many memory blocks to count", device->name);
		return false;
	}
	for (uint64_t number = first; number < end; number++) {
		int r = block_is_online(m, number);

		if (r < 0 && r != -ENOENT)
			return false;
		*total += r >= 0;
		*online += r == 1;
		if (r == 0)
			add_offline(m, number, device);
		m->n_examined++;
	}
	return true;
}

void memory_blocks_count(struct memory_blocks *m, struct dax_device *device)
{
	uint64_t total = 0, online = 0;

	if (!device->resource.present || !device->size.present || !memory_blocks_start(m))
		return;
	if (device->n_ranges == 0 && !memory_blocks_add(m, device, device->resource.value,
							device->size.value, &total, &online))
		return;
	for (size_t i = 0; i < device->n_ranges; i++)
		if (!memory_blocks_add(m, device, device->ranges[i].first,
				       device->ranges[i].last - device->ranges[i].first + 1, &total,
				       &online))
			return;
	device->total_blocks = OPT_U64(total);
	device->online_blocks = OPT_U64(online);
}

void memory_blocks_done(struct memory_blocks *m)
{
	cleanup_close(&m->fd);
}
