/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_MAPPING_H
#define CXLR_REDFISH_MAPPING_H

/*
 * Facts about decoders and regions that more than one renderer shows. Reads the view only.
 */

#include "common/json_writer.h"
#include "redfish/view.h"

/* Return: the interleave position of an endpoint decoder in a region, absent when it has none. */
struct opt_int position_in_region(const struct region *region, const struct decoder *d);

/*
 * usual_source() - who answers for the addresses of an endpoint decoder
 *
 * The name of the source that answers in general, "decoder", "prm", "emulated" or "estimate"; an
 * answer for one address names its own source, which may be a better one ("recorded"). NULL when
 * nobody answers.
 */
const char *usual_source(const struct view *v, const struct memdev *m, const struct decoder *d);

/* Whether a memdev can be reached through one of the window's targets. */
bool window_reaches(const struct decoder *window, const struct memdev *m);

/* A link to the region's resource; nothing when the region lies in no window. */
void put_chunks_link(struct json_writer *w, const char *key, const struct region *region);

#endif
