// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * make_machine SEED DIRECTORY: writes a machine at random (tests/lib/machine.h) as a captured host,
 * for agreement.sh. The seed chooses what Linux shows of it: all regions, none of them, or none of
 * them and the last one undone, so that its memory is free; and what /proc/iomem says of its
 * windows.
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

enum { VIEWS = 3, IOMEM_SHAPES = 8 };

static struct machine m;

static void undo(const struct region *r)
{
	for (size_t i = 0; i < m.host.n_decoders; i++) {
		struct decoder *d = m.decoders[i];

		if (d->region != r)
			continue;
		d->start = d->size = OPT_U64(0);
		if (d->port->kind != PORT_ENDPOINT)
			continue;
		d->dpa_resource.present = false;
		d->dpa_size = OPT_U64(0);
		d->mode = DECODER_MODE_NONE;
	}
}

/* Regions are unknown to the written tree, and stay in m.regions for /proc/iomem. */
static void forget(void)
{
	for (size_t i = 0; i < m.host.n_decoders; i++)
		m.decoders[i]->region = NULL;
	m.host.n_regions = 0;
}

static void put_line(FILE *f, uint64_t start, uint64_t size, const char *indent, const char *name)
{
	(void)fprintf(f, "%s%08llx-%08llx : %s\n", indent, (unsigned long long)start,
		      (unsigned long long)(start + (size - 1)), name);
}

/* @shape: what firmware and Linux have made of each window, by the words of /proc/iomem. */
static void put_window(FILE *f, const struct decoder *w, size_t index, uint64_t shape)
{
	static const char *const enclosing[IOMEM_SHAPES] = {[2] = "System RAM",
							    [3] = "Soft Reserved",
							    [4] = "Reserved",
							    [5] = "PCI Bus 0000:00"};
	char name[32];

	(void)snprintf(name, sizeof(name), "CXL Window %zu", index);
	if (shape == 1) {
		(void)fprintf(f, "00000000-00000000 : %s\n", name);
		return;
	}
	if (enclosing[shape])
		put_line(f, w->start.value, w->size.value, "", enclosing[shape]);
	put_line(f, w->start.value, w->size.value, enclosing[shape] ? "  " : "", name);
	if (shape == 6)
		put_line(f, w->start.value, w->size.value / 2, "  ", "Soft Reserved");
	if (shape == 7)
		put_line(f, w->start.value, w->size.value / 2, "  ", "System RAM");
}

static int put_iomem(int dirfd, uint64_t shape)
{
	int fd;
	FILE *f;

	if (shape == 0) /* the file is not there */
		return 0;
	fd = openat(dirfd, "proc/iomem", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!f)
		return -errno;
	for (size_t i = 0; i < m.root->n_decoders; i++)
		put_window(f, m.root->decoders[i], i, shape);
	return fclose(f) < 0 ? -errno : 0;
}

int main(int argc, char **argv)
{
	uint64_t seed;
	int dirfd, r;

	if (argc != 3)
		return 2;
	seed = strtoull(argv[1], NULL, 10);
	machine_build(&m, seed);
	if (seed % VIEWS == 2)
		undo(m.regions[m.host.n_regions - 1]);
	if (seed % VIEWS > 0)
		forget();
	dirfd = mkdir(argv[2], 0755) < 0 ? -1 : open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	r = dirfd < 0 ? -errno : machine_write(&m, dirfd);
	if (r == 0)
		r = put_iomem(dirfd, seed / VIEWS % IOMEM_SHAPES);
	if (r < 0)
		(void)fprintf(stderr, "make_machine: %s: %s\n", argv[2], strerror(-r));
	machine_done(&m);
	return r < 0;
}
