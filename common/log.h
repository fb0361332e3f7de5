/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_LOG_H
#define CXLR_COMMON_LOG_H

/*
 * Log lines of the daemon and notices of the command line, on standard error.
 *
 * Only main programs and the daemon's outer loops log; libraries report through `struct error` or a
 * callback. Under systemd (JOURNAL_STREAM set) each line begins with its priority as "<N>". Bytes
 * that are not printable ASCII are replaced by '?', because device names and captured hosts are
 * untrusted: they cannot split or colour a log line. That includes the control characters 0x80 to
 * 0x9f, which some terminals obey as they are and others as UTF-8. Any thread may log; one line is
 * one write(2). errno is preserved.
 */

enum log_level { LOG_LEVEL_ERR = 3, LOG_LEVEL_WARNING = 4, LOG_LEVEL_INFO = 6 };

/* Sets the program name put before each line on a terminal and the highest level shown. */
void log_setup(const char *program, enum log_level max);

/* Changes the highest level shown; any thread. */
void log_set_level(enum log_level max);

/*
 * log_output() - a line of the program's output, on standard output, where scripts read it
 *
 * As it is; under systemd, which writes it to the journal too, with the priority of information.
 */
void log_output(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

void log_msg(enum log_level level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define log_err(...)	 log_msg(LOG_LEVEL_ERR, __VA_ARGS__)
#define log_warning(...) log_msg(LOG_LEVEL_WARNING, __VA_ARGS__)
#define log_info(...)	 log_msg(LOG_LEVEL_INFO, __VA_ARGS__)

#endif
