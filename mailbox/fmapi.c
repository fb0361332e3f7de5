// SPDX-License-Identifier: LGPL-2.1-or-later
/* Identify, the Physical Switch and the Virtual Switch Command Set. */
#include "mailbox/fmapi.h"

#include "common/little_endian.h"
#include "mailbox/fmapi_private.h"

enum {
	/* The component type was added in CXL 3.0. */
	IDENTITY_MIN = 0x11,
	IDENTITY_COMPONENT = 0x11,
	SWITCH_LEN = 0x49,
	LIST_HEAD = 4, /* of the replies with ports and VCSs */
	PORT_LEN = 16,
	VCS_HEAD = 4,
	VPPB_LEN = 4,
	REQUESTED_PORTS_MAX = 255, /* their number is one byte */

	LINK_MASK = 0x3f, /* width, speeds, speed */
	LOW_NIBBLE = 0xf,
	FLAGS_MASK = 0xf,
	PID_MASK = 0xfff,
	AER_LEN = 8 + FMAPI_AER_HEADER,
};

#define AER_UNCORRECTABLE (UINT32_C(1) << 31)

/*
 * 0 vendor (2); 2 device (2); 4 subsystem vendor (2); 6 subsystem (2); 8 serial number (8);
 * 10h maximum message size; 11h component type
 */
int fmapi_decode_identity(const uint8_t *p, size_t len, struct fmapi_identity *ret)
{
	if (len < IDENTITY_MIN)
		return -EBADMSG;
	*ret = (struct fmapi_identity){
		.vendor = le16(p),
		.device = le16(p + 2),
		.subsystem_vendor = le16(p + 4),
		.subsystem = le16(p + 6),
		.serial = le64(p + 8),
		.max_message = p[0x10],
		.component =
			len > IDENTITY_COMPONENT ? p[IDENTITY_COMPONENT] : FMAPI_COMPONENT_UNKNOWN,
	};
	return 0;
}

/*
 * 0 ingress port; 2 number of ports; 3 number of VCSs; 4 active ports (32); 24h active VCSs (32);
 * 44h vPPBs (2); 46h bound vPPBs (2); 48h HDM decoders
 */
int fmapi_decode_switch(const uint8_t *p, size_t len, struct fmapi_switch *ret)
{
	if (len < SWITCH_LEN)
		return -EBADMSG;
	*ret = (struct fmapi_switch){
		.ingress_port = p[0],
		.n_ports = p[2],
		.n_vcs = p[3],
		.n_vppbs = le16(p + 0x44),
		.n_bound_vppbs = le16(p + 0x46),
		.n_hdm_decoders = p[0x48],
	};
	memcpy(ret->active_ports, p + 4, FMAPI_BITMAP_BYTES);
	memcpy(ret->active_vcs, p + 0x24, FMAPI_BITMAP_BYTES);
	return 0;
}

bool fmapi_bit(const uint8_t bitmap[static FMAPI_BITMAP_BYTES], unsigned int i)
{
	return i / 8 < FMAPI_BITMAP_BYTES && bitmap[i / 8] >> i % 8 & 1;
}

/* 0 number of ports; 1 their Ids */
int fmapi_encode_get_port_state(const uint8_t *ids, size_t n, uint8_t *p, size_t size)
{
	int len;

	if (n < 1 || n > REQUESTED_PORTS_MAX)
		return -EINVAL;
	len = fmapi_begin(p, size, 1 + n);
	if (len < 0)
		return len;
	p[0] = (uint8_t)n;
	memcpy(p + 1, ids, n);
	return len;
}

size_t fmapi_port_states_max(size_t payload_max)
{
	const size_t n = payload_max < LIST_HEAD ? 0 : (payload_max - LIST_HEAD) / PORT_LEN;

	return n < REQUESTED_PORTS_MAX ? n : REQUESTED_PORTS_MAX;
}

/*
 * 0 Id; 1 configuration in bits 3:0; 2 device mode in bits 3:0; 4 device type; 5 supported modes;
 * 6 maximum width; 7 width; 8 speeds; 9 maximum speed; 10 speed; 11 LTSSM state; 12 first lane;
 * 13 flags (2); 15 additional LDs
 */
static struct fmapi_port decode_port(const uint8_t *p)
{
	const uint8_t config = p[1] & LOW_NIBBLE;
	const bool has_mode = config == FMAPI_PORT_DSP;
	const bool has_type = (has_mode || config == FMAPI_PORT_FABRIC) && p[5] != 0;

	if (config == FMAPI_PORT_INVALID)
		return (struct fmapi_port){.id = p[0], .config = config};
	return (struct fmapi_port){
		.id = p[0],
		.config = config,
		.device_mode = has_mode ? p[2] & LOW_NIBBLE : 0,
		.device_type = has_type ? p[4] : 0,
		.supported_modes = p[5],
		.max_width = p[6] & LINK_MASK,
		.width = p[7] & LINK_MASK,
		.speeds = p[8] & LINK_MASK,
		.max_speed = p[9] & LINK_MASK,
		.speed = p[10] & LINK_MASK,
		.ltssm = p[11],
		.first_lane = p[12],
		.link_flags = le16(p + 13) & FLAGS_MASK,
		.additional_lds = p[15],
	};
}

bool fmapi_port_has_device_type(const struct fmapi_port *p)
{
	return p->supported_modes != 0 &&
	       (p->config == FMAPI_PORT_DSP || p->config == FMAPI_PORT_FABRIC);
}

/* 0 number of ports; 4 the ports, of 16 bytes */
int fmapi_decode_port_state(const uint8_t *p, size_t len, const uint8_t *ids, size_t n,
			    struct fmapi_port *ret)
{
	if (n > REQUESTED_PORTS_MAX || len < LIST_HEAD + n * PORT_LEN || p[0] != n)
		return -EBADMSG;
	for (size_t i = 0; i < n; i++)
		if (p[LIST_HEAD + i * PORT_LEN] != ids[i])
			return -EBADMSG;
	for (size_t i = 0; i < n; i++)
		ret[i] = decode_port(p + LIST_HEAD + i * PORT_LEN);
	return 0;
}

/* 0 port; 1 operation */
int fmapi_encode_port_control(uint8_t port, enum fmapi_port_operation operation, uint8_t *p,
			      size_t size)
{
	return FMAPI_ENCODE_BYTES(p, size, port, (uint8_t)operation);
}

/* 0 first vPPB; 1 limit; 2 number of VCSs; 3 their Ids */
int fmapi_encode_get_vcs_info(uint8_t vcs, uint8_t first, uint8_t limit, uint8_t *p, size_t size)
{
	if (limit < 1)
		return -EINVAL;
	return FMAPI_ENCODE_BYTES(p, size, first, limit, 1, vcs);
}

size_t fmapi_vppbs_max(size_t payload_max)
{
	const size_t head = LIST_HEAD + VCS_HEAD;
	const size_t n = payload_max < head ? 0 : (payload_max - head) / VPPB_LEN;

	return n < UINT8_MAX ? n : UINT8_MAX;
}

/* 0 binding; 1 port and LD, or PID in bits 11:0 (2) */
static struct fmapi_vppb decode_vppb(const uint8_t *p)
{
	const uint8_t binding = p[0];
	const bool has_ld = binding == FMAPI_BOUND_LD;

	return (struct fmapi_vppb){
		.binding = binding,
		.port = has_ld || binding == FMAPI_BOUND_PORT ? p[1] : 0,
		.ld = has_ld ? p[2] : 0,
		.pid = binding == FMAPI_BOUND_PID ? le16(p + 1) & PID_MASK : 0,
	};
}

bool fmapi_vppb_is_bound(const struct fmapi_vppb *v)
{
	return v->binding == FMAPI_BOUND_PORT || v->binding == FMAPI_BOUND_LD;
}

/* Return: how many of @total elements are from @first on, at most @limit. */
static size_t count_from(size_t total, size_t first, size_t limit)
{
	const size_t n = first < total ? total - first : 0;

	return n < limit ? n : limit;
}

/* 0 number of VCSs; 4 Id; 5 state; 6 upstream port; 7 number of vPPBs; 8 the listed ones, of 4
 * bytes */
int fmapi_decode_vcs_info(const uint8_t *p, size_t len, uint8_t vcs, uint8_t first, uint8_t limit,
			  struct fmapi_vcs *ret)
{
	const uint8_t *block = p + LIST_HEAD, *vppbs = block + VCS_HEAD;
	size_t n;

	if (len < LIST_HEAD + VCS_HEAD || p[0] != 1 || block[0] != vcs)
		return -EBADMSG;
	if (block[1] == FMAPI_VCS_INVALID) {
		*ret = (struct fmapi_vcs){.id = vcs, .state = block[1]};
		return 0;
	}
	n = count_from(block[3], first, limit);
	if (len < LIST_HEAD + VCS_HEAD + n * VPPB_LEN)
		return -EBADMSG;
	*ret = (struct fmapi_vcs){.id = vcs,
				  .state = block[1],
				  .usp = block[1] == FMAPI_VCS_ENABLED ? block[2] : 0,
				  .n_vppbs = block[3],
				  .n_listed = (uint8_t)n};
	for (size_t i = 0; i < n; i++)
		ret->vppbs[i] = decode_vppb(vppbs + i * VPPB_LEN);
	return 0;
}

/* 0 VCS; 1 vPPB; 2 port; 4 LD (2) */
int fmapi_encode_bind(uint8_t vcs, uint8_t vppb, uint8_t port, uint16_t ld, uint8_t *p, size_t size)
{
	return FMAPI_ENCODE_BYTES(p, size, vcs, vppb, port, 0, (uint8_t)ld, (uint8_t)(ld >> 8));
}

/* 0 VCS; 1 vPPB; 2 option */
int fmapi_encode_unbind(uint8_t vcs, uint8_t vppb, enum fmapi_unbind option, uint8_t *p,
			size_t size)
{
	return FMAPI_ENCODE_BYTES(p, size, vcs, vppb, (uint8_t)option);
}

/* 0 VCS; 1 vPPB; 4 error: bit position in bits 4:0, severity in bit 31 (4); 8 header (32) */
int fmapi_encode_aer(const struct fmapi_aer *aer, uint8_t *p, size_t size)
{
	int len;

	if (aer->bit >= FMAPI_AER_BITS)
		return -EINVAL;
	len = fmapi_begin(p, size, AER_LEN);
	if (len < 0)
		return len;
	p[0] = aer->vcs;
	p[1] = aer->vppb;
	put_le32(p + 4, aer->bit | (aer->uncorrectable ? AER_UNCORRECTABLE : 0));
	memcpy(p + 8, aer->header, FMAPI_AER_HEADER);
	return len;
}
