// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * PCI configuration space: link capabilities and the DVSECs of CXL. Linux gives 64 bytes of it to
 * programs without CAP_SYS_ADMIN, which hold neither.
 */
#include "sysfs/host_config.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/little_endian.h"
#include "sysfs/pci_dvsec.h"

/* PCI Express Base Specification 6.0, 7.5.1 and 7.5.3; Linux: pci_regs.h */
enum {
	STANDARD_BYTES = 256,

	STATUS = 0x06,
	STATUS_HAS_CAPABILITIES = 1 << 4,
	CAPABILITIES = 0x34,
	CAPABILITY_PCIE = 0x10,
	CAPABILITIES_MAX = (STANDARD_BYTES - 0x40) / 4,

	/* of the PCI Express capability */
	PCIE_FLAGS = 0x02,
	PCIE_FLAGS_VERSION = 0xf,
	PCIE_FLAGS_SLOT = 1 << 8,
	PCIE_FLAGS_FLIT = 1 << 15,
	PCIE_LINK_CAPABILITIES = 0x0c,
	PCIE_LINK_MAX_SPEED = 0xf,
	PCIE_LINK_MAX_WIDTH_SHIFT = 4,
	PCIE_LINK_MAX_WIDTH = 0x3f,
	PCIE_LINK_PORT_NUMBER_SHIFT = 24,
	PCIE_LINK_CONTROL = 0x10,
	PCIE_LINK_COMMON_CLOCK = 1 << 6,
	PCIE_SLOT_CAPABILITIES = 0x14,
	PCIE_SLOT_HOT_PLUG = 1 << 6,
	PCIE_SLOT_NUMBER_SHIFT = 19,
	PCIE_LINK_CAPABILITIES_2 = 0x2c,
	PCIE_LINK_SPEEDS = 0xfe,
	PCIE_LINK_STATUS_2 = 0x32,
	PCIE_LINK_FLIT = 1 << 10,
	PCIE_BYTES = 0x34,
};

/* CXL 3.1 8.1.3 and 8.1.8 */
enum {
	DVSEC_CAPABILITY = 0x0a,
	DVSEC_STATUS = 0x0e, /* of the flex bus port */
	DVSEC_ID_DEVICE = 0,
	DVSEC_ID_FLEX_BUS = 7,
};

static bool read_bytes(int fd, size_t offset, void *buf, size_t n)
{
	return pread(fd, buf, n, (off_t)offset) == (ssize_t)n;
}

/* Return: where the PCI Express capability begins, 0 when there is none. */
static size_t find_pcie(const uint8_t *config)
{
	size_t at = config[CAPABILITIES] & ~3U;

	if (!(le16(config + STATUS) & STATUS_HAS_CAPABILITIES))
		return 0;
	/* A chain may be a ring. */
	for (int i = 0; i < CAPABILITIES_MAX && at >= 0x40 && at <= STANDARD_BYTES - 4; i++) {
		if (config[at] == CAPABILITY_PCIE)
			return at <= STANDARD_BYTES - PCIE_BYTES ? at : 0;
		at = config[at + 1] & ~3U;
	}
	return 0;
}

/* In the words of the attribute max_link_speed, by PCIe generation. */
static const char *const speeds_of_generations[] = {
	NULL,
	"2.5 GT/s PCIe",
	"5.0 GT/s PCIe",
	"8.0 GT/s PCIe",
	"16.0 GT/s PCIe",
	"32.0 GT/s PCIe",
	"64.0 GT/s PCIe",
};

static void take_link_capabilities(uint32_t link, struct pci_config *ret)
{
	uint32_t speed = link & PCIE_LINK_MAX_SPEED;
	uint32_t width = link >> PCIE_LINK_MAX_WIDTH_SHIFT & PCIE_LINK_MAX_WIDTH;

	if (speed < ARRAY_SIZE(speeds_of_generations))
		ret->max_link_speed = speeds_of_generations[speed];
	if (width > 0 && width <= PCI_LANES_MAX)
		ret->max_link_width = OPT_U64(width);
	ret->port_number = OPT_U64(link >> PCIE_LINK_PORT_NUMBER_SHIFT);
}

static void take_pcie(const uint8_t *pcie, struct pci_config *ret)
{
	uint16_t flags = le16(pcie + PCIE_FLAGS);
	uint32_t slot = le32(pcie + PCIE_SLOT_CAPABILITIES);
	uint32_t speeds = le32(pcie + PCIE_LINK_CAPABILITIES_2) & PCIE_LINK_SPEEDS;

	take_link_capabilities(le32(pcie + PCIE_LINK_CAPABILITIES), ret);
	ret->common_clock = OPT_BOOL(le16(pcie + PCIE_LINK_CONTROL) & PCIE_LINK_COMMON_CLOCK);
	if (flags & PCIE_FLAGS_SLOT) {
		ret->slot_number = OPT_U64(slot >> PCIE_SLOT_NUMBER_SHIFT);
		ret->slot_hot_plug = OPT_BOOL(slot & PCIE_SLOT_HOT_PLUG);
	}
	/* The second set of registers exists since version 2 of the capability. */
	if ((flags & PCIE_FLAGS_VERSION) < 2)
		return;
	if (speeds)
		ret->link_speeds = OPT_U64(speeds);
	ret->flit_capable = OPT_BOOL(flags & PCIE_FLAGS_FLIT);
	ret->flit_active = OPT_BOOL(le16(pcie + PCIE_LINK_STATUS_2) & PCIE_LINK_FLIT);
}

/* pci_dvsec_fn */
static bool take_dvsec(void *userdata, const struct pci_dvsec *d)
{
	struct pci_config *ret = userdata;

	if (d->vendor != PCI_DVSEC_VENDOR_CXL)
		return true;
	switch (d->id) {
	case DVSEC_ID_DEVICE:
		ret->cxl_revision = OPT_U64(d->revision);
		ret->cxl_capability = OPT_U64(le16(d->head + DVSEC_CAPABILITY));
		break;
	case DVSEC_ID_FLEX_BUS:
		ret->flex_capability = OPT_U64(le16(d->head + DVSEC_CAPABILITY));
		ret->flex_status = OPT_U64(le16(d->head + DVSEC_STATUS));
		break;
	default:
		break;
	}
	return true;
}

/* A file that this process itself opens is enough only with CAP_SYS_ADMIN. */
static int open_config(struct opener *opener, int dir_fd)
{
	int fd = opener_is_up(opener) ? opener_open_at(opener, dir_fd, "config") : -1;

	return fd >= 0 ? fd
		       : openat(dir_fd, "config", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

void build_config(struct opener *opener, int dir_fd, struct pci_config *ret)
{
	_cleanup_close_ int fd = open_config(opener, dir_fd);
	uint8_t config[STANDARD_BYTES];
	size_t pcie;

	if (fd < 0 || !read_bytes(fd, 0, config, sizeof(config)) || le32(config) == UINT32_MAX)
		return;
	pcie = find_pcie(config);
	if (pcie > 0)
		take_pcie(config + pcie, ret);
	(void)pci_dvsec_walk(fd, take_dvsec, ret);
	ret->serial = pci_serial_number(fd);
}
