/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_LIST_H
#define CXLR_CLI_LIST_H

/* cxl-spa list: prints the tree of a host, as text or JSON, on standard output. */

#include "cli/cli.h"
#include "cli/object.h"
#include "common/json_writer.h"

void list_text(const struct cli *cli);
int list_json(const struct cli *cli);

/* The scrub of all devices, list_scrub.c. Return: NULL when out of memory; waits for each device.
 */
struct list_scrub;
struct list_scrub *list_scrub_read(const struct host *host);
/* Accepts NULL. Return: NULL. */
struct list_scrub *list_scrub_free(struct list_scrub *l);
void list_scrub_text(const struct list_scrub *l);
void list_put_scrub(struct json_writer *w, const struct list_scrub *l);

/* One object and what is below it; not the host. */
void list_object_text(const struct host *host, const struct object *o);
int list_object_json(const struct cli *cli, const struct object *o);
/* The extents of dynamic capacity; nothing for a region without. */
void list_put_extents(struct json_writer *w, const struct region *r);
void list_put_region(struct json_writer *w, const char *key, const struct region *r);

#endif
