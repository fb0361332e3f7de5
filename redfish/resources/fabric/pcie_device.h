/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_FABRIC_PCIE_DEVICE_H
#define CXLR_REDFISH_RESOURCES_FABRIC_PCIE_DEVICE_H

/*
 * A memory device of the host as a PCIe device, for its row, which is where changes of such devices
 * are (memory/res_pcie_device.c). `object` of the resource is its struct memdev. Any thread.
 */

#include "redfish/core/resource_table.h"
#include "redfish/service/exchange.h"

/* Return: whether the device reports that it has a control of its throughput. */
bool device_reduces_throughput(const struct mailbox *said);

/* As `get` and `status` of a row. */
int get_pcie_device(struct exchange *x);
void put_pcie_device_status(const struct view *v, const struct resource *r, struct json_writer *w);

#endif
