// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names, links and directories of devices, for all parts of a walk. */
#include "sysfs/host_build.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "common/cleanup.h"

/* Names that the kernel gives are shorter than 30 bytes. */
enum { NAME_BYTES_MAX = 64 };

const char *build_name(struct build *b, const char *name)
{
	char *copy = arena_strdup(b->arena, name);

	if (name && !copy)
		b->notes.out_of_memory = true;
	for (char *p = copy; p && *p; p++)
		if (*p < 0x20 || *p > 0x7e)
			*p = '?';
	return copy;
}

bool build_name_is_valid(const char *name)
{
	static const char valid[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:_-";
	size_t n = strspn(name, valid);

	return n > 0 && n <= NAME_BYTES_MAX && name[n] == '\0';
}

bool build_is_numbered(const char *name, const char *prefix)
{
	const char *number = str_after_prefix(name, prefix);

	return number && isdigit((unsigned char)*number);
}

size_t build_count_numbered(int fd, const char *prefix)
{
	_cleanup_closedir_ DIR *dir = build_open_list(fd);
	const struct dirent *entry;
	size_t n = 0;

	while (dir && (entry = readdir(dir)))
		n += build_is_numbered(entry->d_name, prefix);
	return n;
}

bool build_has_driver(int fd)
{
	struct stat st;

	return fstatat(fd, "driver", &st, AT_SYMLINK_NOFOLLOW) == 0;
}

void build_note_invalid_name(struct build *b, const char *name)
{
	if (str_is_plain(name))
		read_notes_add(&b->notes, "\"%.*s\": left out: not a valid device name",
			       NAME_BYTES_MAX, name);
	else
		read_notes_add(&b->notes, "a device is left out: its name is not printable");
}

static int build_open_at(struct build *b, int fd, const char *name, int flags)
{
	int device_fd;

	if (!build_name_is_valid(name))
		return -1; /* noted by build_note_left_out() */
	device_fd = openat(fd, name, O_PATH | O_DIRECTORY | O_CLOEXEC | flags);
	if (device_fd < 0)
		read_notes_add(&b->notes, "%s: left out: %s", name,
			       errno == ENOTDIR ? "not a directory" : strerror(errno));
	return device_fd;
}

int build_open_child(struct build *b, int fd, const char *name)
{
	return build_open_at(b, fd, name, O_NOFOLLOW);
}

int build_open_device(struct build *b, const char *name)
{
	return build_open_at(b, b->devices_fd, name, 0);
}

const char *build_link_name(struct build *b, int fd, const char *link)
{
	char path[ATTR_BYTES_MAX];
	ssize_t n = readlinkat(fd, link, path, sizeof(path) - 1);
	const char *slash;

	if (n < 0)
		return NULL;
	path[n] = '\0';
	slash = strrchr(path, '/');
	return build_name(b, slash ? slash + 1 : path);
}

DIR *build_open_list(int fd)
{
	_cleanup_close_ int list_fd = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = list_fd >= 0 ? fdopendir(list_fd) : NULL;

	if (dir)
		list_fd = -1; /* belongs to the DIR now */
	return dir;
}

enum decoder_mode build_mode(struct build *b, const char *name, const char *word,
			     const char **ret_other)
{
	if (!word)
		return DECODER_MODE_NONE;
	for (int mode = DECODER_MODE_NONE; mode <= DECODER_MODE_MIXED; mode++)
		if (str_equal(word, decoder_mode_name((enum decoder_mode)mode)))
			return (enum decoder_mode)mode;
	if (build_name_is_valid(word)) {
		*ret_other = word;
		return DECODER_MODE_OTHER;
	}
	read_notes_add(&b->notes, "%s: mode \"%.40s\" is unknown", name, word);
	return DECODER_MODE_NONE;
}
