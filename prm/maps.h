/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_MAPS_H
#define CXLR_PRM_MAPS_H

/* The tables of a translator: preparing them, and looking up in them. Private to prm/. */

#include "prm/map_types.h"

/* Prepares all maps from t->host. Return: 0 or -ENOMEM. */
int maps_prepare(struct translator *t);

/* Return: the prepared object, or NULL. */
struct region_map *region_map_of(const struct translator *t, const struct region *region);
struct decoder_map *decoder_map_of(const struct translator *t, const struct memdev *memdev,
				   const struct decoder *decoder);
struct memdev_map *memdev_map_find(const struct translator *t, const struct memdev *memdev);
const struct decoder_map *decoder_map_find(const struct memdev_map *d, uint64_t dpa);
const struct region_map *region_map_find(const struct translator *t, uint64_t spa);
const struct window_map *window_map_of(const struct translator *t, const struct decoder *root);
const struct window_map *window_map_find(const struct translator *t, uint64_t spa);

#endif
