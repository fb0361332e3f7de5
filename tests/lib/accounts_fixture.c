// SPDX-License-Identifier: LGPL-2.1-or-later
#include <stdio.h>
#include <stdlib.h>

#include <check.h>

#include "redfish/core/uris.h"
#include "tests/lib/accounts_fixture.h"

void start_accounts(struct accounts_fixture *a, const char *name)
{
	char path[100];

	(void)snprintf(a->directory, sizeof(a->directory), "%s.XXXXXX", name);
	ck_assert_ptr_nonnull(mkdtemp(a->directory));
	(void)snprintf(path, sizeof(path), "%s/state.db", a->directory);
	ck_assert_int_eq(state_new(path, &a->state, NULL), 0);
	ck_assert_int_eq(accounts_new(a->state, "secret", &a->accounts, NULL), 0);
}

void stop_accounts(struct accounts_fixture *a)
{
	char command[100];

	a->accounts = accounts_free(a->accounts);
	a->state = state_free(a->state);
	(void)snprintf(command, sizeof(command), "rm -rf '%s'", a->directory);
	ck_assert_int_eq(system(command), 0);
}

const char *log_in(struct fixture *f, const char *name, const char *role,
		   char ret[static TOKEN_CHARS])
{
	char body[200];

	(void)snprintf(body, sizeof(body),
		       "{\"UserName\":\"%s\",\"Password\":\"password\",\"RoleId\":\"%s\"}", name,
		       role);
	ck_assert_uint_eq(ask_change(f, METHOD_POST, URI_ACCOUNTS, NULL, body, NULL), 201);
	(void)snprintf(body, sizeof(body), "{\"UserName\":\"%s\",\"Password\":\"password\"}", name);
	ck_assert_uint_eq(ask_change(f, METHOD_POST, URI_SESSIONS, NULL, body, NULL), 201);
	(void)snprintf(ret, TOKEN_CHARS, "%s", http_reply_value(&f->res, "X-Auth-Token"));
	return ret;
}
