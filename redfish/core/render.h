/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RENDER_H
#define CXLR_REDFISH_RENDER_H

/*
 * The parts that all resources share: the first properties, and the entity tag of the body.
 * Any thread.
 */

#include "redfish/core/resource_table.h"

/* Opens the resource. Return: for render_end(). */
size_t render_begin(const struct resource *r, struct json_writer *w);

/*
 * render_end() - close the resource and tag it
 * @w: empty afterwards, also on failure
 *
 * Return: one reference; NULL when out of memory.
 */
struct representation *render_end(const struct resource *r, size_t begun, struct json_writer *w);

#endif
