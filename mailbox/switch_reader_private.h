/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_SWITCH_READER_PRIVATE_H
#define CXLR_MAILBOX_SWITCH_READER_PRIVATE_H

/* Private to switch_reader*.c: what a reader knows of a switch, and the steps of a reading. */

#include "mailbox/switch_query.h"
#include "mailbox/switch_reader.h"

/* A device behind a port, as it was read last. */
struct known_device {
	struct fmapi_port port;	     /* its state at that time */
	struct switch_piece piece;   /* owned */
	struct device_reading *read; /* in the piece's arena; NULL: it did not answer */
	struct unsupported unsupported, unsupported_by_lds;
	bool due; /* it is to be read again */
};

struct known_switch {
	char name[CCI_NAME_MAX];
	struct cci *cci;       /* of switch_reader_read(), which keeps it open; else NULL */
	bool present;	       /* in the reading that goes on */
	struct opt_u64 serial; /* as it was reported last */
	struct unsupported unsupported;
	struct switch_record identity; /* replies to Identify and Identify Switch Device */
	struct switch_record events;   /* and of the event logs */
	uint64_t all_due_ms;	       /* when all is read again, as clock_monotonic_ms() */
	struct known_device *devices[FMAPI_PORTS_MAX]; /* by port */
};

/* Accepts NULL. Return: NULL. */
struct known_device *known_device_free(struct known_device *d);

/* ---- switch_reader_switch.c: the switch itself ------------------------------------------------
 */

/*
 * switch_read_itself() - read all but what is behind the ports
 * @q: about the switch; its piece's arena is that of the readings
 *
 * What changed since the last reading makes devices of @known due.
 */
void switch_read_itself(struct switch_query *q, struct known_switch *known,
			struct switch_reading *s);

/* ---- switch_reader_vcs.c ----------------------------------------------------------------------
 */

/* switch_read_vcs() - the VCSs with their vPPBs; after Identify Switch Device and the ports */
void switch_read_vcs(struct switch_query *q, struct switch_reading *s);

/* ---- switch_reader_device.c -------------------------------------------------------------------
 */

/*
 * switch_read_device() - read a device through the tunnel, into its piece
 * @q: of the switch; about the device when this returns
 * @itself: what the switch says of itself
 */
void switch_read_device(struct switch_query *q, struct known_device *d,
			const struct fmapi_identity *itself);

/* switch_read_backpressure() - what changes with each reading; noted with the switch */
void switch_read_backpressure(struct switch_query *q, struct known_device *d,
			      struct device_reading *ret);

/* switch_query_device() - make the query about a device, whose port is known */
static inline void switch_query_device(struct switch_query *q, struct known_device *d)
{
	q->target = (struct cci_target){.kind = CCI_PORT, .port = d->port.id};
	q->unsupported = &d->unsupported;
	q->silent = false;
	q->incomplete = false;
}

/* ---- switch_reader_dynamic.c ------------------------------------------------------------------
 */

/* switch_read_dcd_info() - whether a device has dynamic capacity, which does not change */
void switch_read_dcd_info(struct switch_query *q, struct known_device *d,
			  struct device_reading *ret);

/*
 * switch_read_dynamic() - regions and extents of the hosts of a device that has dynamic capacity
 *
 * As switch_read_backpressure(); they are in the arena of the query's piece.
 */
void switch_read_dynamic(struct switch_query *q, struct known_device *d,
			 struct device_reading *ret);

#endif
