// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/allow.h"

#include <errno.h>
#include <string.h>

#include "common/array.h"

static const struct {
	const char *name;
	unsigned int bit;
} allow_rows[] = {
	{"fabric", ALLOW_FABRIC},     {"regions", ALLOW_REGIONS},
	{"memory", ALLOW_MEMORY},     {"partitions", ALLOW_PARTITIONS},
	{"security", ALLOW_SECURITY}, {"firmware", ALLOW_FIRMWARE},
	{"alerts", ALLOW_ALERTS},     {"poison", ALLOW_POISON},
};

/* Return: 0 when there is no such name. */
static unsigned int bit_of(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(allow_rows); i++)
		if (strlen(allow_rows[i].name) == len &&
		    strncmp(allow_rows[i].name, name, len) == 0)
			return allow_rows[i].bit;
	return 0;
}

int allow_check(const char *argument, struct error *e)
{
	const char *at = argument;

	for (;; at++) {
		const size_t len = strcspn(at, ",");

		if (bit_of(at, len) == 0)
			return error_set(e, EINVAL,
					 "'%.*s' cannot be allowed; the names are: " ALLOW_NAMES,
					 len < 64 ? (int)len : 64, at);
		at += len;
		if (!*at)
			return 0;
	}
}

static unsigned int list_bits(const char *list)
{
	unsigned int bits = 0;

	for (const char *at = list;; at++) {
		const size_t len = strcspn(at, ",");

		bits |= bit_of(at, len);
		at += len;
		if (!*at)
			return bits;
	}
}

unsigned int allow_bits(const struct option_list *allow)
{
	unsigned int bits = 0;

	for (size_t i = 0; i < allow->n; i++)
		bits |= list_bits(allow->items[i]);
	return bits;
}

const char *allow_name(unsigned int bit)
{
	for (size_t i = 0; i < ARRAY_SIZE(allow_rows); i++)
		if (allow_rows[i].bit == bit)
			return allow_rows[i].name;
	return "?";
}
