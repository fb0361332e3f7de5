// SPDX-License-Identifier: LGPL-2.1-or-later
#include "change/key_store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"

/* The first line of a file, then one line each for the setting and the blob. */
#define FORMAT	     "cxl-redfish-key 1"
#define SETTING_LINE "setting "
#define BLOB_LINE    "blob "

enum { FILE_NAME_MAX = KEY_NAME_MAX + 16, FILE_BYTES_MAX = 1024, NUMBER_DIGITS_MAX = 9 };

void key_owner_name(const struct key_owner *o, char ret[static KEY_NAME_MAX])
{
	(void)snprintf(ret, KEY_NAME_MAX, "cxl-redfish-%016" PRIx64 "-%s", o->serial,
		       o->master ? "master" : "user");
}

static void file_name(const struct key_owner *o, uint32_t number, char ret[static FILE_NAME_MAX])
{
	char name[KEY_NAME_MAX];

	key_owner_name(o, name);
	(void)snprintf(ret, FILE_NAME_MAX, "%s.%" PRIu32, name, number);
}

/* Written by one thread only, which has the lock of the device; it stays when that is killed. */
static void temporary_name(const struct key_owner *o, char ret[static FILE_NAME_MAX])
{
	char name[KEY_NAME_MAX];

	key_owner_name(o, name);
	(void)snprintf(ret, FILE_NAME_MAX, "%s.new", name);
}

/* Return: the number of a file of @o; 0 for the name of another file. */
static uint32_t file_number(const struct key_owner *o, const char *file)
{
	char name[KEY_NAME_MAX];
	const char *digits;

	key_owner_name(o, name);
	digits = str_after_prefix(file, name);
	if (!digits || digits[0] != '.' || digits[1] == '0' || digits[1] == '\0')
		return 0;
	digits++;
	if (strlen(digits) > NUMBER_DIGITS_MAX || strspn(digits, "0123456789") != strlen(digits))
		return 0;
	return (uint32_t)strtoul(digits, NULL, 10);
}

/* ---- the directory ----------------------------------------------------------------------------
 */

/* The change helper's key directory belongs to its user, and cxl-spa is run by root. */
static bool is_private(const struct stat *st)
{
	const uid_t user = geteuid();

	return (st->st_uid == user || st->st_uid == 0 || user == 0) &&
	       !(st->st_mode & (S_IRWXG | S_IRWXO));
}

int key_store_open(const char *directory, struct error *e)
{
	_cleanup_close_ int fd = -1;
	struct stat st;

	if (!directory) {
		directory = KEY_STORE_DIRECTORY;
		(void)mkdir(KEY_STORE_PARENT, 0700);
	}
	if (mkdir(directory, 0700) < 0 && errno != EEXIST)
		return error_set(e, errno, "the directory of keys, %s, cannot be created: %s",
				 directory, strerror(errno));
	fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_set(e, errno, "the directory of keys, %s, cannot be opened: %s",
				 directory, strerror(errno));
	if (!is_private(&st))
		return error_set(
			e, EPERM,
			"the directory of keys, %s, must be owned by user %u or root and closed to all others (mode 0700)",
			directory, (unsigned int)geteuid());
	return STEAL_FD(fd);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

/* Takes the line that begins with @prefix. Return: whether it is there and fits. */
static bool take_line(char **at, const char *prefix, char *ret, size_t size)
{
	char *line = strsep(at, "\n");
	const char *value = line ? str_after_prefix(line, prefix) : NULL;

	if (!value || !*at || strlen(value) >= size || !str_is_plain(value))
		return false;
	memcpy(ret, value, strlen(value) + 1);
	return true;
}

/* The blob names the key that unwraps it, and may not name another one. */
static bool blob_is_valid(const struct key_owner *o, const char *blob)
{
	char name[KEY_NAME_MAX], head[KEY_NAME_MAX + 32];
	const char *hex;

	key_owner_name(o, name);
	(void)snprintf(head, sizeof(head), "enc32 user:%s 32 ", name);
	hex = str_after_prefix(blob, head);
	return hex && *hex && strspn(hex, "0123456789abcdef") == strlen(hex);
}

static bool parse(const struct key_owner *o, char *text, struct wrapped_key *ret)
{
	char nothing[2];
	char *at = text;

	return take_line(&at, FORMAT, nothing, 1) &&
	       take_line(&at, SETTING_LINE, ret->setting, sizeof(ret->setting)) &&
	       take_line(&at, BLOB_LINE, ret->blob, sizeof(ret->blob)) && *at == '\0' &&
	       strncmp(ret->setting, "$y$", 3) == 0 && blob_is_valid(o, ret->blob);
}

static bool read_key(int dirfd, const struct key_owner *o, const char *file,
		     struct wrapped_key *ret)
{
	_cleanup_free_ char *text = NULL;
	size_t len = 0;

	return read_file_at(dirfd, file, FILE_BYTES_MAX, &text, &len) == 0 && strlen(text) == len &&
	       parse(o, text, ret);
}

static int newest_first(const void *a, const void *b)
{
	const struct wrapped_key *x = a, *y = b;

	return x->number < y->number ? 1 : x->number > y->number ? -1 : 0;
}

/* A descriptor of its own for readdir(). */
static DIR *open_listing(int dirfd)
{
	int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		(void)close(fd);
	return dir;
}

int key_store_list(int dirfd, const struct key_owner *o, struct key_list *ret, struct error *e)
{
	_cleanup_closedir_ DIR *dir = open_listing(dirfd);
	const struct dirent *entry;

	memset(ret, 0, sizeof(*ret));
	if (!dir)
		return error_set(e, errno, "the directory of keys cannot be read: %s",
				 strerror(errno));
	while ((entry = readdir(dir))) {
		const uint32_t number = file_number(o, entry->d_name);
		struct wrapped_key key = {.number = number};

		if (number == 0)
			continue;
		if (number > ret->last)
			ret->last = number;
		if (!read_key(dirfd, o, entry->d_name, &key))
			ret->n_not_valid++;
		else if (ret->n == KEY_FILES_MAX)
			return error_set(
				e, EFBIG,
				"there are more than %d keys of the device; remove those that do not open it",
				KEY_FILES_MAX);
		else
			ret->items[ret->n++] = key;
	}
	qsort(ret->items, ret->n, sizeof(ret->items[0]), newest_first);
	return 0;
}

/* ---- writing ----------------------------------------------------------------------------------
 */

static int write_text(int fd, const char *text)
{
	size_t len = strlen(text);

	while (len > 0) {
		ssize_t n = write(fd, text, len);

		if (n < 0)
			return -errno;
		text += n;
		len -= (size_t)n;
	}
	return fsync(fd) < 0 ? -errno : 0;
}

static int write_file(int dirfd, const char *temporary, const char *file, const char *text)
{
	_cleanup_close_ int fd = -1;
	int r;

	(void)unlinkat(dirfd, temporary, 0);
	fd = openat(dirfd, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	r = write_text(fd, text);
	if (r == 0 && renameat(dirfd, temporary, dirfd, file) < 0)
		r = -errno;
	if (r < 0) {
		(void)unlinkat(dirfd, temporary, 0);
		return r;
	}
	return fsync(dirfd) < 0 ? -errno : 0;
}

int key_store_remove(int dirfd, const struct key_owner *o, uint32_t number)
{
	char file[FILE_NAME_MAX];

	file_name(o, number, file);
	if (unlinkat(dirfd, file, 0) < 0 && errno != ENOENT)
		return -errno;
	return fsync(dirfd) < 0 ? -errno : 0;
}

/* A device gets no key that is not found again by key_store_list(): nothing else would open it. */
static bool is_found(int dirfd, const struct key_owner *o, const struct wrapped_key *k,
		     const char *file)
{
	struct wrapped_key found = {0};

	return file_number(o, file) == k->number && read_key(dirfd, o, file, &found) &&
	       str_equal(found.setting, k->setting) && str_equal(found.blob, k->blob);
}

int key_store_add(int dirfd, const struct key_owner *o, const struct wrapped_key *k,
		  struct error *e)
{
	char file[FILE_NAME_MAX], temporary[FILE_NAME_MAX], text[FILE_BYTES_MAX];
	int r;

	file_name(o, k->number, file);
	temporary_name(o, temporary);
	(void)snprintf(text, sizeof(text), FORMAT "\n" SETTING_LINE "%s\n" BLOB_LINE "%s\n",
		       k->setting, k->blob);
	r = write_file(dirfd, temporary, file, text);
	if (r < 0)
		return error_set(e, r, "its new key cannot be kept: %s: %s", file, strerror(-r));
	if (is_found(dirfd, o, k, file))
		return 0;
	(void)key_store_remove(dirfd, o, k->number);
	return error_set(
		e, EIO,
		"its new key cannot be kept: %s would not be read as one; remove the files of the device that are no keys, whose numbers are too high",
		file);
}

int key_store_keep(int dirfd, const struct key_owner *o, uint32_t keep)
{
	_cleanup_closedir_ DIR *dir = open_listing(dirfd);
	const struct dirent *entry;
	char temporary[FILE_NAME_MAX];
	int r = dir ? 0 : -errno;

	temporary_name(o, temporary);
	(void)unlinkat(dirfd, temporary, 0);
	while (r == 0 && (entry = readdir(dir))) {
		const uint32_t number = file_number(o, entry->d_name);

		if (number != 0 && number != keep)
			r = key_store_remove(dirfd, o, number);
	}
	return r;
}
