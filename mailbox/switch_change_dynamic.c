// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Dynamic capacity is offered to a host, or asked back: the host answers later, which the list of
// its extents shows. A region is configured.
#include <inttypes.h>

#include "mailbox/switch_change_private.h"
#include "mailbox/switch_change_send.h"

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

static int read_region(const struct switch_change_context *x, const struct switch_change *c,
		       struct fmapi_dc_region *ret, struct error *e)
{
	const struct cci_target target = {.kind = CCI_PORT, .port = c->port};
	struct fmapi_dc_regions regions;
	struct cci_reply reply;
	uint8_t in[8];
	int len = fmapi_encode_get_dc_regions(c->ld, c->dc_region.number, 1, in, sizeof(in));
	int r = switch_change_send(x, target, FMAPI_GET_DC_REGIONS, in, len, &reply, e);

	if (r < 0)
		return r;
	r = fmapi_decode_dc_regions(reply.output, reply.len, c->ld, c->dc_region.number, 1,
				    &regions);
	if (r == 0 && regions.n != 1)
		r = -EBADMSG;
	if (r == 0)
		*ret = regions.regions[0];
	return switch_change_decoded(r, FMAPI_GET_DC_REGIONS, e);
}

/* The command sets both values; the one that is not given is kept. */
int switch_change_dc_region(const struct switch_change_context *x, const struct switch_change *c,
			    struct error *e)
{
	const struct cci_target target = {.kind = CCI_PORT, .port = c->port};
	struct fmapi_dc_region wanted, now;
	struct cci_reply reply;
	struct error why;
	uint8_t in[16];
	int r = read_region(x, c, &wanted, e);

	if (r < 0)
		return r;
	if (c->dc_region.block > 0)
		wanted.block = c->dc_region.block;
	if (c->dc_region.sanitized.present)
		wanted.sanitized = c->dc_region.sanitized.value;
	r = fmapi_encode_set_dc_region(c->dc_region.number, wanted.block, wanted.sanitized, in,
				       sizeof(in));
	r = switch_change_send(x, target, FMAPI_SET_DC_REGION, in, r, &reply, e);
	if (r < 0)
		return r;
	r = read_region(x, c, &now, &why);
	if (r < 0)
		return error_set(e, r, "not verified: %s", why.text);
	if (now.block == wanted.block && now.sanitized == wanted.sanitized)
		return 0;
	return error_set(
		e, EIO,
		"Set DC Region Configuration (5602h): the device reports blocks of %" PRIu64
		" bytes that are %ssanitized",
		now.block, now.sanitized ? "" : "not ");
}
