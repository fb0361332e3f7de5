// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Any bytes as the archive of a captured host: unpacked in this process into a scratch directory
 * and checked there. A directory that was unpacked without an error must pass the check (an archive
 * that was rejected half-way may leave anything inside), and no file may be created outside of the
 * directory.
 */
#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/archive.h"
#include "capture/tree_check.h"
#include "common/cleanup.h"
#include "common/strutil.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BLOCK = 512 };

static char scratch[256];

static int remove_below(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type;
	return ftw->level > 0 ? remove(path) : 0;
}

static void remove_scratch(void)
{
	(void)nftw(scratch, remove_below, 32, FTW_DEPTH | FTW_PHYS);
	(void)rmdir(scratch);
}

/* A directory in a private directory, so that one step upwards is noticed. */
static void make_scratch(void)
{
	const char *tmp = getenv("TMPDIR");

	(void)snprintf(scratch, sizeof(scratch), "%s/fuzz_capture.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(scratch))
		abort();
	(void)atexit(remove_scratch);
}

static int count_beside(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type;
	if (ftw->level == 1 && !str_equal(path + ftw->base, "d"))
		abort();
	return 0;
}

/* Updates the checksums of tar headers: otherwise hardly any changed header would be read. */
static void fix_checksums(uint8_t *data, size_t size)
{
	for (uint8_t *h = data; size >= BLOCK; h += BLOCK, size -= BLOCK) {
		unsigned int sum = 0;
		char text[16];

		if (memcmp(h + 257, "ustar", 5) != 0)
			continue;
		memset(h + 148, ' ', 8);
		for (size_t i = 0; i < BLOCK; i++)
			sum += h[i];
		(void)snprintf(text, sizeof(text), "%06o", sum);
		memcpy(h + 148, text, 7);
	}
}

/* Return: a file with the bytes of an archive. */
static int archive_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("archive", MFD_CLOEXEC);
	_cleanup_free_ uint8_t *fixed = malloc(size + 1);

	if (fd < 0 || !fixed)
		abort();
	memcpy(fixed, data, size);
	fix_checksums(fixed, size);
	if (write(fd, fixed, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0)
		abort();
	return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_close_ int archive = archive_file(data, size);
	_cleanup_close_ int dirfd = -1;
	char top[300];
	struct error e;

	if (!scratch[0])
		make_scratch();
	(void)snprintf(top, sizeof(top), "%s/d", scratch);
	if (mkdir(top, 0700) < 0)
		abort();
	dirfd = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dirfd < 0)
		abort();
	if (archive_unpack_here(archive, dirfd, &e) == 0 && tree_check(dirfd, &e) < 0) {
		(void)fprintf(stderr, "unpacked, but refused: %s\n", e.text);
		abort();
	}
	(void)nftw(scratch, count_beside, 32, FTW_PHYS);
	(void)nftw(scratch, remove_below, 32, FTW_DEPTH | FTW_PHYS);
	return 0;
}
