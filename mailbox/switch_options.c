// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/switch_options.h"

#include <errno.h>
#include <string.h>

#include "common/strutil.h"

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
	return error_set(
		e, EINVAL,
		"'%.64s' is neither 'auto' nor the address of a PCI function, as 0000:0d:00.1 (lspci -D -d ::0c0b)",
		argument);
}
