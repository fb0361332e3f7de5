// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The switch itself: its identity, its ports, its event logs.
#include <stdlib.h>
#include <string.h>

#include "mailbox/switch_reader_private.h"

enum {
	PORTS_MAX_ASKED = 255, /* of a request: the number is a byte */
	INPUT_BYTES = 1 + PORTS_MAX_ASKED,
	/* Records of one reply, whatever a mailbox's payloads are. */
	RECORDS_OF_REPLY = (CCI_PAYLOAD_MAX - FMAPI_RECORDS_HEAD) / FMAPI_RECORD_SIZE,
};

/* Remembers what was recorded since @from in @known. Return: whether it is something else now. */
static bool renew(struct switch_record *known, const struct switch_record *all, size_t from)
{
	const size_t len = all->len - from;
	const bool same = known->len == len &&
			  (len == 0 || memcmp(known->bytes, all->bytes + from, len) == 0);

	if (!same) {
		known->len = 0;
		switch_record_add(known, all->bytes + from, len);
	}
	return !same;
}

static void make_all_due(struct known_switch *known)
{
	for (size_t i = 0; i < FMAPI_PORTS_MAX; i++)
		if (known->devices[i])
			known->devices[i]->due = true;
}

/* ---- identity ---- */

static void read_identity(struct switch_query *q, struct switch_reading *s)
{
	s->has_identity = switch_query_send(q, FMAPI_IDENTIFY, NULL, 0) &&
			  switch_query_check(q, FMAPI_IDENTIFY,
					     fmapi_decode_identity(q->reply.output, q->reply.len,
								   &s->identity));
	s->has_switch =
		switch_query_send(q, FMAPI_IDENTIFY_SWITCH, NULL, 0) &&
		switch_query_check(q, FMAPI_IDENTIFY_SWITCH,
				   fmapi_decode_switch(q->reply.output, q->reply.len, &s->sw));
}

/* ---- ports ---- */

static int port_order(const void *a, const void *b)
{
	const struct port_reading *x = a, *y = b;

	return x->state.id - y->state.id;
}

static void add_ports(struct switch_query *q, const struct fmapi_port *ports, size_t n,
		      struct switch_reading *s)
{
	for (size_t i = 0; i < n; i++) {
		if (ports[i].config != FMAPI_PORT_INVALID)
			s->ports[s->n_ports++].state = ports[i];
		else if (!q->quiet)
			switch_query_note(q, "port %u is active, but there is none", ports[i].id);
	}
}

static void read_listed_ports(struct switch_query *q, const uint8_t *ids, size_t n,
			      struct switch_reading *s)
{
	const size_t limit = fmapi_port_states_max(q->cci->payload_max);
	struct fmapi_port ports[PORTS_MAX_ASKED];
	uint8_t input[INPUT_BYTES];

	for (size_t i = 0; i < n; i += limit) {
		const size_t part = n - i < limit ? n - i : limit;
		const int len = fmapi_encode_get_port_state(ids + i, part, input, sizeof(input));

		if (switch_query_send(q, FMAPI_GET_PORT_STATE, input, len) &&
		    switch_query_check(q, FMAPI_GET_PORT_STATE,
				       fmapi_decode_port_state(q->reply.output, q->reply.len,
							       ids + i, part, ports)))
			add_ports(q, ports, part, s);
	}
}

/*
 * Ports that are active have a bit; the others are among those that are counted, unless their
 * numbers have gaps: a switch may reject a list with a port that does not exist.
 */
static void read_ports(struct switch_query *q, struct switch_reading *s)
{
	uint8_t active[FMAPI_PORTS_MAX], others[FMAPI_PORTS_MAX];
	size_t n_active = 0, n_others = 0;

	s->ports = ARENA_ARRAY(q->piece->arena, FMAPI_PORTS_MAX, struct port_reading);
	if (!s->ports) {
		q->piece->notes.out_of_memory = true;
		return;
	}
	for (unsigned int id = 0; id < FMAPI_PORTS_MAX; id++) {
		if (fmapi_bit(s->sw.active_ports, id))
			active[n_active++] = (uint8_t)id;
		else if (id < s->sw.n_ports)
			others[n_others++] = (uint8_t)id;
	}
	/* The number of 256 ports does not fit in its byte. */
	if (n_active > s->sw.n_ports && n_active < FMAPI_PORTS_MAX)
		switch_query_note(q, "it has %zu active ports, but says that it has %u", n_active,
				  s->sw.n_ports);
	read_listed_ports(q, active, n_active, s);
	if (n_active < s->sw.n_ports) {
		q->quiet = true;
		read_listed_ports(q, others, n_others, s);
		q->quiet = false;
	}
	if (s->n_ports > 1)
		qsort(s->ports, s->n_ports, sizeof(s->ports[0]), port_order);
}

/* ---- event logs ---- */

/* Keeps the last ones. Return: false when out of memory. */
static bool add_records(struct switch_query *q, struct event_log_reading *log,
			const struct fmapi_record *records, size_t n)
{
	if (!log->records)
		log->records =
			ARENA_ARRAY(q->piece->arena, SWITCH_RECORDS_MAX, struct fmapi_record);
	if (!log->records) {
		q->piece->notes.out_of_memory = true;
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		if (log->n == SWITCH_RECORDS_MAX) {
			memmove(log->records, log->records + 1,
				(SWITCH_RECORDS_MAX - 1) * sizeof(log->records[0]));
			log->n--;
		}
		log->records[log->n++] = records[i];
	}
	return true;
}

/*
 * The records of a log, piece by piece while the switch says that there are more. A switch that
 * returns the records at the head again until they are cleared has more than can be read.
 */
static void read_log(struct switch_query *q, enum fmapi_event_log id, struct event_log_reading *log)
{
	struct fmapi_record records[RECORDS_OF_REPLY], before = {0};
	struct fmapi_records head;
	uint8_t input[1];
	const int len = fmapi_encode_get_event_records(id, input, sizeof(input));

	for (size_t part = 0; part < SWITCH_RECORDS_MAX; part++) {
		if (!switch_query_send(q, FMAPI_GET_EVENT_RECORDS, input, len) ||
		    !switch_query_check(q, FMAPI_GET_EVENT_RECORDS,
					fmapi_decode_event_records(q->reply.output, q->reply.len,
								   id, &head, records,
								   RECORDS_OF_REPLY))) {
			*log = (struct event_log_reading){0};
			return;
		}
		if (part > 0 && head.n > 0 &&
		    memcmp(records[0].raw, before.raw, sizeof(before.raw)) == 0) {
			switch_query_note(
				q,
				"event log %u has more records, which can be read only after the first ones were cleared",
				id);
			break;
		}
		log->known = true;
		log->overflow = head.overflow;
		log->n_lost = head.n_lost;
		log->first_lost_ns = head.first_lost_ns;
		log->last_lost_ns = head.last_lost_ns;
		if (head.n == 0 || !add_records(q, log, records, head.n) || !head.more)
			break;
		before = records[0];
	}
}

static void read_logs(struct switch_query *q, struct switch_reading *s)
{
	for (enum fmapi_event_log i = 0; i < FMAPI_LOGS; i++)
		read_log(q, i, &s->logs[i]);
}

void switch_read_itself(struct switch_query *q, struct known_switch *known,
			struct switch_reading *s)
{
	const struct switch_record *record = &q->piece->record;
	size_t from = record->len;

	read_identity(q, s);
	if (renew(&known->identity, record, from)) {
		known->unsupported.n = 0;
		make_all_due(known);
	}
	if (!s->has_switch)
		return;
	read_ports(q, s);
	switch_read_vcs(q, s);
	from = record->len;
	read_logs(q, s);
	if (renew(&known->events, record, from))
		make_all_due(known);
}
