// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A memory device: its identity, its connection, and its decoders.
#include "model/findings_private.h"
#include "model/region_fit.h"
#include "model/repairs.h"
#include "model/topology.h"

static struct finding_arg capacity_arg(struct opt_u64 size)
{
	return size.present && size.value ? finding_size(size) : (struct finding_arg){0};
}

static void findings_of_identity(struct findings *f, const struct memdev *m)
{
	const char *place = m->bdf ? m->bdf : m->host ? m->host : "an unknown device";
	struct finding_arg serial = {0}, node = {0};

	if (m->serial.present)
		serial = finding_hex(m->serial.value);
	if (m->numa_node.present)
		node = finding_number((uint64_t)m->numa_node.value);
	findings_add_args(f, MEMDEV_IDENTITY, m->name, finding_name(place), serial,
			  capacity_arg(m->ram_size), capacity_arg(m->pmem_size), node);
}

/* A serial number that names no single device. */
static void findings_of_serial(struct findings *f, const struct memdev *m)
{
	struct finding_items same = {0};

	if (!m->serial.present)
		return;
	for (size_t i = 0; i < f->host->n_memdevs; i++) {
		const struct memdev *other = f->host->memdevs[i];
		const char *place = other->bdf ? other->bdf : other->host;

		if (opt_u64_is(other->serial, m->serial.value))
			finding_items_add(
				f, &same,
				&(struct finding_item){.name = other->name, .detail = place});
	}
	if (!m->serial.value)
		findings_add_args(f, MEMDEV_SERIAL_ZERO, m->name, finding_list(same.first));
	else if (same.first != same.last)
		findings_add_args(f, MEMDEV_SERIAL_SHARED, m->name, finding_hex(m->serial.value),
				  finding_list(same.first));
	else
		return;
	findings_add(f, MEMDEV_NAME_BY_PLACE, m->name);
}

static void findings_of_missing_endpoint(struct findings *f, const struct memdev *m)
{
	struct refusal refusal;

	if (m->enabled)
		findings_add(f, MEMDEV_NO_ENDPOINT, m->name);
	else
		findings_add(f, MEMDEV_NO_DRIVER, m->name);
	if (refusal_of_memdev(f->host, m, f->arena, &refusal) < 0)
		f->no_memory = true;
	if (findings_of_log(f, m->name, &refusal))
		return;
	if (m->enabled) {
		findings_add_args(f, MEMDEV_CHECK_KERNEL_LOG, m->name, finding_name(m->name),
				  findings_kernel_says(f, &refusal, m->name));
	} else {
		findings_add_args(f, MEMDEV_ENABLE, m->name, finding_name(m->name));
	}
}

static void findings_of_connection(struct findings *f, const struct memdev *m)
{
	const struct port *endpoint = m->endpoint;

	if (!endpoint) {
		findings_of_missing_endpoint(f, m);
		return;
	}
	if (endpoint->parent)
		findings_add_args(f, MEMDEV_CONNECTED, m->name, finding_name(endpoint->name),
				  finding_name(port_kind_name(endpoint->parent->kind)),
				  finding_name(endpoint->parent->name));
	if (!endpoint->enabled) {
		findings_add_args(f, MEMDEV_NO_PORT_DRIVER, m->name, finding_name(endpoint->name));
		findings_add_args(f, MEMDEV_ENABLE_PORT, m->name, finding_name(endpoint->name));
	}
}

/* @awaited: a decoder that is explained by the region that needs its DPA; NULL without */
static void findings_of_decoders(struct findings *f, const struct port *endpoint,
				 const char *object, const struct decoder *awaited,
				 bool decoders_in_regions)
{
	size_t used = 0;

	for (size_t i = 0; i < endpoint->n_decoders; i++)
		findings_of_decoder_order(f, object, endpoint->decoders[i]);
	for (size_t i = 0; i < endpoint->n_decoders; i++)
		used += decoder_is_used(endpoint->decoders[i]);
	findings_add_args(f, MEMDEV_DECODERS, object, finding_number(used),
			  finding_number(endpoint->n_decoders));
	for (size_t i = 0; i < endpoint->n_decoders; i++) {
		const struct decoder *d = endpoint->decoders[i];

		if (d != awaited && decoder_is_used(d) &&
		    (decoders_in_regions || !decoder_mapped_by(d)))
			findings_of_decoder(f, d);
	}
}

static void findings_of_pages(struct findings *f, const struct memdev *m)
{
	for (size_t i = 0; i < f->n_pages; i++) {
		const struct memdev_pages *p = &f->pages[i];

		if (p->memdev != m || p->remembered == 0)
			continue;
		findings_add_args(f, MEMDEV_PAGES, m->name, finding_number(p->remembered),
				  finding_number(p->out));
		findings_add(f, MEMDEV_LIST_PAGES, m->name);
	}
}

static void findings_of_repairs(struct findings *f, const struct memdev *m)
{
	char absence[REPAIRS_ABSENCE_MAX], text[REPAIRS_TEXT_MAX];
	const char *missing = repairs_absence(f->host, m, absence);
	const char *copy = arena_strdup(f->arena, missing ? missing : repairs_text(m, text));

	if (!copy)
		f->no_memory = true;
	else if (missing)
		findings_add_args(f, MEMDEV_NO_REPAIRS, m->name, finding_text(copy));
	else
		findings_add_args(f, MEMDEV_REPAIRS, m->name, finding_text(copy));
}

static void findings_of_worklist(struct findings *f, const struct memdev *m)
{
	for (size_t i = 0; i < f->n_repairs; i++) {
		const struct memdev_repairs *r = &f->repairs[i];

		if (r->memdev != m)
			continue;
		findings_add_args(f, MEMDEV_WORKLIST, m->name, finding_number(r->n),
				  finding_number(r->asked));
		findings_add(f, MEMDEV_LIST_REPAIRS, m->name);
	}
}

void findings_of_memdev(struct findings *f, const struct memdev *m, bool decoders_in_regions)
{
	const struct region *region;
	const struct region_fit *fit = findings_awaited(f, m, &region);

	findings_of_identity(f, m);
	findings_of_serial(f, m);
	findings_of_connection(f, m);
	findings_of_capacity(f, m);
	findings_of_repairs(f, m);
	findings_of_worklist(f, m);
	findings_of_pages(f, m);
	if (m->endpoint)
		findings_of_decoders(f, m->endpoint, m->name, fit ? fit->decoder : NULL,
				     decoders_in_regions);
}
