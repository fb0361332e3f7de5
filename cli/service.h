/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_SERVICE_H
#define CXLR_CLI_SERVICE_H

/*
 * Requests to cxl-redfishd by its Unix socket, where root needs no login and is recorded in the
 * audit log as the user. One request is one connection; an answer has a limit, and none is waited
 * for without one. One thread.
 */

#include "common/error.h"
#include "common/json_scan.h"

/* The socket of the service as it is installed, see daemon/unit_defaults.h. */
#define SERVICE_SOCKET "/run/cxl-redfish/redfish.sock"

enum { SERVICE_URI_MAX = 256 };

/*
 * service_patch() - PATCH a resource, and follow the task that a long change becomes
 * @socket: path of the socket
 * @uri: of the resource
 * @body: JSON
 *
 * Return: 0; -ENOENT when the service has no such resource; -ECONNREFUSED when it cannot be
 * reached, and nothing was changed; another negative errno. The reason is in @e, but for -ENOENT.
 */
int service_patch(const char *socket, const char *uri, struct json_span body, struct error *e);

/*
 * service_host() - the URI of the host, whose Id the configuration of the service chooses
 * @ret: at least SERVICE_URI_MAX bytes
 *
 * Return: 0; as service_patch(), but not -ENOENT.
 */
int service_host(const char *socket, char ret[static SERVICE_URI_MAX], struct error *e);

#endif
