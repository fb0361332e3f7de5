/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_ACCOUNT_RESULT_H
#define CXLR_REDFISH_RESOURCES_ACCOUNT_RESULT_H

/*
 * Errors of accounts.h as replies, and the policy, which two resources share.
 */

#include "redfish/auth/accounts.h"
#include "redfish/core/parameters.h"
#include "redfish/service/exchange.h"

/* Return: the result @r of a change of accounts, as operations return it. */
int account_result(struct exchange *x, int r);

/*
 * Numbers of the policy as properties: the rows of a table, and in the same order where each
 * one is in struct account_policy, an unsigned int.
 */
void put_policy(const struct account_policy *policy, const struct parameters *p,
		const size_t *offsets, struct json_writer *w);

enum { POLICY_PROPERTIES_MAX = 8 };

/* Changes those numbers that the body has: the whole of a `patch`. */
int patch_policy(struct exchange *x, const struct parameters *p, const size_t *offsets);

#endif
