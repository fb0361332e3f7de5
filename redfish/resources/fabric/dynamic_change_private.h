/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_DYNAMIC_CHANGE_PRIVATE_H
#define CXLR_REDFISH_RESOURCES_DYNAMIC_CHANGE_PRIVATE_H

/* Private to dynamic_*.c: one change of dynamic capacity, from the request to its job. */

#include "mailbox/extent_plans.h"
#include "mailbox/switch_change.h"
#include "model/fabric.h"
#include "redfish/service/exchange.h"

enum { DYNAMIC_EXTENTS_MAX = 16 }; /* of one request */

struct dynamic_change {
	char name[CCI_NAME_MAX]; /* of the switch's mailbox */
	uint8_t port;
	uint64_t serial; /* of the device; 0: it has none */
	bool release;
	struct fmapi_dc_request request; /* `extents` are those below */
	struct fmapi_extent extents[DYNAMIC_EXTENTS_MAX];
	uint32_t plans[DYNAMIC_EXTENTS_MAX]; /* that are added */
	size_t n_plans;
	uint64_t before; /* bytes of the tag when the job began */
};

/* Return: bytes that the host accepted with exactly this tag. */
uint64_t dynamic_tagged(const struct dc_host_reading *h, const uint8_t tag[static FMAPI_TAG_LEN]);

/* dynamic_change_submit() - continue as the job that makes it. @c: copied. Return: as operations */
int dynamic_change_submit(struct exchange *x, const struct dynamic_change *c);

#endif
