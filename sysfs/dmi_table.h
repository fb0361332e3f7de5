/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_DMI_TABLE_H
#define CXLR_SYSFS_DMI_TABLE_H

/*
 * Records of the DMI table of the machine's firmware (SMBIOS, DSP0134) that can be about a memdev:
 * slots (type 9), memory devices (type 17) and their arrays (type 16). The table is untrusted. Pure
 * functions; any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Relative to the host's "/". */
#define DMI_TABLE_PATH "sys/firmware/dmi/tables/DMI"

enum {
	DMI_TABLE_BYTES_MAX = 256 * 1024,
	DMI_RECORDS_MAX = 65536,
	DMI_TEXT_MAX = 64,
	DMI_BDF_MAX = 32
};

/* Texts of records, by the offset of their number. DSP0134 7.10 and 7.18. */
enum dmi_text {
	DMI_SLOT_NAME = 0x04,
	DMI_MEMORY_LOCATOR = 0x10,
	DMI_MEMORY_MAKER = 0x17,
	DMI_MEMORY_SERIAL = 0x18,
	DMI_MEMORY_PART = 0x1a,
};

struct dmi_record {
	const uint8_t *data; /* the formatted part */
	size_t len;
	const char *strings, *end; /* each ends with NUL; @end is behind the last */
};

struct dmi {
	const uint8_t *data;
	size_t len;
};

/* Return: false at the end, or where the table is damaged; @at moves behind the record. */
bool dmi_next(const struct dmi *t, size_t *at, struct dmi_record *ret);

/* dmi_text() - a text without the blanks around it. Return: @ret, "" when there is none. */
const char *dmi_text(const struct dmi_record *r, enum dmi_text which,
		     char ret[static DMI_TEXT_MAX]);

/*
 * dmi_is_placeholder() - whether a text of firmware says nothing: it is empty, or one of the words
 * that makers leave where they know nothing, or what --mask of a capture wrote
 */
bool dmi_is_placeholder(const char *text);

/* dmi_slot() - the PCI address of a slot. Return: whether the record has one. */
bool dmi_slot(const struct dmi_record *r, char bdf[static DMI_BDF_MAX]);

/* dmi_memory() - the serial number of a memory device. Return: whether the record has one. */
bool dmi_memory(const struct dmi_record *r, uint64_t *ret);

/*
 * dmi_memory_proves() - whether a memdev of that serial number is the memory device of the record
 *
 * Modules of the host have serial numbers of 32 bits; such a short one proves something only where
 * the array of the record is on a CXL add-on card.
 */
bool dmi_memory_proves(const struct dmi *t, const struct dmi_record *r, uint64_t serial);

/*
 * dmi_reduce() - leave only the records that can be about a memdev, without their other texts
 *
 * All other records name parts of the machine that no answer needs, with their serial numbers.
 *
 * Return: the new length.
 */
size_t dmi_reduce(uint8_t *data, size_t len);

#endif
