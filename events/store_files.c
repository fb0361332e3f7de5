// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Files that were renamed because they were damaged.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/array.h"
#include "common/strutil.h"
#include "common/cleanup.h"
#include "events/store_files.h"

#define ASIDE ".damaged-"

/* The file first: SQLite discards a log without its file and never applies it to another one. */
static const char *const companions[] = {"", "-wal", "-shm", "-journal"};

/* A name of STORE_PATH_MAX with the longest suffix. */
enum { COMPANION_MAX = STORE_PATH_MAX + 16, ASIDE_TRIES = 100 };

static void companion(char name[static COMPANION_MAX], const char *path, size_t i)
{
	(void)snprintf(name, COMPANION_MAX, "%s%s", path, companions[i]);
}

/* Opens the directory of @path; @ret_name is the rest. */
static DIR *open_directory(const char *path, const char **ret_name)
{
	const char *slash = strrchr(path, '/');
	char directory[STORE_PATH_MAX];

	*ret_name = slash ? slash + 1 : path;
	(void)snprintf(directory, sizeof(directory), "%.*s", slash ? (int)(slash - path) + 1 : 1,
		       slash ? path : ".");
	return opendir(directory);
}

/* Return: the next file that was renamed from @name, without -wal and the like; NULL for none. */
static const char *next_aside(DIR *dir, const char *name)
{
	const struct dirent *entry;

	while ((entry = readdir(dir))) {
		const char *rest = str_after_prefix(entry->d_name, name);

		if (rest && str_after_prefix(rest, ASIDE) && !strstr(rest, "-wal") &&
		    !strstr(rest, "-shm") && !strstr(rest, "-journal"))
			return entry->d_name;
	}
	return NULL;
}

bool store_find_aside(const char *path, char ret_name[static STORE_PATH_MAX])
{
	char last[NAME_MAX + 1] = "";
	const char *name, *entry;
	_cleanup_closedir_ DIR *dir = open_directory(path, &name);

	while (dir && (entry = next_aside(dir, name)))
		if (str_natural_cmp(entry, last) > 0)
			(void)snprintf(last, sizeof(last), "%s", entry);
	if (!last[0])
		return false;
	return snprintf(ret_name, STORE_PATH_MAX, "%.*s%s", (int)(name - path), path, last) <
	       STORE_PATH_MAX;
}

static void remove_aside(DIR *dir, const char *entry)
{
	char name[NAME_MAX + 16];

	for (size_t i = 0; i < ARRAY_SIZE(companions); i++) {
		(void)snprintf(name, sizeof(name), "%s%s", entry, companions[i]);
		(void)unlinkat(dirfd(dir), name, 0);
	}
}

/*
 * Above the limit the smallest is removed, except @newest, after whose numbers the next file
 * continues: a disk that damages every new file does not fill up with them, and the first log is
 * kept.
 */
static void remove_one_too_many(const char *path, const char *newest)
{
	char smallest[NAME_MAX + 1] = "";
	const char *name, *entry;
	_cleanup_closedir_ DIR *dir = open_directory(path, &name);
	size_t n = 0;
	off_t least = 0;
	struct stat st;

	while (dir && (entry = next_aside(dir, name))) {
		n++;
		if (str_equal(entry, newest + (name - path)) ||
		    fstatat(dirfd(dir), entry, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISREG(st.st_mode) || (smallest[0] && st.st_size >= least))
			continue;
		least = st.st_size;
		(void)snprintf(smallest, sizeof(smallest), "%s", entry);
	}
	if (n > STORE_ASIDE_MAX && smallest[0])
		remove_aside(dir, smallest);
}

static bool is_free(const char *path)
{
	char name[COMPANION_MAX];
	struct stat st;

	for (size_t i = 0; i < ARRAY_SIZE(companions); i++) {
		companion(name, path, i);
		if (lstat(name, &st) == 0 || errno != ENOENT)
			return false;
	}
	return true;
}

static int choose_name(const char *path, char ret[static STORE_PATH_MAX])
{
	time_t now = time(NULL);
	char when[32];
	struct tm tm;

	if (!gmtime_r(&now, &tm) || strftime(when, sizeof(when), "%Y%m%dT%H%M%SZ", &tm) == 0)
		(void)snprintf(when, sizeof(when), "unknown");
	for (int i = 1; i <= ASIDE_TRIES; i++) {
		int n = snprintf(ret, STORE_PATH_MAX, i == 1 ? "%s" ASIDE "%s" : "%s" ASIDE "%s.%d",
				 path, when, i);

		if (n >= STORE_PATH_MAX)
			return -ENAMETOOLONG;
		if (is_free(ret))
			return 0;
	}
	return -EEXIST;
}

static int rename_all(const char *path, const char *to)
{
	char from_name[COMPANION_MAX], to_name[COMPANION_MAX];
	_cleanup_closedir_ DIR *directory = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(companions); i++) {
		companion(from_name, path, i);
		companion(to_name, to, i);
		if (rename(from_name, to_name) < 0 && errno != ENOENT)
			return -errno;
	}
	/* Otherwise a crash could restore the old log next to the new file. */
	directory = open_directory(path, &path);
	return !directory || fsync(dirfd(directory)) < 0 ? -errno : 0;
}

int store_move_in(const char *from, const char *to, struct error *e)
{
	int r = rename_all(from, to);

	return r < 0 ? error_set(e, r, "cannot rename %s: %s", from, strerror(-r)) : 0;
}

void store_remove_files(const char *path)
{
	char name[COMPANION_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(companions); i++) {
		companion(name, path, i);
		(void)unlink(name);
	}
}

int store_move_aside(const char *path, char ret_name[static STORE_PATH_MAX], struct error *e)
{
	char name[STORE_PATH_MAX];
	int r = choose_name(path, name);

	if (r == 0)
		r = rename_all(path, name);
	if (r < 0)
		return error_set(e, r, "cannot rename %s: %s", path, strerror(-r));
	remove_one_too_many(path, name);
	memcpy(ret_name, name, sizeof(name));
	return 0;
}
