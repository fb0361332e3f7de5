// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pages/page_master.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"

enum {
	SETTINGS_BYTES_MAX = 64 * 1024,
	PIDS_BYTES_MAX = 64 * 1024,
	NAME_BYTES_MAX = 64,
	PROCESSES_MAX = 65536,
};

/* A unit whose cgroup has processes runs; the processes themselves need not be visible. */
static bool unit_runs(const struct host_root *root, const char *path)
{
	_cleanup_free_ char *pids = NULL;

	return read_file_at(root->dirfd, path, PIDS_BYTES_MAX, &pids, NULL) == 0 && pids[0] != '\0';
}

static bool process_is(int proc, const char *pid, const char *name)
{
	_cleanup_free_ char *text = NULL;
	char path[64];

	if (!isdigit((unsigned char)pid[0]))
		return false;
	(void)snprintf(path, sizeof(path), "%.32s/comm", pid);
	return read_file_at(proc, path, NAME_BYTES_MAX, &text, NULL) == 0 &&
	       str_equal(str_chomp(text), name);
}

/* Also in a container, or started by hand; as far as this process sees others. */
static bool process_runs(const struct host_root *root, const char *name)
{
	const int fd = openat(root->dirfd, "proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_closedir_ DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (!dir && fd >= 0)
		(void)close(fd);
	for (size_t n = 0; dir && n < PROCESSES_MAX && (entry = readdir(dir)); n++)
		if (process_is(dirfd(dir), entry->d_name, name))
			return true;
	return false;
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

/* Return: whether it is a line "memory-ce-action = VALUE" whose value takes no page out. */
static bool is_mcelog_off(const char *line)
{
	const char *value = str_after_prefix(line + strspn(line, " \t"), "memory-ce-action");

	value = value ? value + strspn(value, " \t=") : "";
	return str_after_prefix(value, "off") || str_after_prefix(value, "account");
}

/* mcelog takes pages out soft where its settings do not say otherwise. */
static bool mcelog_isolates(const struct host_root *root)
{
	_cleanup_free_ char *text = NULL;
	char *next = NULL;

	if (read_file_at(root->dirfd, "etc/mcelog/mcelog.conf", SETTINGS_BYTES_MAX, &text, NULL) <
	    0)
		return true;
	for (char *line = strtok_r(text, "\n", &next); line; line = strtok_r(NULL, "\n", &next))
		if (is_mcelog_off(line))
			return false;
	return true;
}

/* One in a container has settings of its own, which are not seen. */
static bool is_master(const struct host_root *root, const char *unit, const char *process,
		      bool (*isolates)(const struct host_root *root))
{
	return unit_runs(root, unit) ? isolates(root) : process_runs(root, process);
}

enum page_master page_master_find(const struct host_root *root)
{
	if (is_master(root, "sys/fs/cgroup/system.slice/rasdaemon.service/cgroup.procs",
		      "rasdaemon", rasdaemon_isolates))
		return PAGE_MASTER_RASDAEMON;
	if (is_master(root, "sys/fs/cgroup/system.slice/mcelog.service/cgroup.procs", "mcelog",
		      mcelog_isolates))
		return PAGE_MASTER_MCELOG;
	return PAGE_MASTER_NONE;
}

const char *page_master_text(enum page_master m)
{
	switch (m) {
	case PAGE_MASTER_RASDAEMON:
		return "rasdaemon runs, and may take pages out of use by itself after corrected errors: set PAGE_CE_ACTION=off in its settings if only one of both is to decide";
	case PAGE_MASTER_MCELOG:
		return "mcelog runs, and may take pages out of use by itself after corrected errors: set memory-ce-action = off in mcelog.conf if only one of both is to decide";
	case PAGE_MASTER_NONE:
		break;
	}
	return "";
}
