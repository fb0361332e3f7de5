/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_REMOTE_ENDPOINT_H
#define CXLR_REDFISH_RESOURCES_REMOTE_ENDPOINT_H

/*
 * The endpoints that only the mailbox of a switch knows, by the zones that they are in. Reads the
 * view only; any thread that holds a reference on it.
 *
 * An endpoint is in the zone of the host whose virtual switch leads to it (DSP2066 8.4.2): that of
 * this host, or one for each virtual switch of another host. Endpoints to which no virtual switch
 * leads, and those of fabric management, are in the default zone.
 */

#include "common/json_writer.h"
#include "model/fabric.h"

enum zone_kind { ZONE_HOST, ZONE_VCS, ZONE_DEFAULT };

/*
 * put_remote_endpoints() - the links to those in a zone, as items of an array
 * @vcs: of ZONE_VCS
 *
 * Return: how many they are.
 */
size_t put_remote_endpoints(const struct fabric *f, enum zone_kind kind,
			    const struct fabric_vcs *vcs, struct json_writer *w);

#endif
