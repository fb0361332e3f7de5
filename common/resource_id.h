/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_RESOURCE_ID_H
#define CXLR_COMMON_RESOURCE_ID_H

/*
 * Ids made of the host's names. An Id is a segment of a URI and stands there as it is, so it may
 * not be long nor hold what would need percent-encoding; the ':' of PCI addresses becomes '-'.
 * No state, any thread.
 */

#include <stdbool.h>

#include "common/arena.h"

enum { RESOURCE_ID_MAX = 64 };

/* Return: whether the name makes an Id. */
bool resource_id_fits(const char *name);

/* Return: the Id of a name that fits, "0000-0d-00.0"; NULL when out of memory. */
const char *resource_id_new(struct arena *a, const char *name);

#endif
