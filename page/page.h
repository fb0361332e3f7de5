/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PAGE_PAGE_H
#define CXLR_PAGE_PAGE_H

/*
 * The page at "/": static files that are part of the program, served without a login. All that it
 * shows is read by the client's browser from the Redfish service.
 *
 * A struct page is an HTTP handler in front of another one, which gets every request that is not
 * for a file of the page. Its functions are called on the threads of http/. The files are never
 * changed.
 */

#include "common/error.h"
#include "http/handler.h"

struct page;

/*
 * page_new() - a handler for the page's files
 * @next, @userdata: what gets the other requests; used as long as the page
 *
 * Return: 0 or -ENOMEM.
 */
int page_new(const struct http_handler *next, void *userdata, struct page **ret, struct error *e);

/* After the servers that use it were freed. Accepts NULL. Return: NULL. */
struct page *page_free(struct page *p);

/* Its userdata is a struct page. */
extern const struct http_handler page_handler;

#endif
