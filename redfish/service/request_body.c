// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/service/request_body.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory -----------------------------------------------------------------------------------
 */

/* The usable size, which may be more than was asked for: the rest may be of a block before it. */
static void wipe_and_free(void *p)
{
	if (p)
		explicit_bzero(p, malloc_usable_size(p));
	free(p);
}

static void wipe_from_now_on(void)
{
	json_set_alloc_funcs(malloc, wipe_and_free);
}

void request_bodies_init(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	(void)pthread_once(&once, wipe_from_now_on);
}

/* ---- parsing ----------------------------------------------------------------------------------
 */

struct counts {
	size_t depth, deepest;
	size_t members;
	size_t commas;
};

/* @s is behind the opening quote. Return: behind the closing one, or @end. */
static const char *skip_string(const char *s, const char *end)
{
	for (; s < end && *s != '"'; s++)
		if (*s == '\\')
			s++;
	return s < end ? s + 1 : end;
}

/* Counts what a parser would allocate, also in text that is not valid. */
static void count_parts(const char *s, size_t len, struct counts *c)
{
	for (const char *end = s + len; s < end;) {
		switch (*s++) {
		case '"':
			s = skip_string(s, end);
			break;
		case '{':
		case '[':
			c->members++;
			if (++c->depth > c->deepest)
				c->deepest = c->depth;
			break;
		case '}':
		case ']':
			/* A parser ends at one too many. */
			if (c->depth > 0)
				c->depth--;
			break;
		case ':':
			c->members++;
			break;
		case ',':
			c->commas++;
			break;
		default:
			break;
		}
	}
}

json_t *request_body_parse(const char *text, size_t len, enum message_id *ret_why)
{
	struct counts c = {0};

	*ret_why = MESSAGE_MALFORMED_JSON;
	if (len == 0)
		return NULL;
	count_parts(text, len, &c);
	if (c.deepest > BODY_DEPTH_MAX)
		return NULL;
	if (c.members > BODY_MEMBERS_MAX || c.commas > BODY_VALUES_MAX) {
		*ret_why = MESSAGE_PAYLOAD_TOO_LARGE;
		return NULL;
	}
	return json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
}
