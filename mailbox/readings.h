/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_READINGS_H
#define CXLR_MAILBOX_READINGS_H

/*
 * Values that change while the topology stays: what memory devices report by their mailbox, and the
 * error counters of PCI functions. One immutable, reference counted set for the whole host, read by
 * a worker on a timer (readings_read()), never in a request; any thread may use it as long as it
 * holds a reference.
 */

#include <stddef.h>

#include "common/opt.h"
#include "mailbox/client.h"
#include "mailbox/mailbox.h"
#include "mailbox/scrub_sets.h"
#include "sysfs/aer.h"
#include "sysfs/host.h"
#include "sysfs/scrub.h"
#include "sysfs/security.h"

struct readings;

struct readings *readings_ref(const struct readings *r);

/* Accepts NULL. Return: NULL. */
struct readings *readings_unref(const struct readings *r);

/* Return: the values of the memdev, or NULL when it was not read or @r is NULL. */
const struct mailbox *readings_mailbox(const struct readings *r, const struct memdev *m);

/* Return: its security state, or NULL likewise. */
const struct memdev_security *readings_security(const struct readings *r, const struct memdev *m);

/* Return: its patrol scrub and error check scrub, or NULL likewise. */
const struct memdev_scrub *readings_scrub(const struct readings *r, const struct memdev *m);

/* Return: the last setting of it that this process had made, or NULL when there is none, or
 * likewise. */
const struct scrub_set *readings_scrub_set(const struct readings *r, const struct memdev *m,
					   enum scrub_kind kind);

/* Return: whether the light of its slot is lit, see slot_light.h; absent likewise. */
struct opt_bool readings_light(const struct readings *r, const struct memdev *m);

/* Return: the counters of the PCI function, or NULL when it has none or @r is NULL. */
const struct aer_counters *readings_aer(const struct readings *r, const char *bdf);

/*
 * readings_read() - read the devices of a host
 * @client: made for the same topology as @host
 * @previous: the last set, NULL when there is none
 * @only: name of a memdev: only it and its PCI function are read, and all others that @previous has
 *        are copied from there; NULL to read all
 * @ret: one reference
 *
 * Waits for one device after the other: only for a worker. A value that cannot be read is absent
 * and noted.
 *
 * Return: 0 or -ENOMEM.
 */
int readings_read(struct mailbox_client *client, const struct host *host,
		  const struct readings *previous, const char *only, struct readings **ret);

/*
 * readings_notes() - what failed or is invalid, one sentence each
 *
 * At most HOST_NOTES_MAX for each device. The text of a note stays the same as long as its cause
 * does, so that it can be logged once.
 */
const char *const *readings_notes(const struct readings *r, size_t *ret_n);

/* Return: whether both sets have the same devices with the same values. Accepts NULL. */
bool readings_equal(const struct readings *a, const struct readings *b);

#endif
