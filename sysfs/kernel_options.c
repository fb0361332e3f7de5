// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/kernel_options.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"

enum { OPTIONS_BYTES_MAX = 1 << 20 }; /* Debian's has 280 KB */

static const struct {
	const char *name;
	size_t offset;
} options[] = {
	{"CONFIG_CXL_EDAC_SCRUB", offsetof(struct kernel_options, scrub)},
	{"CONFIG_CXL_EDAC_ECS", offsetof(struct kernel_options, ecs)},
	{"CONFIG_CXL_EDAC_MEM_REPAIR", offsetof(struct kernel_options, repair)},
};

/* Return: whether a line of its own is "NAME=y" or "NAME=m". */
static bool option_is_set(const char *text, const char *name)
{
	const size_t n = strlen(name);

	for (const char *at = text; (at = strstr(at, name)); at += n) {
		if (at != text && at[-1] != '\n')
			continue;
		if (at[n] == '=' && (at[n + 1] == 'y' || at[n + 1] == 'm') &&
		    (at[n + 2] == '\n' || at[n + 2] == '\0'))
			return true;
	}
	return false;
}

/* An option that depends on one that is off has no line, so a whole file is needed to say "off". */
static bool take_options(const char *text, const char *from, struct kernel_options *ret)
{
	if (!strstr(text, "\nCONFIG_") || !strstr(text, "Linux/"))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		*(struct opt_bool *)((char *)ret + options[i].offset) =
			OPT_BOOL(option_is_set(text, options[i].name));
	(void)snprintf(ret->from, sizeof(ret->from), "/%s", from);
	return true;
}

/* Return: the text of a gzip file; NULL when it is none, is damaged, or is too long. */
static char *inflate_text(char *data, size_t len)
{
	z_stream z = {.next_in = (Bytef *)data, .avail_in = (uInt)len};
	char *text = malloc(OPTIONS_BYTES_MAX + 1);
	int r;

	if (!text || inflateInit2(&z, 16 + MAX_WBITS) != Z_OK) {
		free(text);
		return NULL;
	}
	z.next_out = (Bytef *)text;
	z.avail_out = OPTIONS_BYTES_MAX;
	r = inflate(&z, Z_FINISH);
	text[OPTIONS_BYTES_MAX - z.avail_out] = '\0';
	(void)inflateEnd(&z);
	if (r == Z_STREAM_END)
		return text;
	free(text);
	return NULL;
}

/* All users may read these files, so the helper is not asked. */
static int read_text(const struct host_root *root, const char *path, char **ret, size_t *ret_len)
{
	return root->captured ? host_root_read(root, path, OPTIONS_BYTES_MAX, ret, ret_len)
			      : read_file_at(root->dirfd, path, OPTIONS_BYTES_MAX, ret, ret_len);
}

static bool read_compressed(const struct host_root *root, struct kernel_options *ret)
{
	static const char path[] = "proc/config.gz";
	_cleanup_free_ char *data = NULL, *text = NULL;
	size_t len;

	if (read_text(root, path, &data, &len) < 0)
		return false;
	text = inflate_text(data, len);
	return text && take_options(text, path, ret);
}

void kernel_options_read(const struct host_root *root, const char *release,
			 struct kernel_options *ret)
{
	_cleanup_free_ char *text = NULL;
	char path[KERNEL_OPTIONS_FROM_MAX - 1];
	size_t len;
	int n;

	*ret = (struct kernel_options){0};
	if (read_compressed(root, ret) || !release)
		return;
	n = snprintf(path, sizeof(path), "boot/config-%s", release);
	if (n > 0 && (size_t)n < sizeof(path) && host_path_is_safe(path) &&
	    read_text(root, path, &text, &len) == 0)
		(void)take_options(text, path, ret);
}
