// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Calls the ioctls of /dev/cxl_prm, for tests and for diagnosis:
 *
 *	prm_ioctl info			writes a "name value" line for each field
 *	prm_ioctl translate [BATCH]	reads "BDF DPA" lines, writes "BDF DPA SPA" or
 *					"BDF DPA error NAME"; BATCH lines for each ioctl (256)
 *
 * Entries that were not tried because of the rate limit are sent again.
 */
#define _GNU_SOURCE /* strerrorname_np() */
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "address.h"
#include "cxl_prm_uapi.h"

static int fail(const char *what)
{
	fprintf(stderr, "prm_ioctl: %s: %s\n", what, strerror(errno));
	return 1;
}

static int print_info(int fd)
{
	struct cxl_prm_info info;

	if (ioctl(fd, CXL_PRM_INFO, &info) != 0)
		return fail("CXL_PRM_INFO");
	printf("abi_version %u\nflags 0x%x\nreason %u\nrate %u\nburst %u\nmax_batch %u\n",
	       info.abi_version, info.flags, info.reason, info.rate, info.burst, info.max_batch);
	printf("in_flight_ms %u\ncalls %llu\nerrors %llu\nrefused %llu\nthrottled %llu\n",
	       info.in_flight_ms, info.calls, info.errors, info.refused, info.throttled);
	printf("text %.*s\n", (int)sizeof(info.text), info.text);
	return 0;
}

static int read_entry(struct cxl_prm_entry *ret_entry)
{
	struct cxl_prm_entry entry = {0};
	struct address address;
	unsigned int segment;
	unsigned int bus;
	unsigned int device;
	unsigned int function;

	if (!read_address(stdin, &address))
		return 0;
	if (sscanf(address.bdf, "%x:%x:%x.%x", &segment, &bus, &device, &function) != 4) {
		fprintf(stderr, "prm_ioctl: not a BDF: %s\n", address.bdf);
		exit(2);
	}
	entry.segment = (uint16_t)segment;
	entry.bus = (uint8_t)bus;
	entry.devfn = (uint8_t)(device << 3 | (function & 7));
	entry.dpa = address.value;
	*ret_entry = entry;
	return 1;
}

static void print_entry(const struct cxl_prm_entry *entry)
{
	printf("%04x:%02x:%02x.%x 0x%llx ", entry->segment, entry->bus, entry->devfn >> 3,
	       entry->devfn & 7, entry->dpa);
	if (entry->error == 0)
		printf("0x%llx\n", entry->spa);
	else
		printf("error %s\n", strerrorname_np(-entry->error));
}

/* From the first entry that was not tried because of the rate limit on, all are sent again. */
static int translate_all(int fd, struct cxl_prm_entry *entries, uint32_t count)
{
	const struct timespec pause = {.tv_nsec = 5000000};

	while (count > 0) {
		struct cxl_prm_translate argument = {
			.count = count,
			.entries = (uintptr_t)entries,
		};
		uint32_t done = 0;

		if (ioctl(fd, CXL_PRM_TRANSLATE, &argument) != 0)
			return fail("CXL_PRM_TRANSLATE");
		while (done < count && entries[done].error != -EAGAIN)
			print_entry(&entries[done++]);
		entries += done;
		count -= done;
		if (count > 0)
			nanosleep(&pause, NULL);
	}
	return 0;
}

static int translate(int fd, uint32_t batch)
{
	struct cxl_prm_entry entries[CXL_PRM_BATCH_MAX];
	uint32_t count = 0;

	while (read_entry(&entries[count])) {
		if (++count < batch)
			continue;
		if (translate_all(fd, entries, count) != 0)
			return 1;
		count = 0;
	}
	return count > 0 ? translate_all(fd, entries, count) : 0;
}

int main(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : "";
	uint32_t batch = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 0) : CXL_PRM_BATCH_MAX;
	int fd = open("/dev/cxl_prm", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return fail("/dev/cxl_prm");
	if (strcmp(command, "info") == 0)
		return print_info(fd);
	if (strcmp(command, "translate") == 0 && batch > 0 && batch <= CXL_PRM_BATCH_MAX)
		return translate(fd, batch);
	fprintf(stderr, "usage: prm_ioctl info | prm_ioctl translate [1..%u]\n", CXL_PRM_BATCH_MAX);
	return 2;
}
