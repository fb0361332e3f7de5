// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/switch_locator.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/little_endian.h"
#include "sysfs/pci_dvsec.h"

/* The Register Locator DVSEC: 12 bytes, and 8 for each block of registers. */
enum {
	DVSEC_ID_LOCATOR = 8,
	LOCATOR_BLOCKS = 0x0c,
	BLOCK_BYTES = 8,
	BLOCK_BAR = 0x7,
	BLOCK_DEVICE_REGISTERS = 3, /* bits 15:8 */
};

/* Bits of the flags in `resource` (Linux: include/linux/ioport.h). */
enum {
	RESOURCE_MEMORY = 0x200,
	RESOURCE_DISABLED = 0x10000000,
	RESOURCE_UNSET = 0x20000000,
};

struct search {
	int fd;
	bool found, damaged;
	uint8_t block[BLOCK_BYTES];
};

/* pci_dvsec_fn */
static bool take_locator(void *userdata, const struct pci_dvsec *d)
{
	struct search *s = userdata;
	const size_t end = d->offset + d->length;

	if (d->vendor != PCI_DVSEC_VENDOR_CXL || d->id != DVSEC_ID_LOCATOR)
		return true;
	for (size_t at = d->offset + LOCATOR_BLOCKS; at + BLOCK_BYTES <= end; at += BLOCK_BYTES) {
		if (pread(s->fd, s->block, BLOCK_BYTES, (off_t)at) != BLOCK_BYTES) {
			s->damaged = true;
			return false;
		}
		s->found = s->block[1] == BLOCK_DEVICE_REGISTERS;
		if (s->found)
			return false;
	}
	return true;
}

/* The element of the locator that has the block. */
static int find_block(struct search *s, struct error *e)
{
	int r = pci_dvsec_walk(s->fd, take_locator, s);

	if (r == -ENODEV)
		return error_set(e, ENODEV,
				 "its configuration space reads as all ones: it is gone");
	if (r == -ENODATA)
		return error_set(
			e, EACCES,
			"its extended configuration space cannot be read, which takes CAP_SYS_ADMIN");
	if (r == -ELOOP)
		return error_set(e, EBADMSG,
				 "the list of capabilities in its configuration space is a ring");
	if (s->damaged)
		return error_set(e, EBADMSG,
				 "its Register Locator is longer than its configuration space");
	if (!s->found)
		return error_set(e, ENXIO,
				 "its configuration space names no block of CXL device registers");
	return 0;
}

/* Return: the line of a BAR; NULL when there is none. */
static const char *resource_line(const char *resource, unsigned int bar)
{
	while (bar > 0 && (resource = strchr(resource, '\n'))) {
		resource++;
		bar--;
	}
	return resource;
}

/* Return: how long the BAR is. */
static int find_bar(const char *resource, unsigned int bar, uint64_t *ret, struct error *e)
{
	const char *line = bar < SWITCH_BARS ? resource_line(resource, bar) : NULL;
	uint64_t first, last, flags;

	if (!line || sscanf(line, "%" SCNx64 " %" SCNx64 " %" SCNx64, &first, &last, &flags) != 3)
		return error_set(e, ENXIO, "its registers are in BAR %u, which it cannot have",
				 bar);
	if (flags == 0 || last < first)
		return error_set(e, ENXIO, "its registers are in BAR %u, which it does not have",
				 bar);
	if (!(flags & RESOURCE_MEMORY))
		return error_set(e, EBADMSG,
				 "its registers are in BAR %u, which is not one of memory", bar);
	if (first == 0 || (flags & (RESOURCE_DISABLED | RESOURCE_UNSET)))
		return error_set(e, ENXIO, "the kernel assigned no addresses to BAR %u", bar);
	/* Linux maps whole pages. */
	if (first % (uint64_t)sysconf(_SC_PAGESIZE) != 0)
		return error_set(e, ENXIO, "BAR %u does not begin at a page of memory", bar);
	*ret = last - first + 1;
	return 0;
}

int switch_locate(int config_fd, const char *resource, struct switch_location *ret, struct error *e)
{
	struct search s = {.fd = config_fd};
	uint64_t length = 0, offset;
	unsigned int bar;
	int r = find_block(&s, e);

	if (r < 0)
		return r;
	bar = s.block[0] & BLOCK_BAR;
	offset = le64(s.block) & ~(uint64_t)(SWITCH_BLOCK_ALIGN - 1);
	r = find_bar(resource, bar, &length, e);
	if (r < 0)
		return r;
	if (offset >= length)
		return error_set(e, EBADMSG,
				 "its registers are at 0x%" PRIx64
				 " of BAR %u, which has 0x%" PRIx64 " bytes",
				 offset, bar, length);
	length -= offset;
	*ret = (struct switch_location){
		.bar = bar,
		.offset = offset,
		.size = length < SWITCH_BLOCK_MAX ? (size_t)length : SWITCH_BLOCK_MAX,
	};
	return 0;
}
