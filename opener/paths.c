// SPDX-License-Identifier: LGPL-2.1-or-later
#include "opener/paths.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "common/array.h"

#define TRACE "sys/kernel/tracing/instances/cxl-redfish"

enum {
	COMPONENT_MAX = 64, /* names of devices are shorter than 30 bytes */
	DEPTH_MAX = 32,
	DIGITS_MAX = 10,
};

/*
 * A pattern has a component for each of the path's. In one, # is a decimal number, @ a PCI address
 * with its segment, and % a name of small letters, digits and '_'. The component * is any number of
 * components, one or more. The last component is one of those separated by spaces.
 */
struct path_row {
	enum opener_kind kind;
	enum opener_place place;
	const char *directory, *names;
};

static const struct path_row rows[] = {
	/* Mode 0400 in the kernel, today or in later versions (drivers/cxl, dax, nvdimm). */
	{OPENER_OPEN, OPENER_SYSFS, "sys/devices/*/decoder#.#", "start size dpa_size dpa_resource"},
	{OPENER_OPEN, OPENER_SYSFS, "sys/devices/*/region#", "resource"},
	{OPENER_OPEN, OPENER_SYSFS, "sys/devices/*/dax#.#", "resource"},
	{OPENER_OPEN, OPENER_SYSFS, "sys/devices/*/dax#.#/mapping#", "start end page_offset"},
	{OPENER_OPEN, OPENER_SYSFS, "sys/devices/*/namespace#.#", "resource"},
	{OPENER_OPEN, OPENER_SYSFS, "sys/devices/*/endpoint#", "CDAT"},
	{OPENER_OPEN, OPENER_SYSFS, "sys/devices/*/port#", "CDAT"},
	{OPENER_OPEN, OPENER_SYSFS, "sys/devices/virtual/dmi/id", "product_uuid product_serial"},
	{OPENER_OPEN, OPENER_SYSFS, "sys/firmware/dmi/tables", "DMI"},
	{OPENER_OPEN, OPENER_SYSFS, "sys/firmware/acpi/tables", "CEDT PRMT SRAT HMAT"},
	{OPENER_STAT, OPENER_SYSFS, "sys/firmware/acpi/tables", "FACP"},
	{OPENER_OPEN, OPENER_SYSFS, "sys/firmware/memmap/#", "start end type"},
	{OPENER_BLOCK_PAGES, OPENER_SYSFS, "sys/devices/system/memory", "memory#"},
	{OPENER_OPEN, OPENER_CONFIG, "sys/devices/*/@", "config"},
	{OPENER_OPEN, OPENER_PROC, "proc", "iomem"},
	{OPENER_OPEN, OPENER_DEVICE, "dev", "cxl_prm"},
	{OPENER_OPEN, OPENER_TRACEFS, TRACE, "trace_clock tracing_on buffer_percent"},
	{OPENER_OPEN, OPENER_TRACEFS, TRACE "/events", "header_page"},
	{OPENER_OPEN, OPENER_TRACEFS, TRACE "/events/cxl", "enable"},
	{OPENER_OPEN, OPENER_TRACEFS, TRACE "/events/cxl/%", "format"},
	{OPENER_OPEN, OPENER_TRACEFS, TRACE "/per_cpu/cpu#", "stats trace_pipe_raw"},
	{OPENER_LIST, OPENER_TRACEFS, TRACE, "per_cpu"},
	{OPENER_LIST, OPENER_TRACEFS, TRACE "/events", "cxl"},
	{OPENER_STAT, OPENER_TRACEFS, "sys/kernel/tracing/instances", "cxl-redfish"},
	{OPENER_STAT, OPENER_TRACEFS, TRACE "/events", "cxl"},
	{OPENER_STAT, OPENER_TRACEFS, "sys/kernel/tracing/events", "cxl"},
};

struct part {
	const char *text;
	size_t len;
};

/* Return: how many bytes of @s are the digits, 0 when they are none or too many. */
static size_t match_number(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && isdigit((unsigned char)s[n]))
		n++;
	return n > DIGITS_MAX || (n > 1 && s[0] == '0') ? 0 : n;
}

/* "0000:0c:00.0", whose segment may have more digits */
static size_t match_bdf(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && n < 8 && isxdigit((unsigned char)s[n]))
		n++;
	if (n < 4 || len - n < 8 || s[n] != ':' || !isxdigit((unsigned char)s[n + 1]) ||
	    !isxdigit((unsigned char)s[n + 2]) || s[n + 3] != ':' ||
	    !isxdigit((unsigned char)s[n + 4]) || !isxdigit((unsigned char)s[n + 5]) ||
	    s[n + 6] != '.' || s[n + 7] < '0' || s[n + 7] > '7')
		return 0;
	return n + 8;
}

static size_t match_name(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len &&
	       (islower((unsigned char)s[n]) || isdigit((unsigned char)s[n]) || s[n] == '_'))
		n++;
	return n;
}

static bool match_part(struct part pattern, struct part p)
{
	size_t i = 0, used;

	for (size_t k = 0; k < pattern.len; k++) {
		const char *s = p.text + i;
		const size_t left = p.len - i;

		switch (pattern.text[k]) {
		case '#':
			used = match_number(s, left);
			break;
		case '@':
			used = match_bdf(s, left);
			break;
		case '%':
			used = match_name(s, left);
			break;
		default:
			used = left > 0 && *s == pattern.text[k];
		}
		if (used == 0)
			return false;
		i += used;
	}
	return i == p.len;
}

/* A name as the kernel gives it; "." and ".." are excluded, because a name has a letter or digit
 * first. */
static bool part_is_plain(struct part p)
{
	if (p.len == 0 || p.len > COMPONENT_MAX || !isalnum((unsigned char)p.text[0]))
		return false;
	for (size_t i = 0; i < p.len; i++)
		if (!isalnum((unsigned char)p.text[i]) && !strchr(".:_-", p.text[i]))
			return false;
	return true;
}

/* Return: the number of parts, 0 when there is one that is not plain, or too many. */
static size_t split(const char *path, struct part parts[DEPTH_MAX])
{
	size_t n = 0;

	for (const char *p = path; n < DEPTH_MAX; p++) {
		parts[n] = (struct part){p, strcspn(p, "/")};
		if (!part_is_plain(parts[n]))
			return 0;
		p += parts[n++].len;
		if (!*p)
			return n;
	}
	return 0;
}

static bool match_names(const char *names, struct part p)
{
	for (const char *s = names; *s; s += strspn(s, " ")) {
		const size_t len = strcspn(s, " ");

		if (match_part((struct part){s, len}, p))
			return true;
		s += len;
	}
	return false;
}

/* @parts: @n of them, without the last of the path */
static bool match_directory(const char *directory, const struct part *parts, size_t n)
{
	size_t i = 0, wanted = 1;

	for (const char *s = directory; *s; s++)
		wanted += *s == '/';
	for (const char *s = directory;; s++) {
		const struct part pattern = {s, strcspn(s, "/")};

		if (i == n)
			return false;
		if (pattern.len == 1 && *s == '*') {
			if (n < wanted)
				return false;
			i += n - wanted + 1;
		} else if (!match_part(pattern, parts[i++])) {
			return false;
		}
		s += pattern.len;
		if (!*s)
			return i == n;
	}
}

enum opener_place opener_path_place(enum opener_kind kind, const char *path)
{
	struct part parts[DEPTH_MAX];
	size_t n;

	if (path[0] != '/' || strnlen(path, OPENER_PATH_MAX) == OPENER_PATH_MAX)
		return OPENER_NOWHERE;
	n = split(path + 1, parts);
	for (size_t i = 0; n > 1 && i < ARRAY_SIZE(rows); i++)
		if (rows[i].kind == kind && match_names(rows[i].names, parts[n - 1]) &&
		    match_directory(rows[i].directory, parts, n - 1))
			return rows[i].place;
	return OPENER_NOWHERE;
}
