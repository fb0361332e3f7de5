// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Writes markers into memory that no one uses:
 *
 *	markers START SIZE COUNT SEED		prints the SPA of each marker
 *
 * A marker is MARKER_MAGIC and its own SPA, 64 bits each in the byte order of the machine, at a
 * multiple of 64 bytes: at the start of chunks in the beginning, the middle and at the end of the
 * range, around each power of two, and at COUNT random addresses. compare-markers looks for them in
 * the devices' memory.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define MARKER_MAGIC UINT64_C(0x6b72616d6c786321)
#define PAGE	     UINT64_C(4096)
#define LINE	     UINT64_C(64)
#define CHUNK	     UINT64_C(256)
#define CHUNKS	     96 /* eight of each device, when there are twelve */

struct range {
	uint64_t start;
	uint64_t size;
	int memory; /* /dev/mem */
};

static int put(const struct range *range, uint64_t offset)
{
	uint64_t spa = range->start + offset / LINE * LINE;
	uint64_t in_page = spa % PAGE;
	volatile uint64_t *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
				       range->memory, (off_t)(spa - in_page));
	volatile uint64_t *at = page + in_page / sizeof(*at);
	bool kept;

	if (page == MAP_FAILED) {
		perror("markers: mmap");
		return 1;
	}
	at[0] = MARKER_MAGIC;
	at[1] = spa;
	kept = at[0] == MARKER_MAGIC && at[1] == spa;
	munmap((void *)page, PAGE);
	if (!kept) {
		fprintf(stderr, "markers: 0x%" PRIx64 " does not keep what is written\n", spa);
		return 1;
	}
	printf("0x%" PRIx64 "\n", spa);
	return 0;
}

/* splitmix64: the same addresses for the same seed on every machine. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static int put_all(const struct range *range, uint64_t count, uint64_t seed)
{
	int failed = 0;

	for (uint64_t i = 0; i < CHUNKS; i++) {
		failed |= put(range, i * CHUNK);
		failed |= put(range, range->size / 2 + i * CHUNK);
		failed |= put(range, range->size - (i + 1) * CHUNK);
	}
	for (uint64_t power = CHUNKS * CHUNK * 2; power < range->size / 2; power *= 2) {
		failed |= put(range, power - LINE);
		failed |= put(range, power);
	}
	for (uint64_t i = 0; i < count; i++)
		failed |= put(range, next_random(&seed) % range->size);
	return failed;
}

int main(int argc, char **argv)
{
	struct range range;

	if (argc != 5) {
		fprintf(stderr, "usage: markers START SIZE COUNT SEED\n");
		return 2;
	}
	range.start = strtoull(argv[1], NULL, 0);
	range.size = strtoull(argv[2], NULL, 0);
	range.memory = open("/dev/mem", O_RDWR | O_SYNC);
	if (range.memory < 0) {
		perror("markers: /dev/mem");
		return 1;
	}
	return put_all(&range, strtoull(argv[3], NULL, 0), strtoull(argv[4], NULL, 0));
}
