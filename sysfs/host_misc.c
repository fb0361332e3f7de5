// SPDX-License-Identifier: LGPL-2.1-or-later
/* Properties that belong to no device: kernel release, names of the machine. */
#include "sysfs/host_misc.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/cleanup.h"

enum {
	PAGE_BYTES_MAX = 1024 * 1024,
	MEMINFO_BYTES_MAX = 16 * 1024,
	STAT_BYTES_MAX = 1024 * 1024,
};

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

/* Linux has "(none)" until a name is set (CONFIG_DEFAULT_HOSTNAME). */
static bool is_hostname(const char *text)
{
	return text[0] && !str_equal(text, "(none)");
}

/* The number at the start of a text, which the kernel ends with a blank, a '.' or a newline. */
static struct opt_u64 leading_number(const char *text)
{
	char digits[sizeof("18446744073709551615")];
	const size_t n = strspn(text, "0123456789");
	uint64_t value;

	if (n == 0 || n >= sizeof(digits) || (text[n] && !strchr(" .\n", text[n])))
		return (struct opt_u64){0};
	(void)snprintf(digits, sizeof(digits), "%.*s", (int)n, text);
	return parse_u64(digits, &value) == 0 ? OPT_U64(value) : (struct opt_u64){0};
}

/* proc/stat: "btime 1795297381", a line of its own; proc/uptime: "5012.33 9941.20". */
static int read_captured_times(struct build *b)
{
	_cleanup_free_ char *stat = NULL, *uptime = NULL;
	const char *line;
	int r;

	r = host_root_read(b->root, "proc/stat", STAT_BYTES_MAX, &stat, NULL);
	if (r == -ENOMEM)
		return r;
	line = r == 0 ? strstr(stat, "\nbtime ") : NULL;
	if (line)
		line++;
	else if (r == 0 && str_after_prefix(stat, "btime "))
		line = stat;
	if (line)
		b->host->captured_boot_s = leading_number(line + strlen("btime "));
	uptime = read_line(b, "proc/uptime", &r);
	if (uptime)
		b->host->captured_uptime_s = leading_number(uptime);
	return r == -ENOMEM ? r : 0;
}

static int read_boot_id(struct build *b)
{
	_cleanup_free_ char *text = NULL;
	int r;

	text = read_line(b, "proc/sys/kernel/random/boot_id", &r);
	if (!text || !attr_uuid_is_valid(text))
		return r == -ENOMEM ? r : 0;
	b->host->boot_id = arena_strdup(b->arena, text);
	return b->host->boot_id ? 0 : -ENOMEM;
}

static int read_captured_names(struct build *b)
{
	_cleanup_free_ char *hostname = NULL;
	int r;

	r = read_captured_release(b);
	if (r == 0)
		r = read_captured_times(b);
	if (r < 0)
		return r;
	hostname = read_line(b, "proc/sys/kernel/hostname", &r);
	if (hostname && is_hostname(hostname))
		b->host->hostname = arena_strdup(b->arena, hostname);
	return r == -ENOMEM || (hostname && is_hostname(hostname) && !b->host->hostname) ? -ENOMEM
											 : 0;
}

static int read_live_names(struct build *b)
{
	struct utsname names;

	if (uname(&names) < 0)
		return 0;
	b->host->kernel_release = build_name(b, names.release);
	if (!is_hostname(names.nodename))
		return b->host->kernel_release ? 0 : -ENOMEM;
	b->host->hostname = build_name(b, names.nodename);
	return b->host->kernel_release && b->host->hostname ? 0 : -ENOMEM;
}

static void read_dmi_uuid(struct build *b)
{
	static const struct attr_field field = {"product_uuid", ATTR_UUID,
						offsetof(struct host, dmi_uuid)};
	_cleanup_close_ int fd = host_root_open_sys(b->root, "/sys/class/dmi/id");

	if (fd >= 0)
		(void)attr_read(&(struct attr_dir){fd, "dmi", "dmi", &b->notes, b->root->opener},
				&field, b->host);
}

/* Return: 0, or -ENOMEM; an invalid size is noted and not used. */
static int read_captured_page_size(struct build *b)
{
	_cleanup_free_ char *text = NULL;
	uint64_t size;
	int r;

	text = read_line(b, CAPTURE_PAGE_SIZE_PATH, &r);
	if (!text)
		return r == -ENOMEM ? r : 0;
	if (parse_u64(text, &size) < 0 || size < PAGE_SIZE_DEFAULT || size > PAGE_BYTES_MAX ||
	    (size & (size - 1)) != 0)
		read_notes_add(&b->notes, CAPTURE_PAGE_SIZE_PATH ": not the size of a page");
	else
		b->host->page_size = size;
	return 0;
}

static int read_page_size(struct build *b)
{
	long size;

	b->host->page_size = PAGE_SIZE_DEFAULT;
	if (b->root->captured)
		return read_captured_page_size(b);
	size = sysconf(_SC_PAGESIZE);
	if (size > 0)
		b->host->page_size = (uint64_t)size;
	return 0;
}

/* "MemTotal:        2005972 kB" */
static int read_memory_total(struct build *b)
{
	_cleanup_free_ char *text = NULL;
	const char *line, *number;
	char digits[sizeof("18446744073709551615")];
	uint64_t kib, bytes;
	size_t len, n;
	int r;

	r = host_root_read(b->root, "proc/meminfo", MEMINFO_BYTES_MAX, &text, &len);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	line = strstr(text, "MemTotal:");
	if (!line)
		return 0;
	number = line + strlen("MemTotal:");
	number += strspn(number, " ");
	n = strspn(number, "0123456789");
	if (n >= sizeof(digits) || !str_after_prefix(number + n, " kB"))
		return 0;
	(void)snprintf(digits, sizeof(digits), "%.*s", (int)n, number);
	if (parse_u64(digits, &kib) == 0 && !__builtin_mul_overflow(kib, 1024, &bytes))
		b->host->memory_total = OPT_U64(bytes);
	return 0;
}

int build_misc(struct build *b)
{
	int r;

	r = b->root->captured ? read_captured_names(b) : read_live_names(b);
	if (r == 0)
		r = read_boot_id(b);
	if (r == 0)
		r = read_page_size(b);
	if (r < 0)
		return r;
	read_dmi_uuid(b);
	return read_memory_total(b);
}
