/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_READINGS_H
#define CXLR_MAILBOX_READINGS_H

/*
 * What changes while the topology stays: what memory devices say through their mailbox, and the
 * error counters of PCI functions. One immutable, reference counted set for the whole host, read by
 * a worker on a timer (readings_read()), never in a request; any thread may look things up in it
 * while it holds a reference.
 */

#include <stddef.h>

#include "common/opt.h"
#include "mailbox/client.h"
#include "mailbox/mailbox.h"
#include "sysfs/aer.h"
#include "sysfs/host.h"

struct readings;

struct readings *readings_ref(const struct readings *r);

/* Accepts NULL. Return: NULL. */
struct readings *readings_unref(const struct readings *r);

/* Return: what the memdev said, or NULL when it was not asked or @r is NULL. */
const struct mailbox *readings_mailbox(const struct readings *r, const struct memdev *m);

/* Return: the counters of the function with that address, or NULL when it has none, or @r is NULL.
 */
const struct aer_counters *readings_aer(const struct readings *r, const char *bdf);

/*
 * readings_read() - ask the devices of a host
 * @client: made for the same topology as @host
 * @previous: the last set, NULL when there is none
 * @only: name of a memdev: only it and its PCI function are asked, and the rest is taken from
 *        @previous as far as that has it; NULL to ask all
 * @ret: one reference
 *
 * Waits for each device in turn; only for a worker. What cannot be read is absent and noted.
 *
 * Return: 0 or -ENOMEM.
 */
int readings_read(struct mailbox_client *client, const struct host *host,
		  const struct readings *previous, const char *only, struct readings **ret);

/*
 * readings_notes() - what was refused or is nonsense, one sentence each
 *
 * Of one device there are at most HOST_NOTES_MAX. They stay the same as long as their cause does,
 * so that each can be said once.
 */
const char *const *readings_notes(const struct readings *r, size_t *ret_n);

/* Return: whether both sets say the same of the same devices. Accepts NULL. */
bool readings_equal(const struct readings *a, const struct readings *b);

#endif
