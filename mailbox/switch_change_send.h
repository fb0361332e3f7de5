/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_SWITCH_CHANGE_SEND_H
#define CXLR_MAILBOX_SWITCH_CHANGE_SEND_H

/*
 * Commands of a change are sent to a switch, and repeated while it is busy. The context of a change
 * is its caller's (switch_change.h); the functions are private to switch_change*.c. Only for
 * workers: they wait for the switch.
 */

#include <stdint.h>

#include "common/error.h"
#include "mailbox/cci.h"

struct switch_change_context {
	struct cci *cci;
	uint64_t deadline_ms; /* as clock_monotonic_ms(); commands have their own in addition */
	/* Waits until a time; -ECANCELED at once when the process ends. NULL: it is a sleep. */
	int (*wait)(void *userdata, uint64_t until_ms);
	void *userdata;
};

/* Return: 0 at that time of clock_monotonic_ms(), or an error of the context's wait. */
int switch_change_wait(const struct switch_change_context *x, uint64_t until_ms);
/* Return: as switch_change_wait(), after @ms milliseconds. */
int switch_change_pause(const struct switch_change_context *x, unsigned int ms);

/*
 * switch_change_send() - send a command until it is neither busy nor to be retried
 * @len: of the input, or an error of its encoder
 *
 * Return: 0; -EIO: the return code is another one than Success; -EINVAL: the input has a value that
 * is out of its range; or an error of cci_send().
 */
int switch_change_send(const struct switch_change_context *x, struct cci_target target,
		       uint16_t opcode, const uint8_t *input, int len, struct cci_reply *ret,
		       struct error *e);

/* Return: @r; with the error of a reply whose decoder returned it, when it is one. */
int switch_change_decoded(int r, uint16_t opcode, struct error *e);

#endif
