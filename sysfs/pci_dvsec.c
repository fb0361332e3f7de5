// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/pci_dvsec.h"

#include <errno.h>
#include <unistd.h>

#include "common/little_endian.h"

enum {
	EXTENDED = 0x100,
	EXTENDED_MAX = (PCI_CONFIG_BYTES - EXTENDED) / 8, /* capabilities */
	EXTENDED_SERIAL = 0x03,
	EXTENDED_DVSEC = 0x23,
	NEXT_SHIFT = 20,
};

/* Return: false ends the walk. */
typedef bool capability_fn(void *userdata, const uint8_t *head, size_t offset);

static int walk(int fd, capability_fn *fn, void *userdata)
{
	uint8_t head[PCI_DVSEC_HEAD];
	size_t at = EXTENDED;

	for (int i = 0; i < EXTENDED_MAX; i++) {
		if (pread(fd, head, sizeof(head), (off_t)at) != (ssize_t)sizeof(head))
			return -ENODATA;
		if (le32(head) == UINT32_MAX)
			return -ENODEV;
		if (le32(head) == 0 || !fn(userdata, head, at))
			return 0;
		at = le32(head) >> NEXT_SHIFT & ~3U;
		if (at < EXTENDED || at > PCI_CONFIG_BYTES - PCI_DVSEC_HEAD)
			return 0;
	}
	return -ELOOP;
}

struct dvsec_taker {
	pci_dvsec_fn *fn;
	void *userdata;
};

/* capability_fn */
static bool take_dvsec(void *userdata, const uint8_t *head, size_t offset)
{
	const struct dvsec_taker *to = userdata;
	const struct pci_dvsec d = {
		.offset = offset,
		.vendor = le16(head + 4),
		.revision = head[6] & 0xf,
		.length = le16(head + 6) >> 4,
		.id = le16(head + 8),
		.head = head,
	};

	return le16(head) != EXTENDED_DVSEC || d.length < PCI_DVSEC_HEAD ||
	       to->fn(to->userdata, &d);
}

int pci_dvsec_walk(int fd, pci_dvsec_fn *fn, void *userdata)
{
	return walk(fd, take_dvsec, &(struct dvsec_taker){fn, userdata});
}

/* capability_fn */
static bool take_serial(void *userdata, const uint8_t *head, size_t offset)
{
	(void)offset;
	if (le16(head) != EXTENDED_SERIAL)
		return true;
	*(struct opt_u64 *)userdata = OPT_U64(le64(head + 4));
	return false;
}

struct opt_u64 pci_serial_number(int fd)
{
	struct opt_u64 serial = {0};

	(void)walk(fd, take_serial, &serial);
	return serial;
}
