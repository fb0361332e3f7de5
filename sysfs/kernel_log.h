/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_KERNEL_LOG_H
#define CXLR_SYSFS_KERNEL_LOG_H

/*
 * The lines of the kernel's log that are about CXL: the one list of them, for the reading helper,
 * for a process that may read /dev/kmsg itself, and for the dmesg.txt of a captured host. Plain
 * data of the caller; any thread.
 *
 * Beyond KERNEL_LOG_LINES_MAX lines those of the start of the machine stay, and at least one
 * of each kind (each snapshot has them, as findings name them: about 2 us a record, so 6 ms for the
 * 256 KiB of a distribution's kernel, and KERNEL_LOG_MS at most): when there is no room, a line of
 * a kind that has fewer lines takes the place of the last line of the kind that has most. Two lines
 * are of a kind when only their numbers differ.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/opt.h"
#include "sysfs/host_root.h"

enum {
	KERNEL_LOG_LINES_MAX = 256,
	KERNEL_LOG_LINE_MAX = 320, /* with the time and the newline; a longer one is cut */
	KERNEL_LOG_TEXT_MAX = KERNEL_LOG_LINES_MAX * KERNEL_LOG_LINE_MAX + 64,
	KERNEL_LOG_FILE_MAX = 16 * 1024 * 1024, /* of dmesg.txt: the largest log_buf_len in use */
	KERNEL_LOG_MS = 300,			/* to read /dev/kmsg */
};

/* In a captured host: the output of dmesg(1), or of journalctl -k. */
#define KERNEL_LOG_CAPTURE_PATH "dmesg.txt"

struct kernel_log_row {
	char text[KERNEL_LOG_LINE_MAX]; /* as kernel_log_write() writes it, without the newline */
	uint64_t number;		/* of the line */
	size_t kind;
};

/* Zeros when empty. */
struct kernel_log {
	struct kernel_log_row rows[KERNEL_LOG_LINES_MAX];
	struct {
		uint64_t hash;
		size_t n;
	} kinds[KERNEL_LOG_LINES_MAX];
	size_t n, n_kinds;
	uint64_t n_seen, n_dropped;
};

/*
 * kernel_log_split() - the kernel's own text of a line
 * @line: of dmesg (also with -T, -x, -r, --time-format=iso), journalctl -k, or a record of
 *	/dev/kmsg
 * @ret_us: since boot; absent when the line does not say it. May be NULL.
 *
 * Return: the text inside @line, "" when the line is not the kernel's.
 */
const char *kernel_log_split(const char *line, struct opt_u64 *ret_us);

/* kernel_log_add() - take one line when it is about CXL; what is not printable ASCII becomes '?' */
void kernel_log_add(struct kernel_log *log, const char *line);

/* kernel_log_add_text() - all lines of @text, which is changed */
void kernel_log_add_text(struct kernel_log *log, char *text);

/*
 * kernel_log_read_kmsg() - all records of /dev/kmsg
 * @fd: opened with O_NONBLOCK
 *
 * It ends after KERNEL_LOG_MS with -ETIMEDOUT. Return: 0 or the error of reading.
 */
int kernel_log_read_kmsg(struct kernel_log *log, int fd);

/*
 * kernel_log_read_capture() - the dmesg.txt of a captured host, all of it
 * @ret: for free(); a NUL byte in the file is '?', so that it hides nothing behind it
 *
 * Return: 0 or the error of reading; -EFBIG beyond KERNEL_LOG_FILE_MAX.
 */
int kernel_log_read_capture(const struct host_root *root, char **ret);

/*
 * kernel_log_read() - the lines of a host: its dmesg.txt, or of the live machine's by the reading
 * helper, or as this process may
 *
 * Return: 0; the error of reading; -EACCES or -EPERM without CAP_SYSLOG; -ENOMEM.
 */
int kernel_log_read(const struct host_root *root, struct kernel_log *log);

/*
 * kernel_log_write() - the lines as dmesg prints them, "[    1.234567] text", in their order, and
 * how many were left out, which kernel_log_add() understands
 * @text: KERNEL_LOG_TEXT_MAX bytes
 *
 * Return: bytes without the NUL.
 */
size_t kernel_log_write(struct kernel_log *log, char *text);

#endif
