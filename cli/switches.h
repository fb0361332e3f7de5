/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_SWITCHES_H
#define CXLR_CLI_SWITCHES_H

/*
 * Switches by their mailboxes: reading them, and showing them in list and graph. A mailbox's
 * answers are untrusted; they are printed as numbers, and notes by out().
 */

#include "cli/cli.h"
#include "cli/object.h"
#include "common/json_writer.h"

/*
 * cli_open_switches() - read the mailboxes of switches, after cli_open()
 *
 * On this machine those of --switch-mailbox; of a captured host the recorded answers. Sets
 * cli->fabric when there is a mailbox.
 *
 * Return: STATUS_OK; STATUS_ERROR after a message on standard error.
 */
int cli_open_switches(struct cli *cli);

/* Frees what cli_open_switches() made. */
void cli_close_switches(struct cli *cli);

/* All switches with a mailbox, as the last part of the tree. */
void list_switches_text(const struct cli *cli);
void list_put_switches(struct json_writer *w, const struct cli *cli);

/* A switch, or a part of one, and the objects below it. */
void list_switch(const struct fabric_switch *sw);
void list_switch_port(unsigned int depth, const struct fabric_port *p);
void list_ld(unsigned int depth, const struct fabric_ld *ld);
void list_vcs(unsigned int depth, const struct fabric_vcs *vcs);
void list_vppb(unsigned int depth, const struct fabric_vppb *vppb);
void list_put_switch(struct json_writer *w, const struct fabric_switch *sw);
void list_put_switch_port(struct json_writer *w, const struct fabric_port *p);
void list_put_ld(struct json_writer *w, const struct fabric_ld *ld);
void list_put_vcs(struct json_writer *w, const struct fabric_vcs *vcs);
void list_put_vppb(struct json_writer *w, const struct fabric_vppb *v);

#endif
