// SPDX-License-Identifier: LGPL-2.1-or-later
/* ACPI tables: those that the host shows, and those that were handed in because it does not. */
#include "sysfs/host_tables.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"

/* By enum host_table_id. No answer depends on the last two, so nothing is said of their absence. */
static const bool is_needed[HOST_TABLE_COUNT] = {
	[HOST_TABLE_CEDT] = true,
	[HOST_TABLE_PRMT] = true,
};

static int read_own_table(struct build *b, const char *name, struct host_table *table)
{
	_cleanup_free_ char *data = NULL;
	char path[64];
	size_t len;

	(void)snprintf(path, sizeof(path), "sys/firmware/acpi/tables/%s", name);
	table->error = host_root_read(b->root, path, HOST_TABLE_BYTES_MAX, &data, &len);
	if (table->error < 0)
		return table->error == -ENOMEM ? -ENOMEM : 0;
	table->data = arena_memdup(b->arena, data, len);
	table->len = len;
	return table->data ? 0 : -ENOMEM;
}

/*
 * Every machine with ACPI has the table FACP. Where that is shown, a table that is not shown does
 * not exist. A container hides all of them, and a capture may have been made without some.
 */
static bool has_no_such_table(const struct build *b, const struct host_table *table)
{
	static const char path[] = "/sys/firmware/acpi/tables/FACP";
	const struct host_root *root = b->root;
	uint64_t inode, ns;

	if (root->captured || table->error != -ENOENT)
		return false;
	if (root->opener)
		return opener_stat(root->opener, path, &inode, &ns) == 0;
	return faccessat(root->dirfd, path + 1, F_OK, 0) == 0;
}

/* The table that was handed in, where the host has none that can be read. */
static int take_handed_in(struct build *b, const char *name, const struct acpi_dump_table *given,
			  struct host_table *table)
{
	if (table->data && table->len == given->len &&
	    memcmp(table->data, given->data, given->len) == 0)
		return 0;
	if (table->data)
		return error_set(
			b->error, EBADMSG,
			"%s: its ACPI table %s differs from the one that this host itself shows; is it of another machine, or older?",
			given->from, name);
	if (has_no_such_table(b, table))
		return error_set(
			b->error, EBADMSG,
			"%s: it has an ACPI table %s, but this host has none; is it of another machine?",
			given->from, name);
	table->data = arena_memdup(b->arena, given->data, given->len);
	table->len = given->len;
	table->from = build_name(b, given->from);
	table->error = 0;
	return table->data && table->from ? 0 : -ENOMEM;
}

static void note_unreadable(struct build *b, const char *name, int error)
{
	if (error == -EACCES || error == -EPERM)
		read_notes_denied(&b->notes, "ACPI table", name);
	else if (error < 0 && error != -ENOENT)
		read_notes_add(&b->notes, "ACPI table %s: cannot be read: %s", name,
			       strerror(-error));
}

int build_tables(struct build *b)
{
	for (size_t i = 0; i < HOST_TABLE_COUNT; i++) {
		const struct acpi_dump_table *given = &b->root->dump.tables[i];
		const char *name = host_table_name((enum host_table_id)i);
		struct host_table *table = &b->host->tables[i];
		int r = read_own_table(b, name, table);

		if (r == 0 && given->data)
			r = take_handed_in(b, name, given, table);
		if (r < 0)
			return r;
		if (is_needed[i])
			note_unreadable(b, name, table->error);
	}
	return 0;
}
