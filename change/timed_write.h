/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CHANGE_TIMED_WRITE_H
#define CXLR_CHANGE_TIMED_WRITE_H

/*
 * A write to a file of the kernel that may wait for ever, and that a signal ends. Such are the
 * files of debugfs that inject and clear poison: while a device is removed, Linux 7.3 waits in
 * debugfs_remove() for the end of the write with the device's lock held, and the write waits for
 * that lock (cxl_inject_poison() in drivers/cxl/core/memdev.c).
 *
 * TIMED_WRITE_SIGNAL is used for it: the process gets a handler that does nothing, and keeps it.
 * Any thread; the signal is sent to the calling one, and is blocked in it afterwards if it was
 * before.
 */

#include <signal.h>

#define TIMED_WRITE_SIGNAL SIGRTMIN /* that of an interval timer is the caller's */

/*
 * timed_write() - open a file, write to it, close it
 * @path: absolute
 * @ms: after so many milliseconds the write is interrupted; at least 1
 *
 * Return: 0; -ETIMEDOUT when it was interrupted after that time, -EINTR by another signal before:
 * whether anything was carried out is not known then; or the error of open(), write() or of the
 * timer.
 */
int timed_write(const char *path, const char *value, unsigned int ms);

/* timed_write_at() - the same, of a file of an open directory */
int timed_write_at(int dirfd, const char *name, const char *value, unsigned int ms);

#endif
