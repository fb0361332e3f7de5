/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_SWITCH_CHANGE_PRIVATE_H
#define CXLR_MAILBOX_SWITCH_CHANGE_PRIVATE_H

/* Private to switch_change*.c: commands that change something are sent, and repeated. */

#include "mailbox/switch_change.h"

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

/* SWITCH_SET_DC_REGION, as switch_change_run(). */
int switch_change_dc_region(const struct switch_change_context *x, const struct switch_change *c,
			    struct error *e);

#endif
