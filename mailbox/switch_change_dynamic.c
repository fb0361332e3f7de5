// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Dynamic capacity is offered to a host, or asked back: the host answers later, which the list of
// its extents shows.
#include "mailbox/switch_change_private.h"

int switch_change_dynamic(const struct switch_change_context *x, uint8_t port, bool release,
			  const struct fmapi_dc_request *q, struct error *e)
{
	const struct cci_target target = {.kind = CCI_PORT, .port = port};
	const size_t room = cci_payload_max(x->cci, CCI_PORT);
	struct cci_reply reply;
	uint8_t in[CCI_PAYLOAD_MAX];
	int len;

	len = release ? fmapi_encode_dc_release(q, in, room < sizeof(in) ? room : sizeof(in))
		      : fmapi_encode_dc_add(q, in, room < sizeof(in) ? room : sizeof(in));
	return switch_change_send(x, target, release ? FMAPI_DC_RELEASE : FMAPI_DC_ADD, in, len,
				  &reply, e);
}
