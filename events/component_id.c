// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/component_id.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/array.h"
#include "common/strutil.h"

/* The bits of byte 0 in PLDM form, and where the identifiers are. */
enum { PLDM_ENTITY = 1 << 0, PLDM_RESOURCE = 1 << 1 };
enum { ENTITY_AT = 1, RESOURCE_AT = 7, PLDM_BYTES = 11 };

enum { DIGITS = 32 }; /* of all bytes */

/* The validity flag of a record that says that the form is that of PLDM. */
static bool is_pldm(const struct event_record *rec)
{
	static const struct {
		enum event_type type;
		unsigned int bit;
	} rows[] = {
		{EVENT_GENERAL_MEDIA, 4},
		{EVENT_DRAM, 9},
		{EVENT_MEMORY_MODULE, 1},
		{EVENT_MEMORY_SPARING, 8},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].type == rec->type)
			return event_number(rec, FIELD_VALIDITY_FLAGS).value >> rows[i].bit & 1;
	return false;
}

static uint64_t get(const uint8_t *bytes, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, bytes, size); /* little endian, as all machines with CXL */
	return value;
}

/* The entity: type, instance and container. Return: false when the bytes name nothing. */
static bool put_pldm(const uint8_t *bytes, char ret[static COMPONENT_TEXT_MAX])
{
	const bool has_entity = bytes[0] & PLDM_ENTITY, has_resource = bytes[0] & PLDM_RESOURCE;
	int n = snprintf(ret, COMPONENT_TEXT_MAX, "PLDM");

	if (has_entity)
		n += snprintf(ret + n, COMPONENT_TEXT_MAX - (size_t)n,
			      " entity type %" PRIu64 " instance %" PRIu64 " container %" PRIu64,
			      get(bytes + ENTITY_AT, 2), get(bytes + ENTITY_AT + 2, 2),
			      get(bytes + ENTITY_AT + 4, 2));
	if (has_resource)
		(void)snprintf(ret + n, COMPONENT_TEXT_MAX - (size_t)n, "%s resource 0x%" PRIx64,
			       has_entity ? "," : "", get(bytes + RESOURCE_AT, 4));
	return has_entity || has_resource;
}

static bool find_bytes(const struct event_record *rec, const uint8_t **ret, size_t *ret_len)
{
	*ret = event_bytes(rec, BYTES_COMP_ID, ret_len);
	for (size_t k = 0; *ret && k < *ret_len; k++)
		if ((*ret)[k])
			return true;
	return false;
}

static void put_bytes(const uint8_t *bytes, size_t len, char ret[static COMPONENT_TEXT_MAX])
{
	size_t n = 0;

	for (size_t k = 0; k < len && n + 3 <= COMPONENT_TEXT_MAX; k++)
		n += (size_t)snprintf(ret + n, COMPONENT_TEXT_MAX - n, "%02x", bytes[k]);
}

bool component_id_text(const struct event_record *rec, char ret[static COMPONENT_TEXT_MAX])
{
	const uint8_t *bytes;
	size_t len;

	ret[0] = '\0';
	if (!find_bytes(rec, &bytes, &len))
		return false;
	if (len < PLDM_BYTES || !is_pldm(rec) || !put_pldm(bytes, ret))
		put_bytes(bytes, len, ret);
	return true;
}

bool component_id_parse(const char *text, char ret[static COMPONENT_TEXT_MAX])
{
	size_t n = 0;

	if (strncasecmp(text, "PLDM ", strlen("PLDM ")) == 0) {
		(void)snprintf(ret, COMPONENT_TEXT_MAX, "%s", text);
		return strlen(text) < COMPONENT_TEXT_MAX;
	}
	for (; *text; text++) {
		if (strchr(" :", *text))
			continue;
		if (!isxdigit((unsigned char)*text) || n == DIGITS)
			return false;
		ret[n++] = (char)tolower((unsigned char)*text);
	}
	ret[n] = '\0';
	return n == DIGITS;
}

bool component_id_is(const struct event_record *rec, const char *parsed)
{
	char text[COMPONENT_TEXT_MAX];
	const uint8_t *bytes;
	size_t len;

	if (component_id_text(rec, text) && strcasecmp(text, parsed) == 0)
		return true;
	if (!find_bytes(rec, &bytes, &len))
		return false;
	put_bytes(bytes, len, text);
	return str_equal(text, parsed);
}
