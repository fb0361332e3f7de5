// SPDX-License-Identifier: LGPL-2.1-or-later
/* What belongs to no device: kernel release, names of the machine. */
#include "sysfs/host_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/utsname.h>

#include "common/cleanup.h"

/* One short line of a file of the host. Return: malloc'ed text, or NULL when there is none. */
static char *read_line(struct build *b, const char *path, int *ret_error)
{
	_cleanup_free_ char *text = NULL;
	size_t len = 0;

	*ret_error = host_root_read(b->root, path, ATTR_BYTES_MAX, &text, &len);
	if (*ret_error < 0)
		return NULL;
	if (strlen(text) == len && str_is_plain(str_chomp(text)) && text[0] != '\0')
		return STEAL_PTR(text);
	read_notes_add(&b->notes, "%s: not one line of text", path);
	*ret_error = -EINVAL;
	return NULL;
}

/* "Linux version 7.3.4+deb13-amd64 (builder@host) ..." */
static int read_captured_release(struct build *b)
{
	_cleanup_free_ char *text = NULL;
	const char *release;
	int r;

	text = read_line(b, "proc/version", &r);
	if (!text)
		return r == -ENOMEM ? r : 0;
	release = str_after_prefix(text, "Linux version ");
	if (!release || release[0] == ' ' || release[0] == '\0') {
		read_notes_add(&b->notes, "proc/version: contains no kernel release");
		return 0;
	}
	b->host->kernel_release =
		arena_printf(b->arena, "%.*s", (int)strcspn(release, " "), release);
	return b->host->kernel_release ? 0 : -ENOMEM;
}

static int read_captured_names(struct build *b)
{
	_cleanup_free_ char *hostname = NULL;
	int r;

	r = read_captured_release(b);
	if (r < 0)
		return r;
	hostname = read_line(b, "proc/sys/kernel/hostname", &r);
	if (hostname)
		b->host->hostname = arena_strdup(b->arena, hostname);
	return r == -ENOMEM || (hostname && !b->host->hostname) ? -ENOMEM : 0;
}

static int read_live_names(struct build *b)
{
	struct utsname names;

	if (uname(&names) < 0)
		return 0;
	b->host->kernel_release = build_name(b, names.release);
	b->host->hostname = build_name(b, names.nodename);
	return b->host->kernel_release && b->host->hostname ? 0 : -ENOMEM;
}

static void read_dmi_uuid(struct build *b)
{
	static const struct attr_field field = {"product_uuid", ATTR_UUID,
						offsetof(struct host, dmi_uuid)};
	_cleanup_close_ int fd = attr_open_dir(AT_FDCWD, "/sys/class/dmi/id");

	if (fd >= 0)
		(void)attr_read(&(struct attr_dir){fd, "dmi", "dmi", &b->notes}, &field, b->host);
}

int build_misc(struct build *b)
{
	int r;

	r = b->root->captured ? read_captured_names(b) : read_live_names(b);
	if (r < 0)
		return r;
	read_dmi_uuid(b);
	return 0;
}
