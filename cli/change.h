/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_CHANGE_H
#define CXLR_CLI_CHANGE_H

/*
 * Changes that a run makes in its own process, one after the other: progress on a terminal, the end
 * by a signal, and what is printed of each. One thread.
 */

#include "change/change.h"
#include "cli/cli.h"

struct cli_change {
	struct change change;
	struct change_result result; /* zeros while it was not tried */
	bool tried;
};

/* Fills in kind, object and identity of a change of a region. */
void cli_change_of_region(struct cli_change *c, enum change_kind kind, const struct region *r);

/* A change that is refused before it is tried, with the reason. */
void cli_change_refuse(struct cli_change *c, const struct error *e);

/*
 * cli_warn_of_bad_pages() - that taking the memory of a region offline is one way where it has
 * pages that are out of use, or that they come back; nothing when there are none, or they are not
 * known
 */
void cli_warn_of_bad_pages(const struct cli *cli, enum change_kind kind, const struct region *r);

/*
 * cli_changes_run() - make changes that were not refused, until one is not done
 *
 * What was done before the one that is refused stays. SIGINT and SIGTERM cancel the one that is
 * made: what can be undone is undone. A second one ends the program at once.
 *
 * Return: STATUS_OK; STATUS_PARTIAL when one is not done; STATUS_ERROR after a message.
 */
int cli_changes_run(struct cli *cli, struct cli_change *changes, size_t n);

/*
 * cli_changes_print() - what became of changes
 * @host: as it is after them, where regions that were created are; NULL when it was not read
 *
 * Return: 0 or -ENOMEM.
 */
int cli_changes_print(const struct cli *cli, const struct host *host,
		      const struct cli_change *changes, size_t n);

#endif
