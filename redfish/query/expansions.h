/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EXPANSIONS_H
#define CXLR_REDFISH_EXPANSIONS_H

/*
 * Results of $expand that a view keeps, so that each is made once.
 *
 * Only those are kept that have nothing but what is cached in the view, and nothing left out for
 * lack of a privilege. They are freed with the view. Any thread.
 */

#include <stddef.h>

#include "http/representation.h"
#include "redfish/query/expand.h"

struct resource;

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
