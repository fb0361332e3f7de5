/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_CXL_CONTEXT_H
#define CXLR_SYSFS_CXL_CONTEXT_H

/*
 * A context of libcxl that prints nothing: callers report its errors themselves, and libcxl would
 * write them to standard error. Any thread; each context belongs to one thread at a time, and is
 * released by cxl_unref().
 */

struct cxl_ctx;

/* cxl_context_new() - Return: 0 or the error of cxl_new() */
int cxl_context_new(struct cxl_ctx **ret);

#endif
