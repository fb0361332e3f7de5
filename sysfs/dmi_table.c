// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/dmi_table.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/little_endian.h"
#include "common/strutil.h"

enum {
	HEADER_BYTES = 4,
	TYPE_SLOT = 9,
	TYPE_ARRAY = 16,
	TYPE_MEMORY = 17,
	TYPE_END = 127,
};

/* Offsets in the records, DSP0134 7.10, 7.17 and 7.18. */
enum {
	SLOT_SEGMENT = 0x0d,
	SLOT_BUS = 0x0f,
	SLOT_FUNCTION = 0x10,
	ARRAY_LOCATION = 0x04,
	MEMORY_ARRAY = 0x04,
};

enum { LOCATION_CXL_CARD = 0xa4, SERIAL_DIGITS_MAX = 16 };

bool dmi_next(const struct dmi *t, size_t *at, struct dmi_record *ret)
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

const char *dmi_text(const struct dmi_record *r, enum dmi_text which, char ret[static DMI_TEXT_MAX])
{
	unsigned int number = has(r, which, 1) ? r->data[which] : 0;
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
	if (n < DMI_TEXT_MAX)
		(void)snprintf(ret, DMI_TEXT_MAX, "%.*s", (int)n, s);
	if (!str_is_plain(ret))
		ret[0] = '\0';
	return ret;
}

bool dmi_is_placeholder(const char *text)
{
	static const char *const words[] = {
		"Unknown",
		"Not Specified",
		"Not Available",
		"Not Applicable",
		"NO DIMM",
		"N/A",
		"NA",
		"None",
		"NULL",
		"Default string",
		"Empty",
		"System manufacturer",
		"System Product Name",
		"System Serial Number",
		"Product Name",
		"Serial Number",
		"123456789",
		"0123456789",
		"1234567890",
		"masked",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strcasecmp(text, words[i]) == 0)
			return true;
	/* "To Be Filled By O.E.M.", "OEM_Define0"; and a text of one character repeated. */
	return strcasestr(text, "O.E.M.") || strncasecmp(text, "To be filled", 12) == 0 ||
	       strncasecmp(text, "OEM_Define", 10) == 0 || !text[0] ||
	       (strlen(text) > 1 && strspn(text, (const char[]){text[0], 0}) == strlen(text));
}

bool dmi_slot(const struct dmi_record *r, char bdf[static DMI_BDF_MAX])
{
	if (r->data[0] != TYPE_SLOT || !has(r, SLOT_FUNCTION, 1) || r->data[SLOT_BUS] == 0xff)
		return false;
	(void)snprintf(bdf, DMI_BDF_MAX, "%04x:%02x:%02x.%x", le16(r->data + SLOT_SEGMENT),
		       r->data[SLOT_BUS], r->data[SLOT_FUNCTION] >> 3, r->data[SLOT_FUNCTION] & 7);
	return true;
}

static bool is_on_cxl_card(const struct dmi *t, uint16_t handle)
{
	struct dmi_record r;
	size_t at = 0;

	for (unsigned int n = 0; n < DMI_RECORDS_MAX && dmi_next(t, &at, &r); n++)
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

bool dmi_memory(const struct dmi_record *r, uint64_t *ret)
{
	char text[DMI_TEXT_MAX];

	return r->data[0] == TYPE_MEMORY && has(r, DMI_MEMORY_PART, 1) &&
	       read_serial(dmi_text(r, DMI_MEMORY_SERIAL, text), ret) && *ret;
}

bool dmi_memory_proves(const struct dmi *t, const struct dmi_record *r, uint64_t serial)
{
	return serial > UINT32_MAX || is_on_cxl_card(t, le16(r->data + MEMORY_ARRAY));
}

/* ---- a part of a table ------------------------------------------------------------------------
 */

static bool is_kept(const struct dmi *t, const struct dmi_record *r)
{
	char bdf[DMI_BDF_MAX];
	uint64_t serial;

	return dmi_slot(r, bdf) || (dmi_memory(r, &serial) && dmi_memory_proves(t, r, serial)) ||
	       (r->data[0] == TYPE_ARRAY && has(r, ARRAY_LOCATION, 1) &&
		r->data[ARRAY_LOCATION] == LOCATION_CXL_CARD);
}

static bool is_needed(const struct dmi_record *r, unsigned int number)
{
	if (r->data[0] == TYPE_SLOT)
		return number == r->data[DMI_SLOT_NAME];
	return r->data[0] == TYPE_MEMORY &&
	       (number == r->data[DMI_MEMORY_LOCATOR] || number == r->data[DMI_MEMORY_MAKER] ||
		number == r->data[DMI_MEMORY_SERIAL] || number == r->data[DMI_MEMORY_PART]);
}

/* Blanks instead of them: the other texts keep their numbers. */
static void blank_others(const struct dmi_record *r, char *strings)
{
	const size_t len = (size_t)(r->end - r->strings);
	unsigned int number = 1;

	for (size_t i = 0; i < len; i++)
		if (!strings[i])
			number++;
		else if (!is_needed(r, number))
			strings[i] = ' ';
}

size_t dmi_reduce(uint8_t *data, size_t len)
{
	uint8_t *whole = malloc(len);
	const struct dmi t = {whole, len};
	struct dmi_record r;
	size_t at = 0, to = 0;

	if (!whole)
		return 0;
	memcpy(whole, data, len);
	for (unsigned int n = 0; n < DMI_RECORDS_MAX; n++) {
		const size_t from = at;

		if (!dmi_next(&t, &at, &r))
			break;
		if (!is_kept(&t, &r))
			continue;
		memcpy(data + to, whole + from, at - from);
		blank_others(&r, (char *)data + to + r.len);
		to += at - from;
	}
	free(whole);
	return to;
}
