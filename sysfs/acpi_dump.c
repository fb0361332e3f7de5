// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/acpi_dump.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"
#include "sysfs/acpi_table.h"

enum {
	LINE_BYTES = 16,     /* bytes of a table in one line of text */
	BYTE_COLUMNS = 3,    /* of one byte: a blank and two digits */
	CHARACTERS_GAP = 2,  /* blanks between the last byte and the characters */
	HEADING_NAME_MAX = 8 /* "RSD PTR " is the longest */
};

static const char *const names[HOST_TABLE_COUNT] = {
	[HOST_TABLE_CEDT] = "CEDT",
	[HOST_TABLE_PRMT] = "PRMT",
	[HOST_TABLE_SRAT] = "SRAT",
	[HOST_TABLE_HMAT] = "HMAT",
};

const char *host_table_name(enum host_table_id id)
{
	return names[id];
}

/* Return: the table with this signature, HOST_TABLE_COUNT for another one. */
static enum host_table_id table_of(const void *signature)
{
	enum host_table_id id = HOST_TABLE_CEDT;

	while (id < HOST_TABLE_COUNT && memcmp(signature, names[id], 4) != 0)
		id++;
	return id;
}

/* Takes over @data. */
static int dump_keep(struct acpi_dump *d, enum host_table_id id, const char *from, uint8_t **data,
		     size_t len, struct error *e)
{
	struct acpi_dump_table *t = &d->tables[id];

	if (t->data && (t->len != len || memcmp(t->data, *data, len) != 0))
		return error_set(e, EBADMSG, "the ACPI table %s differs from that of %s", names[id],
				 t->from);
	if (t->data)
		return 0;
	t->from = strdup(from);
	if (!t->from)
		return error_set(e, ENOMEM, "out of memory");
	t->data = STEAL_PTR(*data);
	t->len = len;
	return 0;
}

/* ---- raw bytes --------------------------------------------------------------------------------
 */

static int add_raw(struct acpi_dump *d, const char *from, const char *data, size_t len,
		   struct error *e)
{
	_cleanup_free_ uint8_t *copy = NULL;
	enum host_table_id id;
	int r;

	if (len < ACPI_HEADER_SIZE)
		return error_set(e, EBADMSG, "only %zu bytes, too few for an ACPI table", len);
	id = table_of(data);
	if (id == HOST_TABLE_COUNT)
		return error_set(
			e, EBADMSG,
			"neither the text of acpidump nor one of the ACPI tables CEDT, PRMT, SRAT and HMAT");
	if (len > HOST_TABLE_BYTES_MAX)
		return error_set(e, EBADMSG, "the ACPI table %s is larger than 1 MiB", names[id]);
	copy = malloc(len);
	if (!copy)
		return error_set(e, ENOMEM, "out of memory");
	memcpy(copy, data, len);
	r = acpi_table_check(copy, len, names[id], ACPI_HEADER_SIZE, e);
	return r < 0 ? r : dump_keep(d, id, from, &copy, len, e);
}

/* ---- the text of acpidump ---------------------------------------------------------------------
 */

struct dump_reader {
	struct acpi_dump *dump;
	const char *from;
	struct error *e;
	size_t line; /* number of the current one, from 1 */
	bool found;  /* one of the tables that are read */
	bool in_table;
	/* The current table. */
	enum host_table_id id; /* HOST_TABLE_COUNT: it is skipped */
	size_t first_line;
	size_t n;      /* bytes so far */
	size_t len;    /* by its header; 0 before the first line of bytes */
	uint8_t *data; /* NULL before, and of a table that is skipped */
};

__attribute__((format(printf, 2, 3))) static int refuse(struct dump_reader *r, const char *fmt, ...)
{
	char text[ERROR_TEXT_MAX];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return error_set(r->e, EBADMSG, "line %zu: %s", r->line, text);
}

static int end_table(struct dump_reader *r)
{
	const char *name = r->id < HOST_TABLE_COUNT ? names[r->id] : "";
	int ret;

	if (!r->in_table)
		return 0;
	r->in_table = false;
	if (r->n == 0)
		return refuse(r, "no bytes follow the heading in line %zu", r->first_line);
	if (r->id == HOST_TABLE_COUNT)
		return 0;
	if (r->n < r->len)
		return refuse(
			r,
			"the table %s, which begins in line %zu, ends here with %zu of its %zu bytes",
			name, r->first_line, r->n, r->len);
	ret = acpi_table_check(r->data, r->len, name, ACPI_HEADER_SIZE, r->e);
	if (ret == 0)
		ret = dump_keep(r->dump, r->id, r->from, &r->data, r->len, r->e);
	if (ret < 0)
		error_prefix(r->e, "lines %zu to %zu", r->first_line, r->line);
	free(STEAL_PTR(r->data));
	r->found = true;
	return ret;
}

/* Return: the length of the name in "CEDT @ 0x000000007FFA5000"; 0 when it is no heading. */
static size_t heading_name(const char *line)
{
	const char *at = strstr(line, " @ 0x");
	size_t digits = at ? strspn(at + 5, "0123456789abcdefABCDEF") : 0;

	if (!at || at - line < 4 || at - line > HEADING_NAME_MAX || digits == 0 || digits > 16 ||
	    at[5 + digits] != '\0' || isblank((unsigned char)line[0]))
		return 0;
	return (size_t)(at - line);
}

static int begin_table(struct dump_reader *r, const char *line, size_t name_len)
{
	int ret = end_table(r);

	if (ret < 0)
		return ret;
	r->in_table = true;
	r->first_line = r->line;
	r->id = name_len == 4 ? table_of(line) : HOST_TABLE_COUNT;
	r->n = r->len = 0;
	return 0;
}

/* Return: the value of the two digits at @p, or -1. */
static int byte_at(const char *p)
{
	static const char digits[] = "0123456789abcdef";
	const char *high = p[0] ? strchr(digits, tolower((unsigned char)p[0])) : NULL;
	const char *low = high && p[1] ? strchr(digits, tolower((unsigned char)p[1])) : NULL;

	return low ? (int)((high - digits) << 4 | (low - digits)) : -1;
}

/* Return: how many bytes are at @text, at most LINE_BYTES. */
static size_t take_bytes(const char *text, uint8_t bytes[static LINE_BYTES])
{
	size_t n = 0;

	for (; n < LINE_BYTES && text[0] == ' '; n++, text += BYTE_COLUMNS) {
		int value = byte_at(text + 1);

		if (value < 0 || (text[3] != ' ' && text[3] != '\0'))
			break;
		bytes[n] = (uint8_t)value;
	}
	return n;
}

/* The characters may be missing, or cut where they are blanks; those that are there must agree. */
static bool characters_agree(const char *text, const uint8_t *bytes, size_t n)
{
	const size_t gap = (LINE_BYTES - n) * BYTE_COLUMNS + CHARACTERS_GAP;
	const size_t blanks = strspn(text, " ");
	size_t len;

	if (text[blanks] == '\0')
		return true;
	if (blanks < gap)
		return false;
	text += gap;
	len = strlen(text);
	for (size_t i = 0; i < n && i < len; i++)
		if (bytes[i] > ' ' && bytes[i] <= '~' && (uint8_t)text[i] != bytes[i])
			return false;
	return len <= n;
}

/* The first line of a table has its signature and length. */
static int begin_bytes(struct dump_reader *r, const uint8_t *bytes, size_t n)
{
	if (n < LINE_BYTES)
		return refuse(r, "%zu bytes instead of 16", n);
	if (memcmp(bytes, names[r->id], 4) != 0)
		return refuse(r, "the table has a different signature than its heading, %s",
			      names[r->id]);
	r->len = le32(bytes + 4);
	if (r->len < ACPI_HEADER_SIZE || r->len > HOST_TABLE_BYTES_MAX)
		return refuse(r, "the header of the table %s has length %zu", names[r->id], r->len);
	r->data = malloc(r->len);
	return r->data ? 0 : error_set(r->e, ENOMEM, "out of memory");
}

static int add_bytes(struct dump_reader *r, const char *text)
{
	uint8_t bytes[LINE_BYTES];
	size_t n = take_bytes(text, bytes), wanted;
	int ret;

	/* Neither the length nor the characters of a skipped table matter. */
	if (r->id == HOST_TABLE_COUNT) {
		r->n += LINE_BYTES;
		return n ? 0 : refuse(r, "no bytes behind the offset");
	}
	ret = r->len ? 0 : begin_bytes(r, bytes, n);
	if (ret < 0)
		return ret;
	wanted = r->len - r->n < LINE_BYTES ? r->len - r->n : LINE_BYTES;
	if (wanted == 0)
		return refuse(r, "bytes behind the end of the table %s, which has %zu",
			      names[r->id], r->len);
	/* Characters behind a short line can look like bytes. */
	if (n < wanted)
		return refuse(r, "%zu bytes instead of %zu", n, wanted);
	if (!characters_agree(text + wanted * BYTE_COLUMNS, bytes, wanted))
		return refuse(r, "the bytes and the characters behind them differ");
	memcpy(r->data + r->n, bytes, wanted);
	r->n += wanted;
	return 0;
}

/* Return: what follows "0010:", with *ret_offset; NULL when the line does not begin so. */
static const char *after_offset(const char *line, size_t *ret_offset)
{
	const char *p = line + strspn(line, " ");
	size_t digits = strspn(p, "0123456789abcdefABCDEF");

	if (digits < 4 || digits > 8 || p[digits] != ':')
		return NULL;
	*ret_offset = strtoul(p, NULL, 16);
	return p + digits + 1;
}

static int read_dump_line(struct dump_reader *r, const char *line)
{
	size_t name_len, offset;
	const char *text;

	if (line[strspn(line, " ")] == '\0')
		return end_table(r);
	name_len = heading_name(line);
	if (name_len > 0)
		return begin_table(r, line, name_len);
	text = after_offset(line, &offset);
	if (!text)
		return refuse(
			r, "neither a heading like \"CEDT @ 0x0\" nor bytes like \"0000: 43 45\"");
	if (!r->in_table)
		return refuse(r, "bytes without a heading before them");
	if (offset != r->n)
		return refuse(r, "offset 0x%zx instead of 0x%zx", offset, r->n);
	return add_bytes(r, text);
}

static int read_dump_lines(struct dump_reader *r, char *text)
{
	int ret = 0;

	while (ret == 0 && *text) {
		char *eol = strchrnul(text, '\n');
		bool last = *eol == '\0';

		*eol = '\0';
		/* Mail adds carriage returns. */
		if (eol > text && eol[-1] == '\r')
			eol[-1] = '\0';
		r->line++;
		ret = read_dump_line(r, text);
		text = last ? eol : eol + 1;
	}
	return ret < 0 ? ret : end_table(r);
}

static int add_text(struct acpi_dump *d, const char *from, const char *data, size_t len,
		    struct error *e)
{
	struct dump_reader r = {.dump = d, .from = from, .e = e};
	_cleanup_free_ char *text = strndup(data, len);
	int ret;

	if (!text)
		return error_set(e, ENOMEM, "out of memory");
	ret = read_dump_lines(&r, text);
	free(r.data);
	if (ret < 0)
		return ret;
	return r.found ? 0
		       : error_set(e, EBADMSG,
				   "contains none of the ACPI tables CEDT, PRMT, SRAT and HMAT");
}

/* ---- files ------------------------------------------------------------------------------------
 */

int acpi_dump_add(struct acpi_dump *d, const char *from, const char *data, size_t len,
		  struct error *e)
{
	/* The length in a table's header has a NUL, as no table has 16 MiB; text has none. */
	int r = memchr(data, '\0', len) ? add_raw(d, from, data, len, e)
					: add_text(d, from, data, len, e);

	if (r < 0)
		error_prefix(e, "%s", from);
	return r;
}

int acpi_dump_add_file(struct acpi_dump *d, const char *path, struct error *e)
{
	_cleanup_free_ char *data = NULL;
	size_t len;
	int r;

	r = read_file_at(AT_FDCWD, path, ACPI_DUMP_BYTES_MAX, &data, &len);
	if (r < 0)
		return error_set(e, r, "%s: cannot be read: %s", path, strerror(-r));
	return acpi_dump_add(d, path, data, len, e);
}

int acpi_dump_merge(struct acpi_dump *d, struct acpi_dump *other, struct error *e)
{
	for (size_t i = 0; i < HOST_TABLE_COUNT; i++) {
		struct acpi_dump_table *t = &other->tables[i];
		int r = 0;

		if (t->data)
			r = dump_keep(d, (enum host_table_id)i, t->from, &t->data, t->len, e);
		if (r < 0) {
			error_prefix(e, "%s", t->from);
			return r;
		}
	}
	acpi_dump_done(other);
	return 0;
}

void acpi_dump_done(struct acpi_dump *d)
{
	for (size_t i = 0; i < HOST_TABLE_COUNT; i++) {
		free(d->tables[i].data);
		free(d->tables[i].from);
	}
	*d = (struct acpi_dump){0};
}
