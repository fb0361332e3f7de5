/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_CPER_H
#define CXLR_EVENTS_CPER_H

/*
 * The sections of UEFI's Common Platform Error Records that firmware reports errors of CXL devices
 * in, as bytes: UEFI 2.10, N.2.13 (protocol errors) and N.2.14 (component events). Pure functions;
 * any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events/record.h"

enum {
	CPER_COMPONENT_BYTES_MIN = 32, /* the header before the event record */
	CPER_SECTION_BYTES_MAX = 2048, /* those of today have up to 1.2 KiB */
};

/* Return: whether it is the type of a section that cper_decode() reads; in the order of RFC 4122's
 * text form. */
bool cper_is_cxl(const uint8_t uuid[static 16]);

/*
 * cper_decode() - decode a section
 * @uuid: its type
 * @bytes, @len: the section
 * @rec: the caller has zeroed it; memdev remains "": the section names the PCI function
 *
 * A protocol error becomes the record that the kernel would have made of it. A protocol error
 * without error log has no status.
 *
 * Return: false for another type, or one that is too short for what it says that it has.
 */
bool cper_decode(const uint8_t uuid[static 16], const uint8_t *bytes, size_t len,
		 struct event_record *rec);

#endif
