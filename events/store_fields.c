// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/store_fields.h"

#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"
#include "common/opt.h"

static char *print_text(char *at, const char *text)
{
	while (*text)
		*at++ = *text++;
	return at;
}

static char *print_number(char *at, uint64_t value, unsigned int base)
{
	char digits[20];
	size_t n = 0;

	do {
		digits[n++] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	while (n)
		*at++ = digits[--n];
	return at;
}

/* The longest of each, " name=0x" and 16 digits, or " name@65535+65535", fit FIELDS_TEXT_MAX. */
enum { NAME_LONGEST = 32 };
_Static_assert(EVENT_FIELDS *(NAME_LONGEST + 20) + EVENT_BYTES * (NAME_LONGEST + 13) <
		       FIELDS_TEXT_MAX,
	       "the text has room for every field");

void fields_print(const struct event_record *rec, char text[static FIELDS_TEXT_MAX])
{
	char *at = text;

	for (unsigned int i = 0; i < EVENT_FIELDS; i++) {
		struct opt_u64 number = event_number(rec, i);

		if (!number.present)
			continue;
		at = print_text(at, event_field_name(i));
		at = print_text(at, "=0x");
		at = print_number(at, number.value, 16);
		*at++ = ' ';
	}
	for (unsigned int i = 0; i < EVENT_BYTES; i++) {
		if (!rec->bytes[i].len)
			continue;
		at = print_text(at, event_bytes_name(i));
		*at++ = '@';
		at = print_number(at, rec->bytes[i].at, 10);
		*at++ = '+';
		at = print_number(at, rec->bytes[i].len, 10);
		*at++ = ' ';
	}
	if (at > text)
		at--;
	*at = '\0';
}

static bool is_name(const char *name, const char *text, size_t len)
{
	return strncmp(name, text, len) == 0 && name[len] == '\0';
}

static void parse_number(struct event_record *rec, const char *name, size_t len, const char *value,
			 unsigned int *guess)
{
	/* In our order, unless another version wrote them: the next one is tried first. */
	for (unsigned int i = 0; i < EVENT_FIELDS; i++) {
		unsigned int field = (*guess + i) % EVENT_FIELDS;

		if (!is_name(event_field_name(field), name, len))
			continue;
		rec->number[field] = strtoull(value, NULL, 16);
		rec->present |= UINT64_C(1) << field;
		*guess = field + 1;
		return;
	}
}

static void parse_bytes(struct event_record *rec, const char *name, size_t len, const char *value)
{
	char *end;
	unsigned long at = strtoul(value, &end, 10);
	unsigned long size = *end == '+' ? strtoul(end + 1, NULL, 10) : 0;

	if (at > EVENT_PAYLOAD_MAX || size > EVENT_PAYLOAD_MAX)
		return;
	for (unsigned int i = 0; i < EVENT_BYTES; i++)
		if (is_name(event_bytes_name(i), name, len)) {
			rec->bytes[i].at = (uint16_t)at;
			rec->bytes[i].len = (uint16_t)size;
		}
}

void fields_parse(const char *text, struct event_record *rec)
{
	unsigned int guess = 0;

	while (*text) {
		size_t token = strcspn(text, " "), name = strcspn(text, "=@ ");

		if (name < token && text[name] == '=')
			parse_number(rec, text, name, text + name + 1, &guess);
		else if (name < token)
			parse_bytes(rec, text, name, text + name + 1);
		text += token;
		text += strspn(text, " ");
	}
}
