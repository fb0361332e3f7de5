// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Says when pages go out of use:
//
//	page_watch N <FRAMES
//
// Standard input has page frames, one in a line, as decimal numbers. Prints "FRAME NANOSECONDS" of CLOCK_BOOTTIME for each, when
// bit 19 of its /proc/kpageflags is set. Ends after N of them, or on a signal. Looks about a thousand times a second,
// at the next WINDOW frames that are not out.
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { FRAMES_MAX = 4096, WINDOW = 32, HWPOISON = 19 };

static uint64_t frames[FRAMES_MAX];
static size_t n_frames;

static int fail(const char *what)
{
	perror(what);
	return EXIT_FAILURE;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Return: 1 when it is out, 0, also while there is no such memory, or -1. */
static int is_out(int fd, uint64_t frame)
{
	uint64_t flags = 0;

	if (pread(fd, &flags, sizeof(flags), (off_t)(frame * sizeof(flags))) < 0)
		return -1;
	return flags >> HWPOISON & 1;
}

/* Return: how many went out, or -1. */
static int look(int fd)
{
	int n = 0;

	for (size_t i = 0; i < n_frames && i < WINDOW; i++) {
		const int out = is_out(fd, frames[i]);

		if (out < 0)
			return -1;
		if (out == 0)
			continue;
		(void)printf("%" PRIu64 " %" PRIu64 "\n", frames[i], now_ns());
		for (size_t k = i--; k + 1 < n_frames; k++)
			frames[k] = frames[k + 1];
		n_frames--;
		n++;
	}
	(void)fflush(stdout);
	return n;
}

int main(int argc, char **argv)
{
	const struct timespec pause = {.tv_nsec = 1000000};
	const int fd = open("/proc/kpageflags", O_RDONLY | O_CLOEXEC);
	long left = argc == 2 ? strtol(argv[1], NULL, 10) : 0;

	if (fd < 0)
		return fail("/proc/kpageflags");
	while (n_frames < FRAMES_MAX && scanf("%" SCNu64, &frames[n_frames]) == 1)
		n_frames++;
	while (left > 0) {
		const int n = look(fd);

		if (n < 0)
			return fail("/proc/kpageflags");
		left -= n;
		(void)nanosleep(&pause, NULL);
	}
	return EXIT_SUCCESS;
}
