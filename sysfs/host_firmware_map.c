// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Firmware's memory map, as the kernel got it: /sys/firmware/memmap, and in a captured host the
 * lines of its kernel log.
 */
#include "sysfs/host_firmware_map.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "sysfs/kernel_log.h"

enum { TYPE_TEXT_MAX = 48 }; /* "Unaccepted Memory", "Conventional" */

DEFINE_ARRAY(struct firmware_range, firmware_map_list);

/* @len: of @type. Return: 0; -ENOSPC at the limit, noted; -ENOMEM. */
static int add_range(struct build *b, struct firmware_map_list *list, struct firmware_range range,
		     const char *type, size_t len)
{
	struct firmware_range *slot;
	char text[TYPE_TEXT_MAX + 1];

	(void)snprintf(text, sizeof(text), "%.*s", (int)(len < TYPE_TEXT_MAX ? len : TYPE_TEXT_MAX),
		       type);
	if (range.last < range.first || !text[0])
		return 0;
	if (list->n == FIRMWARE_RANGES_MAX) {
		read_notes_add(
			&b->notes,
			"memory map of firmware: more than %d ranges, the others are left out",
			FIRMWARE_RANGES_MAX);
		return -ENOSPC;
	}
	range.type = build_name(b, text);
	slot = range.type ? firmware_map_list_add(list) : NULL;
	if (!slot)
		return -ENOMEM;
	*slot = range;
	return 0;
}

/* ---- /sys/firmware/memmap ---------------------------------------------------------------------
 */

static int take_entry(struct build *b, int memmap_fd, const char *name,
		      struct firmware_map_list *list)
{
	_cleanup_close_ int fd = attr_open_dir(memmap_fd, name);
	/* Without permission the map is absent: it is a witness among others. */
	struct read_notes quiet = {.arena = b->arena};
	const struct attr_dir dir = {fd, "memory map", name, &quiet, b->root->opener};
	struct firmware_range range = {.source = FIRMWARE_MAP_SYSFS};
	char text[ATTR_BYTES_MAX + 1];

	if (fd < 0 || attr_read_text(&dir, "start", text) < 0 ||
	    parse_u64(text, &range.first) < 0 || attr_read_text(&dir, "end", text) < 0 ||
	    parse_u64(text, &range.last) < 0 || attr_read_text(&dir, "type", text) < 0)
		return 0;
	return add_range(b, list, range, text, strlen(text));
}

static int take_sysfs(struct build *b, struct firmware_map_list *list)
{
	_cleanup_close_ int fd = host_root_open_sys(b->root, "/sys/firmware/memmap");
	_cleanup_closedir_ DIR *dir = fd >= 0 ? build_open_list(fd) : NULL;
	const struct dirent *entry;
	int r = 0;

	while (dir && r == 0 && (entry = readdir(dir)))
		if (build_is_numbered(entry->d_name, ""))
			r = take_entry(b, fd, entry->d_name, list);
	return r;
}

/* ---- the kernel log ---------------------------------------------------------------------------
 */

/* "0x0000000100000000-0x00000001ffffffff]": the rest behind the bracket, NULL when it is none. */
static const char *parse_range(const char *p, struct firmware_range *ret)
{
	int n = 0;

	if (sscanf(p, "0x%16" SCNx64 "-0x%16" SCNx64 "]%n", &ret->first, &ret->last, &n) != 2 || !n)
		return NULL;
	return p + n;
}

/* "BIOS-e820: [mem 0x...-0x...]  System RAM", or without a blank, or with one */
static int take_e820(struct build *b, struct firmware_map_list *list, const char *line)
{
	struct firmware_range range = {.source = FIRMWARE_MAP_E820};
	const char *type = parse_range(line, &range);

	if (!type)
		return 0;
	type += strspn(type, " ");
	return add_range(b, list, range, type, strlen(type));
}

/* "efi: mem42: [Reserved    |   |  |...|WB|  |  |  ] range=[0x...-0x...] (256MB)" */
static int take_efi(struct build *b, struct firmware_map_list *list, const char *line)
{
	struct firmware_range range = {.source = FIRMWARE_MAP_EFI};
	const char *type = strstr(line, ": ["), *at = strstr(line, "range=[");
	size_t len;

	if (!type || !at || type > at || !parse_range(at + strlen("range=["), &range))
		return 0;
	type += strlen(": [");
	len = strcspn(type, "|]");
	range.specific_purpose = memmem(type, (size_t)(at - type), "|SP|", 4) != NULL;
	while (len && type[len - 1] == ' ')
		len--;
	return add_range(b, list, range, type, len);
}

static int take_log(struct build *b, struct firmware_map_list *list)
{
	_cleanup_free_ char *text = NULL;
	char *rest, *line;
	int r = kernel_log_read_capture(b->root, &text);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (rest = text; r == 0 && (line = strsep(&rest, "\r\n"));) {
		const char *said = kernel_log_split(line, NULL);
		const char *e820 = str_after_prefix(said, "BIOS-e820: [mem ");

		if (e820)
			r = take_e820(b, list, e820);
		else if (str_after_prefix(said, "efi: mem"))
			r = take_efi(b, list, said);
	}
	return r;
}

int build_firmware_map(struct build *b)
{
	_cleanup_(firmware_map_list_done) struct firmware_map_list list = {0};
	int r = take_sysfs(b, &list);

	if (r == 0 && b->root->captured)
		r = take_log(b, &list);
	if (r == -ENOMEM)
		return r;
	b->host->firmware_map = LIST_FREEZE(&list, b->arena);
	b->host->n_firmware_map = list.n;
	return b->host->firmware_map ? 0 : -ENOMEM;
}
