/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_PARAMETERS_H
#define CXLR_REDFISH_PARAMETERS_H

/*
 * Values that the body of a request can have: the parameters of an action, the properties of a POST
 * that creates, of a PATCH and of a DELETE. Each operation has one table beside it, and its row of
 * the resource table names it. The table checks the body before the operation begins
 * (redfish/service/body_check.h), and makes the ActionInfo resource, the
 * "@Redfish.AllowableValues" of the action and the table in docs/parameters.md.
 *
 * All of it is constant. Any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/json_writer.h"

struct resource;

enum parameter_type {
	PARAMETER_BOOLEAN,
	PARAMETER_NUMBER, /* an integer */
	PARAMETER_TEXT,
	PARAMETER_TEXTS, /* an array */
	PARAMETER_LINK,	 /* {"@odata.id": "..."} */
	PARAMETER_LINKS,
	PARAMETER_OBJECT, /* of `members`, which are checked likewise; without members, of any */
	PARAMETER_OBJECTS,
};

struct parameter {
	const char *name;
	enum parameter_type type;
	bool required; /* of an action, or to create; of a member: when its object is given */
	bool nullable; /* null is a value, too */
	bool null_is_default; /* to create: null is the same as no value */
	bool secret;	      /* the value is not repeated in a message */
	bool fixed;	      /* when the resource is created: a PATCH cannot change it */
	bool unsupported;     /* of the standard's action, and refused by this service */
	/* The range of a number, or of the bytes of each text; the latter as far as `max` is not 0.
	 */
	int64_t min, max;
	/* The range of an array's length, as far as `max_items` is not 0. */
	size_t min_items, max_items;
	/* The texts that are allowed, to a NULL; or the same for the resource of the request, which
	 * is the target of an action. */
	const char *const *values;
	const char *const *(*values_of)(const struct resource *r);
	/* Texts of the standard, to a NULL, which are refused as not supported if they are none of
	 * the allowed ones. */
	const char *const *unsupported_values;
	/* The form of a text, for clients, and the function that checks it. */
	const char *pattern;
	bool (*accepts)(const char *text);
	const char *object_type; /* of an object, for clients: "#CXLHostMemory.v1_0_0.…" */
	const struct parameter *members;
	size_t n_members;
	const char *description; /* for docs/parameters.md */
};

struct parameters {
	const struct parameter *rows;
	size_t n;
	const char *description; /* what is true of all of them; NULL: nothing */
};

#define PARAMETER_MEMBERS(list) .members = list, .n_members = sizeof(list) / sizeof((list)[0])

/* The fields of a `struct parameters` of an array of rows. */
#define PARAMETER_ROWS(list) .rows = list, .n = sizeof(list) / sizeof((list)[0])

/* A text that is an address. */
#define PARAMETER_ADDRESS .pattern = "^(0|0x[0-9a-fA-F]{1,16})$", .accepts = parameter_is_address

bool parameter_is_address(const char *text);

/* Return: the texts that are allowed, to a NULL; NULL: any text. @r: of the request */
const char *const *parameter_values(const struct parameter *p, const struct resource *r);

/* Return: whether a client can be shown any of them; @p may be NULL. */
bool parameters_are_shown(const struct parameters *p);

/* put_allowable_values() - "NAME@Redfish.AllowableValues" of each that has a list */
void put_allowable_values(const struct parameters *p, const struct resource *r,
			  struct json_writer *w);

/*
 * put_action_info() - the properties of the ActionInfo of an action
 * @action: without its schema: "TranslateDPA"
 * @target: of the action
 */
void put_action_info(const char *action, const struct parameters *p, const struct resource *target,
		     struct json_writer *w);

#endif
