/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_REPLAYER_H
#define CXLR_DAEMON_REPLAYER_H

/*
 * Reads a saved ring into the store, on a thread of its own that waits while the store has no room:
 * the ring of a captured host, or what the kernel of this machine recorded before the service was
 * started. Each record is read once: a marker file in the state directory has the boots whose rings
 * were read, and the time of the newest record of each.
 * No other thread may load event formats meanwhile (events/formats.h).
 */

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "events/replay.h"
#include "events/store_writer.h"
#include "sysfs/host_root.h"

struct replayer_options {
	const struct host_root *root;
	struct store_writer *writer;
	const char *ring;   /* of this boot: TRACE_BOOT_RING */
	const char *marker; /* the marker file */
	const uint8_t *boot_id;
	event_sink *sink;
	void (*ended)(void *userdata); /* called on the thread, at its end */
	void *userdata;
};

struct replayer;

/*
 * replayer_new() - start to read
 * @o: copied; what it points to must outlive the replayer
 *
 * Return: 0; -ENOENT without a saved ring, or when it was read before; -ENOMEM; -EAGAIN.
 */
int replayer_new(const struct replayer_options *o, struct replayer **ret, struct error *e);

bool replayer_has_ended(struct replayer *r);

/* Waits until everything is read, but not longer than @wait_ms. */
void replayer_wait(struct replayer *r, unsigned int wait_ms);

/*
 * replayer_stop() - stop reading, but wait no longer than @wait_ms
 *
 * Writer and sink are not used after this call. Return: whether the thread has ended.
 */
bool replayer_stop(struct replayer *r, unsigned int wait_ms);

/* After replayer_stop() has returned true. Accepts NULL. Return: NULL. */
struct replayer *replayer_free(struct replayer *r);

#endif
