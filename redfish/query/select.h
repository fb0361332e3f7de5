/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_SELECT_H
#define CXLR_REDFISH_SELECT_H

/*
 * $select and excerpt (DSP0266 1.20 7.3.3, 7.3.7): a resource with fewer properties.
 *
 * Both copy the bytes of what is kept. @odata.id, @odata.type, @odata.etag and their like are
 * always kept, also those within an object of which a part is selected; so are the Members of a
 * collection, their number and the link to the next page. What is selected of a collection is also
 * selected of its members that are in the reply. Pure functions; any thread.
 */

#include <stddef.h>

#include "common/json_scan.h"
#include "common/json_writer.h"
#include "redfish/core/messages.h"

enum { SELECT_TEXT_MAX = 1024, SELECT_PATHS_MAX = 64 };

/* Paths of properties, as "Status/Health". They are in the text that was parsed. */
struct selection {
	struct json_span paths[SELECT_PATHS_MAX];
	size_t n;
};

/*
 * select_parse() - read paths that are separated by commas
 * @text: without percent-encoding
 * @ret: refers to @text; NULL: it is only checked
 *
 * Return: 0, or -EINVAL with an error message.
 */
int select_parse(const char *text, struct selection *ret, struct message *ret_message);

/* Appends the selected part of the object @resource to @w. */
void select_properties(const struct selection *s, struct json_span resource, struct json_writer *w);

/*
 * put_excerpt() - append a resource with the excerpts instead of all that have one
 *
 * Only Sensor has properties for excerpts; each Sensor, the resource itself or an expanded one, is
 * reduced to them and the required properties. Everything else stays as it is.
 */
void put_excerpt(struct json_span resource, struct json_writer *w);

#endif
