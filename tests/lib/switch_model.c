// SPDX-License-Identifier: LGPL-2.1-or-later
/* The switch of the model: its commands, tunnels, background operations and faults. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "tests/lib/switch_model_private.h"

enum { MESSAGE_HEAD = 12, TUNNEL_HEAD = 4, LEVEL_SWITCH = 0, LEVEL_LD = 2 };

static void put(struct model_out *o, uint64_t v, size_t width)
{
	for (size_t i = 0; i < width; i++, o->len++)
		if (o->len < o->max)
			o->p[o->len] = (uint8_t)(v >> 8 * i);
}

void put8(struct model_out *o, uint64_t v)
{
	put(o, v, 1);
}

void put16(struct model_out *o, uint64_t v)
{
	put(o, v, 2);
}

void put32(struct model_out *o, uint64_t v)
{
	put(o, v, 4);
}

void put64(struct model_out *o, uint64_t v)
{
	put(o, v, 8);
}

void put_bytes(struct model_out *o, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put(o, p[i], 1);
}

void put_zeros(struct model_out *o, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put(o, 0, 1);
}

void put_identity(struct model_out *o, const struct model_identity *id)
{
	put16(o, id->vendor);
	put16(o, id->device);
	put16(o, id->subsystem_vendor);
	put16(o, id->subsystem);
	put64(o, id->serial);
	put8(o, id->max_message);
	put8(o, id->component);
}

uint64_t take(const uint8_t *p, size_t width)
{
	uint64_t v = 0;

	for (size_t i = width; i-- > 0;)
		v = v << 8 | p[i];
	return v;
}

struct model_fault *model_fault_of(struct switch_model *m, enum model_fault_kind kind,
				   uint16_t opcode, int level)
{
	for (size_t i = 0; i < m->n_faults; i++) {
		struct model_fault *f = &m->faults[i];

		if (f->kind != kind || (f->opcode && f->opcode != opcode) ||
		    (f->level >= 0 && f->level != level))
			continue;
		if (f->times == 1) {
			/* It stays valid until the next one is added. */
			const struct model_fault last = *f;

			m->n_faults--;
			memmove(f, f + 1, (m->n_faults - i) * sizeof(*f));
			f = &m->faults[m->n_faults];
			*f = last;
		} else if (f->times > 1) {
			f->times--;
		}
		return f;
	}
	return NULL;
}

void switch_model_fault(struct switch_model *m, const struct model_fault *f)
{
	ck_assert_uint_lt(m->n_faults, MODEL_FAULTS);
	m->faults[m->n_faults++] = *f;
}

static void count(struct switch_model *m, uint16_t opcode)
{
	size_t i = 0;

	while (i < MODEL_COMMANDS && m->counts[i].n > 0 && m->counts[i].opcode != opcode)
		i++;
	if (i < MODEL_COMMANDS) {
		m->counts[i].opcode = opcode;
		m->counts[i].n++;
	}
}

size_t switch_model_count(const struct switch_model *m, uint16_t opcode)
{
	for (size_t i = 0; i < MODEL_COMMANDS; i++)
		if (m->counts[i].n > 0 && m->counts[i].opcode == opcode)
			return m->counts[i].n;
	return 0;
}

/* ---- the switch itself ---- */

static unsigned int identify_switch(struct switch_model *m, struct model_in in,
				    struct model_out *out)
{
	uint8_t ports[32] = {0}, vcs[32] = {0};
	size_t n_ports = 0, n_vcs = 0, n_vppbs = 0, n_bound = 0;

	if (in.len != 0)
		return RC_INVALID_LENGTH;
	for (size_t i = 0; i < MODEL_PORTS; i++) {
		n_ports += m->ports[i].exists;
		if (m->ports[i].exists && m->ports[i].config != 0)
			ports[i / 8] |= (uint8_t)(1 << i % 8);
	}
	for (size_t i = 0; i < MODEL_VCS; i++) {
		n_vcs += m->vcs[i].exists;
		if (m->vcs[i].exists && m->vcs[i].enabled)
			vcs[i / 8] |= (uint8_t)(1 << i % 8);
		for (size_t k = 0; m->vcs[i].exists && k < m->vcs[i].n_vppbs; k++, n_vppbs++)
			n_bound += m->vcs[i].vppbs[k].binding >= 2;
	}
	put8(out, m->ingress_port);
	put8(out, 0);
	put8(out, n_ports < 255 ? n_ports : 255); /* as many as the field can say */
	put8(out, n_vcs);
	put_bytes(out, ports, sizeof(ports));
	put_bytes(out, vcs, sizeof(vcs));
	put16(out, n_vppbs);
	put16(out, n_bound);
	put8(out, m->n_hdm_decoders);
	return RC_SUCCESS;
}

static void put_port(const struct model_port *p, uint8_t id, struct model_out *out)
{
	put8(out, id);
	if (!p->exists) {
		put8(out, 0xf);
		put_zeros(out, 14);
		return;
	}
	put8(out, p->config);
	put8(out, p->device_mode);
	put8(out, 0);
	put8(out, p->device_type);
	put8(out, p->supported_modes);
	put8(out, p->max_width);
	put8(out, p->width);
	put8(out, p->speeds);
	put8(out, p->max_speed);
	put8(out, p->speed);
	put8(out, p->ltssm);
	put8(out, p->first_lane);
	put16(out, p->link_flags);
	put8(out, p->additional_lds);
}

static unsigned int port_state(struct switch_model *m, struct model_in in, struct model_out *out)
{
	if (in.len < 1 || in.len != 1 + (size_t)in.p[0])
		return RC_INVALID_LENGTH;
	put8(out, in.p[0]);
	put_zeros(out, 3);
	for (size_t i = 1; i < in.len; i++)
		put_port(&m->ports[in.p[i]], in.p[i], out);
	return RC_SUCCESS;
}

static bool is_bound(const struct switch_model *m, uint8_t port, int ld)
{
	for (size_t v = 0; v < MODEL_VCS; v++)
		for (size_t i = 0; m->vcs[v].exists && i < m->vcs[v].n_vppbs; i++) {
			const struct model_vppb *b = &m->vcs[v].vppbs[i];

			if (b->port == port &&
			    (b->binding == 2 || (b->binding == 3 && (ld < 0 || b->ld == ld))))
				return true;
		}
	return false;
}

static unsigned int port_control(struct switch_model *m, struct model_in in, struct model_out *out)
{
	struct model_port *p;

	(void)out;
	if (in.len != 2)
		return RC_INVALID_LENGTH;
	p = &m->ports[in.p[0]];
	if (!p->exists || in.p[1] > 2 || p->config != 3)
		return RC_INVALID_INPUT;
	/* Only of unbound ports and those of MLDs. */
	if (p->device.kind != MODEL_MLD && is_bound(m, in.p[0], -1))
		return RC_INVALID_INPUT;
	if (in.p[1] == 2)
		p->n_ppb_resets++;
	else
		p->link_flags = (uint16_t)(in.p[1] == 0 ? p->link_flags | 2 : p->link_flags & ~2U);
	p->n_perst += in.p[1] == 0;
	return RC_SUCCESS;
}

static void put_vcs(const struct model_vcs *v, uint8_t id, struct model_in in,
		    struct model_out *out)
{
	const size_t first = in.p[0], limit = in.p[1];

	put8(out, id);
	put8(out, !v->exists ? 0xff : v->enabled);
	put8(out, v->exists ? v->usp : 0);
	put8(out, v->exists ? (v->n_vppbs < 255 ? v->n_vppbs : 255) : 0);
	for (size_t i = first; v->exists && i < v->n_vppbs && i < first + limit; i++) {
		put8(out, v->vppbs[i].binding);
		put8(out, v->vppbs[i].port);
		put8(out, v->vppbs[i].binding == 3 ? v->vppbs[i].ld : 0xff);
		put8(out, 0);
	}
}

static unsigned int vcs_info(struct switch_model *m, struct model_in in, struct model_out *out)
{
	static const struct model_vcs none;

	if (in.len < 4 || in.len != 3 + (size_t)in.p[2])
		return RC_INVALID_LENGTH;
	if (in.p[1] == 0)
		return RC_INVALID_INPUT;
	put8(out, in.p[2]);
	put_zeros(out, 3);
	for (size_t i = 3; i < in.len; i++)
		put_vcs(in.p[i] < MODEL_VCS ? &m->vcs[in.p[i]] : &none, in.p[i], in, out);
	return RC_SUCCESS;
}

static struct model_vppb *vppb_of(struct switch_model *m, uint8_t vcs, uint8_t vppb)
{
	if (vcs >= MODEL_VCS || !m->vcs[vcs].exists || !m->vcs[vcs].enabled ||
	    vppb >= m->vcs[vcs].n_vppbs)
		return NULL;
	return &m->vcs[vcs].vppbs[vppb];
}

static unsigned int start_background(struct switch_model *m, uint16_t opcode, struct model_in in)
{
	m->background = (struct model_background){.running = true, .opcode = opcode};
	memcpy(m->background.input, in.p, in.len);
	return RC_BACKGROUND;
}

static unsigned int bind(struct switch_model *m, struct model_in in)
{
	const struct model_vppb *b;
	struct model_port *p;
	unsigned int ld;

	if (in.len != 6)
		return RC_INVALID_LENGTH;
	b = vppb_of(m, in.p[0], in.p[1]);
	p = &m->ports[in.p[2]];
	ld = (unsigned int)take(in.p + 4, 2);
	if (!b || in.p[1] == 0 || b->binding != 0 || !p->exists || p->config != 3)
		return RC_INVALID_INPUT;
	if (p->device.kind == MODEL_MLD ? ld >= p->device.n_lds : ld != 0xffff)
		return RC_INVALID_INPUT;
	if (is_bound(m, in.p[2], p->device.kind == MODEL_MLD ? (int)ld : -1))
		return RC_INVALID_INPUT;
	if (m->background.running)
		return RC_BUSY;
	p->config = 1;
	m->vcs[in.p[0]].vppbs[in.p[1]].binding = 1;
	return start_background(m, 0x5201, in);
}

static unsigned int unbind(struct switch_model *m, struct model_in in)
{
	struct model_vppb *b;

	if (in.len != 3)
		return RC_INVALID_LENGTH;
	b = vppb_of(m, in.p[0], in.p[1]);
	if (!b || in.p[1] == 0 || b->binding < 2 || (in.p[2] & 0xf) > 2)
		return RC_INVALID_INPUT;
	if (m->background.running)
		return RC_BUSY;
	b->binding = 1;
	m->ports[b->port].config = 2;
	return start_background(m, 0x5202, in);
}

static void finish_bind(struct switch_model *m, bool failed)
{
	const uint8_t *in = m->background.input;
	struct model_vppb *b = &m->vcs[in[0]].vppbs[in[1]];
	struct model_port *p = &m->ports[in[2]];

	p->config = 3;
	*b = (struct model_vppb){.port = in[2], .ld = in[4]};
	b->binding = p->device.kind == MODEL_MLD ? 3 : 2;
	if (failed)
		*b = (struct model_vppb){0};
}

static void finish_unbind(struct switch_model *m, bool failed)
{
	const uint8_t *in = m->background.input;
	struct model_vppb *b = &m->vcs[in[0]].vppbs[in[1]];
	struct model_port *p = &m->ports[b->port];

	p->config = 3;
	if (failed)
		b->binding = p->device.kind == MODEL_MLD ? 3 : 2;
	else
		*b = (struct model_vppb){0};
}

void model_background_step(struct switch_model *m)
{
	const uint8_t *in = m->background.input;
	const struct model_fault *f;
	const struct model_vppb *b;

	if (!m->background.running ||
	    model_fault_of(m, MODEL_BACKGROUND_STUCK, m->background.opcode, LEVEL_SWITCH))
		return;
	m->background.percent = m->background.percent + m->step < 100
					? (uint8_t)(m->background.percent + m->step)
					: 100;
	if (m->background.percent < 100)
		return;
	m->background.running = false;
	f = model_fault_of(m, MODEL_BACKGROUND_CODE, m->background.opcode, LEVEL_SWITCH);
	m->background.return_code = f ? (uint16_t)f->value : RC_SUCCESS;
	if (m->background.opcode == 0x5201)
		finish_bind(m, f != NULL);
	else
		finish_unbind(m, f != NULL);
	b = &m->vcs[in[0]].vppbs[in[1]];
	/* Failed operations are warnings (7.6.8.2). */
	switch_model_add_record(m, f ? 1 : 0, MODEL_RECORD_VCS,
				(const uint8_t[]){in[0], in[1], 0, b->binding, b->port,
						  b->binding == 3 ? b->ld : 0xff},
				6);
}

static unsigned int background_status(struct switch_model *m, struct model_in in,
				      struct model_out *out)
{
	const struct model_fault *f;

	if (in.len != 0)
		return RC_INVALID_LENGTH;
	model_background_step(m);
	f = model_fault_of(m, MODEL_BACKGROUND_OTHER, m->background.opcode, LEVEL_SWITCH);
	put8(out, m->background.running + 2U * m->background.percent);
	put8(out, 0);
	put16(out, f ? f->value : m->background.opcode);
	put16(out, m->background.return_code);
	put16(out, 0);
	return RC_SUCCESS;
}

static unsigned int generate_aer(struct switch_model *m, struct model_in in, struct model_out *out)
{
	(void)out;
	if (in.len != sizeof(m->aer))
		return RC_INVALID_LENGTH;
	if (!vppb_of(m, in.p[0], in.p[1]))
		return RC_INVALID_INPUT;
	memcpy(m->aer, in.p, in.len);
	return RC_SUCCESS;
}

static unsigned int event_records(struct switch_model *m, struct model_in in, struct model_out *out)
{
	const struct model_log *l;
	size_t n;

	if (in.len != 1)
		return RC_INVALID_LENGTH;
	if (in.p[0] >= MODEL_LOGS)
		return RC_INVALID_INPUT;
	l = &m->logs[in.p[0]];
	n = out->max > 32 ? (out->max - 32) / MODEL_RECORD_SIZE : 0;
	n = l->n < n ? l->n : n;
	put8(out, l->overflow + 2U * (n < l->n));
	put8(out, 0);
	put16(out, l->n_lost);
	put64(out, l->first_lost_ns);
	put64(out, l->last_lost_ns);
	put16(out, n);
	put_zeros(out, 10);
	for (size_t i = 0; i < n; i++)
		put_bytes(out, l->records[i], MODEL_RECORD_SIZE);
	return RC_SUCCESS;
}

/* ---- tunnels ---- */

/* The device that executes a command. */
struct place {
	int level;
	struct model_device *device; /* of level 1 and 2 */
	const struct model_ld *ld;   /* of level 2 */
};

static unsigned int execute(struct switch_model *m, struct place at, uint16_t opcode,
			    struct model_in in, struct model_out *out);

/* Return: whether there is something behind that port or LD that answers. */
static bool find_target(struct switch_model *m, struct place from, uint8_t id, struct place *ret)
{
	struct model_port *p = &m->ports[id];

	*ret = (struct place){.level = from.level + 1};
	if (from.level == LEVEL_SWITCH) {
		ret->device = &p->device;
		return p->exists && p->config == 3 && p->device.kind >= MODEL_SLD;
	}
	ret->device = from.device;
	if (from.level == LEVEL_LD || id >= from.device->n_enabled ||
	    from.device->kind != MODEL_MLD)
		return false;
	ret->ld = &from.device->lds[id];
	return true;
}

static unsigned int max_message(struct place at)
{
	return at.level == LEVEL_LD ? at.ld->identity.max_message : at.device->identity.max_message;
}

static void put_response(struct switch_model *m, struct place at, struct model_in request,
			 unsigned int code, struct model_in payload, size_t claimed,
			 struct model_out *out)
{
	const uint16_t opcode = (uint16_t)take(request.p + 3, 2);
	const struct model_fault *f;

	f = model_fault_of(m, MODEL_TUNNEL_LENGTH, opcode, at.level);
	put16(out, f ? f->value : MESSAGE_HEAD + payload.len);
	put16(out, 0);
	f = model_fault_of(m, MODEL_CATEGORY, opcode, at.level);
	put8(out, f ? f->value : 1);
	f = model_fault_of(m, MODEL_TAG, opcode, at.level);
	put8(out, request.p[1] + (f ? f->value : 0));
	put8(out, 0);
	f = model_fault_of(m, MODEL_OTHER_COMMAND, opcode, at.level);
	put16(out, f ? f->value : opcode);
	put16(out, claimed);
	put8(out, claimed >> 16 & 0x1f);
	put16(out, code);
	put16(out, 0);
	put_bytes(out, payload.p, payload.len);
}

/* Puts what @at answers to the message; the caller frees nothing. */
static void answer_message(struct switch_model *m, struct place at, struct model_in message,
			   struct model_out *out)
{
	const uint16_t opcode = (uint16_t)take(message.p + 3, 2);
	const struct model_in in = {.p = message.p + MESSAGE_HEAD,
				    .len = message.len - MESSAGE_HEAD};
	const size_t room = out->max - TUNNEL_HEAD - MESSAGE_HEAD;
	struct model_out inner = {.max = room};
	const struct model_fault *f;
	unsigned int code;
	size_t claimed;

	if (at.level > LEVEL_SWITCH && room > (size_t)1 << max_message(at))
		inner.max = (size_t)1 << max_message(at);
	inner.p = calloc(1, MODEL_PAYLOAD_MAX);
	ck_assert_ptr_nonnull(inner.p);
	code = in.len > inner.max ? RC_INVALID_LENGTH : execute(m, at, opcode, in, &inner);
	f = model_fault_of(m, MODEL_LENGTH, opcode, at.level);
	claimed = f ? f->value : inner.len;
	put_response(m, at, message, code, (struct model_in){inner.p, inner.len}, claimed, out);
	free(inner.p);
}

static unsigned int tunnel(struct switch_model *m, struct place from, struct model_in in,
			   struct model_out *out)
{
	struct model_in message = {.p = in.p + TUNNEL_HEAD};
	struct place at;

	if (in.len < TUNNEL_HEAD + MESSAGE_HEAD)
		return RC_INVALID_LENGTH;
	message.len = (size_t)take(in.p + 2, 2);
	if (message.len < MESSAGE_HEAD || message.len > in.len - TUNNEL_HEAD ||
	    take(message.p + 5, 3) != message.len - MESSAGE_HEAD)
		return RC_INVALID_INPUT;
	if ((in.p[1] & 0xf) != 0 || (message.p[0] & 0xf) != 0)
		return RC_INVALID_INPUT;
	for (size_t i = 0; from.level == LEVEL_SWITCH && i < m->n_faults; i++)
		if (m->faults[i].kind == MODEL_TUNNEL_TO_ITSELF && m->faults[i].value == in.p[0]) {
			answer_message(m, from, message, out);
			return RC_SUCCESS;
		}
	if (!find_target(m, from, in.p[0], &at))
		return RC_INVALID_INPUT;
	answer_message(m, at, message, out);
	return RC_SUCCESS;
}

/* ---- all commands ---- */

static unsigned int switch_command(struct switch_model *m, uint16_t opcode, struct model_in in,
				   struct model_out *out)
{
	if (opcode >> 8 == 0x52 && m->no_vcs_commands)
		return RC_UNSUPPORTED;
	switch (opcode) {
	case 0x0001:
		put_identity(out, &m->identity);
		return in.len == 0 ? RC_SUCCESS : RC_INVALID_LENGTH;
	case 0x0002:
		return background_status(m, in, out);
	case 0x0100:
		return m->no_events ? RC_UNSUPPORTED : event_records(m, in, out);
	case 0x5100:
		return identify_switch(m, in, out);
	case 0x5101:
		return port_state(m, in, out);
	case 0x5102:
		return port_control(m, in, out);
	case 0x5200:
		return vcs_info(m, in, out);
	case 0x5201:
		return bind(m, in);
	case 0x5202:
		return unbind(m, in);
	case 0x5203:
		return generate_aer(m, in, out);
	default:
		return RC_UNSUPPORTED;
	}
}

/* Where the counts of an output are. */
static const struct {
	uint16_t opcode;
	uint8_t offset, width;
} counts[] = {
	{0x0100, 0x14, 2}, {0x5100, 2, 1},  {0x5100, 3, 1}, {0x5100, 0x44, 2}, {0x5100, 0x46, 2},
	{0x5101, 0, 1},	   {0x5200, 0, 1},  {0x5200, 7, 1}, {0x5400, 8, 2},    {0x5401, 0, 1},
	{0x5401, 3, 1},	   {0x5402, 0, 1},  {0x5406, 0, 1}, {0x5407, 0, 1},    {0x5408, 0, 1},
	{0x5409, 0, 1},	   {0x5600, 0, 1},  {0x5600, 1, 1}, {0x5601, 2, 1},    {0x5601, 3, 1},
	{0x5603, 8, 4},	   {0x5603, 12, 4},
};

static void lie(struct switch_model *m, int level, uint16_t opcode, struct model_out *out)
{
	const struct model_fault *f = model_fault_of(m, MODEL_COUNT, opcode, level);

	for (size_t i = 0; f && i < sizeof(counts) / sizeof(counts[0]); i++)
		for (size_t k = 0; counts[i].opcode == opcode && k < counts[i].width; k++)
			if (counts[i].offset + k < out->len)
				out->p[counts[i].offset + k] =
					(uint8_t)((f->value < 255 || counts[i].width > 1 ? f->value
											 : 255) >>
						  8 * k);
	f = model_fault_of(m, MODEL_BYTE, opcode, level);
	if (f && f->offset < out->len)
		out->p[f->offset] = (uint8_t)f->value;
	f = model_fault_of(m, MODEL_SHORT, opcode, level);
	if (f && f->value < out->len)
		out->len = f->value;
}

static unsigned int execute(struct switch_model *m, struct place at, uint16_t opcode,
			    struct model_in in, struct model_out *out)
{
	const struct model_fault *f = model_fault_of(m, MODEL_RETURN_CODE, opcode, at.level);
	unsigned int code;

	if (f)
		return f->value;
	if (model_fault_of(m, MODEL_NEVER_COMPLETES, opcode, at.level))
		m->hangs = true;
	if (m->hangs)
		return RC_INTERNAL;
	count(m, opcode);
	if (opcode == 0x5300)
		code = tunnel(m, at, in, out);
	else if (at.level == LEVEL_SWITCH)
		code = switch_command(m, opcode, in, out);
	else if (at.level == LEVEL_LD)
		code = model_ld_command(at.ld, opcode, in, out);
	else
		code = model_device_command(at.device, opcode, in, out);
	if (code == RC_SUCCESS && out->len > out->max)
		code = RC_INVALID_INPUT; /* more was asked for than fits */
	if (code != RC_SUCCESS)
		out->len = 0;
	lie(m, at.level, opcode, out);
	return code;
}

unsigned int switch_model_command(struct switch_model *m, uint16_t opcode, const uint8_t *in,
				  size_t len, uint8_t *out, size_t *out_len)
{
	struct model_out o = {.p = out, .max = m->payload_max};
	const struct model_fault *f;
	unsigned int code;

	m->n_commands++;
	m->hangs = false;
	m->twice = model_fault_of(m, MODEL_COMPLETES_TWICE, opcode, LEVEL_SWITCH) != NULL;
	code = len > m->payload_max
		       ? RC_INVALID_LENGTH
		       : execute(m, (struct place){0}, opcode, (struct model_in){in, len}, &o);
	f = model_fault_of(m, MODEL_OTHER_COMMAND, opcode, LEVEL_SWITCH);
	m->replied_opcode = f ? (uint16_t)f->value : opcode;
	f = model_fault_of(m, MODEL_LENGTH, opcode, LEVEL_SWITCH);
	*out_len = f ? f->value : o.len;
	return code;
}

void switch_model_lock(struct switch_model *m)
{
	(void)pthread_mutex_lock(&m->lock);
}

void switch_model_unlock(struct switch_model *m)
{
	(void)pthread_mutex_unlock(&m->lock);
}

struct switch_model *switch_model_free(struct switch_model *m)
{
	if (m)
		(void)pthread_mutex_destroy(&m->lock);
	for (size_t i = 0; m && i < MODEL_PORTS; i++)
		free(m->ports[i].device.dcd);
	free(m);
	return NULL;
}
