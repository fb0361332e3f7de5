// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/attr.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/opt.h"
#include "common/strutil.h"
#include "sysfs/limits.h"

/* Bytes of an invalid attribute that a note quotes. */
enum { QUOTE_BYTES_MAX = 40 };

enum { PCI_PATH_MAX = 128 };

int attr_open_dir(int fd, const char *path)
{
	return openat(fd, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int attr_open_pci(const char *bdf)
{
	char path[PCI_PATH_MAX];

	(void)snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s", bdf);
	return attr_open_dir(AT_FDCWD, path);
}

static int attr_report_error(const struct attr_dir *dir, const char *attr, int error)
{
	switch (error) {
	case EACCES:
	case EPERM:
		read_notes_denied(dir->notes, dir->kind, attr);
		break;
	case ENOENT: /* this kernel does not have it */
	case ENOTDIR:
	case ENXIO: /* this device does not have it */
	case ENODEV:
	case EOPNOTSUPP:
		break;
	default:
		read_notes_add(dir->notes, "%s: cannot read %s: %s", dir->name, attr,
			       strerror(error));
	}
	return -error;
}

static int attr_report_invalid(const struct attr_dir *dir, const char *attr, const char *text,
			       const char *wanted)
{
	if (text[0] == '\0')
		read_notes_add(dir->notes, "%s: %s is empty, not %s", dir->name, attr, wanted);
	else if (!str_is_plain(text))
		read_notes_add(dir->notes, "%s: %s is binary, not %s", dir->name, attr, wanted);
	else
		read_notes_add(dir->notes, "%s: %s is \"%.*s\", not %s", dir->name, attr,
			       QUOTE_BYTES_MAX, text, wanted);
	return -EINVAL;
}

/* Return: a descriptor or a negative errno. */
static int attr_open(const struct attr_dir *dir, const char *attr)
{
	/* O_NONBLOCK: a captured tree may hold a FIFO where an attribute should be. */
	int fd = openat(dir->fd, attr, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd >= 0)
		return fd;
	return errno == EACCES && dir->opener ? opener_open_at(dir->opener, dir->fd, attr) : -errno;
}

int attr_read_text(const struct attr_dir *dir, const char *attr, char *buf)
{
	_cleanup_close_ int fd = -1;
	ssize_t n;

	fd = attr_open(dir, attr);
	if (fd < 0)
		return attr_report_error(dir, attr, -fd);
	/* One read is enough: sysfs returns an attribute as a whole. */
	n = pread(fd, buf, ATTR_BYTES_MAX + 1, 0);
	if (n < 0)
		return attr_report_error(dir, attr, errno);
	if (n > ATTR_BYTES_MAX) {
		read_notes_add(dir->notes, "%s: %s is longer than %d bytes", dir->name, attr,
			       ATTR_BYTES_MAX);
		return -EINVAL;
	}
	buf[n] = '\0';
	if (strlen(buf) != (size_t)n) {
		read_notes_add(dir->notes, "%s: %s is binary, not text", dir->name, attr);
		return -EINVAL;
	}
	str_chomp(buf);
	return 0;
}

bool attr_uuid_is_valid(const char *s)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
	size_t i;

	for (i = 0; form[i] != '\0'; i++)
		if (form[i] == '-' ? s[i] != '-' : !isxdigit((unsigned char)s[i]))
			return false;
	return s[i] == '\0';
}

static bool is_all_ones(const char *text)
{
	uint64_t v;

	return str_equal(text, "-1") || (parse_u64(text, &v) == 0 && v == UINT64_MAX);
}

static int attr_parse_u64(const char *text, enum attr_type type, struct opt_u64 *field)
{
	uint64_t v;

	if (type == ATTR_ADDRESS && is_all_ones(text))
		return -ENODATA;
	if (parse_u64(text, &v) < 0)
		return -EINVAL;
	if (type == ATTR_LANES && (v == 0 || v == 255))
		return -ENODATA;
	if (type == ATTR_LANES && v > PCI_LANES_MAX)
		return -EINVAL;
	if (type == ATTR_WAYS && (v == 0 || v > INTERLEAVE_WAYS_MAX))
		return -EINVAL;
	*field = OPT_U64(v);
	return 0;
}

static int attr_parse_int(const char *text, struct opt_int *field)
{
	int v;

	if (parse_int(text, &v) < 0)
		return -EINVAL;
	if (v < 0)
		return -ENODATA;
	*field = OPT_INT(v);
	return 0;
}

static int attr_parse_text(const struct attr_dir *dir, const char *text, enum attr_type type,
			   const char **field)
{
	if (text[0] == '\0' || (type == ATTR_UUID && strspn(text, "0-") == strlen(text)))
		return -ENODATA;
	if (!str_is_plain(text) || (type == ATTR_UUID && !attr_uuid_is_valid(text)))
		return -EINVAL;
	*field = arena_strdup(dir->notes->arena, text);
	if (!*field) {
		dir->notes->out_of_memory = true;
		return -ENOMEM;
	}
	return 0;
}

static const char *attr_type_name(enum attr_type type)
{
	switch (type) {
	case ATTR_U64:
	case ATTR_INT:
		return "a number";
	case ATTR_LANES:
		return "a number of lanes";
	case ATTR_ADDRESS:
		return "an address";
	case ATTR_WAYS:
		return "a number of ways";
	case ATTR_BOOL:
		return "0 or 1";
	case ATTR_UUID:
		return "a UUID";
	case ATTR_TEXT:
		break;
	}
	return "text";
}

int attr_read(const struct attr_dir *dir, const struct attr_field *field, void *object)
{
	void *member = (char *)object + field->offset;
	char text[ATTR_BYTES_MAX + 1];
	int r;

	r = attr_read_text(dir, field->attr, text);
	if (r < 0)
		return r;
	switch (field->type) {
	case ATTR_U64:
	case ATTR_ADDRESS:
	case ATTR_LANES:
	case ATTR_WAYS:
		r = attr_parse_u64(text, field->type, member);
		break;
	case ATTR_INT:
		r = attr_parse_int(text, member);
		break;
	case ATTR_BOOL:
		r = str_equal(text, "0") || str_equal(text, "1") ? 0 : -EINVAL;
		if (r == 0)
			*(struct opt_bool *)member = OPT_BOOL(text[0] == '1');
		break;
	case ATTR_TEXT:
	case ATTR_UUID:
		r = attr_parse_text(dir, text, field->type, member);
		break;
	}
	return r == -EINVAL
		       ? attr_report_invalid(dir, field->attr, text, attr_type_name(field->type))
		       : r;
}

void attr_read_all(const struct attr_dir *dir, const struct attr_field *fields, size_t n,
		   void *object)
{
	for (size_t i = 0; i < n; i++)
		(void)attr_read(dir, &fields[i], object);
}
