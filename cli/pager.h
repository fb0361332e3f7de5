/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_PAGER_H
#define CXLR_CLI_PAGER_H

/*
 * Long text goes through a pager, as that of git and systemctl does: $PAGER, or less, which ends
 * by itself when everything fits on the terminal. Single-threaded.
 *
 * The pager cannot start other programs for its user (LESSSECURE), who may have been allowed to run
 * this one alone. For the same reason $PAGER is not used with the privileges of another user.
 */

#include <stdbool.h>

/*
 * pager_start() - from here on standard output is the pager's input
 *
 * Does nothing when standard output is no terminal, or there is no pager.
 */
void pager_start(void);

/*
 * pager_end() - wait until the user has left the pager
 *
 * Return: whether there was one; then output that the user did not look at is no error.
 */
bool pager_end(void);

#endif
