/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_ACPI_DUMP_H
#define CXLR_SYSFS_ACPI_DUMP_H

/*
 * ACPI tables that are handed in as files, in the two forms in which people have them: the text
 *that acpidump(8) prints, with all tables of a machine, and one table as raw bytes, which
 *acpixtract(1) writes to NAME.dat and the kernel shows in /sys/firmware/acpi/tables.
 *
 * The owner of a struct acpi_dump adds files to it and frees it with acpi_dump_done(). One thread;
 * readable from any thread when it is no longer changed. Files are untrusted: each table that is
 * kept has the right signature, length and checksum; its contents are for prm/ to parse.
 *
 * The text, as acpica-tools and its predecessor pmtools print it:
 *
 *	CEDT @ 0x000000007FFA5000
 *	    0000: 43 45 44 54 E0 00 00 00 01 A9 42 4F 43 48 53 20  CEDT......BOCHS
 *	    0010: ...
 *
 * 16 bytes a line, the last line of a table may have fewer; one blank between two bytes; the
 * characters behind the bytes may be missing; an empty line, a heading or the end of the file ends
 * a table. Sources: acpica 20200925, AcpiUtDumpBuffer() and AxConvertAndWrite().
 */

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* The tables that are read of a host. */
enum host_table_id {
	HOST_TABLE_CEDT,
	HOST_TABLE_PRMT,
	HOST_TABLE_SRAT,
	HOST_TABLE_HMAT,
	HOST_TABLE_COUNT
};

enum {
	HOST_TABLE_BYTES_MAX = 1024 * 1024,	/* of one table */
	ACPI_DUMP_BYTES_MAX = 64 * 1024 * 1024, /* of a file with all tables of a machine */
};

struct acpi_dump_table {
	uint8_t *data; /* NULL when there is none */
	size_t len;
	char *from; /* the file, as it was named */
};

/* A zero-initialised dump is empty and valid. */
struct acpi_dump {
	struct acpi_dump_table tables[HOST_TABLE_COUNT];
};

/* "CEDT" */
const char *host_table_name(enum host_table_id id);

/*
 * acpi_dump_add() - add the tables of one file
 * @from: its name for messages, copied
 * @data: its contents, with a NUL behind them
 * @e: begins with @from, and names the line when the file is text
 *
 * Other tables than those above are skipped; a text without any of those, and the raw bytes of
 * another table, are refused. A table that the dump has already must be the same.
 *
 * Return: 0; -EBADMSG for a damaged file or a contradiction; -ENOMEM. After an error the dump may
 * contain some of the file's tables.
 */
int acpi_dump_add(struct acpi_dump *d, const char *from, const char *data, size_t len,
		  struct error *e);

/* acpi_dump_add_file() - likewise for a file of this machine. Return: also the error of reading it.
 */
int acpi_dump_add_file(struct acpi_dump *d, const char *path, struct error *e);

/*
 * acpi_dump_merge() - move all tables of @other to @d
 *
 * Return: 0, or -EBADMSG when both have a table and the two differ.
 */
int acpi_dump_merge(struct acpi_dump *d, struct acpi_dump *other, struct error *e);

void acpi_dump_done(struct acpi_dump *d);

#endif
