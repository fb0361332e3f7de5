// SPDX-License-Identifier: LGPL-2.1-or-later
/* The switch of pooled_fixture.h is the only one, in place of those of mailbox/switch_access.c. */
#include <errno.h>
#include <stdio.h>

#include "common/strutil.h"
#include "mailbox/switch_access.h"
#include "tests/lib/pooled_fixture.h"

int switch_access_open(struct switch_access *a, const char *name, struct cci **ret, struct error *e)
{
	(void)a;
	if (!str_equal(name, MAILBOX))
		return error_set(e, ENOENT, "there is no switch %s", name);
	if (pooled.meanwhile)
		pooled.meanwhile();
	pooled.meanwhile = NULL;
	*ret = switch_model_cci(pooled.model, name);
	return 0;
}

int switch_access_list(struct switch_access *a, struct switch_function ret[CCI_SWITCHES_MAX],
		       size_t *ret_n, bool *ret_may_change, struct error *e)
{
	(void)a;
	(void)e;
	(void)snprintf(ret[0].name, sizeof(ret[0].name), "%s", MAILBOX);
	ret[0].reason[0] = '\0';
	*ret_n = 1;
	*ret_may_change = true;
	return 0;
}
