/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_FABRIC_REMOTE_DEVICE_H
#define CXLR_REDFISH_RESOURCES_FABRIC_REMOTE_DEVICE_H

/*
 * Facts that res_remote_device.c and res_remote_ld.c share: a device behind a switch that the host
 * does not see as a whole. Reads the view only; any thread that holds a reference on it.
 */

#include "common/json_writer.h"
#include "model/fabric.h"
#include "redfish/core/resource_table.h"

/* "Name": @what of the device, and the port that it is behind. */
void put_remote_name(const struct fabric_device *d, const char *what, struct json_writer *w);

/* As `has` of a row whose objects are struct fabric_device: whether its memory is known. */
bool remote_has_domain(const void *device);

/* As `status` of such a row: with the Health of the parts that the host sees. */
void put_remote_status(const struct view *v, const struct resource *r, struct json_writer *w);

#endif
