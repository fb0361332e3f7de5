/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_PROGRESS_H
#define CXLR_CLI_PROGRESS_H

/*
 * "capture: 3 s, 40 %" on standard error, when that is a terminal and a command takes longer than a
 * second; and SIGINT, SIGTERM and SIGHUP for commands that end early by themselves.
 *
 * A timer's signal draws it, so that it also goes on while the command waits; system calls are
 * restarted as far as SA_RESTART has it. One command a process, one thread.
 */

#include <stdbool.h>
#include <stdint.h>

/* A signal that ends the process clears the line first. @what: static */
void cli_progress_begin(const char *what);

/* @total: 0 when it is not known */
void cli_progress_step(uint64_t done, uint64_t total);

/* Around output on a terminal: clears the line, and draws it no more until false. */
void cli_progress_pause(bool paused);

/* Also without cli_progress_begin(). */
void cli_progress_end(void);

/*
 * cli_catch_interrupt() - remember SIGINT, SIGTERM and SIGHUP instead of ending; the second one
 * ends
 *
 * They interrupt system calls. A SIGHUP that is ignored, as under nohup, stays so.
 */
void cli_catch_interrupt(void);
bool cli_interrupted(void);

/*
 * cli_remove_on_interrupt() - remove a file that is being written when a signal ends the process
 * @path: must stay valid; NULL: none any more
 */
void cli_remove_on_interrupt(const char *path);

#endif
