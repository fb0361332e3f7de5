// SPDX-License-Identifier: LGPL-2.1-or-later
//
// All switches of a host, what is known of them between readings, and the readings themselves.
#include "mailbox/switch_reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/strutil.h"
#include "mailbox/switch_reader_private.h"

struct switch_reader {
	atomic_bool stop;
	struct known_switch *known[CCI_SWITCHES_MAX];
	size_t n_known;
	struct extent_plans *plans; /* NULL: none are known */
};

/* ---- what is known ---- */

static void piece_done(struct switch_piece *p)
{
	switch_record_done(&p->record);
	(void)arena_free(p->arena);
	*p = (struct switch_piece){0};
}

struct known_device *known_device_free(struct known_device *d)
{
	if (d)
		piece_done(&d->piece);
	free(d);
	return NULL;
}

static struct known_switch *known_switch_free(struct known_switch *k)
{
	if (!k)
		return NULL;
	for (size_t i = 0; i < FMAPI_PORTS_MAX; i++)
		(void)known_device_free(k->devices[i]);
	switch_record_done(&k->identity);
	switch_record_done(&k->events);
	(void)cci_free(k->cci);
	free(k);
	return NULL;
}

struct switch_reader *switch_reader_new(void)
{
	struct switch_reader *r = calloc(1, sizeof(*r));

	if (r)
		atomic_init(&r->stop, false);
	return r;
}

void switch_reader_set_plans(struct switch_reader *r, struct extent_plans *p)
{
	r->plans = p;
}

struct switch_reader *switch_reader_free(struct switch_reader *r)
{
	for (size_t i = 0; r && i < r->n_known; i++)
		(void)known_switch_free(r->known[i]);
	free(r);
	return NULL;
}

void switch_reader_stop(struct switch_reader *r)
{
	atomic_store(&r->stop, true);
}

static struct known_switch *find_known(const struct switch_reader *r, const char *name)
{
	for (size_t i = 0; i < r->n_known; i++)
		if (str_equal(r->known[i]->name, name))
			return r->known[i];
	return NULL;
}

/* Return: NULL when out of memory. */
static struct known_switch *get_known(struct switch_reader *r, const char *name)
{
	struct known_switch *k = find_known(r, name);

	if (k || r->n_known == CCI_SWITCHES_MAX)
		return k;
	k = calloc(1, sizeof(*k));
	if (!k)
		return NULL;
	(void)snprintf(k->name, sizeof(k->name), "%s", name);
	r->known[r->n_known++] = k;
	return k;
}

static void forget_others(struct switch_reader *r, const struct switch_source *sources, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->n_known; i++)
		r->known[i]->present = false;
	for (size_t i = 0; i < n; i++) {
		struct known_switch *k = find_known(r, sources[i].name);

		if (k)
			k->present = true;
	}
	for (size_t i = 0; i < r->n_known; i++) {
		if (r->known[i]->present)
			r->known[kept++] = r->known[i];
		else
			(void)known_switch_free(r->known[i]);
	}
	r->n_known = kept;
}

/* ---- devices ---- */

/* Whether a device may be there that answers: a PCIe device has no CCI. */
static bool has_device(const struct fmapi_port *p)
{
	return p->config == FMAPI_PORT_DSP && p->device_type != FMAPI_DEVICE_NONE &&
	       p->device_type != FMAPI_DEVICE_PCIE;
}

/* Not the state of the link, which changes while the device stays. */
static bool same_device(const struct fmapi_port *a, const struct fmapi_port *b)
{
	return a->config == b->config && a->device_mode == b->device_mode &&
	       a->device_type == b->device_type && a->link_flags == b->link_flags &&
	       a->additional_lds == b->additional_lds;
}

/* Return: what is known of the device on a port, empty when it has to be read; NULL: no memory. */
static struct known_device *prepare_device(struct known_switch *known,
					   const struct fmapi_port *port)
{
	struct known_device *d = known->devices[port->id];

	if (d && !same_device(&d->port, port)) {
		d = known_device_free(d);
		known->devices[port->id] = NULL;
	}
	if (!d) {
		d = calloc(1, sizeof(*d));
		if (!d)
			return NULL;
		d->due = true;
		known->devices[port->id] = d;
	}
	d->port = *port;
	if (!d->due)
		return d;
	piece_done(&d->piece);
	d->read = NULL;
	d->piece.arena = arena_new();
	d->piece.notes.arena = d->piece.arena;
	return d->piece.arena ? d : NULL;
}

static int copy_device(struct arena *arena, const struct device_reading *from,
		       struct device_reading **ret)
{
	struct device_reading *d = arena_memdup(arena, from, sizeof(*from));

	if (d && d->n_lds > 0)
		d->lds = arena_memdup(arena, from->lds, from->n_lds * sizeof(from->lds[0]));
	if (!d || (d->n_lds > 0 && !d->lds))
		return -ENOMEM;
	*ret = d;
	return 0;
}

/* Adds the device's answers, of now or before, to the readings. */
static int take_device(struct switch_query *q, struct switch_piece *all, struct known_device *d,
		       struct port_reading *port)
{
	const size_t n = d->piece.notes.n_notes;

	if (d->piece.notes.out_of_memory || d->piece.record.out_of_memory)
		return -ENOMEM;
	switch_record_add(&all->record, d->piece.record.bytes, d->piece.record.len);
	for (size_t i = 0; i < n && i < HOST_NOTES_MAX; i++)
		read_notes_add(&all->notes, "%s", d->piece.notes.notes[i]);
	if (!d->read)
		return 0;
	q->piece = all;
	if (copy_device(all->arena, d->read, &port->device) < 0)
		return -ENOMEM;
	if (d->read->has_ld_info && d->read->ld_info.egress_congestion)
		switch_read_backpressure(q, d, port->device);
	if (d->read->has_identity)
		extent_plans_keep(q->plans, q->name, d->port.id, d->read->identity.serial);
	if (d->read->has_dcd)
		switch_read_dynamic(q, d, port->device);
	return all->notes.out_of_memory ? -ENOMEM : 0;
}

static int read_devices(struct switch_query *q, struct known_switch *known,
			struct switch_reading *s)
{
	struct switch_piece *all = q->piece;
	bool here[FMAPI_PORTS_MAX] = {false};

	for (size_t i = 0; i < s->n_ports; i++) {
		const struct fmapi_port *port = &s->ports[i].state;
		struct known_device *d;

		if (!has_device(port))
			continue;
		here[port->id] = true;
		d = prepare_device(known, port);
		if (!d)
			return -ENOMEM;
		if (d->due)
			switch_read_device(q, d, s->has_identity ? &s->identity : NULL);
		if (take_device(q, all, d, &s->ports[i]) < 0)
			return -ENOMEM;
	}
	for (size_t i = 0; i < FMAPI_PORTS_MAX; i++)
		if (!here[i])
			known->devices[i] = known_device_free(known->devices[i]);
	q->piece = all;
	return 0;
}

/* ---- a switch ---- */

static void make_due(struct known_switch *known, enum switch_read what)
{
	const uint64_t now = clock_monotonic_ms();

	if (what == SWITCH_READ_CHANGES && now < known->all_due_ms)
		return;
	for (size_t i = 0; i < FMAPI_PORTS_MAX; i++)
		if (known->devices[i])
			known->devices[i]->due = true;
	known->all_due_ms = now + SWITCH_READ_ALL_MS;
}

/* Forgets the contents of a switch that is gone: it may be another switch when it is back. */
static void forget_contents(struct known_switch *known)
{
	for (size_t i = 0; i < FMAPI_PORTS_MAX; i++)
		known->devices[i] = known_device_free(known->devices[i]);
	known->unsupported.n = 0;
	known->identity.len = 0;
	known->events.len = 0;
	known->all_due_ms = 0;
	known->cci = cci_free(known->cci);
}

static int query_switch(struct switch_reader *r, struct known_switch *known, struct cci *cci,
			enum switch_read what, struct switch_piece *piece, struct switch_reading *s)
{
	const uint64_t sent = cci->n_commands;
	struct switch_query q = {
		.cci = cci,
		.name = s->name,
		.until_ms = clock_monotonic_ms() + SWITCH_READ_MS,
		.stop = &r->stop,
		.plans = r->plans,
		.unsupported = &known->unsupported,
		.piece = piece,
	};
	int error;

	make_due(known, what);
	switch_read_itself(&q, known, s);
	error = read_devices(&q, known, s);
	s->n_commands = cci->n_commands - sent;
	if (known->identity.out_of_memory || known->events.out_of_memory)
		error = -ENOMEM;
	if (q.gone)
		forget_contents(known);
	return error;
}

static int read_source(struct switch_reader *r, const struct switch_source *source,
		       enum switch_read what, struct switch_piece *piece, struct switch_reading *s)
{
	struct known_switch *known = get_known(r, source->name);
	int error = 0;

	s->name = arena_strdup(piece->arena, source->name);
	if (!known || !s->name)
		return -ENOMEM;
	switch_record_add(&piece->record, s->name, strlen(s->name) + 1);
	if (source->cci) {
		s->recorded = source->cci->recorded;
		s->origin = arena_strdup(piece->arena, source->cci->recorded);
		if (s->recorded && !s->origin)
			return -ENOMEM;
		error = query_switch(r, known, source->cci, what, piece, s);
	} else {
		forget_contents(known);
		read_notes_add(&piece->notes, "%s: %s", s->name, source->reason);
		switch_record_add(&piece->record, source->reason, strlen(source->reason) + 1);
	}
	if (s->has_identity)
		known->serial = OPT_U64(s->identity.serial);
	s->serial = known->serial;
	s->notes = read_notes_list(&piece->notes, &s->n_notes);
	return error < 0 || piece->notes.out_of_memory ? -ENOMEM : 0;
}

/* ---- all of them ---- */

static int read_all_sources(struct switch_reader *r, const struct switch_source *sources, size_t n,
			    enum switch_read what, struct switch_record *record,
			    struct switch_readings *set)
{
	set->switches = ARENA_ARRAY(set->arena, n, struct switch_reading);
	if (!set->switches)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		struct switch_piece piece = {
			.arena = set->arena,
			.notes.arena = set->arena,
			.record = *record,
		};
		const int error = read_source(r, &sources[i], what, &piece, &set->switches[i]);

		*record = piece.record;
		if (error < 0)
			return error;
		set->n_switches++;
	}
	set->record = arena_memdup(set->arena, record->bytes, record->len);
	set->record_len = record->len;
	return record->out_of_memory || !set->record ? -ENOMEM : 0;
}

static int source_order(const void *a, const void *b)
{
	return strcmp(((const struct switch_source *)a)->name,
		      ((const struct switch_source *)b)->name);
}

int switch_reader_read_sources(struct switch_reader *r, const struct switch_source *sources,
			       size_t n, enum switch_read what, struct switch_readings **ret)
{
	_cleanup_(switch_record_done) struct switch_record record = {0};
	struct switch_readings *set = switch_readings_new();
	struct switch_source sorted[CCI_SWITCHES_MAX];
	int error;

	if (!set)
		return -ENOMEM;
	n = n < CCI_SWITCHES_MAX ? n : CCI_SWITCHES_MAX;
	if (n > 0)
		memcpy(sorted, sources, n * sizeof(sorted[0]));
	if (n > 1)
		qsort(sorted, n, sizeof(sorted[0]), source_order);
	forget_others(r, sorted, n);
	error = read_all_sources(r, sorted, n, what, &record, set);
	if (error == 0 && atomic_load(&r->stop))
		error = -ECANCELED;
	if (error < 0)
		(void)switch_readings_unref(set);
	else
		*ret = set;
	return error;
}

/* Opens the switch unless it is open since the last reading. Return: 0 or -ENOMEM. */
static int open_source(struct switch_reader *r, struct switch_access *a, struct error *e,
		       struct switch_source *source)
{
	struct known_switch *k = get_known(r, source->name);

	if (!k)
		return -ENOMEM;
	if (source->reason[0])
		return 0;
	if (!k->cci && switch_access_open(a, source->name, &k->cci, e) < 0)
		source->reason = e->text;
	source->cci = k->cci;
	return 0;
}

/* Lists the known switches that cannot be read: they are not shown as they were. */
static size_t list_known(const struct switch_reader *r, const struct error *e,
			 struct switch_source *sources)
{
	for (size_t i = 0; i < r->n_known; i++)
		sources[i] = (struct switch_source){.name = r->known[i]->name, .reason = e->text};
	return r->n_known;
}

int switch_reader_read(struct switch_reader *r, struct switch_access *a, enum switch_read what,
		       struct switch_readings **ret)
{
	struct switch_function functions[CCI_SWITCHES_MAX];
	struct switch_source sources[CCI_SWITCHES_MAX];
	_cleanup_free_ struct error *errors = calloc(CCI_SWITCHES_MAX + 1, sizeof(*errors));
	struct error *list_error;
	bool may_change = false;
	size_t n = 0;
	int error;

	if (!errors)
		return -ENOMEM;
	list_error = &errors[CCI_SWITCHES_MAX];
	error = switch_access_list(a, functions, &n, &may_change, list_error);
	if (error < 0)
		n = list_known(r, list_error, sources);
	for (size_t i = 0; i < n && error == 0; i++)
		sources[i] = (struct switch_source){.name = functions[i].name,
						    .reason = functions[i].reason};
	forget_others(r, sources, n);
	for (size_t i = 0; i < n && error == 0; i++)
		if (open_source(r, a, &errors[i], &sources[i]) < 0)
			return -ENOMEM;
	error = switch_reader_read_sources(r, sources, n, what, ret);
	if (error < 0)
		return error;
	(*ret)->may_change = may_change;
	if (n == 0 && list_error->text[0] == '\0')
		(void)error_set(
			list_error, ENODEV,
			"there is no PCI function with the mailbox of a switch (class 0c0b)");
	if (list_error->text[0] == '\0')
		return 0;
	(*ret)->list_note = arena_strdup((*ret)->arena, list_error->text);
	if ((*ret)->list_note)
		return 0;
	*ret = switch_readings_unref(*ret);
	return -ENOMEM;
}
