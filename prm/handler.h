/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_HANDLER_H
#define CXLR_PRM_HANDLER_H

/* The PRM handler of a captured host, which a translator owns. Private to prm/. */

#include "prm/handler_types.h"

/*
 * handler_prepare() - read the files of a captured host
 *
 * Return: 0, also when there are none or they are not used (with a note); -ENOMEM.
 */
int handler_prepare(struct translator *t);

/* Accepts NULL. Return: NULL. */
struct handler *handler_free(struct handler *h);

/* Fills in the rules of a location and where they end. @h may be NULL. */
void handler_locate(const struct handler *h, uint64_t spa, struct spa_location *p);

#endif
