// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The registers of the model, by which a driver reaches it: the device capabilities array and the
 * mailbox (CXL 3.2 8.2.9.1, 8.2.9.4). And the CCI, for what is above a driver.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "mailbox/cci.h"
#include "tests/lib/switch_model_private.h"

enum {
	REG_CAPABILITIES = 0x00,
	REG_CONTROL = 0x04,
	REG_COMMAND = 0x08,
	REG_STATUS = 0x10,
	REG_BACKGROUND = 0x18,
	REG_PAYLOAD = 0x20,

	N_CAPABILITIES = 2,
	CAPABILITY_STATUS = 1,
	CAPABILITY_MAILBOX = 2,

	POLLS_MAX = 1000, /* of a background operation */
};

static void complain(struct switch_model *m, const char *what, uint32_t offset)
{
	if (m->complaint[0] == '\0')
		(void)snprintf(m->complaint, sizeof(m->complaint), "%s at %Xh of the BAR", what,
			       offset);
}

static void set_number(uint8_t *p, uint64_t v, size_t width)
{
	for (size_t i = 0; i < width; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static bool is_busy(const struct switch_model *m)
{
	return m->registers.busy > 0 || m->registers.hangs;
}

/* Executes the command of the registers; the doorbell clears after `delay` reads. */
static void ring(struct switch_model *m)
{
	struct model_registers *r = &m->registers;
	const uint64_t command = take(r->command, 8);
	const uint16_t opcode = (uint16_t)command;
	size_t len = command >> 16 & 0x1fffff;
	static uint8_t in[MODEL_PAYLOAD_MAX];
	unsigned int code;

	if (len > sizeof(in)) {
		complain(m, "an input longer than the mailbox", m->mailbox + REG_COMMAND);
		len = sizeof(in);
	}
	memcpy(in, r->payload, len);
	code = switch_model_command(m, opcode, in, len, r->payload, &len);
	set_number(r->command, m->replied_opcode | (uint64_t)(len & 0x1fffff) << 16, 8);
	set_number(r->status, (uint64_t)m->background.running | (uint64_t)code << 32, 8);
	r->busy = m->delay + 1;
	r->hangs = m->hangs;
	r->again = m->twice;
}

/* A second completion overwrites what the first one left. */
static void complete_again(struct switch_model *m)
{
	memset(m->registers.payload, 0xa5, sizeof(m->registers.payload));
	set_number(m->registers.command, 0xa5a5, 8);
	m->registers.again = false;
	m->registers.busy = m->delay + 1;
}

static uint32_t read_control(struct switch_model *m)
{
	struct model_registers *r = &m->registers;

	if (r->hangs)
		return 1;
	if (r->busy > 0 && --r->busy > 0)
		return 1;
	return 0;
}

static uint64_t background_register(struct switch_model *m)
{
	const struct model_background *b = &m->background;
	const struct model_fault *f;

	model_background_step(m);
	set_number(m->registers.status, b->running, 1);
	f = model_fault_of(m, MODEL_BACKGROUND_OTHER, b->opcode, 0);
	return (f ? f->value : b->opcode) | (uint64_t)b->percent << 16 |
	       (uint64_t)b->return_code << 32;
}

static uint32_t read_mailbox(struct switch_model *m, uint32_t at)
{
	struct model_registers *r = &m->registers;
	uint32_t exponent = 8;
	uint64_t background;

	while ((size_t)1 << exponent < m->payload_max)
		exponent++;
	switch (at) {
	case REG_CAPABILITIES:
		return exponent;
	case REG_CONTROL:
		return read_control(m);
	case REG_COMMAND:
	case REG_COMMAND + 4:
		/* The first read of a result may see the second completion. */
		if (r->again && !is_busy(m))
			complete_again(m);
		return (uint32_t)take(r->command + (at - REG_COMMAND), 4);
	case REG_STATUS:
	case REG_STATUS + 4:
		return (uint32_t)take(r->status + (at - REG_STATUS), 4);
	case REG_BACKGROUND:
		background = background_register(m);
		return (uint32_t)background;
	case REG_BACKGROUND + 4:
		return m->background.return_code;
	default:
		return (uint32_t)take(r->payload + (at - REG_PAYLOAD), 4);
	}
}

/* The array: a header of 16 bytes, and one for each capability. */
static uint32_t read_array(const struct switch_model *m, uint32_t at)
{
	const uint32_t array[4 + 4 * N_CAPABILITIES] = {
		[0] = 0 | 1 << 16,
		[1] = N_CAPABILITIES,
		[4] = CAPABILITY_STATUS | 1 << 16,
		[5] = 0x80,
		[6] = 8,
		[8] = CAPABILITY_MAILBOX | 1 << 16,
		[9] = m->mailbox,
		[10] = REG_PAYLOAD + (uint32_t)m->payload_max,
	};

	return at / 4 < sizeof(array) / sizeof(array[0]) ? array[at / 4] : 0;
}

static bool in_mailbox(const struct switch_model *m, uint32_t offset)
{
	return offset >= m->regs + m->mailbox &&
	       offset - m->regs - m->mailbox < REG_PAYLOAD + m->payload_max;
}

static uint32_t read_locked(struct switch_model *m, uint32_t offset)
{
	m->n_reads++;
	for (size_t i = 0; i < m->n_faults; i++)
		if (m->faults[i].kind == MODEL_VANISHES && m->n_reads > m->faults[i].value)
			m->vanished = true;
	if (m->vanished)
		return UINT32_MAX;
	if (offset % 4 || offset > m->bar_size - 4) {
		complain(m, "a read", offset);
		return UINT32_MAX;
	}
	if (in_mailbox(m, offset))
		return read_mailbox(m, offset - m->regs - m->mailbox);
	return offset >= m->regs ? read_array(m, offset - m->regs) : 0;
}

uint32_t switch_model_read32(struct switch_model *m, uint32_t offset)
{
	uint32_t v;

	switch_model_lock(m);
	v = read_locked(m, offset);
	switch_model_unlock(m);
	return v;
}

static void write_mailbox(struct switch_model *m, uint32_t at, uint32_t value)
{
	struct model_registers *r = &m->registers;

	if (is_busy(m))
		complain(m, "a write while the doorbell is set", at);
	else if (at == REG_CONTROL && value & 1)
		ring(m);
	else if (at >= REG_COMMAND && at < REG_STATUS)
		set_number(r->command + (at - REG_COMMAND), value, 4);
	else if (at >= REG_PAYLOAD)
		set_number(r->payload + (at - REG_PAYLOAD), value, 4);
	else if (at != REG_CONTROL)
		complain(m, "a write to a read-only register", at);
}

void switch_model_write32(struct switch_model *m, uint32_t offset, uint32_t value)
{
	switch_model_lock(m);
	m->n_writes++;
	if (m->vanished)
		; /* goes nowhere */
	else if (offset % 4 || offset > m->bar_size - 4 || !in_mailbox(m, offset))
		complain(m, "a write", offset);
	else
		write_mailbox(m, offset - m->regs - m->mailbox, value);
	switch_model_unlock(m);
}

/* ---- the CCI ---- */

struct model_cci {
	struct cci base;
	struct switch_model *m;
	uint8_t tag;
};

static int wait_for_background(struct switch_model *m, struct cci_reply *ret)
{
	for (size_t i = 0; i < POLLS_MAX && m->background.running; i++)
		model_background_step(m);
	if (m->background.running)
		return -ETIMEDOUT;
	ret->return_code = m->background.return_code;
	ret->len = 0;
	return 0;
}

static int send_locked(struct model_cci *c, const struct cci_request *q, struct cci_reply *ret)
{
	uint8_t in[CCI_PAYLOAD_MAX], out[MODEL_PAYLOAD_MAX] = {0};
	struct switch_model *m = c->m;
	unsigned int code;
	uint16_t opcode;
	size_t len;
	int r;

	m->n_reads++;
	for (size_t i = 0; i < m->n_faults; i++)
		if (m->faults[i].kind == MODEL_VANISHES && m->n_reads > m->faults[i].value)
			m->vanished = true;
	if (m->vanished)
		return -ENODEV;
	r = cci_message_wrap(q, ++c->tag, &opcode, in, c->base.payload_max);
	if (r < 0)
		return r;
	code = switch_model_command(m, opcode, in, (size_t)r, out, &len);
	if (m->hangs)
		return -ETIMEDOUT;
	if (m->twice || m->replied_opcode != opcode || len > c->base.payload_max)
		return -EBADMSG;
	r = cci_message_unwrap(q, c->tag, code, out, len, ret);
	if (r == 0 && ret->return_code == RC_BACKGROUND && q->target.kind == CCI_SWITCH)
		r = wait_for_background(m, ret);
	return r;
}

static int model_cci_send(struct cci *base, const struct cci_request *q, struct cci_reply *ret)
{
	struct model_cci *c = (struct model_cci *)base;
	int r;

	switch_model_lock(c->m);
	r = send_locked(c, q, ret);
	switch_model_unlock(c->m);
	return r;
}

static void model_cci_free(struct cci *base)
{
	free(base);
}

struct cci *switch_model_cci(struct switch_model *m, const char *name)
{
	static const struct cci_ops ops = {.send = model_cci_send, .free = model_cci_free};
	struct model_cci *c = calloc(1, sizeof(*c));

	ck_assert_ptr_nonnull(c);
	c->base.ops = &ops;
	(void)snprintf(c->base.name, sizeof(c->base.name), "%s", name);
	c->base.payload_max = m->payload_max < CCI_PAYLOAD_MAX ? m->payload_max : CCI_PAYLOAD_MAX;
	c->m = m;
	return &c->base;
}
