// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The incident that a request is about, and the client that sent it.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/strutil.h"
#include "redfish/core/origin.h"
#include "redfish/resources/incident/incident_entry.h"
#include "redfish/service/exchange.h"

int incident_number(struct exchange *x, uint64_t *ret)
{
	const char *id = x->resource->id;

	/* Only the canonical form of a number is an Id. */
	if (strspn(id, "0123456789") != strlen(id) || id[0] == '0' || parse_u64(id, ret) < 0)
		return exchange_missing(x);
	return 0;
}

void incident_client_name(const struct exchange *x, char ret[static PRINCIPAL_NAME_MAX])
{
	char from[PRINCIPAL_FROM_MAX] = "";

	if (!x->principal.name[0])
		origin_describe(&x->req->client, from);
	(void)snprintf(ret, PRINCIPAL_NAME_MAX, "%s", from[0] ? from : x->principal.name);
}
