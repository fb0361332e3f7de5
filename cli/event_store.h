/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_EVENT_STORE_H
#define CXLR_CLI_EVENT_STORE_H

/*
 * The events for health and triage: of the log that cxl-redfishd keeps, or the records of a
 * captured host, which are stored for a moment as the service would store them. One thread.
 */

#include "cli/cli.h"
#include "common/error.h"
#include "events/store_found.h"
#include "events/store_reader.h"

/*
 * Return: whether errors of the host are recorded: cxl-redfishd has a log here, which may not be
 * readable, or the capture has records. Else that none is open is no evidence.
 */
bool event_store_is_recorded(const struct cli *cli);

/* Return: 0 or a negative errno, with the reason in @e. */
typedef int event_store_fn(struct store_reader *r, void *userdata, struct error *e);

/*
 * event_store_read() - call @read with the events of the host
 * @cli: its host is open
 * @found: findings of a host without a log of the service, which are stored with its records; NULL
 * without
 *
 * @read is not called when there are no log, no records and no findings. The log of --state must be
 * there.
 *
 * Return: 0; -ENOMEM; or another negative errno when they are not all known, the reason in @e.
 */
int event_store_read(const struct cli *cli, struct store_found *found, event_store_fn *read,
		     void *userdata, struct error *e);

#endif
