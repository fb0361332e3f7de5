// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Records of the DMI table that are certainly about a memdev:
 *
 * - a slot (type 9), by the PCI address that it has: of the memdev, or of the port right above it;
 * - a memory device (type 17), by its serial number, which is that of the memdev as a text. Modules
 *   of the host have serial numbers of 32 bits; such a short one proves something only where the
 *   array of the record (type 16) is on a CXL add-on card.
 *
 * Where two records are about one memdev, neither is used.
 */
#include "sysfs/host_dmi.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/little_endian.h"
#include "common/strutil.h"

enum {
	TABLE_BYTES_MAX = 256 * 1024,
	RECORDS_MAX = 65536,
	HEADER_BYTES = 4,
	TYPE_SLOT = 9,
	TYPE_ARRAY = 16,
	TYPE_MEMORY = 17,
	TYPE_END = 127,
};

/* Offsets in the records, DSP0134 7.10, 7.17 and 7.18. */
enum {
	SLOT_NAME = 0x04,
	SLOT_SEGMENT = 0x0d,
	SLOT_BUS = 0x0f,
	SLOT_FUNCTION = 0x10,
	ARRAY_LOCATION = 0x04,
	MEMORY_ARRAY = 0x04,
	MEMORY_LOCATOR = 0x10,
	MEMORY_SERIAL = 0x18,
	MEMORY_PART = 0x1a,
};

enum { LOCATION_CXL_CARD = 0xa4, SERIAL_DIGITS_MAX = 16, LABEL_MAX = 64 };

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
static bool next_record(const struct dmi *t, size_t *at, struct dmi_record *ret)
{
	size_t strings, end;

	if (t->len - *at < HEADER_BYTES || t->data[*at + 1] < HEADER_BYTES ||
	    t->data[*at + 1] > t->len - *at || t->data[*at] == TYPE_END)
		return false;
	strings = *at + t->data[*at + 1];
	/* Two NULs follow the last text, or the formatted part. */
	for (end = strings; end + 1 < t->len && (t->data[end] || t->data[end + 1]);)
		end++;
	if (end + 1 >= t->len)
		return false;
	*ret = (struct dmi_record){t->data + *at, t->data[*at + 1], (const char *)t->data + strings,
				   (const char *)t->data + end + 1};
	*at = end + 2;
	return true;
}

static bool has(const struct dmi_record *r, size_t at, size_t len)
{
	return at + len <= r->len;
}

/* A text by the number in that byte, without the blanks around it. Return: "" when there is none.
 */
static const char *text_of(const struct dmi_record *r, size_t at, char ret[static LABEL_MAX])
{
	unsigned int number = has(r, at, 1) ? r->data[at] : 0;
	const char *s = r->strings;
	size_t n;

	ret[0] = '\0';
	for (; number > 1 && s < r->end; number--)
		s += strlen(s) + 1;
	if (!number || s >= r->end)
		return ret;
	s += strspn(s, " ");
	n = strlen(s);
	while (n && s[n - 1] == ' ')
		n--;
	if (n < LABEL_MAX)
		(void)snprintf(ret, LABEL_MAX, "%.*s", (int)n, s);
	if (!str_is_plain(ret))
		ret[0] = '\0';
	return ret;
}

/* Words that firmware writes where it knows nothing. */
static bool is_filler(const char *text)
{
	static const char *const words[] = {"Unknown", "Not Specified", "NO DIMM", "N/A", "None"};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strcasecmp(text, words[i]) == 0)
			return true;
	return !text[0] || strstr(text, "O.E.M.");
}

/* Return: 0 or -ENOMEM. */
static int set_text(struct build *b, const struct dmi_record *r, size_t at, const char **ret)
{
	char text[LABEL_MAX];

	*ret = NULL;
	if (is_filler(text_of(r, at, text)))
		return 0;
	*ret = arena_strdup(b->arena, text);
	return *ret ? 0 : -ENOMEM;
}

/* ---- slots ------------------------------------------------------------------------------------
 */

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

enum { BDF_MAX = 32 };

/* The PCI address of a slot. Return: whether the record has one. */
static bool read_slot(const struct dmi_record *r, char bdf[static BDF_MAX])
{
	if (r->data[0] != TYPE_SLOT || !has(r, SLOT_FUNCTION, 1) || r->data[SLOT_BUS] == 0xff)
		return false;
	(void)snprintf(bdf, BDF_MAX, "%04x:%02x:%02x.%x", le16(r->data + SLOT_SEGMENT),
		       r->data[SLOT_BUS], r->data[SLOT_FUNCTION] >> 3, r->data[SLOT_FUNCTION] & 7);
	return true;
}

/* ---- memory devices ---------------------------------------------------------------------------
 */

static bool is_on_cxl_card(const struct dmi *t, uint16_t handle)
{
	struct dmi_record r;
	size_t at = 0;

	for (unsigned int n = 0; n < RECORDS_MAX && next_record(t, &at, &r); n++)
		if (r.data[0] == TYPE_ARRAY && le16(r.data + 2) == handle &&
		    has(&r, ARRAY_LOCATION, 1))
			return r.data[ARRAY_LOCATION] == LOCATION_CXL_CARD;
	return false;
}

/* "00-00-00-00-00-00-AB-C0", "0x000000000000abc0". Return: whether it is a number of 64 bits. */
static bool read_serial(const char *text, uint64_t *ret)
{
	const char *at = str_after_prefix(text, "0x");
	char digits[SERIAL_DIGITS_MAX + 1];
	size_t n = 0;

	for (at = at ? at : text; *at; at++) {
		if (strchr("-: ", *at))
			continue;
		if (!isxdigit((unsigned char)*at) || n == SERIAL_DIGITS_MAX)
			return false;
		digits[n++] = *at;
	}
	digits[n] = '\0';
	*ret = strtoull(digits, NULL, 16);
	return n > 0;
}

/* The serial number of a memory device. Return: whether the record has one. */
static bool read_memory(const struct dmi_record *r, uint64_t *ret)
{
	char text[LABEL_MAX];

	return r->data[0] == TYPE_MEMORY && has(r, MEMORY_PART, 1) &&
	       read_serial(text_of(r, MEMORY_SERIAL, text), ret) && *ret;
}

static bool is_memory_of(const struct dmi *t, const struct dmi_record *r, uint64_t serial,
			 const struct memdev *m)
{
	return opt_u64_is(m->serial, serial) &&
	       (serial > UINT32_MAX || is_on_cxl_card(t, le16(r->data + MEMORY_ARRAY)));
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
	char bdf[BDF_MAX];
	uint64_t serial;
	size_t at = 0;

	for (unsigned int n = 0; n < RECORDS_MAX && next_record(t, &at, &r); n++) {
		const bool is_slot = read_slot(&r, bdf);
		const bool is_memory = read_memory(&r, &serial);

		for (size_t i = 0; (is_slot || is_memory) && i < b->memdevs.n; i++) {
			const struct memdev *m = b->memdevs.items[i];

			if (is_slot && is_at_end(m->path, bdf) && !found[i].n_slots++)
				found[i].slot = r;
			if (is_memory && is_memory_of(t, &r, serial, m) && !found[i].n_memories++)
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
		r = set_text(b, &found->slot, SLOT_NAME, &m->slot_label);
	if (found->n_memories != 1 || has_other_with_serial(b, m))
		return r;
	if (r == 0)
		r = set_text(b, &found->memory, MEMORY_LOCATOR, &m->locator);
	return r == 0 ? set_text(b, &found->memory, MEMORY_PART, &m->part_number) : r;
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
	r = host_root_read(b->root, "sys/firmware/dmi/tables/DMI", TABLE_BYTES_MAX, &data, &len);
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
