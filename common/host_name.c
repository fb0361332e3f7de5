// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/host_name.h"

#include <errno.h>
#include <string.h>

int host_name_check(const char *name, struct error *e)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";
	size_t n = strspn(name, letters);

	if (n > 0 && n < HOST_NAME_BYTES && name[n] == '\0' && name[0] != '.')
		return 0;
	return error_set(e, EINVAL,
			 "'%.64s' is no host name: give it without scheme, port and path", name);
}
