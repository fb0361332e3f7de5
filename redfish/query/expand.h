/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EXPAND_H
#define CXLR_REDFISH_EXPAND_H

/*
 * $expand (DSP0266 1.20 7.3.2): links are replaced by the resources that they name.
 *
 * Works on the bytes of representations, which are copied and not parsed into values. A link is an
 * object with @odata.id alone. Pure functions; any thread.
 */

#include <stdbool.h>
#include <stddef.h>

#include "common/json_scan.h"
#include "common/json_writer.h"
#include "redfish/core/messages.h"

enum {
	EXPANSION_LEVELS_MAX = 6,
	/* The longest expanded reply; Memory of 1,024 devices is some 5 MiB. */
	EXPANSION_BYTES_MAX = 16 * 1024 * 1024,
};

/* The values are the characters of the option. */
enum expansion_links {
	EXPAND_ALL = '*',
	EXPAND_NOT_LINKS = '.', /* links that are not within "Links" */
	EXPAND_LINKS = '~',	/* links within "Links" */
};

struct expansion {
	enum expansion_links links;
	unsigned int levels; /* 1 to EXPANSION_LEVELS_MAX */
};

/* Return: 0, or -EINVAL with an error message. @text: "*($levels=2)", without percent-encoding. */
int expansion_parse(const char *text, struct expansion *ret, struct message *ret_message);

/* Where expansions find resources. */
struct expansion_source {
	/*
	 * Finds the resource at @uri, the JSON object @ret. It is valid until release().
	 *
	 * Return: 1; 0 when the link stays a link; or a negative errno, which ends the expansion.
	 */
	int (*find)(void *userdata, struct json_span uri, struct json_span *ret, void **ret_held);
	void (*release)(void *held);
	void *userdata;
};

/*
 * expand_links() - copy a resource and expand it
 * @w: at the end of its text; what @body has is appended
 *
 * Return: 0; -E2BIG when @w would have more than EXPANSION_BYTES_MAX; -ENOMEM; or an errno of
 * find().
 */
int expand_links(struct json_span body, const struct expansion *e,
		 const struct expansion_source *source, struct json_writer *w);

/* Return: whether @value is a link; then @ret_uri is its target, in the text. */
bool json_is_link(struct json_span value, struct json_span *ret_uri);

#endif
