/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_ACCOUNT_RESULT_H
#define CXLR_REDFISH_RESOURCES_ACCOUNT_RESULT_H

/*
 * Errors of accounts.h as replies, and the policy, which two resources share.
 */

#include "redfish/auth/accounts.h"
#include "redfish/service/exchange.h"

/* Return: the result @r of a change of accounts, as operations return it. */
int account_result(struct exchange *x, int r);

/* One number of the policy as a property. */
struct policy_property {
	const char *name;
	size_t offset; /* in struct account_policy, of an unsigned int */
	unsigned int min, max;
};

/* Writes the numbers as properties. */
void put_policy(const struct account_policy *policy, const struct policy_property *p, size_t n,
		struct json_writer *w);

enum { POLICY_PROPERTIES_MAX = 8 };

/* Changes those numbers that the body has: the whole of a `patch`. */
int patch_policy(struct exchange *x, const struct policy_property *p, size_t n);

#endif
