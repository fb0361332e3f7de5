// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks whether firmware may be called for a device and address.
 *
 * The handler gets no length and is not known to check anything, so it is
 * called only for memory of a device in use. Nothing is cached between
 * addresses: devices come, go and change drivers.
 */
#include <linux/bitfield.h>
#include <linux/device.h>
#include <linux/overflow.h>
#include <linux/pci.h>
#include <linux/string.h>

#include "cxl_prm.h"

/* CXL 3.2 8.1.12.1: memory controller, CXL, programming interface 10h */
#define CLASS_CXL_MEMORY	((PCI_CLASS_MEMORY_CXL << 8) | 0x10)

/* CXL 3.2 8.1.3: PCIe DVSEC for CXL devices */
#define DVSEC_ID		0
#define DVSEC_CAP		0x0a
#define   DVSEC_MEM_CAPABLE	BIT(2)
#define   DVSEC_HDM_COUNT	GENMASK(5, 4)
#define   DVSEC_RANGES		2
#define DVSEC_SIZE_HIGH(i)	(0x18 + (i) * 0x10)
#define DVSEC_SIZE_LOW(i)	(0x1c + (i) * 0x10)
#define   DVSEC_INFO_VALID	BIT(0)
#define   DVSEC_SIZE_LOW_MASK	GENMASK(31, 28)

static int range_size(struct pci_dev *pdev, int dvsec, int i, u64 *size)
{
	u32 low, high;

	if (pci_read_config_dword(pdev, dvsec + DVSEC_SIZE_HIGH(i), &high) ||
	    pci_read_config_dword(pdev, dvsec + DVSEC_SIZE_LOW(i), &low))
		return -ENXIO;
	if (PCI_POSSIBLE_ERROR(high) || PCI_POSSIBLE_ERROR(low) ||
	    !(low & DVSEC_INFO_VALID))
		return -ENXIO;
	*size = (u64)high << 32 | (low & DVSEC_SIZE_LOW_MASK);
	return 0;
}

/* A device's DPAs go from 0 to the sum of its one or two ranges. */
static int memory_size(struct pci_dev *pdev, u64 *size)
{
	int dvsec, count, i;
	u64 range;
	u16 cap;

	dvsec = pci_find_dvsec_capability(pdev, PCI_VENDOR_ID_CXL, DVSEC_ID);
	if (!dvsec || pci_read_config_word(pdev, dvsec + DVSEC_CAP, &cap))
		return -ENXIO;
	/* A device that is gone reads as all ones, thus as too many ranges. */
	count = FIELD_GET(DVSEC_HDM_COUNT, cap);
	if (!(cap & DVSEC_MEM_CAPABLE) || !count || count > DVSEC_RANGES)
		return -ENXIO;

	*size = 0;
	for (i = 0; i < count; i++) {
		if (range_size(pdev, dvsec, i, &range) ||
		    check_add_overflow(*size, range, size))
			return -ENXIO;
	}
	return 0;
}

static int check_locked(struct pci_dev *pdev, u64 dpa)
{
	u64 size;
	int rc;

	if (!pdev->dev.driver || strcmp(pdev->dev.driver->name, "cxl_pci"))
		return -ENXIO;
	rc = memory_size(pdev, &size);
	if (rc)
		return rc;
	return dpa < size ? 0 : -ERANGE;
}

/**
 * cxl_prm_check_entry - reject what firmware must not be called for
 * @entry: its segment, bus, devfn and dpa
 *
 * The device can be gone or have another driver a moment later. That is
 * harmless: the handler does not access it.
 *
 * Context: Process context. Does not wait for a driver that is being bound or
 * unbound, or for a reset, which hold the device's lock for as long as they
 * take: there is one worker for all devices.
 * Return: 0, -EAGAIN when the device is locked, or a negative errno, see
 * struct cxl_prm_entry.
 */
int cxl_prm_check_entry(const struct cxl_prm_entry *entry)
{
	int rc;

	/* The kernel's own caller truncates larger ones to 8 bits. */
	if (entry->segment > U8_MAX)
		return -EOVERFLOW;

	struct pci_dev *pdev __free(pci_dev_put) =
		pci_get_domain_bus_and_slot(entry->segment, entry->bus,
					    entry->devfn);
	if (!pdev || pdev->class != CLASS_CXL_MEMORY)
		return -ENODEV;

	if (!device_trylock(&pdev->dev))
		return -EAGAIN;
	rc = check_locked(pdev, entry->dpa);
	device_unlock(&pdev->dev);
	return rc;
}
