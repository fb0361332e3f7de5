// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/cci_helper.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"

_Static_assert((int)OPENER_TARGET_SWITCH == CCI_SWITCH && (int)OPENER_TARGET_PORT == CCI_PORT &&
		       (int)OPENER_TARGET_LD == CCI_LD,
	       "client and helper pass the kind of a target as it is");

_Static_assert((int)OPENER_SWITCH_NAME_MAX == (int)CCI_NAME_MAX, "a name fits a message");
_Static_assert((int)OPENER_SWITCH_REASON_MAX == (int)SWITCH_REASON_MAX, "a reason, too");
_Static_assert((int)OPENER_SWITCH_PAYLOAD_MAX == (int)CCI_PAYLOAD_MAX, "a payload, too");
_Static_assert((int)OPENER_SWITCHES_MAX == (int)CCI_SWITCHES_MAX, "all switches, too");
_Static_assert((int)OPENER_SWITCH_TIMEOUT_MS > 2 * (int)CCI_DEADLINE_MS,
	       "a command ends by the deadline of the helper");

struct helper_cci {
	struct cci cci;
	struct opener *opener;
};

static int helper_cci_send(struct cci *cci, const struct cci_request *q, struct cci_reply *ret)
{
	const struct helper_cci *c = (struct helper_cci *)(void *)cci;
	struct opener_switch_request r = {
		.opcode = q->opcode,
		.target = (uint8_t)q->target.kind,
		.port = q->target.kind == CCI_SWITCH ? 0 : q->target.port,
		.ld = q->target.kind == CCI_LD ? q->target.ld : 0,
		.len = (uint32_t)q->len,
	};
	uint32_t code = 0;
	int error;

	memcpy(r.name, cci->name, sizeof(r.name));
	if (q->len > 0)
		memcpy(r.input, q->input, q->len);
	error = opener_switch_command(c->opener, &r, ret->output, &ret->len, &code);
	ret->return_code = code;
	return error;
}

static void helper_cci_free(struct cci *cci)
{
	struct helper_cci *c = (struct helper_cci *)(void *)cci;

	(void)opener_free(c->opener);
	free(c);
}

static int explain(int r, struct error *e)
{
	if (r == -ENOENT || r == -ECONNREFUSED)
		return error_set(
			e, r,
			"cxl-redfish-switch-helper is not there; start cxl-redfish-switch-helper.socket");
	if (r == -ENOMEM)
		return error_set(e, r, "out of memory");
	return error_set(e, r, "cxl-redfish-switch-helper cannot be used: %s", strerror(-r));
}

int cci_helper_list(struct opener *opener, struct switch_function ret[CCI_SWITCHES_MAX],
		    size_t *ret_n, bool *ret_may_change, struct error *e)
{
	_cleanup_free_ struct opener_switch *all = calloc(OPENER_SWITCHES_MAX, sizeof(*all));
	size_t n = 0;
	int r = all ? opener_switches(opener, all, &n, ret_may_change) : -ENOMEM;

	if (r < 0)
		return explain(r, e);
	for (size_t i = 0; i < n; i++) {
		ret[i] = (struct switch_function){.payload_max = all[i].payload_max};
		memcpy(ret[i].name, all[i].name, sizeof(ret[i].name));
		memcpy(ret[i].reason, all[i].reason, sizeof(ret[i].reason));
		if (!ret[i].reason[0] &&
		    (all[i].payload_max < CCI_PAYLOAD_MIN || all[i].payload_max > CCI_PAYLOAD_MAX))
			return explain(-EBADMSG, e);
	}
	*ret_n = n;
	return 0;
}

static int make(struct opener *opener, const struct switch_function *f, struct cci **ret,
		struct error *e)
{
	static const struct cci_ops ops = {helper_cci_send, helper_cci_free};
	struct helper_cci *c;

	if (f->reason[0])
		return error_set(e, ENODEV, "%s", f->reason);
	c = calloc(1, sizeof(*c));
	if (!c)
		return explain(-ENOMEM, e);
	c->cci.ops = &ops;
	memcpy(c->cci.name, f->name, sizeof(c->cci.name));
	c->cci.payload_max = f->payload_max;
	c->opener = opener_ref(opener);
	*ret = &c->cci;
	return 0;
}

int cci_helper_new(struct opener *opener, const char *name, struct cci **ret, struct error *e)
{
	_cleanup_free_ struct switch_function *all = calloc(CCI_SWITCHES_MAX, sizeof(*all));
	bool may_change;
	size_t n = 0;
	int r = all ? cci_helper_list(opener, all, &n, &may_change, e) : explain(-ENOMEM, e);

	for (size_t i = 0; r == 0 && i < n; i++)
		if (strcmp(all[i].name, name) == 0)
			return make(opener, &all[i], ret, e);
	return r < 0 ? r : error_set(e, ENOENT, "cxl-redfish-switch-helper has no %s", name);
}
