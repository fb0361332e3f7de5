// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/auth/account.h"

#include <string.h>

#include "common/array.h"
#include "common/strutil.h"

const struct account_policy account_policy_default = {
	.min_password_length = 8,
	.lockout_threshold = 5,
	.lockout_duration_s = 300,
	.lockout_reset_s = 300,
	.session_timeout_s = 1800,
	.session_limit_s = 24 * 60 * 60,
};

const char *const role_names[] = {
	[ROLE_READ_ONLY - 1] = "ReadOnly",
	[ROLE_OPERATOR - 1] = "Operator",
	[ROLE_ADMINISTRATOR - 1] = "Administrator",
	NULL,
};

unsigned int role_privileges(enum role role)
{
	static const unsigned int privileges[] = {
		[ROLE_NONE] = 0,
		[ROLE_READ_ONLY] = PRIVILEGE_LOGIN | PRIVILEGE_CONFIGURE_SELF,
		[ROLE_OPERATOR] =
			PRIVILEGE_LOGIN | PRIVILEGE_CONFIGURE_COMPONENTS | PRIVILEGE_CONFIGURE_SELF,
		[ROLE_ADMINISTRATOR] = PRIVILEGES_ALL,
	};

	return privileges[role];
}

const char *role_name(enum role role)
{
	return role == ROLE_NONE ? "" : role_names[role - 1];
}

enum role role_find(const char *name)
{
	for (size_t i = 0; role_names[i]; i++)
		if (str_equal(role_names[i], name))
			return (enum role)(i + 1);
	return ROLE_NONE;
}

bool account_name_is_valid(const char *name)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@.-";
	size_t len = strlen(name);

	return len > 0 && len <= ACCOUNT_NAME_MAX && strspn(name, letters) == len &&
	       name[0] != '.' && name[0] != '-';
}

bool account_policy_is_valid(const struct account_policy *p)
{
	return p->min_password_length >= 1 && p->min_password_length <= PASSWORD_LENGTH_MAX &&
	       p->lockout_threshold <= LOCKOUT_THRESHOLD_MAX &&
	       p->lockout_duration_s <= LOCKOUT_DURATION_MAX_S && p->lockout_reset_s >= 1 &&
	       p->lockout_reset_s <= LOCKOUT_DURATION_MAX_S &&
	       (p->lockout_duration_s == 0 || p->lockout_reset_s <= p->lockout_duration_s) &&
	       p->session_timeout_s >= SESSION_TIMEOUT_MIN_S &&
	       p->session_timeout_s <= SESSION_TIMEOUT_MAX_S &&
	       p->session_limit_s >= SESSION_LIMIT_MIN_S &&
	       p->session_limit_s <= SESSION_LIMIT_MAX_S && p->session_is_limited <= 1;
}
