// SPDX-License-Identifier: LGPL-2.1-or-later
//
// ManagerNetworkProtocol: the TCP ports that are listened on.
#include "redfish/service/exchange.h"
#include "redfish/core/odata.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/service/service.h"
#include "redfish/core/uris.h"
#include "redfish/view/view.h"

/* A protocol without a listener has no port. */
static void put_protocol(struct json_writer *w, const char *key, unsigned int port)
{
	put_object(w, key);
	put_bool(w, "ProtocolEnabled", port != 0);
	if (port != 0)
		put_number(w, "Port", port);
}

static int get_network_protocol(struct exchange *x)
{
	const struct service_ports ports = x->service->ports;
	struct json_writer *w = &x->w;

	put_string(w, "Name", "Manager Network Protocol");
	put_string(w, "HostName", x->view->host->hostname);
	put_state(w, "Enabled");
	put_protocol(w, "HTTP", ports.http);
	put_end(w);
	put_protocol(w, "HTTPS", ports.https);
	put_link(w, "Certificates", URI_SERVER_CERTIFICATES);
	put_end(w);
	return 0;
}

static const struct resource_type network_protocol_types[] = {
	{.pattern = URI_NETWORK_PROTOCOL,
	 SCHEMA("ManagerNetworkProtocol", "v1_12_0"),
	 .get = get_network_protocol},
};

const struct resource_rows network_protocol_rows = RESOURCE_ROWS(network_protocol_types);
