/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_SWITCH_CHANGE_PRIVATE_H
#define CXLR_MAILBOX_SWITCH_CHANGE_PRIVATE_H

/* Kinds of changes that have a file of their own. Private to switch_change*.c. */

#include "mailbox/switch_change.h"

/* SWITCH_SET_DC_REGION, as switch_change_run(). */
int switch_change_dc_region(const struct switch_change_context *x, const struct switch_change *c,
			    struct error *e);

#endif
