/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_PORT_ERRORS_H
#define CXLR_REDFISH_RESOURCES_PORT_ERRORS_H

/*
 * The error counters that the kernel keeps of a PCI function, as properties of the port or the
 * virtual bridge that it is. Reads its arguments only; any thread.
 */

#include "common/json_writer.h"
#include "sysfs/aer.h"

/* "PCIeErrors"; nothing when none is known. @aer: may be NULL */
void put_port_errors(const struct aer_counters *aer, struct json_writer *w);

/* "Oem" of PortMetrics: those that the schema has no property for. @aer: may be NULL */
void put_port_error_oem(const struct aer_counters *aer, struct json_writer *w);

#endif
