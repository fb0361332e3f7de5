/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_PRIVILEGES_H
#define CXLR_COMMON_PRIVILEGES_H

/*
 * Giving up privileges of the calling process. To be called while the process has a single thread,
 * for capabilities belong to a thread.
 */

#include <stdint.h>

#include "common/error.h"

/*
 * capabilities_drop() - give up all capabilities except @keep, for good
 * @keep: a bit for each capability that stays
 *
 * Return: 0 or a negative errno.
 */
int capabilities_drop(uint64_t keep, struct error *e);

#endif
