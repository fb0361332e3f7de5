// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/service/account_result.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "redfish/service/body_check.h"
#include "redfish/service/service.h"

int account_result(struct exchange *x, int r)
{
	switch (r) {
	case -EROFS:
		return exchange_refuse(x, MESSAGE_ACCOUNTS_NOT_WRITABLE, NULL, NULL, NULL);
	case -EPERM:
		return exchange_refuse(x, MESSAGE_LAST_ADMINISTRATOR, NULL, NULL, NULL);
	case -E2BIG:
		return exchange_refuse(x, MESSAGE_CREATE_LIMIT_REACHED_FOR_RESOURCE, NULL, NULL,
				       NULL);
	case -ENOENT:
		return exchange_missing(x);
	default:
		return r;
	}
}

void put_policy(const struct account_policy *policy, const struct parameters *p,
		const size_t *offsets, struct json_writer *w)
{
	for (size_t i = 0; i < p->n; i++) {
		unsigned int value;

		memcpy(&value, (const char *)policy + offsets[i], sizeof(value));
		if (p->rows[i].type == PARAMETER_BOOLEAN)
			put_bool(w, p->rows[i].name, value != 0);
		else
			put_number(w, p->rows[i].name, value);
	}
}

struct policy_change {
	const size_t *offsets;
	size_t n;
	struct opt_u64 values[POLICY_PROPERTIES_MAX];
};

static void change_policy(struct account_policy *policy, const struct policy_change *c)
{
	for (size_t i = 0; i < c->n; i++) {
		unsigned int value = (unsigned int)c->values[i].value;

		if (c->values[i].present)
			memcpy((char *)policy + c->offsets[i], &value, sizeof(value));
	}
}

/* The window in which failures are counted may not be longer than the lockout (AccountService). */
static int check_policy(struct exchange *x, const struct account_policy *policy)
{
	if (policy->lockout_reset_s <= policy->lockout_duration_s)
		return 0;
	(void)exchange_refuse(x, MESSAGE_PROPERTY_VALUE_CONFLICT, "AccountLockoutCounterResetAfter",
			      "AccountLockoutDuration", NULL);
	message_set_property(&x->message, "AccountLockoutCounterResetAfter");
	return -EINVAL;
}

static int policy_run(struct exchange *x, void *state)
{
	struct accounts *a = x->service->who.accounts;
	struct account_policy policy;
	int r;

	accounts_policy(a, &policy);
	change_policy(&policy, state);
	r = check_policy(x, &policy);
	return r < 0 ? r : account_result(x, accounts_set_policy(a, &policy, NULL));
}

int patch_policy(struct exchange *x, const struct parameters *p, const size_t *offsets)
{
	static const struct continuation changing = {
		.class = JOB_STORE,
		.run = policy_run,
		.free = free,
	};
	struct policy_change *c;

	if (!x->service->who.accounts || !accounts_are_writable(x->service->who.accounts))
		return account_result(x, -EROFS);
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	c->offsets = offsets;
	c->n = p->n;
	for (size_t i = 0; i < p->n; i++) {
		const char *name = p->rows[i].name;
		struct opt_bool flag;

		if (p->rows[i].type == PARAMETER_BOOLEAN) {
			flag = body_boolean(x, name);
			if (flag.present)
				c->values[i] = OPT_U64(flag.value);
		} else {
			c->values[i] = body_number(x, name);
		}
	}
	return exchange_continue(x, &changing, c);
}
