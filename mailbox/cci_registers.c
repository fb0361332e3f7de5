// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/cci_registers.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/little_endian.h"
#include "mailbox/cci.h"
#include "mailbox/command.h"
#include "mailbox/fmapi.h"

/* The capabilities array (CXL 3.2 8.2.9.1); its header is as long as an element. */
enum {
	ARRAY_COUNT = 0x04, /* bits 15:0 */
	ELEMENT_BYTES = 0x10,
	ELEMENT_OFFSET = 0x04,
	ELEMENT_LENGTH = 0x08,
	ELEMENT_PRIMARY_MAILBOX = 0x0002,
};

/* The mailbox (8.2.9.4), relative to its capability. */
enum {
	MAILBOX_CAPABILITIES = 0x00,
	PAYLOAD_SHIFT = 0x1f,
	PAYLOAD_SHIFT_MIN = 8,
	PAYLOAD_SHIFT_MAX = 20,
	MAILBOX_CONTROL = 0x04,
	CONTROL_DOORBELL = 1 << 0,
	MAILBOX_COMMAND = 0x08,
	COMMAND_LENGTH_SHIFT = 16,
	COMMAND_LENGTH_MASK = 0x1fffff,
	MAILBOX_STATUS_HIGH = 0x14, /* the return code in bits 15:0 */
	MAILBOX_BACKGROUND = 0x18,
	BACKGROUND_PERCENT_SHIFT = 16,
	BACKGROUND_PERCENT_MASK = 0x7f,
	MAILBOX_PAYLOAD = 0x20,
};

/* The output of Background Operation Status (8.2.10.1.2). */
enum {
	OPERATION_RUNS = 1 << 0, /* of byte 0 */
	OPERATION_OPCODE = 2,
	OPERATION_RETURN_CODE = 4,
	OPERATION_BYTES = 8,
};

enum {
	SLEEP_US_MIN = 20,
	SLEEP_US_MAX = 5000,
	BUSY_LEFT_MS = CCI_DEADLINE_MS / 2, /* for a command that was Busy until then */
};

struct registers_cci {
	struct cci cci;
	struct register_access access;
	size_t mailbox, payload_size;
	int lock_fd;
	uint8_t tag;
	uint64_t until;		/* of the command that is sent */
	struct cci_reply reply; /* of the switch, before it is unwrapped */
};

static struct registers_cci *of_registers(struct cci *c)
{
	return (struct registers_cci *)(void *)c;
}

/* ---- registers and time -----------------------------------------------------------------------
 */

static uint32_t mailbox_read(struct registers_cci *c, size_t offset)
{
	return c->access.read32(c->access.ctx, c->mailbox + offset);
}

static void mailbox_write(struct registers_cci *c, size_t offset, uint32_t value)
{
	c->access.write32(c->access.ctx, c->mailbox + offset, value);
}

static void mailbox_write64(struct registers_cci *c, size_t offset, uint64_t value)
{
	if (c->access.write64) {
		c->access.write64(c->access.ctx, c->mailbox + offset, value);
		return;
	}
	mailbox_write(c, offset, (uint32_t)value);
	mailbox_write(c, offset + 4, (uint32_t)(value >> 32));
}

static uint64_t now_ms(const struct registers_cci *c)
{
	return c->access.now_ms ? c->access.now_ms(c->access.ctx) : clock_monotonic_ms();
}

/* Return: 0 after a pause, each of which is longer; -ETIMEDOUT at the deadline. */
static int pause_until(struct registers_cci *c, unsigned int *us)
{
	*us = *us == 0 ? SLEEP_US_MIN : *us * 2 > SLEEP_US_MAX ? SLEEP_US_MAX : *us * 2;
	if (now_ms(c) >= c->until)
		return -ETIMEDOUT;
	if (c->access.sleep_us)
		c->access.sleep_us(c->access.ctx, *us);
	else
		(void)nanosleep(&(struct timespec){.tv_nsec = (long)*us * 1000}, NULL);
	return 0;
}

static int lock_mailbox(struct registers_cci *c)
{
	unsigned int us = 0;

	while (c->lock_fd >= 0 && flock(c->lock_fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return -errno;
		if (pause_until(c, &us) < 0)
			return -EBUSY;
	}
	return 0;
}

static void unlock_mailbox(struct registers_cci *c)
{
	if (c->lock_fd >= 0)
		(void)flock(c->lock_fd, LOCK_UN);
}

/* ---- one command of the switch ----------------------------------------------------------------
 */

/* Waits until the mailbox has no command. */
static int wait_for_doorbell(struct registers_cci *c)
{
	unsigned int us = 0;

	for (;;) {
		const uint32_t control = mailbox_read(c, MAILBOX_CONTROL);

		if (control == UINT32_MAX)
			return -ENODEV;
		if (!(control & CONTROL_DOORBELL))
			return 0;
		if (pause_until(c, &us) < 0)
			return -ETIMEDOUT;
	}
}

static void write_command(struct registers_cci *c, uint16_t opcode, const uint8_t *input,
			  size_t len)
{
	for (size_t i = 0; i < len; i += 4) {
		uint8_t bytes[4] = {0};

		memcpy(bytes, input + i, len - i < 4 ? len - i : 4);
		mailbox_write(c, MAILBOX_PAYLOAD + i, le32(bytes));
	}
	mailbox_write64(c, MAILBOX_COMMAND, opcode | (uint64_t)len << COMMAND_LENGTH_SHIFT);
	mailbox_write(c, MAILBOX_CONTROL, mailbox_read(c, MAILBOX_CONTROL) | CONTROL_DOORBELL);
}

static void read_output(struct registers_cci *c, uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len; i += 4) {
		uint8_t bytes[4];

		put_le32(bytes, mailbox_read(c, MAILBOX_PAYLOAD + i));
		memcpy(p + i, bytes, len - i < 4 ? len - i : 4);
	}
}

/* The identity of a reply, read before its payload and after it. */
struct reply_head {
	uint32_t control, command[2], status;
};

static struct reply_head read_head(struct registers_cci *c)
{
	struct reply_head h;

	h.command[0] = mailbox_read(c, MAILBOX_COMMAND);
	h.command[1] = mailbox_read(c, MAILBOX_COMMAND + 4);
	h.status = mailbox_read(c, MAILBOX_STATUS_HIGH);
	/* The last: when it is valid, the function was there before. */
	h.control = mailbox_read(c, MAILBOX_CONTROL);
	return h;
}

static int read_reply(struct registers_cci *c, uint16_t opcode, struct cci_reply *ret)
{
	const struct reply_head head = read_head(c);
	const size_t len =
		((uint64_t)head.command[1] << 32 | head.command[0]) >> COMMAND_LENGTH_SHIFT &
		COMMAND_LENGTH_MASK;
	struct reply_head again;

	if (head.control == UINT32_MAX)
		return -ENODEV;
	if ((head.control & CONTROL_DOORBELL) || (head.command[0] & 0xffff) != opcode ||
	    len > c->payload_size)
		return -EBADMSG;
	if (len > CCI_PAYLOAD_MAX)
		return -EMSGSIZE;
	read_output(c, ret->output, len);
	again = read_head(c);
	if (again.control == UINT32_MAX)
		return -ENODEV;
	/* A second completion may have changed the payload while it was read. */
	if (memcmp(&again, &head, sizeof(head)) != 0)
		return -EBADMSG;
	ret->return_code = head.status & 0xffff;
	ret->len = len;
	return 0;
}

/* Waits for the end of the operation that a command has started. */
static int wait_for_background(struct registers_cci *c, uint16_t opcode, struct cci_reply *ret)
{
	unsigned int us = 0, percent;
	uint32_t low, high;

	do {
		low = mailbox_read(c, MAILBOX_BACKGROUND);
		high = mailbox_read(c, MAILBOX_BACKGROUND + 4);
		percent = low >> BACKGROUND_PERCENT_SHIFT & BACKGROUND_PERCENT_MASK;
		if (mailbox_read(c, MAILBOX_CONTROL) == UINT32_MAX)
			return -ENODEV;
		if ((low & 0xffff) != opcode || percent > 100)
			return -EBADMSG;
		if (percent < 100 && pause_until(c, &us) < 0)
			return -ETIMEDOUT;
	} while (percent < 100);
	ret->return_code = high & 0xffff;
	return ret->return_code == MAILBOX_BACKGROUND_STARTED ? -EBADMSG : 0;
}

static int mailbox_run(struct registers_cci *c, uint16_t opcode, const uint8_t *input, size_t len,
		       struct cci_reply *ret)
{
	int r = wait_for_doorbell(c);

	if (r < 0)
		return r == -ETIMEDOUT ? -EBUSY : r;
	write_command(c, opcode, input, len);
	r = wait_for_doorbell(c);
	if (r == 0)
		r = read_reply(c, opcode, ret);
	if (r == 0 && ret->return_code == MAILBOX_BACKGROUND_STARTED)
		r = wait_for_background(c, opcode, ret);
	return r;
}

/* ---- a command to any target ------------------------------------------------------------------
 */

static int send_once(struct registers_cci *c, const struct cci_request *q, struct cci_reply *ret)
{
	uint8_t input[CCI_PAYLOAD_MAX];
	const uint8_t tag = ++c->tag;
	uint16_t opcode;
	int r = cci_message_wrap(q, tag, &opcode, input, c->cci.payload_max);

	if (r >= 0)
		r = mailbox_run(c, opcode, input, (size_t)r, &c->reply);
	if (r < 0)
		return r;
	return cci_message_unwrap(q, tag, c->reply.return_code, c->reply.output, c->reply.len, ret);
}

/*
 * Busy: nothing was done, because another operation runs. When it runs for too long, that is the
 * answer.
 */
static int send_when_idle(struct registers_cci *c, const struct cci_request *q,
			  struct cci_reply *ret)
{
	const uint64_t busy_until = c->until - BUSY_LEFT_MS;
	unsigned int us = 0;
	int r;

	do
		r = send_once(c, q, ret);
	while (r == 0 && ret->return_code == MAILBOX_BUSY && now_ms(c) < busy_until &&
	       pause_until(c, &us) == 0);
	return r;
}

/* Only by a command can a target behind the switch be asked for the state of its operation. */
static int wait_for_target(struct registers_cci *c, const struct cci_request *q,
			   struct cci_reply *ret)
{
	const struct cci_request status = {.target = q->target, .opcode = FMAPI_BACKGROUND_STATUS};
	const uint8_t *p = ret->output;
	unsigned int us = 0;
	int r;

	do {
		if (pause_until(c, &us) < 0)
			return -ETIMEDOUT;
		r = send_once(c, &status, ret);
		if (r == 0 && (ret->return_code != MAILBOX_SUCCESS || ret->len < OPERATION_BYTES ||
			       le16(p + OPERATION_OPCODE) != q->opcode))
			r = -EBADMSG;
	} while (r == 0 && (p[0] & OPERATION_RUNS));
	if (r < 0)
		return r;
	ret->return_code = le16(p + OPERATION_RETURN_CODE);
	ret->len = 0;
	return ret->return_code == MAILBOX_BACKGROUND_STARTED ? -EBADMSG : 0;
}

static int registers_send(struct cci *cci, const struct cci_request *q, struct cci_reply *ret)
{
	struct registers_cci *c = of_registers(cci);
	int r;

	c->until = now_ms(c) + CCI_DEADLINE_MS;
	r = lock_mailbox(c);
	if (r < 0)
		return r;
	r = send_when_idle(c, q, ret);
	if (r == 0 && q->target.kind != CCI_SWITCH &&
	    ret->return_code == MAILBOX_BACKGROUND_STARTED)
		r = wait_for_target(c, q, ret);
	unlock_mailbox(c);
	return r;
}

/* ---- the mailbox ------------------------------------------------------------------------------
 */

static void registers_free(struct cci *cci)
{
	struct registers_cci *c = of_registers(cci);

	if (c->access.free)
		c->access.free(c->access.ctx);
	if (c->lock_fd >= 0)
		(void)close(c->lock_fd);
	free(c);
}

static uint32_t block_read(const struct registers_cci *c, size_t offset)
{
	return c->access.read32(c->access.ctx, offset);
}

/* Return: where the element of the primary mailbox is. */
static int find_element(const struct registers_cci *c, size_t *ret, struct error *e)
{
	uint32_t id, count;

	if (c->access.size < ELEMENT_BYTES)
		return error_set(e, EBADMSG, "its block of device registers is too short");
	id = block_read(c, 0);
	count = block_read(c, ARRAY_COUNT) & 0xffff;
	if (id == UINT32_MAX)
		return error_set(e, ENODEV, "its registers read as all ones: it is gone or off");
	if ((id & 0xffff) != 0 || count > c->access.size / ELEMENT_BYTES - 1)
		return error_set(
			e, EBADMSG,
			"its block of device registers does not begin with a list of them (id 0x%x, %u elements)",
			id & 0xffff, count);
	for (size_t i = 1; i <= count; i++)
		if ((block_read(c, i * ELEMENT_BYTES) & 0xffff) == ELEMENT_PRIMARY_MAILBOX) {
			*ret = i * ELEMENT_BYTES;
			return 0;
		}
	return error_set(e, ENXIO, "its device registers have no primary mailbox");
}

/* The block must have all of the mailbox, with a payload of the size that it says. */
static int find_mailbox(struct registers_cci *c, struct error *e)
{
	size_t element = 0, offset, length;
	uint32_t shift;
	int r = find_element(c, &element, e);

	if (r < 0)
		return r;
	offset = block_read(c, element + ELEMENT_OFFSET);
	length = block_read(c, element + ELEMENT_LENGTH);
	if (offset % 8 != 0 || offset > c->access.size || length > c->access.size - offset ||
	    length < MAILBOX_PAYLOAD)
		return error_set(
			e, EBADMSG,
			"its mailbox is not in its registers: 0x%zx bytes at 0x%zx of 0x%zx",
			length, offset, c->access.size);
	c->mailbox = offset;
	shift = mailbox_read(c, MAILBOX_CAPABILITIES) & PAYLOAD_SHIFT;
	if (shift < PAYLOAD_SHIFT_MIN || shift > PAYLOAD_SHIFT_MAX ||
	    length - MAILBOX_PAYLOAD < (size_t)1 << shift)
		return error_set(e, EBADMSG,
				 "its mailbox of 0x%zx bytes cannot have payloads of 2^%u bytes",
				 length, shift);
	c->payload_size = (size_t)1 << shift;
	c->cci.payload_max = c->payload_size < CCI_PAYLOAD_MAX ? c->payload_size : CCI_PAYLOAD_MAX;
	return 0;
}

int cci_registers_new(const char *name, const struct register_access *access, int lock_fd,
		      struct cci **ret, struct error *e)
{
	static const struct cci_ops ops = {registers_send, registers_free};
	_cleanup_free_ struct registers_cci *c = calloc(1, sizeof(*c));
	int r;

	if (!c)
		return error_set(e, ENOMEM, "out of memory");
	c->cci.ops = &ops;
	(void)stpncpy(c->cci.name, name, sizeof(c->cci.name) - 1);
	c->access = *access;
	c->lock_fd = lock_fd;
	r = find_mailbox(c, e);
	if (r < 0)
		return r;
	*ret = &STEAL_PTR(c)->cci;
	return 0;
}
