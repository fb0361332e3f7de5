/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_WINDOW_MAP_H
#define CXLR_PRM_WINDOW_MAP_H

/* Windows of a translator. Private to prm/. */

#include "prm/cedt.h"
#include "prm/map_types.h"

/*
 * Whether the interleave of window @d is another one in its CEDT entry @c. Linux makes windows of
 * these entries, so this is no window of that table.
 */
bool window_contradicts_cedt(const struct decoder *d, const struct cedt_window *c);

/* The arithmetic of each window, from the CEDT. */
void window_map_prepare(struct translator *t, struct window_map *w);

#endif
