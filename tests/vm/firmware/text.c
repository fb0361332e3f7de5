// SPDX-License-Identifier: LGPL-2.1-or-later
#include "text.h"

static struct efi_text_output *output;

/* The compiler generates calls of these. */
void *memset(void *to, int byte, size_t size);
void *memcpy(void *restrict to, const void *restrict from, size_t size);

void *memset(void *to, int byte, size_t size)
{
	uint8_t *bytes = to;

	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)byte;
	return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
	uint8_t *bytes = to;

	for (size_t i = 0; i < size; i++)
		bytes[i] = ((const uint8_t *)from)[i];
	return to;
}

void text_init(struct efi_system_table *system)
{
	output = system->console_out;
}

static void put(const char *text)
{
	for (; *text != '\0'; text++) {
		efi_char character[2] = {(efi_char)*text, 0};

		output->output_string(output, character);
	}
}

void print(const char *text)
{
	put(text);
	put("\r\n");
}

void print_hex(const char *text, uint64_t value)
{
	char digits[17];
	size_t at = sizeof(digits) - 1;

	digits[at] = '\0';
	do {
		digits[--at] = "0123456789abcdef"[value & 15];
		value >>= 4;
	} while (value != 0);
	put(text);
	put(" 0x");
	print(digits + at);
}

static size_t length(const char *text)
{
	size_t n = 0;

	while (text[n] != '\0')
		n++;
	return n;
}

static int starts_with(const char *text, size_t size, const char *start)
{
	size_t n = length(start);

	if (size < n)
		return 0;
	for (size_t i = 0; i < n; i++)
		if (text[i] != start[i])
			return 0;
	return 1;
}

int text_value_is(const char *setup, size_t size, const char *key, const char *value)
{
	for (size_t at = 0; at < size; at++) {
		size_t from = at + length(key);
		size_t end = from + length(value);

		if ((at > 0 && setup[at - 1] != '\n') || !starts_with(setup + at, size - at, key))
			continue;
		return starts_with(setup + from, size - from, value) &&
		       (end == size || setup[end] == '\n');
	}
	return 0;
}

static int same_guid(const struct efi_guid *a, const struct efi_guid *b)
{
	for (size_t i = 0; i < sizeof(*a); i++)
		if (((const uint8_t *)a)[i] != ((const uint8_t *)b)[i])
			return 0;
	return 1;
}

void *configuration_table(struct efi_system_table *system, const struct efi_guid *guid)
{
	for (size_t i = 0; i < system->configuration_tables; i++)
		if (same_guid(&system->configuration_table[i].guid, guid))
			return system->configuration_table[i].table;
	return NULL;
}
