// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pages/page_master.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"

enum { SETTINGS_BYTES_MAX = 64 * 1024, PIDS_BYTES_MAX = 64 * 1024 };

/* A unit whose cgroup has processes runs; the processes themselves need not be visible. */
static bool unit_runs(const struct host_root *root, const char *path)
{
	_cleanup_free_ char *pids = NULL;

	return read_file_at(root->dirfd, path, PIDS_BYTES_MAX, &pids, NULL) == 0 && pids[0] != '\0';
}

/* Return: the value of a line "PAGE_CE_ACTION=..."; NULL without one. @text: is changed */
static const char *page_action_of(char *text)
{
	char *next = NULL;

	for (char *line = strtok_r(text, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
		const char *value = str_after_prefix(line, "PAGE_CE_ACTION=");

		if (value)
			return value;
	}
	return NULL;
}

/* rasdaemon takes pages out soft where its settings do not say otherwise. */
static bool rasdaemon_isolates(const struct host_root *root)
{
	static const char *const paths[] = {"etc/default/rasdaemon", "etc/sysconfig/rasdaemon"};

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		_cleanup_free_ char *text = NULL;
		const char *value = NULL;

		if (read_file_at(root->dirfd, paths[i], SETTINGS_BYTES_MAX, &text, NULL) == 0)
			value = page_action_of(text);
		if (value)
			return strncmp(value, "off", 3) != 0 && strncmp(value, "\"off", 4) != 0;
	}
	return true;
}

enum page_master page_master_find(const struct host_root *root)
{
	if (unit_runs(root, "sys/fs/cgroup/system.slice/rasdaemon.service/cgroup.procs") &&
	    rasdaemon_isolates(root))
		return PAGE_MASTER_RASDAEMON;
	if (unit_runs(root, "sys/fs/cgroup/system.slice/mcelog.service/cgroup.procs"))
		return PAGE_MASTER_MCELOG;
	return PAGE_MASTER_NONE;
}

const char *page_master_text(enum page_master m)
{
	switch (m) {
	case PAGE_MASTER_RASDAEMON:
		return "rasdaemon runs, and may take pages out of use by itself after corrected errors: set PAGE_CE_ACTION=off in its settings if only one of both is to decide";
	case PAGE_MASTER_MCELOG:
		return "mcelog runs, and takes pages out of use by itself after corrected errors: set memory-ce-action = off in mcelog.conf if only one of both is to decide";
	case PAGE_MASTER_NONE:
		break;
	}
	return "";
}
