/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_FAKE_IOCTL_H
#define CXLR_TESTS_LIB_FAKE_IOCTL_H

/*
 * The ioctls of devices that this machine does not have. Programs with this file have an ioctl() of
 * their own, also for libraries; it is the kernel's unless a test has set another one.
 */

/* As ioctl(); NULL: the kernel's. */
extern int (*fake_ioctl)(int fd, unsigned long request, void *arg);

#endif
