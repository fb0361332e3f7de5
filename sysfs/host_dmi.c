// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Records of the DMI table that are certainly about a memdev:
 *
 * - a slot, by the PCI address that it has: of the memdev, or of the port right above it;
 * - a memory device, by its serial number, which is that of the memdev as a text.
 *
 * Where two records are about one memdev, neither is used.
 */
#include "sysfs/host_dmi.h"

#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "sysfs/dmi_table.h"

/* Return: 0 or -ENOMEM. */
static int set_text(struct build *b, const struct dmi_record *r, enum dmi_text which,
		    const char **ret)
{
	char text[DMI_TEXT_MAX];

	*ret = NULL;
	if (dmi_is_placeholder(dmi_text(r, which, text)))
		return 0;
	*ret = arena_strdup(b->arena, text);
	return *ret ? 0 : -ENOMEM;
}

/* Whether @bdf is the last directory of @path, or the one above it. */
static bool is_at_end(const char *path, const char *bdf)
{
	const char *last = path ? strrchr(path, '/') : NULL;
	const size_t n = strlen(bdf);

	if (!last)
		return false;
	if (str_equal(last + 1, bdf))
		return true;
	return (size_t)(last - path) > n && last[-(ptrdiff_t)n - 1] == '/' &&
	       strncmp(last - n, bdf, n) == 0;
}

/* ---- all of them ------------------------------------------------------------------------------
 */

struct matches {
	struct dmi_record slot, memory;
	size_t n_slots, n_memories;
};

static void find_matches(const struct build *b, const struct dmi *t, struct matches *found)
{
	struct dmi_record r;
	char bdf[DMI_BDF_MAX];
	uint64_t serial;
	size_t at = 0;

	for (unsigned int n = 0; n < DMI_RECORDS_MAX && dmi_next(t, &at, &r); n++) {
		const bool is_slot = dmi_slot(&r, bdf);
		const bool is_memory = dmi_memory(&r, &serial);

		for (size_t i = 0; (is_slot || is_memory) && i < b->memdevs.n; i++) {
			const struct memdev *m = b->memdevs.items[i];

			if (is_slot && is_at_end(m->path, bdf) && !found[i].n_slots++)
				found[i].slot = r;
			if (is_memory && opt_u64_is(m->serial, serial) &&
			    dmi_memory_proves(t, &r, serial) && !found[i].n_memories++)
				found[i].memory = r;
		}
	}
}

static bool has_other_with_serial(struct build *b, const struct memdev *m)
{
	ARRAY_FOREACH(other, &b->memdevs)
		if (*other != m && (*other)->serial.present &&
		    (*other)->serial.value == m->serial.value)
			return true;
	return false;
}

static int take_names(struct build *b, const struct matches *found, struct memdev *m)
{
	int r = 0;

	if (found->n_slots == 1)
		r = set_text(b, &found->slot, DMI_SLOT_NAME, &m->slot_label);
	if (found->n_memories != 1 || has_other_with_serial(b, m))
		return r;
	if (r == 0)
		r = set_text(b, &found->memory, DMI_MEMORY_LOCATOR, &m->locator);
	if (r == 0)
		r = set_text(b, &found->memory, DMI_MEMORY_MAKER, &m->manufacturer);
	return r == 0 ? set_text(b, &found->memory, DMI_MEMORY_PART, &m->part_number) : r;
}

int build_dmi(struct build *b)
{
	_cleanup_free_ struct matches *found = NULL;
	_cleanup_free_ char *data = NULL;
	size_t len = 0;
	struct dmi t;
	int r;

	if (!b->memdevs.n)
		return 0;
	r = host_root_read(b->root, DMI_TABLE_PATH, DMI_TABLE_BYTES_MAX, &data, &len);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	found = calloc(b->memdevs.n, sizeof(*found));
	if (!found)
		return -ENOMEM;
	t = (struct dmi){(const uint8_t *)data, len};
	find_matches(b, &t, found);
	for (size_t i = 0; r >= 0 && i < b->memdevs.n; i++)
		r = take_names(b, &found[i], b->memdevs.items[i]);
	return r < 0 ? r : 0;
}
