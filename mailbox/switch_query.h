/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_SWITCH_QUERY_H
#define CXLR_MAILBOX_SWITCH_QUERY_H

/*
 * Private to switch_reader*.c: sending reading commands to a switch and what is behind it, with
 * repetitions and limits of time, and noting what failed. One thread.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"
#include "mailbox/cci.h"
#include "mailbox/extent_plans.h"
#include "sysfs/read_notes.h"

enum {
	SWITCH_READ_MS = 30 * 1000, /* for a switch; what was not read until then is absent */
	SWITCH_RETRIES_MAX = 3,	    /* of a command to which Busy or Retry Required is returned */
	SWITCH_RETRY_PAUSE_MS = 50,
};

/* All that was received; equal bytes are equal answers. */
struct switch_record {
	uint8_t *bytes;
	size_t len, cap;
	bool out_of_memory;
};

void switch_record_add(struct switch_record *to, const void *p, size_t len);
void switch_record_done(struct switch_record *r);

/* The answers of a switch, or of one device behind it, and where they are kept. */
struct switch_piece {
	struct arena *arena;
	struct read_notes notes; /* in the arena */
	struct switch_record record;
};

/* Commands that a target does not support. */
enum { UNSUPPORTED_MAX = 24 };

struct unsupported {
	uint16_t opcodes[UNSUPPORTED_MAX];
	size_t n;
};

/* The reading of one switch. */
struct switch_query {
	struct cci *cci;
	const char *name; /* of the switch, for notes */
	uint64_t until_ms;
	const atomic_bool *stop;
	struct extent_plans *plans; /* NULL: none are known */
	bool ended;		    /* nothing more is sent: the switch is gone, or time is over */
	bool gone;		    /* the switch is */

	/* The target that is being read now. */
	struct cci_target target;
	struct unsupported *unsupported; /* of the target */
	struct switch_piece *piece;
	bool quiet;	 /* return codes are not noted: the target need not be there */
	bool silent;	 /* the device did not answer in time: it gets no more commands */
	bool incomplete; /* something failed that may succeed when it is read again */

	struct cci_reply reply; /* to the last command that succeeded */
};

/*
 * switch_query_send() - send a command to the target
 * @len: of the input; negative: it could not be encoded
 *
 * Return: whether it succeeded, and `reply` is that to it; if not, that is noted as far as it
 * should be.
 */
bool switch_query_send(struct switch_query *q, uint16_t opcode, const uint8_t *input, int len);

/*
 * switch_query_check() - @r: what a decoder of `reply` returned
 *
 * Return: whether it is 0; if not, it is noted that the reply is invalid.
 */
bool switch_query_check(struct switch_query *q, uint16_t opcode, int r);

/* Return: whether the target is known not to support the command: then it is not sent. */
bool switch_query_unsupported(const struct switch_query *q, uint16_t opcode);

/* switch_query_note() - a sentence about the target, which it names */
void switch_query_note(struct switch_query *q, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
