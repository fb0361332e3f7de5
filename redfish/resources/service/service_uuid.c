// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/service/service_uuid.h"

#include <string.h>

/* FNV-1a, 64 bits, in two lanes that begin differently: an identity, not a secret. */
struct digest {
	uint64_t lanes[2];
};

static void add_bytes(struct digest *d, const void *bytes, size_t n)
{
	const uint8_t *p = bytes;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < 2; k++)
			d->lanes[k] = (d->lanes[k] ^ p[i]) * 0x100000001b3ULL;
}

/* With its end, so that "ab", "c" is not "a", "bc". */
static void add_text(struct digest *d, const char *text)
{
	add_bytes(d, text ? text : "", text ? strlen(text) + 1 : 1);
}

static void add_number(struct digest *d, uint64_t value)
{
	uint8_t bytes[8];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
	add_bytes(d, bytes, sizeof(bytes));
}

/* Adds the properties that distinguish captures: the machine, its kernel, its devices and its
 * memory. */
static void add_host(struct digest *d, const struct host *h)
{
	add_text(d, h->hostname);
	add_text(d, h->dmi_uuid);
	add_text(d, h->kernel_release);
	for (size_t i = 0; i < h->n_memdevs; i++) {
		add_text(d, h->memdevs[i]->name);
		add_text(d, h->memdevs[i]->bdf);
		add_number(d, h->memdevs[i]->serial.value);
	}
	for (size_t i = 0; i < h->n_regions; i++) {
		add_text(d, h->regions[i]->name);
		add_number(d, h->regions[i]->resource.value);
	}
	for (size_t i = 0; i < h->n_iomem; i++) {
		add_number(d, h->iomem[i].start);
		add_number(d, h->iomem[i].last);
	}
}

void put_service_uuid(const struct view *v, struct json_writer *w, const char *key)
{
	struct digest d = {{0xcbf29ce484222325ULL, 0x84222325cbf29ce4ULL}};

	if (!v->host->root->captured) {
		if (v->host->root->service_uuid[0])
			put_string(w, key, v->host->root->service_uuid);
		return;
	}
	add_host(&d, v->host);
	/* Version 8, of the implementation's own making (RFC 9562 5.8). */
	put_format(w, key, "%08x-%04x-8%03x-%04x-%012llx", (unsigned int)(d.lanes[0] >> 32),
		   (unsigned int)(d.lanes[0] >> 16 & 0xffff), (unsigned int)(d.lanes[0] & 0xfff),
		   (unsigned int)(0x8000 | (d.lanes[1] >> 48 & 0x3fff)),
		   (unsigned long long)(d.lanes[1] & 0xffffffffffffULL));
}
