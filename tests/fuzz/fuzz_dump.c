// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The reader of ACPI tables that are handed in, on any bytes. A table that it keeps is complete,
 * and is read again when it is printed as acpidump does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sysfs/acpi_dump.h"
#include "sysfs/acpi_table.h"
#include "tests/fuzz/fuzz_table.h"

enum { LINE_MAX_BYTES = 96 };

/* Return: malloc'ed text. */
static char *fuzz_print(const char *name, const uint8_t *data, size_t len)
{
	char *text = malloc((len / 16 + 3) * LINE_MAX_BYTES), *p = text;

	FUZZ_MUST(text);
	p += sprintf(p, "%s @ 0x0000000000000000\n", name);
	for (size_t i = 0; i < len; i += 16) {
		p += sprintf(p, "  %6.4zX:", i);
		for (size_t k = i; k < i + 16; k++)
			p += k < len ? sprintf(p, " %02X", data[k]) : sprintf(p, "   ");
		p += sprintf(p, "  ");
		for (size_t k = i; k < i + 16 && k < len; k++)
			*p++ = (char)(data[k] >= ' ' && data[k] <= '~' ? data[k] : '.');
		*p++ = '\n';
	}
	*p = '\0';
	return text;
}

static void fuzz_again(const struct acpi_dump_table *t, size_t id)
{
	const char *name = host_table_name((enum host_table_id)id);
	char *text = fuzz_print(name, t->data, t->len);
	struct acpi_dump again = {0};
	struct error e;

	FUZZ_MUST(acpi_table_check(t->data, t->len, name, ACPI_HEADER_SIZE, &e) == 0);
	FUZZ_MUST(t->len <= HOST_TABLE_BYTES_MAX);
	FUZZ_MUST(acpi_dump_add(&again, "again", text, strlen(text), &e) == 0);
	FUZZ_MUST(again.tables[id].len == t->len);
	FUZZ_MUST(memcmp(again.tables[id].data, t->data, t->len) == 0);
	acpi_dump_done(&again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = malloc(size + 1);
	struct acpi_dump d = {0};
	struct error e;

	FUZZ_MUST(copy);
	memcpy(copy, data, size);
	copy[size] = '\0';
	if (acpi_dump_add(&d, "input", copy, size, &e) < 0)
		FUZZ_MUST(strncmp(e.text, "input: ", 7) == 0);
	for (size_t i = 0; i < HOST_TABLE_COUNT; i++)
		if (d.tables[i].data)
			fuzz_again(&d.tables[i], i);
	acpi_dump_done(&d);
	free(copy);
	return 0;
}
