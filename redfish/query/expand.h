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
#include "http/representation.h"

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

struct resource;

/*
 * Results of $expand that a view keeps, so that each is made once.
 *
 * Only those are kept that have nothing but what is cached in the view, and nothing left out for
 * lack of a privilege. They are freed with the view. Any thread.
 */

enum {
	EXPANSIONS_KEPT_MAX = 8,
	EXPANSIONS_BYTES_MAX = 32 * 1024 * 1024, /* of all that a view keeps */
	EXPANSION_NEEDS_MAX = 8,
};

/* The privileges that an expansion needs: one of each set of PRIVILEGE_…, of its resources. */
struct expansion_needs {
	unsigned int sets[EXPANSION_NEEDS_MAX];
	size_t n;
	bool too_many; /* it is not kept */
};

struct expansions;

/* Return: NULL when out of memory. */
struct expansions *expansions_new(void);

/* Accepts NULL. Return: NULL. */
struct expansions *expansions_free(struct expansions *all);

/* Adds a set of which one privilege is needed. */
void expansion_needs_add(struct expansion_needs *n, unsigned int set);

/*
 * expansions_find() - an expansion that was made before
 * @privileges: PRIVILEGE_… of the client
 *
 * Return: it lives as long as the view; NULL if it must be made.
 */
struct representation *expansions_find(struct expansions *all, const struct resource *r,
				       const struct expansion *e, unsigned int privileges);

/*
 * expansions_keep() - keep an expansion, if there is space for it and it is not kept already
 * @made: the caller's reference; another one is taken
 */
void expansions_keep(struct expansions *all, const struct resource *r, const struct expansion *e,
		     const struct expansion_needs *needs, struct representation *made);

#endif
