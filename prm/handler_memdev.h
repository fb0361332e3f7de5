/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_HANDLER_MEMDEV_H
#define CXLR_PRM_HANDLER_MEMDEV_H

/* Devices of a captured host, found by their BDFs. Private to prm/. */

#include "prm/handler_types.h"

/* Sorts the devices. Return: 0 or -ENOMEM. */
int handler_index_memdevs(struct translator *t, struct handler *h);

/* Return: the device with that BDF, or NULL. */
struct memdev_map *handler_memdev(const struct handler *h, const char *bdf);

#endif
