/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_ACCOUNTS_FIXTURE_H
#define CXLR_TESTS_LIB_ACCOUNTS_FIXTURE_H

/* Accounts in a state file of the test's own, for what depends on a client's role. */

#include "redfish/auth/accounts.h"
#include "redfish/state/state.h"
#include "tests/lib/redfish_fixture.h"

struct accounts_fixture {
	struct state *state;
	struct accounts *accounts;
	char directory[64];
};

enum { TOKEN_CHARS = 100 };

/* @name: of the suite */
void start_accounts(struct accounts_fixture *a, const char *name);

/* The service that has the accounts must have ended. */
void stop_accounts(struct accounts_fixture *a);

/* Makes an account with that role. Return: the token of a session of it, in @ret. */
const char *log_in(struct fixture *f, const char *name, const char *role,
		   char ret[static TOKEN_CHARS]);

#endif
