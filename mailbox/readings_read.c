// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reading of all devices of a host, one after the other. */
#include "mailbox/readings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/strutil.h"
#include "mailbox/device_reader.h"
#include "mailbox/readings_private.h"
#include "mailbox/scrub_reader.h"
#include "sysfs/aer.h"
#include "sysfs/security.h"
#include "sysfs/slot_light.h"

DEFINE_ARRAY(const char *, name_list);
DEFINE_CLEANUP(struct readings, readings_unref);

struct reading {
	struct mailbox_client *client;
	const struct host *host;
	const struct readings *previous;
	const struct memdev *only; /* NULL to read all */
	struct readings *r;
};

/* The PCI functions of CXL: memory devices, root ports, and the ports of switches. */

static int add_function(struct name_list *names, const struct pci_function *pci)
{
	const char **slot;

	if (!pci)
		return 0;
	slot = name_list_add(names);
	if (!slot)
		return -ENOMEM;
	*slot = pci->bdf;
	return 0;
}

static int add_port(struct name_list *names, const struct port *port)
{
	int r = add_function(names, port->pci);

	for (size_t i = 0; i < port->n_dports && r == 0; i++)
		r = add_function(names, port->dports[i].pci);
	return r;
}

static int name_order(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void drop_repeated(struct name_list *names)
{
	size_t kept = 0;

	for (size_t i = 0; i < names->n; i++)
		if (kept == 0 || !str_equal(names->items[kept - 1], names->items[i]))
			names->items[kept++] = names->items[i];
	names->n = kept;
}

static int list_functions(const struct host *host, struct name_list *names)
{
	int r = 0;

	for (size_t i = 0; i < host->n_memdevs && r == 0; i++)
		r = add_function(names, host->memdevs[i]->pci);
	for (size_t i = 0; i < host->n_ports && r == 0; i++)
		r = add_port(names, host->ports[i]);
	if (names->n > 1)
		qsort(names->items, names->n, sizeof(names->items[0]), name_order);
	drop_repeated(names);
	return r;
}

/* The notes of a device are kept with it, for a set in which it is not read again. */
static int readings_set_notes(struct reading *reading, const struct read_notes *notes,
			      const char *const **ret, size_t *ret_n)
{
	size_t n = notes->n_notes < HOST_NOTES_MAX ? notes->n_notes : HOST_NOTES_MAX;

	*ret = arena_memdup(reading->r->arena, notes->notes, n * sizeof(notes->notes[0]));
	*ret_n = n;
	return !*ret || notes->out_of_memory ? -ENOMEM : 0;
}

static int readings_copy_notes(struct reading *reading, const char *const *notes, size_t n,
			       const char *const **ret, size_t *ret_n)
{
	struct read_notes copy = {.arena = reading->r->arena};

	for (size_t i = 0; i < n; i++)
		read_notes_add(&copy, "%s", notes[i]);
	return readings_set_notes(reading, &copy, ret, ret_n);
}

/* Kept values have the time of the reading in which the device answered last. */
static void readings_date(struct memdev_reading *m, const struct memdev_reading *last)
{
	struct mailbox *mb = &m->mailbox;

	m->read_ns = clock_realtime_ns();
	if (!mb->kept || !last)
		return;
	mb->kept_from_ns = last->mailbox.kept ? last->mailbox.kept_from_ns : OPT_U64(last->read_ns);
	if (mb->timestamp_ns.present && !mb->timestamp_read_ns.present) {
		mb->timestamp_read_ns = last->mailbox.timestamp_read_ns;
		mb->timestamp_read_ms = last->mailbox.timestamp_read_ms;
	}
}

/* The files are commands to the device, which one that does not answer is not sent. */
static void readings_read_scrub(struct reading *reading, struct memdev_reading *m,
				struct read_notes *notes)
{
	if (m->mailbox.unresponsive)
		m->scrub = (struct memdev_scrub){.unread = true};
	else if (mailbox_client_may_hang(reading->client))
		scrub_read_in_time(m->name, notes, &m->scrub);
	else
		memdev_scrub_read(m->name, notes, &m->scrub);
}

/* @last: of the same device; NULL when it was not read */
static int readings_query_memdev(struct reading *reading, const struct memdev *memdev,
				 struct memdev_reading *m, const struct memdev_reading *last)
{
	struct read_notes notes = {.arena = reading->r->arena};
	struct mailbox_record record, previous = {0};

	if (last && last->record_len <= sizeof(previous.bytes)) {
		memcpy(previous.bytes, last->record, last->record_len);
		previous.len = last->record_len;
	}
	mailbox_read(reading->client, m->name, &notes, &previous, &m->mailbox, &record);
	readings_date(m, last);
	security_read(m->name, &notes, &m->security);
	m->light = slot_light_read(memdev, &notes);
	readings_read_scrub(reading, m, &notes);
	for (unsigned int i = 0; i < SCRUB_KINDS; i++)
		scrub_set_of(memdev, i, &m->scrub_sets[i]);
	m->record = arena_memdup(reading->r->arena, record.bytes, record.len);
	m->record_len = record.len;
	if (!m->record)
		return -ENOMEM;
	return readings_set_notes(reading, &notes, &m->notes, &m->n_notes);
}

static int readings_copy_memdev(struct reading *reading, struct memdev_reading *m,
				const struct memdev_reading *known)
{
	m->mailbox = known->mailbox;
	m->read_ns = known->read_ns;
	m->light = known->light;
	m->scrub = known->scrub;
	memcpy(m->scrub_sets, known->scrub_sets, sizeof(m->scrub_sets));
	m->security.has_nvdimm = known->security.has_nvdimm;
	m->security.state = arena_strdup(reading->r->arena, known->security.state);
	if (known->security.state && !m->security.state)
		return -ENOMEM;
	m->record = arena_memdup(reading->r->arena, known->record, known->record_len);
	m->record_len = known->record_len;
	if (!m->record)
		return -ENOMEM;
	return readings_copy_notes(reading, known->notes, known->n_notes, &m->notes, &m->n_notes);
}

static int readings_read_memdev(struct reading *reading, const struct memdev *memdev,
				struct memdev_reading *m)
{
	const struct memdev_reading *known = readings_of_memdev(reading->previous, memdev);

	m->name = arena_strdup(reading->r->arena, memdev->name);
	m->bdf = arena_strdup(reading->r->arena, memdev->bdf);
	m->serial = memdev->serial;
	if (!m->name || (memdev->bdf && !m->bdf))
		return -ENOMEM;
	if (known && reading->only && reading->only != memdev)
		return readings_copy_memdev(reading, m, known);
	return readings_query_memdev(reading, memdev, m, known);
}

static int readings_read_function(struct reading *reading, const char *bdf,
				  struct function_reading *f)
{
	struct read_notes notes = {.arena = reading->r->arena};
	const struct function_reading *known = NULL;

	f->bdf = arena_strdup(reading->r->arena, bdf);
	if (!f->bdf)
		return -ENOMEM;
	if (reading->only && !str_equal(reading->only->bdf, bdf))
		known = readings_of_function(reading->previous, bdf);
	if (known) {
		f->aer = known->aer;
		return readings_copy_notes(reading, known->notes, known->n_notes, &f->notes,
					   &f->n_notes);
	}
	aer_read(f->bdf, &notes, &f->aer);
	return readings_set_notes(reading, &notes, &f->notes, &f->n_notes);
}

/* All of them: the limit is for each device. */
static int readings_gather_notes(struct readings *r)
{
	size_t n = 0;
	const char **all;

	for (size_t i = 0; i < r->n_memdevs; i++)
		n += r->memdevs[i].n_notes;
	for (size_t i = 0; i < r->n_functions; i++)
		n += r->functions[i].n_notes;
	all = ARENA_ARRAY(r->arena, n, const char *);
	if (!all)
		return -ENOMEM;
	r->notes = all;
	for (size_t i = 0; i < r->n_memdevs; i++)
		for (size_t k = 0; k < r->memdevs[i].n_notes; k++)
			all[r->n_notes++] = r->memdevs[i].notes[k];
	for (size_t i = 0; i < r->n_functions; i++)
		for (size_t k = 0; k < r->functions[i].n_notes; k++)
			all[r->n_notes++] = r->functions[i].notes[k];
	return 0;
}

static int readings_read_all(struct reading *reading, const struct name_list *functions)
{
	struct readings *r = reading->r;
	int error = 0;

	for (size_t i = 0; i < r->n_memdevs && error == 0; i++)
		error = readings_read_memdev(reading, reading->host->memdevs[i], &r->memdevs[i]);
	for (size_t i = 0; i < r->n_functions && error == 0; i++)
		error = readings_read_function(reading, functions->items[i], &r->functions[i]);
	return error < 0 ? error : readings_gather_notes(r);
}

int readings_read(struct mailbox_client *client, const struct host *host,
		  const struct readings *previous, const char *only, struct readings **ret)
{
	_cleanup_(name_list_done) struct name_list functions = {0};
	_cleanup_(readings_unrefp) struct readings *r = NULL;
	struct reading reading = {.client = client, .host = host, .previous = previous};
	int error;

	error = list_functions(host, &functions);
	if (error < 0)
		return error;
	r = readings_new(host->n_memdevs, functions.n);
	if (!r)
		return -ENOMEM;
	reading.r = r;
	reading.only = only ? host_memdev(host, only) : NULL;
	error = readings_read_all(&reading, &functions);
	if (error < 0)
		return error;
	*ret = STEAL_PTR(r);
	return 0;
}
