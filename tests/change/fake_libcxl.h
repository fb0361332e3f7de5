/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_CHANGE_FAKE_LIBCXL_H
#define CXLR_TESTS_CHANGE_FAKE_LIBCXL_H

/*
 * Replaces the functions of libcxl that regions are changed by: what they would write is recorded,
 * and one of them can fail. Likewise the writes by which a volatile region is made without
 * libcxl 77: fake_window_write() is for fake_attributes.h. One object, for tests with one thread.
 */

#include <stdbool.h>
#include <stddef.h>

enum { FAKE_TEXT_MAX = 4096, FAKE_UUID_BYTES = 16 };

struct fake_libcxl {
	char written[FAKE_TEXT_MAX]; /* "region0 size 0x20000000; decoder1.0 mode pmem; " */
	unsigned int n_writes;
	unsigned int fail_at;	/* this write fails, counted from 1; 0: none */
	unsigned int fail_also; /* and this one */
	int error;		/* negative; 0: -EIO */
	const char *absent;	/* a decoder that does not exist any more */
	bool has_region;	/* region0 exists */
	int committed, enabled;
	unsigned char uuid[FAKE_UUID_BYTES];
	unsigned int n_contexts;   /* that are open */
	unsigned int n_enumerated; /* that read the host, because something was looked up */
};

extern struct fake_libcxl fake;

int fake_window_write(const char *path, const char *value);

#endif
