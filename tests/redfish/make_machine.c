// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * make_machine SEED DIRECTORY: writes a machine at random (tests/lib/machine.h) as a captured host,
 * for agreement.sh. The seed chooses whether the last region, or all of them, are undone, so that
 * memory is free; and what firmware and Linux have made of the addresses: /proc/iomem of any shape,
 * and memory blocks.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/array.h"
#include "tests/lib/machine.h"

enum { PAGE = 4096, DEPTH_STEP = 2, BLOCKS_PER_RANGE = 4 };

static struct machine m;
static int directory;

static bool one_in(uint64_t n)
{
	return machine_random(&m, n) == 0;
}

/* ---- regions that are undone ---- */

static void undo_decoder(struct decoder *d)
{
	d->start = d->size = OPT_U64(0);
	d->region = NULL;
	if (d->port->kind != PORT_ENDPOINT)
		return;
	d->dpa_resource.present = false;
	d->dpa_size = OPT_U64(0);
	d->mode = DECODER_MODE_NONE;
}

static void undo_last(void)
{
	const struct region *r = m.regions[--m.host.n_regions];

	for (size_t i = 0; i < m.host.n_decoders; i++)
		if (m.decoders[i]->region == r)
			undo_decoder(m.decoders[i]);
}

/* ---- files ---- */

/* Return: the file, to be closed; the program ends when there is none. */
static FILE *new_file(const char *path)
{
	int fd = openat(directory, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	if (!f)
		abort();
	return f;
}

static void put_text(const char *path, const char *text)
{
	FILE *f = new_file(path);

	if (fprintf(f, "%s\n", text) < 0 || fclose(f) < 0)
		abort();
}

static void make_directory(const char *path)
{
	if (mkdirat(directory, path, 0755) < 0 && errno != EEXIST)
		abort();
}

/* The memory blocks that are completely in a range of the driver kmem; few, whatever its size. */
static void put_blocks(uint64_t first, uint64_t last)
{
	const uint64_t begin = (first + MACHINE_UNIT - 1) / MACHINE_UNIT;
	char path[64], file[128], text[32];

	for (uint64_t i = begin; i < begin + BLOCKS_PER_RANGE && (i + 1) * MACHINE_UNIT - 1 <= last;
	     i++) {
		(void)snprintf(path, sizeof(path), "sys/devices/system/memory/memory%llu",
			       (unsigned long long)i);
		(void)snprintf(text, sizeof(text), "%08llx", (unsigned long long)i);
		make_directory(path);
		(void)snprintf(file, sizeof(file), "%s/phys_index", path);
		put_text(file, text);
		(void)snprintf(file, sizeof(file), "%s/state", path);
		put_text(file, one_in(4) ? "offline" : "online");
	}
}

/* ---- /proc/iomem ---- */

static FILE *iomem;
static bool is_masked; /* as an ordinary user sees it */

static void put_line(int depth, uint64_t first, uint64_t last, const char *name)
{
	(void)fprintf(iomem, "%*s%08llx-%08llx : %s\n", depth * DEPTH_STEP, "",
		      is_masked ? 0ULL : (unsigned long long)first,
		      is_masked ? 0ULL : (unsigned long long)last, name);
}

static void put_kmem(int depth, uint64_t first, uint64_t last, const char *dax)
{
	put_line(depth, first, last, dax);
	if (one_in(3))
		return;
	put_line(depth + 1, first, last, "System RAM (kmem)");
	put_blocks(first, last);
}

static void put_bus(int depth, uint64_t first, uint64_t last)
{
	put_line(depth, first, last, "PCI Bus 0000:0c");
	if (last - first > 2 * PAGE)
		put_line(depth + 1, first + PAGE, first + 2 * PAGE - 1, "0000:0d:00.0");
}

/* A part of a window that no region has, as the boot has left it. */
static void put_other(int depth, uint64_t first, uint64_t last)
{
	static const char *const names[] = {"Soft Reserved", "Reserved", "System RAM",
					    "ACPI Non-volatile Storage", "Persistent Memory"};
	const uint64_t which = machine_random(&m, ARRAY_SIZE(names) + 2);

	if (which == ARRAY_SIZE(names))
		put_bus(depth, first, last);
	else if (which > ARRAY_SIZE(names))
		put_kmem(depth, first, last, "dax7.0");
	else
		put_line(depth, first, last, names[which]);
}

/* Nothing, all of it, or parts whose ends are those of pages. */
static void put_gap(int depth, uint64_t first, uint64_t end)
{
	uint64_t unit = one_in(2) ? MACHINE_UNIT : PAGE;

	if (first >= end || one_in(2))
		return;
	if (one_in(3)) {
		put_other(depth, first, end - 1);
		return;
	}
	for (unsigned int i = 0; i < 3; i++) {
		uint64_t at = first + machine_random(&m, (end - first) / unit) * unit;

		put_other(depth, at, at + (machine_random(&m, (end - at) / unit) + 1) * unit - 1);
		first = at + (end - at) / unit * unit;
		if (first >= end)
			return;
	}
}

static void put_region(int depth, const struct region *r)
{
	const uint64_t first = r->resource.value, last = first + (r->size.value - 1);
	const bool outside = one_in(5);
	char dax[32];

	(void)snprintf(dax, sizeof(dax), "dax%s.0", r->name + strlen("region"));
	if (outside)
		put_line(depth++, first, last, "Soft Reserved");
	put_line(depth++, first, last, r->name);
	if (!outside && one_in(4))
		put_line(depth++, first, last, "Soft Reserved");
	if (!one_in(3))
		put_kmem(depth, first, last, dax);
}

static bool is_known(const struct region *r)
{
	for (size_t i = 0; i < m.host.n_regions; i++)
		if (m.regions[i] == r)
			return true;
	return false;
}

static void put_window(int depth, const struct decoder *w)
{
	static const char *const around[] = {"Soft Reserved", "Soft Reserved", "Reserved",
					     "System RAM",    "dax9.0",	       "PCI Bus 0000:00"};
	uint64_t at = w->start.value;
	const uint64_t end = at + w->size.value;
	char name[32];

	(void)snprintf(name, sizeof(name), "CXL Window %u", w->index);
	if (one_in(4))
		put_line(depth++, at, end - 1, around[machine_random(&m, ARRAY_SIZE(around))]);
	if (!one_in(10)) /* an older kernel has no line for it */
		put_line(depth++, at, end - 1, name);
	for (size_t i = 0; i < w->n_regions; i++) {
		const struct region *r = w->regions[i];

		if (!is_known(r))
			continue;
		put_gap(depth, at, r->resource.value);
		put_region(depth, r);
		at = r->resource.value + r->size.value;
	}
	put_gap(depth, at, end);
}

static void put_iomem(void)
{
	const struct decoder *const *w = m.root->decoders;
	const struct decoder *last = w[m.root->n_decoders - 1];
	int depth = 0;

	if (one_in(12)) /* not there */
		return;
	is_masked = one_in(8);
	iomem = new_file("proc/iomem");
	put_line(0, PAGE, 0x9ffff, "System RAM");
	if (one_in(8))
		put_line(depth++, w[0]->start.value - PAGE,
			 last->start.value + last->size.value + (PAGE - 1),
			 one_in(2) ? "Soft Reserved" : "System RAM");
	for (size_t i = 0; i < m.root->n_decoders; i++)
		put_window(depth, w[i]);
	if (fclose(iomem) < 0)
		abort();
}

int main(int argc, char **argv)
{
	int r;

	if (argc != 3)
		return 2;
	machine_build(&m, strtoull(argv[1], NULL, 10));
	if (m.host.n_regions > 0 && !one_in(3))
		undo_last();
	while (m.host.n_regions > 0 && m.seed % 8 == 0)
		undo_last();
	directory =
		mkdir(argv[2], 0755) < 0 ? -1 : open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	r = directory < 0 ? -errno : machine_write(&m, directory);
	if (r < 0) {
		(void)fprintf(stderr, "make_machine: %s: %s\n", argv[2], strerror(-r));
	} else {
		make_directory("sys/devices/system");
		make_directory("sys/devices/system/memory");
		put_text("sys/devices/system/memory/block_size_bytes", "10000000");
		put_iomem();
	}
	machine_done(&m);
	return r < 0;
}
