// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/switch_query.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "mailbox/command.h"
#include "mailbox/fmapi.h"
#include "mailbox/fmapi_commands.h"

enum { NOTE_BYTES = 192 };

void switch_record_add(struct switch_record *to, const void *p, size_t len)
{
	if (len == 0)
		return;
	if (len > to->cap - to->len) {
		const size_t cap = 2 * to->cap + len;
		uint8_t *more = realloc(to->bytes, cap);

		if (!more) {
			to->out_of_memory = true;
			return;
		}
		to->bytes = more;
		to->cap = cap;
	}
	memcpy(to->bytes + to->len, p, len);
	to->len += len;
}

void switch_record_done(struct switch_record *r)
{
	free(r->bytes);
	*r = (struct switch_record){0};
}

/* One command's part of a record; the output follows. */
struct record_head {
	uint32_t target; /* kind, port, LD */
	uint32_t opcode;
	int32_t result; /* a return code, or a negative error */
	uint32_t len;
};

static void query_record(struct switch_query *q, uint16_t opcode, int result, size_t len)
{
	const struct record_head head = {
		.target = (uint32_t)q->target.kind << 16 | (uint32_t)q->target.port << 8 |
			  q->target.ld,
		.opcode = opcode,
		.result = result,
		.len = (uint32_t)len,
	};

	switch_record_add(&q->piece->record, &head, sizeof(head));
	switch_record_add(&q->piece->record, q->reply.output, len);
}

void switch_query_note(struct switch_query *q, const char *fmt, ...)
{
	char text[NOTE_BYTES];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	switch (q->target.kind) {
	case CCI_SWITCH:
		read_notes_add(&q->piece->notes, "%s: %s", q->name, text);
		break;
	case CCI_PORT:
		read_notes_add(&q->piece->notes, "%s: port %u: %s", q->name, q->target.port, text);
		break;
	case CCI_LD:
		read_notes_add(&q->piece->notes, "%s: port %u: LD %u: %s", q->name, q->target.port,
			       q->target.ld, text);
		break;
	}
}

static void note_command(struct switch_query *q, uint16_t opcode, const char *what,
			 const char *more)
{
	switch_query_note(q, "%s (%04Xh): %s%s", fmapi_command_title(opcode), opcode, what, more);
}

static const char *error_text(int error)
{
	switch (error) {
	case -ETIMEDOUT:
		return "there was no answer in time";
	case -ENODEV:
		return "the PCI function is gone";
	case -EBADMSG:
		return "the reply is invalid";
	case -EMSGSIZE:
		return "the payload is too long for the mailbox";
	default:
		return strerror(-error);
	}
}

static bool is_busy(int r, unsigned int code)
{
	return r < 0 ? r == -EBUSY : code == MAILBOX_BUSY || code == MAILBOX_RETRY_REQUIRED;
}

/* Whether the switch, or the way to it, fails every command from now on. */
static bool is_fatal(const struct switch_query *q, int r)
{
	switch (r) {
	case -EBADMSG:
	case -EMSGSIZE:
	case -EACCES:
	case -ENODATA:
		return false;
	case -ETIMEDOUT:
		return q->target.kind == CCI_SWITCH;
	default:
		return true;
	}
}

bool switch_query_unsupported(const struct switch_query *q, uint16_t opcode)
{
	for (size_t i = 0; i < q->unsupported->n; i++)
		if (q->unsupported->opcodes[i] == opcode)
			return true;
	return false;
}

static void add_unsupported(struct switch_query *q, uint16_t opcode)
{
	struct unsupported *u = q->unsupported;

	if (u->n < UNSUPPORTED_MAX && !switch_query_unsupported(q, opcode))
		u->opcodes[u->n++] = opcode;
}

/* All others are optional. */
static bool is_mandatory(uint16_t opcode)
{
	return opcode == FMAPI_IDENTIFY || opcode == FMAPI_IDENTIFY_SWITCH ||
	       opcode == FMAPI_GET_PORT_STATE;
}

static void fail_code(struct switch_query *q, uint16_t opcode, unsigned int code)
{
	if (code == MAILBOX_UNSUPPORTED)
		add_unsupported(q, opcode);
	else
		q->incomplete = true;
	if (!q->quiet && (code != MAILBOX_UNSUPPORTED || is_mandatory(opcode)))
		note_command(q, opcode, "the return code is ", mailbox_return_code_name(code));
}

static void fail_error(struct switch_query *q, uint16_t opcode, int error)
{
	if (error == -ENODATA) /* it was not recorded */
		return;
	q->incomplete = true;
	q->gone = q->gone || is_fatal(q, error);
	q->ended = q->ended || q->gone;
	if (error == -ETIMEDOUT)
		q->silent = true;
	note_command(q, opcode, error_text(error), "");
}

/* Return: whether commands may still be sent. */
static bool may_go_on(struct switch_query *q)
{
	if (q->silent)
		return false;
	if (atomic_load(q->stop)) {
		q->ended = true;
	} else if (!q->ended && clock_monotonic_ms() >= q->until_ms) {
		q->ended = true;
		read_notes_add(&q->piece->notes,
			       "%s: not everything could be read within %d s; the rest is absent",
			       q->name, SWITCH_READ_MS / 1000);
	}
	if (q->ended)
		q->incomplete = true;
	return !q->ended;
}

static int send_repeatedly(struct switch_query *q, const struct cci_request *request)
{
	const struct timespec pause = {.tv_nsec = SWITCH_RETRY_PAUSE_MS * 1000000L};
	int r = -ECANCELED;

	for (unsigned int i = 0; i <= SWITCH_RETRIES_MAX; i++) {
		if (i > 0)
			(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
		if (!may_go_on(q))
			break;
		r = cci_send(q->cci, request, &q->reply);
		if (!is_busy(r, q->reply.return_code))
			break;
	}
	return r;
}

/* As cci_send(), with the reply in @q. */
static int send_unless_unsupported(struct switch_query *q, const struct cci_request *request)
{
	if (!switch_query_unsupported(q, request->opcode))
		return send_repeatedly(q, request);
	q->reply.return_code = MAILBOX_UNSUPPORTED;
	q->reply.len = 0;
	return 0;
}

bool switch_query_send(struct switch_query *q, uint16_t opcode, const uint8_t *input, int len)
{
	const struct cci_request request = {
		.target = q->target,
		.opcode = opcode,
		.input = input,
		.len = len > 0 ? (size_t)len : 0,
	};
	bool success;
	int r;

	if (!may_go_on(q))
		return false;
	r = len < 0 ? len : send_unless_unsupported(q, &request);
	if (r == -ECANCELED)
		return false;
	success = r == 0 && q->reply.return_code == MAILBOX_SUCCESS;
	query_record(q, opcode, r < 0 ? r : (int)q->reply.return_code, success ? q->reply.len : 0);
	if (r < 0)
		fail_error(q, opcode, r);
	else if (!success)
		fail_code(q, opcode, q->reply.return_code);
	return success;
}

bool switch_query_check(struct switch_query *q, uint16_t opcode, int r)
{
	if (r == 0)
		return true;
	q->incomplete = true;
	note_command(q, opcode, error_text(-EBADMSG), "");
	return false;
}
