// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The network of this service: the TCP ports that are listened on, and the interfaces that have
// their addresses.

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "http/interfaces.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/core/uris.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/service/exchange.h"
#include "redfish/service/service.h"
#include "redfish/view/view.h"

/*
 * The domain is known where the kernel's name has it: a resolver could be asked, but an answer of
 * the network is no fact about this host.
 */
static void put_names(const char *kernel, struct json_writer *w)
{
	const size_t label = kernel ? strcspn(kernel, ".") : 0;

	if (label > 0)
		put_format(w, "HostName", "%.*s", (int)label, kernel);
	else
		put_null(w, "HostName");
	if (label > 0 && kernel[label])
		put_string(w, "FQDN", kernel);
	else
		put_null(w, "FQDN");
}

/* ---- ManagerNetworkProtocol -------------------------------------------------------------------
 */

/* A protocol without a listener has no port. */
static void put_protocol(struct json_writer *w, const char *key, unsigned int port)
{
	put_object(w, key);
	put_bool(w, "ProtocolEnabled", port != 0);
	if (port != 0)
		put_number(w, "Port", port);
	else
		put_null(w, "Port");
}

static int get_network_protocol(struct exchange *x)
{
	const struct service_ports ports = x->service->ports;
	struct json_writer *w = &x->w;

	put_string(w, "Name", "Manager Network Protocol");
	put_names(x->view->host->hostname, w);
	put_state(w, "Enabled");
	put_protocol(w, "HTTP", ports.http);
	put_end(w);
	put_protocol(w, "HTTPS", ports.https);
	put_link(w, "Certificates", URI_SERVER_CERTIFICATES);
	put_end(w);
	return 0;
}

/* ---- EthernetInterface ------------------------------------------------------------------------
 */

/* A name of the kernel has almost any characters, and not all of them fit into a URI. */
static void interface_id(const struct network_interface *i, char ret[static STABLE_ID_MAX + 1])
{
	const uint8_t *m = i->mac;

	if (stable_id_fits(i->name))
		(void)snprintf(ret, STABLE_ID_MAX + 1, "%s", i->name);
	else
		(void)snprintf(ret, STABLE_ID_MAX + 1, "mac-%02x%02x%02x%02x%02x%02x", m[0], m[1],
			       m[2], m[3], m[4], m[5]);
}

static int enumerate_interfaces(const struct view *v, const struct resource_type *t,
				struct resource_index *ix)
{
	const struct interfaces *all = v->inputs.interfaces;
	char id[STABLE_ID_MAX + 1];
	int r = 0;

	for (size_t i = 0; all && i < all->n && r >= 0; i++) {
		interface_id(&all->items[i], id);
		r = resource_add(ix, t, &all->items[i], (const char *const[]){id});
	}
	return r;
}

static void put_ipv4(struct json_writer *w, const char *key, struct in_addr address)
{
	char text[INET_ADDRSTRLEN];

	if (address.s_addr != 0 && inet_ntop(AF_INET, &address, text, sizeof(text)))
		put_string(w, key, text);
	else
		put_null(w, key);
}

/* The kernel does not say which program configured an address: only a range tells its origin. */
static void put_ipv4_addresses(const struct network_interface *i, struct json_writer *w)
{
	static const struct in_addr none;

	put_array(w, "IPv4Addresses");
	for (size_t k = 0; k < i->n_ipv4; k++) {
		const struct ipv4_address *a = &i->ipv4[k];
		const uint32_t bits = ntohl(a->address.s_addr);
		/* An interface with several networks has its gateway in one of them. */
		const bool reaches = !((a->address.s_addr ^ i->gateway.s_addr) & a->mask.s_addr);

		put_object(w, NULL);
		put_ipv4(w, "Address", a->address);
		put_ipv4(w, "SubnetMask", a->mask);
		put_ipv4(w, "Gateway", reaches ? i->gateway : none);
		if (bits >> 16 == 0xa9fe) /* 169.254.0.0/16 */
			put_string(w, "AddressOrigin", "IPv4LinkLocal");
		else
			put_null(w, "AddressOrigin");
		put_end(w);
	}
	put_end(w);
}

static void put_ipv6_addresses(const struct network_interface *i, struct json_writer *w)
{
	static const char *const states[] = {
		[IPV6_PREFERRED] = "Preferred",
		[IPV6_DEPRECATED] = "Deprecated",
		[IPV6_TENTATIVE] = "Tentative",
		[IPV6_FAILED] = "Failed",
	};
	char text[INET6_ADDRSTRLEN];

	put_array(w, "IPv6Addresses");
	for (size_t k = 0; k < i->n_ipv6; k++) {
		const struct ipv6_address *a = &i->ipv6[k];

		put_object(w, NULL);
		put_string(w, "Address", inet_ntop(AF_INET6, &a->address, text, sizeof(text)));
		put_number(w, "PrefixLength", a->prefix);
		if (IN6_IS_ADDR_LINKLOCAL(&a->address))
			put_string(w, "AddressOrigin", "LinkLocal");
		else
			put_null(w, "AddressOrigin");
		put_string(w, "AddressState", states[a->state]);
		put_end(w);
	}
	put_end(w);
}

static void render_interface(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct network_interface *i = r->object;
	const uint8_t *m = i->mac;

	put_string(w, "Name", i->name);
	put_string(w, "Description", "A network interface that clients reach this service by");
	put_bool(w, "InterfaceEnabled", i->enabled);
	put_string(w, "LinkStatus", !i->enabled ? "LinkDown" : i->linked ? "LinkUp" : "NoLink");
	put_format(w, "MACAddress", "%02X:%02X:%02X:%02X:%02X:%02X", m[0], m[1], m[2], m[3], m[4],
		   m[5]);
	put_opt_number(w, "MTUSize", i->mtu);
	put_opt_number(w, "SpeedMbps", i->speed);
	put_opt_bool(w, "FullDuplex", i->full_duplex);
	put_opt_bool(w, "AutoNeg", i->autonegotiates);
	put_names(v->host->hostname, w);
	put_ipv4_addresses(i, w);
	put_ipv6_addresses(i, w);
}

/* An interface without a link may be one that is not needed: its health is not known. */
static void put_interface_status(const struct view *v, const struct resource *r,
				 struct json_writer *w)
{
	const struct network_interface *i = r->object;

	(void)v;
	put_object(w, "Status");
	put_string(w, "State", i->enabled ? "Enabled" : "Disabled");
	if (i->linked)
		put_string(w, "Health", health_name(HEALTH_OK));
	put_end(w);
}

static const struct resource_type network_types[] = {
	{.pattern = URI_NETWORK_PROTOCOL,
	 SCHEMA("ManagerNetworkProtocol", "v1_13_0"),
	 .get = get_network_protocol},
	{.pattern = URI_INTERFACES,
	 COLLECTION("EthernetInterfaceCollection", "EthernetInterface", "Ethernet Interfaces")},
	{.pattern = URI_INTERFACES "/{EthernetInterface}",
	 SCHEMA("EthernetInterface", "v1_12_5"),
	 .enumerate = enumerate_interfaces,
	 .render = render_interface,
	 .status = put_interface_status},
};

const struct resource_rows network_rows = RESOURCE_ROWS(network_types);
