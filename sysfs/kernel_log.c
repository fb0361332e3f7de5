// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/kernel_log.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/strutil.h"

/* A record has at most 2 KiB of text and 2 KiB of properties, and '\' makes 4 bytes of one. */
enum {
	RECORD_MAX = 16 * 1024,
	TIME_MAX = 26, /* "[18446744073709.551615] ", and the newline */
};

#define LEFT_OUT "# lines left out: "

/* ---- the text of a line -----------------------------------------------------------------------
 */

static const char *skip_digits(const char *p)
{
	return p + strspn(p, "0123456789");
}

/* Whether @p begins like @shape, in which 0 is a digit, A a letter, _ a digit or a space. */
static bool has_shape(const char *p, const char *shape)
{
	for (; *shape; shape++, p++) {
		const unsigned char c = (unsigned char)*p;

		if (*shape == '0'   ? !isdigit(c)
		    : *shape == 'A' ? !isalpha(c)
		    : *shape == '_' ? !isdigit(c) && c != ' '
				    : c != (unsigned char)*shape)
			return false;
	}
	return true;
}

/* "6,339,5140900,-;text": priority, sequence number, microseconds. NULL: it is no such record. */
static const char *split_record(const char *line, struct opt_u64 *ret_us)
{
	const char *p = skip_digits(line), *time;
	const char *semicolon;

	if (p == line || *p != ',' || p[1 + strspn(p + 1, "0123456789")] != ',')
		return NULL;
	time = skip_digits(p + 1) + 1;
	semicolon = strchr(time, ';');
	if (skip_digits(time) == time || *skip_digits(time) != ',' || !semicolon)
		return NULL;
	/* Other facilities than 0 are programs, which may write to /dev/kmsg. */
	if (strtoull(line, NULL, 10) >> 3 != 0)
		return "";
	*ret_us = OPT_U64(strtoull(time, NULL, 10));
	return semicolon + 1;
}

/* "[    T1]", with CONFIG_PRINTK_CALLER */
static const char *skip_caller(const char *p)
{
	const char *bracket = *p == ' ' ? p + 1 : p, *end = strchr(p, ']');
	const char *caller = bracket + strspn(bracket, "[ ");

	if (!end || *bracket != '[' || (*caller != 'T' && *caller != 'C'))
		return p;
	return skip_digits(caller + 1) == end ? end + 1 : p;
}

/* "[    1.234567] ", also with what follows the time, and "[Thu Nov 26 22:54:01 2026] " */
static const char *skip_bracket(const char *p, struct opt_u64 *ret_us)
{
	const char *end = strchr(p, ']'), *time;

	if (*p != '[' || !end)
		return p;
	time = p + 1 + strspn(p + 1, " ");
	if (isdigit((unsigned char)*time) && *skip_digits(time) == '.') {
		const char *point = skip_digits(time);

		*ret_us = OPT_U64(strtoull(time, NULL, 10) * 1000000 +
				  strtoull(point + 1, NULL, 10) % 1000000);
	} else if (!has_shape(p, "[AAA AAA _0 00:00:00 0000]")) {
		return p;
	}
	p = skip_caller(end + 1);
	return *p == ' ' ? p + 1 : p;
}

/* "host kernel: text". NULL: it is no such text. */
static const char *skip_host(const char *p)
{
	const char *space = strchr(p, ' ');

	return space ? str_after_prefix(space, " kernel: ") : NULL;
}

/* The date of syslog and of ISO 8601. Return: what follows; @p when there is none. */
static const char *skip_date(const char *p)
{
	size_t words;

	if (has_shape(p, "AAA _0 00:00:00"))
		words = 3;
	else if (has_shape(p, "0000-00-00T00:00:00"))
		words = 1;
	else if (has_shape(p, "AAA 0000-00-00 00:00:00"))
		words = 4; /* with the time zone */
	else
		return p;
	for (; words > 0; words--) {
		p += strcspn(p, " ");
		p += strspn(p, " ");
	}
	return p;
}

/* "<6>", and "kern  :info  : " of dmesg -x. Return: NULL when it is not the kernel's. */
static const char *skip_level(const char *p)
{
	const char *end;

	if (*p == '<') {
		end = skip_digits(p + 1);
		if (end == p + 1 || *end != '>')
			return p;
		return strtoull(p + 1, NULL, 10) >> 3 == 0 ? end + 1 : NULL;
	}
	end = str_after_prefix(p, "kern");
	end = end ? end + strspn(end, " ") : p;
	if (*end != ':')
		return p;
	end = strstr(end + 1, ": ");
	return end ? end + 2 : p;
}

const char *kernel_log_split(const char *line, struct opt_u64 *ret_us)
{
	struct opt_u64 ignored = {0}, *us = ret_us ? ret_us : &ignored;
	const char *p, *after, *host;

	*us = (struct opt_u64){0};
	p = split_record(line, us);
	if (p)
		return p;
	p = skip_level(line);
	if (!p)
		return "";
	after = skip_date(p);
	host = skip_host(after);
	/* Only dmesg separates the fraction by a comma, and does not name the host. */
	if (after != p && !host)
		return has_shape(p, "0000-00-00T00:00:00,") ? after : "";
	if (after != p)
		return skip_bracket(host, us);
	/* journalctl -o short-monotonic names the host behind the time. */
	after = skip_bracket(p, us);
	host = after != p ? skip_host(after) : NULL;
	return host ? host : after;
}

/* ---- the lines that are about CXL -------------------------------------------------------------
 */

/* Patterns of fnmatch(3) for the kernel's text: what it begins with. */
static const char *const patterns[] = {
	/* "DRIVER DEVICE: ...", and the bus for a device without driver */
	"cxl[_ :]*",
	"CXL[ :]*",
	"@(mem|root|port|endpoint|decoder|region)+([0-9])?(.+([0-9])):*",
	"device_dax *",
	"dax[0-9_ :]*",
	"kmem[ :]*",
	"hmem[_ :]*",
	"acpi ACPI001[67]:*",
	"ACPI: CEDT*",
	"?(ACPI: )\\[CEDT:*",
	"\\[Firmware Bug\\]*@([Cc][Xx][Ll]|CEDT)*",
};
#define FIRST_CHARACTERS "cCmrpedkhaA["

static bool is_about_cxl(const char *text)
{
	if (!*text || !strchr(FIRST_CHARACTERS, *text))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(patterns); i++)
		if (fnmatch(patterns[i], text, FNM_EXTMATCH) == 0)
			return true;
	return false;
}

/* FNV-1a of the text, in which each run of hexadecimal digits counts as one character. */
static uint64_t kind_hash(const char *p)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	while (*p) {
		const size_t n = strspn(p, "0123456789abcdefABCDEF");
		const char c = n > 0 ? '0' : *p;

		hash = (hash ^ (unsigned char)c) * UINT64_C(0x100000001b3);
		p += n > 0 ? n : 1;
	}
	return hash;
}

/* Return: the kind's index; log->n_kinds for a new one. */
static size_t find_kind(const struct kernel_log *log, uint64_t hash)
{
	size_t i = 0;

	while (i < log->n_kinds && log->kinds[i].hash != hash)
		i++;
	return i;
}

/* Return: a row for a line of the kind, which has @n_lines; NULL when it has to be left out. */
static struct kernel_log_row *find_room(struct kernel_log *log, size_t n_lines)
{
	struct kernel_log_row *last = NULL;
	size_t most = 0;

	if (log->n < ARRAY_SIZE(log->rows))
		return &log->rows[log->n++];
	log->n_dropped++;
	for (size_t i = 1; i < log->n_kinds; i++)
		if (log->kinds[i].n > log->kinds[most].n)
			most = i;
	if (log->kinds[most].n < n_lines + 2)
		return NULL;
	for (size_t i = 0; i < log->n; i++)
		if (log->rows[i].kind == most && (!last || log->rows[i].number > last->number))
			last = &log->rows[i];
	log->kinds[most].n--;
	return last;
}

static void add_row(struct kernel_log *log, const char *text, struct opt_u64 us)
{
	const uint64_t hash = kind_hash(text);
	const size_t kind = find_kind(log, hash);
	struct kernel_log_row *row = find_room(log, kind < log->n_kinds ? log->kinds[kind].n : 0);

	if (!row)
		return;
	if (kind == log->n_kinds)
		log->kinds[log->n_kinds++].hash = hash;
	log->kinds[kind].n++;
	row->kind = kind;
	row->number = log->n_seen++;
	if (us.present)
		(void)snprintf(row->text, sizeof(row->text), "[%5" PRIu64 ".%06" PRIu64 "] %s",
			       us.value / 1000000, us.value % 1000000, text);
	else
		(void)snprintf(row->text, sizeof(row->text), "%s", text);
}

void kernel_log_add(struct kernel_log *log, const char *line)
{
	const char *left_out = str_after_prefix(line, LEFT_OUT);
	char text[KERNEL_LOG_LINE_MAX - TIME_MAX];
	struct opt_u64 us;
	uint64_t n;

	if (left_out && parse_u64(left_out, &n) == 0 && n < UINT32_MAX)
		log->n_dropped += n;
	(void)snprintf(text, sizeof(text), "%s", kernel_log_split(line, &us));
	for (char *p = text; *p; p++)
		if (!isascii((unsigned char)*p) || !isprint((unsigned char)*p))
			*p = '?';
	if (is_about_cxl(text))
		add_row(log, text, us);
}

void kernel_log_add_text(struct kernel_log *log, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n"))) {
		const size_t len = strlen(line);

		if (len > 0 && line[len - 1] == '\r')
			line[len - 1] = '\0';
		kernel_log_add(log, line);
	}
}

int kernel_log_read_kmsg(struct kernel_log *log, int fd)
{
	const uint64_t until = clock_monotonic_ms() + KERNEL_LOG_MS;
	char record[RECORD_MAX + 1];
	ssize_t n;

	for (;;) {
		n = read(fd, record, RECORD_MAX);
		if (n == 0 || (n < 0 && errno == EAGAIN))
			return 0;
		/* EPIPE: records were overwritten meanwhile; the next read() goes on behind them.
		 */
		if (n < 0 && errno != EPIPE && errno != EINTR)
			return -errno;
		if (clock_monotonic_ms() > until)
			return -ETIMEDOUT;
		if (n < 0)
			continue;
		record[n] = '\0';
		kernel_log_add_text(log, record);
	}
}

int kernel_log_read_capture(const struct host_root *root, char **ret)
{
	size_t len = 0;
	int r = host_root_read(root, KERNEL_LOG_CAPTURE_PATH, KERNEL_LOG_FILE_MAX, ret, &len);

	if (r < 0)
		return r;
	for (char *p = *ret; (p = memchr(p, '\0', (size_t)(*ret + len - p)));)
		*p = '?';
	return 0;
}

static int read_captured(const struct host_root *root, struct kernel_log *log)
{
	_cleanup_free_ char *text = NULL;
	int r = kernel_log_read_capture(root, &text);

	if (r == 0)
		kernel_log_add_text(log, text);
	return r;
}

static int read_directly(const struct host_root *root, struct kernel_log *log)
{
	_cleanup_close_ int fd = openat(root->dirfd, "dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	return fd < 0 ? -errno : kernel_log_read_kmsg(log, fd);
}

int kernel_log_read(const struct host_root *root, struct kernel_log *log)
{
	struct opener *o = root->admin ? root->admin : root->opener;
	_cleanup_free_ char *text = NULL;
	int r;

	if (root->captured)
		return read_captured(root, log);
	if (!opener_is_up(o))
		return opener_may_open(o) ? read_directly(root, log) : -EACCES;
	text = malloc(KERNEL_LOG_TEXT_MAX + 1);
	if (!text)
		return -ENOMEM;
	r = opener_kernel_log(o, text, KERNEL_LOG_TEXT_MAX + 1);
	if (r == 0)
		kernel_log_add_text(log, text);
	return r;
}

static int row_order(const void *a, const void *b)
{
	const struct kernel_log_row *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

size_t kernel_log_write(struct kernel_log *log, char *text)
{
	char *p = text;

	if (log->n > 1)
		qsort(log->rows, log->n, sizeof(log->rows[0]), row_order);
	for (size_t i = 0; i < log->n; i++)
		p += sprintf(p, "%s\n", log->rows[i].text);
	if (log->n_dropped > 0)
		p += sprintf(p, LEFT_OUT "%" PRIu64 "\n", log->n_dropped);
	*p = '\0';
	return (size_t)(p - text);
}
