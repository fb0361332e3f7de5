// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/pci_dvsec.h"

#include <errno.h>
#include <unistd.h>

#include "common/little_endian.h"

enum {
	EXTENDED = 0x100,
	EXTENDED_MAX = (PCI_CONFIG_BYTES - EXTENDED) / 8, /* capabilities */
	EXTENDED_DVSEC = 0x23,
	NEXT_SHIFT = 20,
};

/* Return: what @fn returned, true for another capability. */
static bool take_capability(const uint8_t *head, size_t offset, pci_dvsec_fn *fn, void *userdata)
{
	const struct pci_dvsec d = {
		.offset = offset,
		.vendor = le16(head + 4),
		.revision = head[6] & 0xf,
		.length = le16(head + 6) >> 4,
		.id = le16(head + 8),
		.head = head,
	};

	return le16(head) != EXTENDED_DVSEC || d.length < PCI_DVSEC_HEAD || fn(userdata, &d);
}

int pci_dvsec_walk(int fd, pci_dvsec_fn *fn, void *userdata)
{
	uint8_t head[PCI_DVSEC_HEAD];
	size_t at = EXTENDED;

	for (int i = 0; i < EXTENDED_MAX; i++) {
		if (pread(fd, head, sizeof(head), (off_t)at) != (ssize_t)sizeof(head))
			return -ENODATA;
		if (le32(head) == UINT32_MAX)
			return -ENODEV;
		if (le32(head) == 0 || !take_capability(head, at, fn, userdata))
			return 0;
		at = le32(head) >> NEXT_SHIFT & ~3U;
		if (at < EXTENDED || at > PCI_CONFIG_BYTES - PCI_DVSEC_HEAD)
			return 0;
	}
	return -ELOOP;
}
