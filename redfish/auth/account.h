/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_ACCOUNT_H
#define CXLR_REDFISH_ACCOUNT_H

/*
 * An account, the policy of all accounts, and the bounds of their values, without regard to the
 * accounts that exist (redfish/auth/accounts.h). Plain values; any thread.
 */

#include <stdbool.h>
#include <stdint.h>

#include "redfish/core/principal.h"

enum {
	ACCOUNTS_MAX = 64,
	ACCOUNT_NAME_MAX = PRINCIPAL_NAME_MAX - 1, /* bytes, at least one */
	PASSWORD_LENGTH_MAX = 255,		   /* bytes, as the policy's lengths */
};

/* A copy of what is known of an account; without secrets. */
struct account {
	uint64_t number; /* from 1, never used twice: the Id of its resource in decimal */
	char name[PRINCIPAL_NAME_MAX];
	enum role role; /* not ROLE_NONE */
	bool enabled;
	bool locked;	 /* by an administrator, until it is unlocked */
	bool locked_out; /* at present by failed logins, for at least one address */
	bool password_change_required;
};

/* The policy's numbers and their bounds. Numbers without a comment are as in the AccountService
 * schema. */
struct account_policy {
	unsigned int min_password_length; /* bytes, 1 to PASSWORD_LENGTH_MAX */
	unsigned int lockout_threshold;	  /* failed logins, to LOCKOUT_THRESHOLD_MAX; 0: never */
	unsigned int lockout_duration_s;  /* to LOCKOUT_DURATION_MAX_S; 0: until unlocked */
	unsigned int lockout_reset_s;	  /* AccountLockoutCounterResetAfter, from 1; not above the
					   * duration unless that is 0 */
	unsigned int session_timeout_s;	  /* SESSION_TIMEOUT_MIN_S to SESSION_TIMEOUT_MAX_S */
	unsigned int session_limit_s;	  /* AbsoluteSessionTimeout, to SESSION_LIMIT_MAX_S */
	unsigned int session_is_limited;  /* 1: AbsoluteSessionTimeoutEnabled; or 0 */
};

enum {
	LOCKOUT_THRESHOLD_MAX = 1000,
	LOCKOUT_DURATION_MAX_S = 24 * 60 * 60,
	SESSION_TIMEOUT_MIN_S = 30,
	SESSION_TIMEOUT_MAX_S = 24 * 60 * 60,
	SESSION_LIMIT_MIN_S = SESSION_TIMEOUT_MIN_S,
	SESSION_LIMIT_MAX_S = 365 * 24 * 60 * 60,
};

/* 8 bytes, 5 failures, 300 s, 300 s, 1800 s, and a day that is not in force. */
extern const struct account_policy account_policy_default;

/* The names of the roles, to a NULL. */
extern const char *const role_names[];

/* Return: the PRIVILEGE_… of a role (DSP0266 1.20 13.4.4); 0 for ROLE_NONE. */
unsigned int role_privileges(enum role role);

/* Return: "Administrator", "Operator", "ReadOnly", the Id of its resource; "" for ROLE_NONE. */
const char *role_name(enum role role);

/* Return: ROLE_NONE when no role has that name. */
enum role role_find(const char *name);

/*
 * Return: whether it can be a user name: 1 to ACCOUNT_NAME_MAX bytes of letters, digits, '.', '_',
 * '-' and '@', and not '-' or '.' as the first. Upper and lower case are different.
 */
bool account_name_is_valid(const char *name);

/* Return: whether each number is in its range. */
bool account_policy_is_valid(const struct account_policy *p);

#endif
