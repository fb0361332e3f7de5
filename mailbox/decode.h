/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_DECODE_H
#define CXLR_MAILBOX_DECODE_H

/*
 * Decoding of output payloads into struct mailbox. Pure functions, any thread.
 */

#include "mailbox/command.h"

/*
 * mailbox_decode() - decode the output payload of one command
 * @m: its fields are set; all others stay
 *
 * A longer payload is that of a newer device: CXL appends fields. A shorter one is noted, and its
 * complete fields are used.
 */
void mailbox_decode(const struct mailbox_output *o, struct mailbox *m);

/* mailbox_decode_finish() - set the fields that follow from several payloads; after the last one */
void mailbox_decode_finish(struct mailbox *m);

/* For the `decode` of struct mailbox_command. */
void mailbox_decode_identify(const struct mailbox_output *o, struct mailbox *m);
void mailbox_decode_partition_info(const struct mailbox_output *o, struct mailbox *m);
void mailbox_decode_health_info(const struct mailbox_output *o, struct mailbox *m);
void mailbox_decode_alert_config(const struct mailbox_output *o, struct mailbox *m);
void mailbox_decode_fw_info(const struct mailbox_output *o, struct mailbox *m);
void mailbox_decode_timestamp(const struct mailbox_output *o, struct mailbox *m);
void mailbox_decode_vendor_debug_log(const struct mailbox_output *o, struct mailbox *m);
void mailbox_decode_state_dump_log(const struct mailbox_output *o, struct mailbox *m);
void mailbox_decode_shutdown_state(const struct mailbox_output *o, struct mailbox *m);

#endif
