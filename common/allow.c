// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/allow.h"

#include <errno.h>
#include <stdio.h>
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
	{"pages", ALLOW_PAGES},	      {"hard-pages", ALLOW_HARD_PAGES},
	{"raw", ALLOW_RAW},	      {"scrub", ALLOW_SCRUB},
	{"repair", ALLOW_REPAIR},
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

/* Adds the bits of names with a comma between two. */
static int add_bits(const char *list, unsigned int *bits, struct error *e)
{
	for (const char *at = list;; at++) {
		const size_t len = strcspn(at, ",");
		const unsigned int bit = bit_of(at, len);

		if (bit == 0)
			return error_set(e, EINVAL,
					 "'%.*s' cannot be allowed; the names are: " ALLOW_NAMES,
					 len < 64 ? (int)len : 64, at);
		*bits |= bit;
		at += len;
		if (!*at)
			return 0;
	}
}

int allow_check(const char *argument, struct error *e)
{
	unsigned int bits = 0;

	return add_bits(argument, &bits, e);
}

unsigned int allow_bits(const struct option_list *allow)
{
	unsigned int bits = 0;

	for (size_t i = 0; i < allow->n; i++)
		(void)add_bits(allow->items[i], &bits, NULL);
	return bits;
}

const char *allow_name(unsigned int bit)
{
	for (size_t i = 0; i < ARRAY_SIZE(allow_rows); i++)
		if (allow_rows[i].bit == bit)
			return allow_rows[i].name;
	return "?";
}

const char *allow_text(unsigned int bits, const char *between, char ret[static ALLOW_TEXT_MAX])
{
	size_t len = 0;

	ret[0] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(allow_rows); i++)
		if (bits & allow_rows[i].bit)
			len += (size_t)snprintf(ret + len, ALLOW_TEXT_MAX - len, "%s%s",
						len > 0 ? between : "", allow_rows[i].name);
	return ret;
}
