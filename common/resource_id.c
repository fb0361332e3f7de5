// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/resource_id.h"

#include <ctype.h>
#include <string.h>

bool resource_id_fits(const char *name)
{
	if (*name == '\0' || *name == '.' || strlen(name) > RESOURCE_ID_MAX)
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("-._:", *name))
			return false;
	return true;
}

const char *resource_id_new(struct arena *a, const char *name)
{
	char *id = arena_strdup(a, name);

	for (char *s = id; s && *s; s++)
		if (*s == ':')
			*s = '-';
	return id;
}
