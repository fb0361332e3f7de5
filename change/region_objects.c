// SPDX-License-Identifier: LGPL-2.1-or-later
#include "change/region_objects.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Callers report errors, which libcxl would write to standard error. */
static void drop_log(struct cxl_ctx *ctx, int priority, const char *file, int line, const char *fn,
		     const char *format, va_list args)
{
	(void)ctx;
	(void)priority;
	(void)file;
	(void)line;
	(void)fn;
	(void)format;
	(void)args;
}

static int objects_open(struct region_objects *o)
{
	const int r = o->cxl ? 0 : cxl_new(&o->cxl);

	if (r == 0)
		cxl_set_log_fn(o->cxl, drop_log);
	return r;
}

void region_objects_forget(struct region_objects *o)
{
	o->region = NULL;
	cxl_unref(o->cxl); /* with all objects; accepts NULL */
	o->cxl = NULL;
}

void region_objects_done(struct region_objects *o)
{
	region_objects_forget(o);
}

/* ---- decoders ---------------------------------------------------------------------------------
 *
 * libcxl reads what it is asked for, with all of its attributes. cxl_decoder_get_by_name() asks
 * for the decoders of each port until it has found one; a decoder's name has the number of its
 * port, so that only those of one port need be read.
 */

static struct cxl_decoder *decoder_of_port(struct cxl_port *port, const char *name)
{
	struct cxl_decoder *decoder;

	cxl_decoder_foreach(port, decoder)
		if (strcmp(cxl_decoder_get_devname(decoder), name) == 0)
			return decoder;
	return NULL;
}

static struct cxl_port *endpoint_port(struct cxl_port *parent, int id)
{
	struct cxl_endpoint *endpoint;

	cxl_endpoint_foreach(parent, endpoint)
		if (cxl_endpoint_get_id(endpoint) == id)
			return cxl_endpoint_get_port(endpoint);
	return NULL;
}

/* Return: the port or endpoint of this number at or below @top; NULL: none. */
static struct cxl_port *find_port(struct cxl_port *top, int id)
{
	struct cxl_port *port, *found = cxl_port_get_id(top) == id ? top : endpoint_port(top, id);

	if (found)
		return found;
	cxl_port_foreach_all(top, port) {
		found = cxl_port_get_id(port) == id ? port : endpoint_port(port, id);
		if (found)
			return found;
	}
	return NULL;
}

struct cxl_decoder *region_objects_decoder(struct region_objects *o, const char *name)
{
	struct cxl_port *port;
	struct cxl_bus *bus;
	int id;

	if (objects_open(o) < 0 || sscanf(name, "decoder%9d.", &id) != 1)
		return NULL;
	cxl_bus_foreach(o->cxl, bus) {
		port = find_port(cxl_bus_get_port(bus), id);
		if (port)
			return decoder_of_port(port, name);
	}
	return NULL;
}

int region_objects_region(struct region_objects *o, const char *name)
{
	struct cxl_decoder *window = region_objects_decoder(o, o->window);
	struct cxl_region *region;

	if (!window)
		return -ENODEV;
	cxl_region_foreach(window, region) {
		if (strcmp(cxl_region_get_devname(region), name) != 0)
			continue;
		o->region = region;
		(void)snprintf(o->name, sizeof(o->name), "%s", name);
		return 0;
	}
	return -ENOENT;
}

static int release_one(struct region_objects *o, const struct decoder *d, struct error *e)
{
	if (o->n_releases == REGION_RELEASES_MAX)
		return error_set(
			e, E2BIG,
			"more than %d decoders have memory that an interrupted change left behind; release it by: cxl free-dpa",
			REGION_RELEASES_MAX);
	o->releases[o->n_releases++] = d->name;
	return 0;
}

int region_objects_release(struct region_objects *o, const struct port *endpoint,
			   unsigned int first, struct error *e)
{
	int r = 0;

	for (size_t i = endpoint->n_decoders; r == 0 && i-- > 0;) {
		const struct decoder *d = endpoint->decoders[i];

		if (d->index < first)
			break;
		if (d->dpa_size.present && d->dpa_size.value > 0)
			r = release_one(o, d, e);
	}
	return r;
}
