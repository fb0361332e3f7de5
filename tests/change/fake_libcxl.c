// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/change/fake_libcxl.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cxl/libcxl.h>

struct cxl_ctx {
	bool enumerated, with_region;
};
struct cxl_region {
	int unused;
};
enum { NAME_MAX_BYTES = 32 };
struct cxl_decoder {
	struct cxl_port *port;
	char name[NAME_MAX_BYTES];
};

struct fake_libcxl fake;
static struct cxl_ctx ctx;
static struct cxl_region region;

/* Return: 0, or the error that the test has ordered; then nothing is recorded. */
__attribute__((format(printf, 1, 2))) static int fake_write(const char *fmt, ...)
{
	const size_t len = strlen(fake.written);
	va_list ap;

	fake.n_writes++;
	if (fake.n_writes == fake.fail_at || fake.n_writes == fake.fail_also)
		return fake.error ? fake.error : -EIO;
	va_start(ap, fmt);
	(void)vsnprintf(fake.written + len, sizeof(fake.written) - len, fmt, ap);
	va_end(ap);
	(void)strncat(fake.written, "; ", sizeof(fake.written) - strlen(fake.written) - 1);
	return 0;
}

int cxl_new(struct cxl_ctx **ret)
{
	ctx = (struct cxl_ctx){0};
	*ret = &ctx;
	fake.n_contexts++;
	return 0;
}

void cxl_unref(struct cxl_ctx *c)
{
	fake.n_contexts -= c != NULL;
}

void cxl_set_log_fn(struct cxl_ctx *c, void (*fn)(struct cxl_ctx *, int, const char *, int,
						  const char *, const char *, va_list))
{
	(void)c;
	(void)fn;
}

/*
 * A root port, one port below it, and below that the endpoints 1 to 100, each port with 16
 * decoders: more than the tests plan with. An endpoint may be absent.
 */
enum { ROOT_PORT, SWITCH_PORT = 1000, ENDPOINTS = 100, DECODERS_OF_PORT = 16 };
struct cxl_bus {
	int unused;
};
struct cxl_port {
	int id;
	struct cxl_decoder decoders[DECODERS_OF_PORT];
};
struct cxl_endpoint {
	struct cxl_port port;
};

static struct cxl_bus bus;
static struct cxl_port root_port = {.id = ROOT_PORT}, switch_port = {.id = SWITCH_PORT};
static struct cxl_endpoint endpoints[ENDPOINTS];

struct cxl_bus *cxl_bus_get_first(struct cxl_ctx *c)
{
	if (!c->enumerated) {
		*c = (struct cxl_ctx){.enumerated = true, .with_region = fake.has_region};
		fake.n_enumerated++;
	}
	return &bus;
}

struct cxl_bus *cxl_bus_get_next(struct cxl_bus *b)
{
	(void)b;
	return NULL;
}

struct cxl_port *cxl_bus_get_port(struct cxl_bus *b)
{
	(void)b;
	return &root_port;
}

int cxl_port_get_id(struct cxl_port *port)
{
	return port->id;
}

struct cxl_port *cxl_port_get_first(struct cxl_port *parent)
{
	return parent == &root_port ? &switch_port : NULL;
}

struct cxl_port *cxl_port_get_next_all(struct cxl_port *port, const struct cxl_port *top)
{
	(void)port;
	(void)top;
	return NULL;
}

struct cxl_endpoint *cxl_endpoint_get_first(struct cxl_port *parent)
{
	if (parent != &switch_port)
		return NULL;
	for (int i = 0; i < ENDPOINTS; i++)
		endpoints[i].port.id = i + 1;
	return &endpoints[0];
}

struct cxl_endpoint *cxl_endpoint_get_next(struct cxl_endpoint *e)
{
	return e + 1 < endpoints + ENDPOINTS ? e + 1 : NULL;
}

int cxl_endpoint_get_id(struct cxl_endpoint *e)
{
	return e->port.id;
}

struct cxl_port *cxl_endpoint_get_port(struct cxl_endpoint *e)
{
	return &e->port;
}

static struct cxl_decoder *unless_absent(struct cxl_decoder *d, const struct cxl_decoder *end)
{
	while (d < end && fake.absent && strcmp(fake.absent, d->name) == 0)
		d++;
	return d < end ? d : NULL;
}

static const struct cxl_decoder *end_of(const struct cxl_port *port)
{
	return port->decoders + DECODERS_OF_PORT;
}

struct cxl_decoder *cxl_decoder_get_first(struct cxl_port *port)
{
	for (int i = 0; i < DECODERS_OF_PORT; i++) {
		struct cxl_decoder *d = &port->decoders[i];

		d->port = port;
		(void)snprintf(d->name, sizeof(d->name), "decoder%d.%d", port->id, i);
	}
	return unless_absent(port->decoders, end_of(port));
}

struct cxl_decoder *cxl_decoder_get_next(struct cxl_decoder *d)
{
	return unless_absent(d + 1, end_of(d->port));
}

const char *cxl_decoder_get_devname(struct cxl_decoder *d)
{
	return d->name;
}

struct cxl_region *cxl_region_get_first(struct cxl_decoder *d)
{
	(void)d;
	return fake.has_region && ctx.with_region ? &region : NULL;
}

struct cxl_region *cxl_region_get_next(struct cxl_region *r)
{
	(void)r;
	return NULL;
}

const char *cxl_region_get_devname(struct cxl_region *r)
{
	(void)r;
	return "region0";
}

static struct cxl_region *create_region(const struct cxl_decoder *d, const char *attribute)
{
	int r = fake_write("%s %s", d->name, attribute);

	errno = -r;
	fake.has_region = ctx.with_region = r == 0;
	return r == 0 ? &region : NULL;
}

struct cxl_region *cxl_decoder_create_pmem_region(struct cxl_decoder *d)
{
	return create_region(d, "create_pmem_region");
}

#if HAVE_CXL_DECODER_CREATE_RAM_REGION
struct cxl_region *cxl_decoder_create_ram_region(struct cxl_decoder *d)
{
	return create_region(d, "create_ram_region");
}
#endif

/* The window's attributes create_ram_region and delete_region, which the product writes itself. */
int fake_window_write(const char *path, const char *value)
{
	const char *attribute = strrchr(path, '/') + 1, *window = attribute - 1;
	int r;

	while (window[-1] != '/')
		window--;
	r = fake_write("%.*s %s", (int)(attribute - 1 - window), window, attribute);
	if (r == 0)
		fake.has_region = strcmp(attribute, "create_ram_region") == 0 &&
				  strcmp(value, "region0") == 0;
	return r;
}

int cxl_region_delete(struct cxl_region *r)
{
	int result = fake_write("delete_region");

	(void)r;
	fake.has_region = fake.has_region && result < 0;
	return result;
}

int cxl_region_set_uuid(struct cxl_region *r, uuid_t uuid)
{
	(void)r;
	memcpy(fake.uuid, uuid, sizeof(fake.uuid));
	return fake_write("uuid");
}

int cxl_region_set_interleave_granularity(struct cxl_region *r, unsigned int granularity)
{
	(void)r;
	return fake_write("granularity %u", granularity);
}

int cxl_region_set_interleave_ways(struct cxl_region *r, unsigned int ways)
{
	(void)r;
	return fake_write("ways %u", ways);
}

int cxl_region_set_size(struct cxl_region *r, unsigned long long size)
{
	(void)r;
	return fake_write("size %#llx", size);
}

int cxl_decoder_set_mode(struct cxl_decoder *d, enum cxl_decoder_mode mode)
{
	return fake_write("%s mode %s", d->name, mode == CXL_DECODER_MODE_PMEM ? "pmem" : "ram");
}

int cxl_decoder_set_dpa_size(struct cxl_decoder *d, unsigned long long size)
{
	return fake_write("%s dpa_size %#llx", d->name, size);
}

int cxl_region_set_target(struct cxl_region *r, int position, struct cxl_decoder *d)
{
	(void)r;
	return fake_write("target%d %s", position, d->name);
}

int cxl_region_clear_target(struct cxl_region *r, int position)
{
	(void)r;
	return fake_write("target%d none", position);
}

static int set_state(int *state, int value, const char *name)
{
	int r = fake_write("%s %d", name, value);

	if (r == 0)
		*state = value;
	return r;
}

int cxl_region_decode_commit(struct cxl_region *r)
{
	(void)r;
	return set_state(&fake.committed, 1, "commit");
}

int cxl_region_decode_reset(struct cxl_region *r)
{
	(void)r;
	return set_state(&fake.committed, 0, "commit");
}

int cxl_region_decode_is_committed(struct cxl_region *r)
{
	(void)r;
	return fake.committed;
}

int cxl_region_enable(struct cxl_region *r)
{
	(void)r;
	return set_state(&fake.enabled, 1, "enable");
}

int cxl_region_disable(struct cxl_region *r)
{
	(void)r;
	return set_state(&fake.enabled, 0, "enable");
}

int cxl_region_is_enabled(struct cxl_region *r)
{
	(void)r;
	return fake.enabled;
}
