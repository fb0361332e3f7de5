/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_METRICS_TEXT_H
#define CXLR_DAEMON_METRICS_TEXT_H

/*
 * The text of /metrics. Source: OpenMetrics 1.0.0.
 */

#include <stdio.h>

#include "daemon/events.h"
#include "events/store_reader.h"

#define METRICS_TYPE "application/openmetrics-text; version=1.0.0; charset=utf-8"

/*
 * metrics_write() - all families
 * @events: NULL without a state directory
 * @store: NULL when it cannot be read: its families are left out
 *
 * Return: 0; or the error of the store's reader, with its families left out or incomplete.
 */
int metrics_write(FILE *f, struct events *events, struct store_reader *store);

#endif
