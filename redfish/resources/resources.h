/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_RESOURCES_H
#define CXLR_REDFISH_RESOURCES_RESOURCES_H

/*
 * The resource table of this service, for view_new().
 *
 * A new resource is a new file with its rows, and a line in resources.c.
 */

#include "redfish/core/resource_table.h"

extern const struct resource_table redfish_resources;

#endif
