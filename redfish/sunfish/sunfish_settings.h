/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_SUNFISH_SETTINGS_H
#define CXLR_REDFISH_SUNFISH_SETTINGS_H

/*
 * The configuration of the agent of a Sunfish core: its options, as rows of the daemon's table, and
 * the values in use. Plain values; no state.
 */

#include <stdbool.h>
#include <stddef.h>

#include "common/cidr.h"
#include "common/error.h"
#include "common/options.h"

enum {
	SUNFISH_URL_MAX = 256,	 /* bytes of the core's URL, with the NUL */
	SUNFISH_AGENT_MAX = 160, /* of this service's, as the core gets it */
};

/* As configured; NULL: not given. */
struct sunfish_options {
	const char *url;
	bool writes;
};

/*
 * sunfish_check_url() - option_row.check
 *
 * The host is an address, not a name: rights are given to it.
 */
int sunfish_check_url(const char *argument, struct error *e);

/* The rows of the table of options. @field: member of @structure, struct sunfish_options */
#define SUNFISH_OPTION_ROWS(structure, field)                                                      \
	{                                                                                          \
		.name = "sunfish",                                                                 \
		.argument = "URL",                                                                 \
		.help = "offer the resources to the core of Sunfish at URL, http:// or https:// "  \
			"with an address; the core reads without login at an http:// listener "    \
			"that only redirects others",                                              \
		.set = option_set_text,                                                            \
		.offset = offsetof(structure, field.url),                                          \
		.check = sunfish_check_url,                                                        \
	},                                                                                         \
	{                                                                                          \
		.name = "sunfish-writes",                                                          \
		.help = "let that core change, without login, what --allow names",                 \
		.set = option_set_flag, .offset = offsetof(structure, field.writes),               \
	}

/* The values in use. */
struct sunfish_settings {
	char core[SUNFISH_URL_MAX];    /* without a slash at its end; "": there is no core */
	char agent[SUNFISH_AGENT_MAX]; /* "http://192.0.2.1:8000" */
};

/* sunfish_set_core() - @url: of a configuration that was checked; NULL: none */
void sunfish_set_core(struct sunfish_settings *s, const char *url);

/*
 * sunfish_is_own_address() - whether the core can be told an address of a listener
 *
 * Not when it stands for all addresses of the host, or is of another family than the core's.
 */
bool sunfish_is_own_address(const char *address, const struct cidr *core);

/* sunfish_core_address() - the address of a URL; 0 or -EINVAL */
int sunfish_core_address(const char *url, struct cidr *ret, struct error *e);

#endif
