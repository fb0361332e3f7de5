/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_HANDLER_PAIRS_H
#define CXLR_PRM_HANDLER_PAIRS_H

/* Recorded answers of a captured host's handler. Private to prm/. */

#include "common/error.h"
#include "prm/handler_types.h"

/* Return: 0; -EINVAL with @e for a malformed file; -ENOMEM. */
int handler_parse_pairs(struct translator *t, struct handler *h, char *text, size_t len,
			struct error *e);

/* Drops what is rejected and sorts the rest. Return: 0 or -ENOMEM. */
int handler_index_pairs(struct translator *t, struct handler *h);

#endif
