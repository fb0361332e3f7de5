/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_FAULT_HANDLER_H
#define CXLR_DAEMON_FAULT_HANDLER_H

/*
 * SQLite maps the -shm file beside a database; when another program truncates it, the next access
 * raises SIGBUS, which cannot be handled in any other way than by ending. Without a handler nothing
 * would say why.
 */

/*
 * fault_handler_install() - on SIGBUS, name the file and end by the signal
 *
 * For all threads; once, before the first is started.
 */
void fault_handler_install(void);

#endif
