/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_COLLECTOR_H
#define CXLR_DAEMON_COLLECTOR_H

/*
 * Collects diagnostic data for the service: a capture of the host that the daemon shows, made by
 * cxl-redfish-collect.
 */

#include "common/helper.h"
#include "opener/opener.h"
#include "redfish/service/diagnostics.h"
#include "sysfs/host_root.h"

/* All must outlive the service. */
struct collector {
	const char *program; /* path of cxl-redfish-collect */
	const struct host_root *root;
	struct opener *switches; /* client of cxl-redfish-switch-helper; NULL: none */
	struct helper process;	 /* the collector's own */
};

/* Return: the collector as the service calls it, on the thread of a job. */
struct diagnostic_collector collector_of(struct collector *c);

#endif
