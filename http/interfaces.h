/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_INTERFACES_H
#define CXLR_HTTP_INTERFACES_H

/*
 * The Ethernet interfaces of this machine by which clients reach its listeners, as they were at one
 * time: those with an address that is listened on.
 *
 * Read by ioctl() of an IP socket and from /proc/net, because the sandbox of the service admits no
 * netlink socket. An interface that is no Ethernet, as the loopback interface, is none: it has no
 * MAC address, by which clients tell interfaces from each other. Immutable and reference counted;
 * any thread.
 */

#include <netinet/in.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/cleanup.h"
#include "common/error.h"
#include "common/opt.h"

enum {
	INTERFACE_NAME_BYTES = 16, /* with the NUL; the kernel's IFNAMSIZ */
	INTERFACE_MAC_BYTES = 6,
	INTERFACE_ADDRESSES_MAX = 32, /* of each family; those beyond are left out */
	INTERFACES_MAX = 64,	      /* likewise, in the order of their names */
	INTERFACE_ROUTES_BYTES_MAX = 1
				     << 20, /* of a table in /proc/net; a longer one is not used */
};

struct ipv4_address {
	struct in_addr address, mask;
};

/* In the order of the words in Redfish's schema. */
enum ipv6_state { IPV6_PREFERRED, IPV6_DEPRECATED, IPV6_TENTATIVE, IPV6_FAILED };

struct ipv6_address {
	struct in6_addr address;
	unsigned int prefix; /* 0 to 128 */
	enum ipv6_state state;
};

struct network_interface {
	char name[INTERFACE_NAME_BYTES];
	uint8_t mac[INTERFACE_MAC_BYTES];
	bool enabled; /* by its administrator */
	bool linked;  /* it has a carrier */
	struct opt_u64 mtu;
	struct opt_u64 speed; /* Mbit/s; absent without a link, and of most virtual interfaces */
	struct opt_bool full_duplex, autonegotiates;
	struct in_addr gateway; /* of the IPv4 default route with the lowest metric; 0: none */
	struct ipv4_address ipv4[INTERFACE_ADDRESSES_MAX];
	struct ipv6_address ipv6[INTERFACE_ADDRESSES_MAX];
	size_t n_ipv4, n_ipv6;
};

struct interfaces {
	atomic_uint references;
	size_t n;
	struct network_interface items[]; /* by name */
};

/* An address that is listened on. */
struct listened {
	int family; /* AF_INET or AF_INET6 */
	union {
		struct in_addr ipv4;
		struct in6_addr ipv6;
	};
	char zone[INTERFACE_NAME_BYTES]; /* the interface of a link-local address; "" any */
};

/*
 * listened_parse() - of the address of a listener
 * @text: "192.0.2.1", "2001:db8::1", "fe80::1%eth0"
 *
 * Return: whether it is one.
 */
bool listened_parse(const char *text, struct listened *ret);

/*
 * interfaces_read() - the interfaces that have one of these addresses
 * @list: 0.0.0.0 is all addresses of IPv4, and :: all of IPv6
 * @ret: one reference
 *
 * A value that cannot be read is absent. May wait for the drivers of the interfaces.
 *
 * Return: 0; -ENOMEM; the error of socket() or of the kernel's list of addresses.
 */
int interfaces_read(const struct listened *list, size_t n, const struct interfaces **ret,
		    struct error *e);

const struct interfaces *interfaces_ref(const struct interfaces *i);
const struct interfaces *interfaces_unref(const struct interfaces *i); /* accepts NULL; NULL */
DEFINE_CLEANUP(const struct interfaces, interfaces_unref);

/* Return: whether both are the same to a client; accepts NULL, which is none. */
bool interfaces_equal(const struct interfaces *a, const struct interfaces *b);

/* ---- the texts of /proc/net, for the one above and its tests ---- */

/*
 * ipv6_addresses_next() - the next address of /proc/net/if_inet6
 * @at: where to begin; behind the line afterwards
 *
 * Lines that are none are passed over. Return: whether there was one.
 */
bool ipv6_addresses_next(const char **at, char ret_name[static INTERFACE_NAME_BYTES],
			 struct ipv6_address *ret);

/*
 * ipv4_gateway() - where the default route of an interface with the lowest metric leads
 * @routes: /proc/net/route
 *
 * Return: the address, 0 without one.
 */
struct in_addr ipv4_gateway(const char *routes, const char *name);

#endif
