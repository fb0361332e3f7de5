/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_HEALTH_LOG_H
#define CXLR_CLI_HEALTH_LOG_H

/*
 * The unresolved events for cxl-spa health: of the log that cxl-redfishd keeps, or of the records
 * of a captured host, which are stored for a moment as the service would store them. One thread.
 */

#include "cli/cli.h"
#include "common/error.h"
#include "model/event_health.h"

/*
 * health_log_read() - count the events that are not resolved
 * @cli: its host is open
 * @ret: one reference; NULL when there is no log, or a capture has no records. Also set when a part
 *	 of them could be read
 *
 * The log of --state must be there.
 *
 * Return: 0; -ENOMEM; or another negative errno when they are not all known, the reason in @e.
 */
int health_log_read(const struct cli *cli, struct event_health **ret, struct error *e);

#endif
