/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_WINDOW_MAP_H
#define CXLR_PRM_WINDOW_MAP_H

/* Windows of a translator. Private to prm/. */

#include "prm/map_types.h"

/* The arithmetic of each window, from the CEDT. */
void window_map_prepare(struct translator *t, struct window_map *w);

#endif
