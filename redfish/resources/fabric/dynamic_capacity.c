// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/fabric/dynamic_capacity.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "redfish/core/odata.h"
#include "redfish/core/uris.h"

enum { MIB_SHIFT = 20 };

/* ---- tags -------------------------------------------------------------------------------------
 */

bool tag_is_set(const uint8_t tag[static FMAPI_TAG_LEN])
{
	static const uint8_t none[FMAPI_TAG_LEN];

	return memcmp(tag, none, sizeof(none)) != 0;
}

static bool is_dash_at(size_t i)
{
	return i == 8 || i == 13 || i == 18 || i == 23;
}

const char *tag_text(const uint8_t tag[static FMAPI_TAG_LEN], char text[static TAG_TEXT])
{
	size_t n = 0;

	if (!tag_is_set(tag))
		return NULL;
	for (size_t i = 0; i < FMAPI_TAG_LEN; i++) {
		if (is_dash_at(n))
			text[n++] = '-';
		(void)snprintf(text + n, TAG_TEXT - n, "%02x", tag[i]);
		n += 2;
	}
	return text;
}

bool tag_parse(const char *text, uint8_t ret[static FMAPI_TAG_LEN])
{
	size_t digits = 0;

	if (strlen(text) != TAG_TEXT - 1)
		return false;
	for (size_t i = 0; text[i]; i++) {
		unsigned int value;

		if (is_dash_at(i)) {
			if (text[i] != '-')
				return false;
			continue;
		}
		if (!isxdigit((unsigned char)text[i]) || sscanf(text + i, "%1x", &value) != 1)
			return false;
		ret[digits / 2] =
			(uint8_t)(digits % 2 ? (unsigned int)ret[digits / 2] << 4 | value : value);
		digits++;
	}
	return true;
}

/* ---- PCIeDevice -------------------------------------------------------------------------------
 */

static const char *const add_policies[] = {
	[FMAPI_DC_ADD_FREE] = "Free",
	[FMAPI_DC_ADD_CONTIGUOUS] = "Contiguous",
	[FMAPI_DC_ADD_PRESCRIPTIVE] = "Prescriptive",
	[FMAPI_DC_ADD_SHARED] = "EnableSharedAccess",
};

static const char *const release_policies[] = {
	[FMAPI_DC_RELEASE_TAG] = "TagBased",
	[FMAPI_DC_RELEASE_PRESCRIPTIVE] = "Prescriptive",
};

static void put_policies(const char *key, unsigned int supported, const char *const *names,
			 size_t n, struct json_writer *w)
{
	put_array(w, key);
	for (size_t i = 0; i < n; i++)
		if (supported >> i & 1)
			put_string(w, NULL, names[i]);
	put_end(w);
}

/* Sizes below 1 MiB cannot be said in the unit of the schema. */
static void put_block_sizes(const struct fmapi_dcd_info *info, struct json_writer *w)
{
	put_array(w, "MemoryBlockSizesSupported");
	for (size_t i = 0; i < info->n_regions; i++) {
		put_object(w, NULL);
		put_number(w, "RegionNumber", i);
		put_array(w, "BlockSizeMiB");
		for (unsigned int bit = MIB_SHIFT; bit < 64; bit++)
			if (info->block_sizes[i] >> bit & 1)
				put_number(w, NULL, UINT64_C(1) << (bit - MIB_SHIFT));
		put_end(w);
		put_end(w);
	}
	put_end(w);
}

static void put_sanitization(const struct fmapi_dcd_info *info, struct json_writer *w)
{
	put_array(w, "SanitizationOnReleaseSupport");
	for (size_t i = 0; i < info->n_regions; i++) {
		put_object(w, NULL);
		put_number(w, "RegionNumber", i);
		put_bool(w, "SanitizationOnReleaseSupported", info->sanitize >> i & 1);
		put_end(w);
	}
	put_end(w);
}

void put_dynamic_capacity(const struct fabric_device *d, struct opt_u64 regions,
			  struct json_writer *w)
{
	const struct fmapi_dcd_info *info = d && d->reading->has_dcd ? &d->reading->dcd : NULL;

	if (!info && !regions.present)
		return;
	put_object(w, "DynamicCapacity");
	put_opt_number(w, "MaxDynamicCapacityRegions", info ? OPT_U64(info->n_regions) : regions);
	if (info) {
		put_number(w, "MaxHosts", info->n_hosts);
		put_opt_mib(w, "TotalDynamicCapacityMiB", OPT_U64(info->capacity));
		put_policies("AddCapacityPoliciesSupported", info->add_policies, add_policies,
			     ARRAY_SIZE(add_policies), w);
		put_policies("ReleaseCapacityPoliciesSupported", info->release_policies,
			     release_policies, ARRAY_SIZE(release_policies), w);
		put_block_sizes(info, w);
		put_sanitization(info, w);
		put_link(w, "MemoryExtents", URI_MEMORY_EXTENTS, d->id);
	}
	put_end(w);
}

/* ---- CXLLogicalDevice -------------------------------------------------------------------------
 */

void put_ld_dynamic(const struct fabric_device *d, unsigned int host, struct json_writer *w)
{
	const struct dc_host_reading *h = d ? device_dc_host(d->reading, host) : NULL;

	if (!h)
		return;
	put_number(w, "TotalSupportedExtents", h->config.extents);
	put_number(w, "AvailableExtents", h->config.free_extents);
	put_number(w, "TotalSupportedTags", h->config.tags);
	put_number(w, "AvailableTags", h->config.free_tags);
	if (!fabric_dc_memdev(d, h))
		put_link(w, "MemoryRegions", URI_PCIE_DEVICE "/CXLLogicalDevices/%u/MemoryRegions",
			 d->id, host);
}

struct opt_u64 dynamic_ld_size(const struct fabric_ld *ld)
{
	const struct dc_host_reading *h = device_dc_host(ld->device->reading, ld->reading->id);
	struct opt_u64 sum = ld->reading->size;

	for (size_t i = 0; h && sum.present && i < h->n_extents; i++)
		if (__builtin_add_overflow(sum.value, h->extents[i].size, &sum.value))
			sum.present = false;
	return sum;
}
