// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The shortest way to take pages out of use, with which the service is compared:
//
//	page_loop <FRAMES
//
// Standard input has page frames, one in a line, as decimal numbers. Writes the address of each to soft_offline_page, which is opened
// for each, and prints the microseconds from the first to the last.
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { FRAMES_MAX = 4096, PAGE_SIZE = 4096 };

static uint64_t now_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static int take_out(uint64_t frame)
{
	const int fd = open("/sys/devices/system/memory/soft_offline_page", O_WRONLY | O_CLOEXEC);
	char text[24];
	const int n = snprintf(text, sizeof(text), "0x%" PRIx64, frame * PAGE_SIZE);
	int r = fd < 0 || write(fd, text, (size_t)n) != n ? -1 : 0;

	if (fd >= 0)
		(void)close(fd);
	return r;
}

int main(void)
{
	static uint64_t frames[FRAMES_MAX];
	uint64_t started;
	size_t n = 0;

	while (n < FRAMES_MAX && scanf("%" SCNu64, &frames[n]) == 1)
		n++;
	started = now_us();
	for (size_t i = 0; i < n; i++)
		if (take_out(frames[i]) < 0)
			perror("soft_offline_page");
	(void)printf("%" PRIu64 "\n", now_us() - started);
	return EXIT_SUCCESS;
}
