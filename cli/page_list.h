/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_PAGE_LIST_H
#define CXLR_CLI_PAGE_LIST_H

/*
 * The pages that cxl-redfishd remembers: page list, page export and page import. One thread; root
 * reads and writes the state database beside the service.
 */

#include "cli/cli.h"
#include "redfish/pages/state_pages.h"

/* Whether a verb of cxl-spa page is one of these. */
bool page_list_has(const char *verb);

/* @operands: the verb, and the file of import. Return: an exit status. */
int command_page_list(struct cli *cli, int n, char **operands);

enum {
	PAGE_IMPORT_BYTES_MAX = 16 * 1024 * 1024,
	PAGE_IMPORT_RANGE_MAX = 4096, /* bytes of one entry */
};

/*
 * page_list_parse() - a list as export writes it
 * @host: addresses of its devices are within their capacity; those of others are not known
 * @ret: added to; a range that may be of several pages is several entries
 *
 * Return: 0; -EINVAL naming the entry, the key and the values that it may have; -E2BIG; -ENOMEM.
 */
int page_list_parse(const char *text, size_t len, const struct host *host,
		    struct remembered_pages *ret, struct error *e);

/* Return: the limits of the service's configuration; the defaults after a line on standard error
 * when that cannot be read. */
struct page_limits page_list_limits(void);

/* page_list_open_state() - the database of --state, or of the service's own directory */
int page_list_open_state(const struct cli *cli, struct state **ret, struct error *e);

#endif
