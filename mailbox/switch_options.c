// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/switch_options.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"

static const char *const allowed_names[] = {ALLOW_FABRIC};

/* @after: the character that follows */
static const char *skip_hex(const char *s, size_t min, size_t max, char after)
{
	const size_t n = strspn(s, "0123456789abcdef");

	return n >= min && n <= max && s[n] == after ? s + n + 1 : NULL;
}

bool switch_is_address(const char *s)
{
	s = skip_hex(s, 4, 8, ':');
	if (s)
		s = skip_hex(s, 2, 2, ':');
	if (s)
		s = skip_hex(s, 2, 2, '.');
	return s && *s >= '0' && *s <= '7' && !s[1];
}

int switch_mailbox_check(const char *argument, struct error *e)
{
	if (str_equal(argument, SWITCH_MAILBOX_AUTO) || switch_is_address(argument))
		return 0;
	return error_set(e, EINVAL,
			 "'%.64s' is neither 'auto' nor the address of a PCI function, as "
			 "0000:0d:00.1 (lspci -D -d ::0c0b)",
			 argument);
}

static bool is_allowed_name(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(allowed_names); i++)
		if (strlen(allowed_names[i]) == len && strncmp(allowed_names[i], name, len) == 0)
			return true;
	return false;
}

int allow_check(const char *argument, struct error *e)
{
	const char *at = argument;

	for (;; at++) {
		const size_t len = strcspn(at, ",");

		if (!is_allowed_name(at, len))
			return error_set(e, EINVAL,
					 "'%.*s' cannot be allowed; the names are: " ALLOW_FABRIC,
					 len < 64 ? (int)len : 64, at);
		at += len;
		if (!*at)
			return 0;
	}
}

static bool list_has(const char *list, const char *what)
{
	const size_t n = strlen(what);

	for (const char *at = list;; at++) {
		const size_t len = strcspn(at, ",");

		if (len == n && strncmp(at, what, n) == 0)
			return true;
		at += len;
		if (!*at)
			return false;
	}
}

bool allow_has(const struct option_list *allow, const char *what)
{
	for (size_t i = 0; i < allow->n; i++)
		if (list_has(allow->items[i], what))
			return true;
	return false;
}
