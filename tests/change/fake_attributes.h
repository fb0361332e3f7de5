/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_CHANGE_FAKE_ATTRIBUTES_H
#define CXLR_TESTS_CHANGE_FAKE_ATTRIBUTES_H

/*
 * The kernel's side of attributes of sysfs and debugfs. While a test has set a function, a file
 * below /sys/ that is opened for writing is none of this machine, and what is written to it goes to
 * that function. A program with this file is linked with --wrap of open, openat and write.
 */

/* @path: absolute. Return: 0, or the negative errno of write(). NULL: files of this machine. */
extern int (*fake_attribute_write)(const char *path, const char *value);

/* The text of /proc/sys/kernel/panic_on_warn; NULL: that of this machine. */
extern const char *fake_panic_on_warn;

#endif
