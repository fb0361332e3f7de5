/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_EVENT_CHANGES_H
#define CXLR_CLI_EVENT_CHANGES_H

/*
 * cxl-spa events --resolve, --resolve-incident and --acknowledge: changes of the log that the
 * service makes. One thread.
 */

#include "cli/cli.h"

/* Whether an option asks for a change instead of entries. */
bool event_changes_wanted(const struct event_options *o);

/*
 * event_changes_run() - make all of them, each by a request of its own
 *
 * Return: STATUS_OK; STATUS_PARTIAL when one was not made, after a message; STATUS_ERROR for wrong
 * usage, and nothing was changed.
 */
int event_changes_run(struct cli *cli, int n, char **operands);

#endif
