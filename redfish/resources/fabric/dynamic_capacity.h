/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_DYNAMIC_CAPACITY_H
#define CXLR_REDFISH_RESOURCES_DYNAMIC_CAPACITY_H

/*
 * Dynamic capacity of devices behind switches as properties of PCIeDevice and CXLLogicalDevice, and
 * its policies and tags as texts. A value that was not read is absent. Reads the view only; any
 * thread that holds a reference on it.
 */

#include "common/json_writer.h"
#include "model/fabric.h"

enum {
	TAG_TEXT = 37,	     /* with the NUL */
	DC_POLICIES_MAX = 8, /* with the NULL */
};

/*
 * "DynamicCapacity" of a CXLDevice
 * @d: NULL: the mailbox of no switch reports the device
 * @regions: that the device itself says that it can have
 */
void put_dynamic_capacity(const struct fabric_device *d, struct opt_u64 regions,
			  struct json_writer *w);

/*
 * Extents and tags of a logical device, and the link to its regions, unless the host that sees it
 * has that. @host: LD-ID, or 0. @d may be NULL.
 */
void put_ld_dynamic(const struct fabric_device *d, unsigned int host, struct json_writer *w);

/* Return: what is allocated to the LD, with the extents of its host. */
struct opt_u64 dynamic_ld_size(const struct fabric_ld *ld);

/* Return: whether the tag is not zero, and so there is one. */
bool tag_is_set(const uint8_t tag[static FMAPI_TAG_LEN]);

/* tag_text() - the tag as a UUID. Return: @text; NULL when there is no tag */
const char *tag_text(const uint8_t tag[static FMAPI_TAG_LEN], char text[static TAG_TEXT]);

/* tag_parse() - Return: whether the text is a UUID; @ret is its bytes. */
bool tag_parse(const char *text, uint8_t ret[static FMAPI_TAG_LEN]);

#endif
