// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/core/schema.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* A part of a text. */
struct word {
	const char *start;
	size_t len;
};

static bool word_equals(struct word w, const char *text)
{
	return strlen(text) == w.len && memcmp(text, w.start, w.len) == 0;
}

static const struct schema_type *find_type(struct word name)
{
	size_t n;
	const struct schema_type *types = schema_types(&n);

	for (size_t i = 0; i < n; i++)
		if (word_equals(name, types[i].name))
			return &types[i];
	return NULL;
}

/* @ret_members: the type of its members, empty when it has none */
static enum schema_property find_property(const struct schema_type *type, struct word name,
					  struct word *ret_members)
{
	const char *p = type->properties;

	while (*p) {
		const bool writable = *p == '+';
		const char *start = p + writable;
		const size_t len = strcspn(start, "> "), whole = strcspn(start, " ");

		if (len == name.len && memcmp(start, name.start, len) == 0) {
			*ret_members =
				(struct word){start + len + 1, whole > len ? whole - len - 1 : 0};
			return writable ? SCHEMA_WRITABLE : SCHEMA_READ_ONLY;
		}
		p = start + whole;
		p += *p == ' ';
	}
	return SCHEMA_UNKNOWN;
}

/* Return: the next name of a path that is not the index of an array; empty at its end. */
static struct word next_name(const char **path)
{
	struct word w;

	do {
		w = (struct word){*path, strcspn(*path, "/")};
		*path += w.len;
		*path += **path == '/';
	} while (w.len > 0 && isdigit((unsigned char)*w.start));
	return w;
}

enum schema_property schema_property(const char *schema, const char *path)
{
	struct word type = {schema, strlen(schema)}, name = next_name(&path);
	enum schema_property found = SCHEMA_UNKNOWN;

	for (; name.len > 0; name = next_name(&path)) {
		const struct schema_type *t = find_type(type);

		found = t ? find_property(t, name, &type) : SCHEMA_UNKNOWN;
		if (found == SCHEMA_UNKNOWN)
			return found;
	}
	return found;
}

enum message_id schema_refusal(const char *schema, const char *path)
{
	return schema_property(schema, path) == SCHEMA_UNKNOWN ? MESSAGE_PROPERTY_UNKNOWN
							       : MESSAGE_PROPERTY_NOT_WRITABLE;
}

const char *schema_version(const char *schema)
{
	const struct schema_type *t = find_type((struct word){schema, strlen(schema)});

	return t ? t->version : NULL;
}
