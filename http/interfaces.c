// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/interfaces.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/fileio.h"
#include "common/strutil.h"

_Static_assert(INTERFACE_NAME_BYTES == IFNAMSIZ, "a name of the kernel fits");

enum {
	CONF_MAX = 4096, /* addresses of IPv4 of all interfaces */
	READ_MAX = 1024, /* interfaces of which addresses are read */
	LINK_MODE_WORDS_MAX = 127,
	LINE_BYTES_MAX = 256, /* of a text in /proc/net; what is behind is not looked at */
};

/* ---- texts of /proc/net ------------------------------------------------------------------------
 */

/*
 * Copies the line at @at, and goes on to the next one. sscanf() looks for the end of its text,
 * which a line of its own has near. Return: whether there is one.
 */
static bool next_line(const char **at, char line[static LINE_BYTES_MAX])
{
	const size_t n = strcspn(*at, "\n");
	const bool any = **at != '\0';

	(void)snprintf(line, LINE_BYTES_MAX, "%.*s", (int)(n < LINE_BYTES_MAX ? n : LINE_BYTES_MAX),
		       *at);
	*at += n + ((*at)[n] == '\n');
	return any;
}

/* Flags of an address, as IFA_F_... of <linux/if_addr.h>. */
enum { ADDRESS_DAD_FAILED = 0x08, ADDRESS_DEPRECATED = 0x20, ADDRESS_TENTATIVE = 0x40 };

static enum ipv6_state state_of(unsigned int flags)
{
	if (flags & ADDRESS_DAD_FAILED)
		return IPV6_FAILED;
	if (flags & ADDRESS_TENTATIVE)
		return IPV6_TENTATIVE;
	return flags & ADDRESS_DEPRECATED ? IPV6_DEPRECATED : IPV6_PREFERRED;
}

/* Return: whether @hex begins with 32 digits. */
static bool parse_ipv6(const char *hex, struct in6_addr *ret)
{
	for (size_t i = 0; i < sizeof(ret->s6_addr); i++) {
		unsigned int byte;

		if (strspn(hex + 2 * i, "0123456789abcdef") < 2 ||
		    sscanf(hex + 2 * i, "%2x", &byte) != 1)
			return false;
		ret->s6_addr[i] = (uint8_t)byte;
	}
	return true;
}

/* "fd000000000000000000000000000002 04 40 00 80     eth0" */
static bool parse_ipv6_line(const char *line, char ret_name[static INTERFACE_NAME_BYTES],
			    struct ipv6_address *ret)
{
	char name[INTERFACE_NAME_BYTES];
	unsigned int prefix, flags;
	struct ipv6_address a;

	if (!parse_ipv6(line, &a.address) ||
	    sscanf(line + 2 * sizeof(a.address), " %*8x %8x %*8x %8x %15s", &prefix, &flags,
		   name) != 3 ||
	    prefix > 128)
		return false;
	a.prefix = prefix;
	a.state = state_of(flags);
	*ret = a;
	memcpy(ret_name, name, sizeof(name));
	return true;
}

bool ipv6_addresses_next(const char **at, char ret_name[static INTERFACE_NAME_BYTES],
			 struct ipv6_address *ret)
{
	char line[LINE_BYTES_MAX];

	while (next_line(at, line))
		if (parse_ipv6_line(line, ret_name, ret))
			return true;
	return false;
}

struct in_addr ipv4_gateway(const char *routes, const char *name)
{
	enum { UP = 1, GATEWAY = 2 }; /* RTF_UP, RTF_GATEWAY */
	struct in_addr found = {0};
	unsigned int lowest = 0;
	char line[LINE_BYTES_MAX];

	while (next_line(&routes, line)) {
		unsigned int to, gateway, flags, metric, mask;
		char of[INTERFACE_NAME_BYTES];

		/* Iface Destination Gateway Flags RefCnt Use Metric Mask */
		if (sscanf(line, "%15s %8x %8x %4x %*d %*d %u %8x", of, &to, &gateway, &flags,
			   &metric, &mask) != 6 ||
		    !str_equal(of, name) || to != 0 || mask != 0 ||
		    (flags & (UP | GATEWAY)) != (UP | GATEWAY))
			continue;
		if (found.s_addr == 0 || metric < lowest) {
			/* The kernel prints the bytes of the address as one number. */
			found.s_addr = gateway;
			lowest = metric;
		}
	}
	return found;
}

/* ---- the addresses of all interfaces -----------------------------------------------------------
 */

/* While they are read. */
struct reading {
	int fd;				/* any IP socket */
	struct network_interface *list; /* space for READ_MAX */
	size_t n;
	char *ipv6, *routes; /* of /proc/net; NULL: not readable, or too long */
};

/* Return: the interface of that name, which is added; NULL: there are too many. */
static struct network_interface *interface_of(struct reading *rd, const char *name)
{
	for (size_t i = 0; i < rd->n; i++)
		if (str_equal(rd->list[i].name, name))
			return &rd->list[i];
	if (rd->n == READ_MAX)
		return NULL;
	(void)snprintf(rd->list[rd->n].name, INTERFACE_NAME_BYTES, "%s", name);
	return &rd->list[rd->n++];
}

/* @label: of the address, "eth0" or "eth0:1" */
static void add_ipv4(struct reading *rd, const struct ifreq *label)
{
	struct network_interface *to;
	struct ipv4_address *a;
	struct ifreq r = *label;
	char name[IFNAMSIZ];

	if (label->ifr_addr.sa_family != AF_INET)
		return;
	(void)snprintf(name, sizeof(name), "%.*s", (int)strcspn(label->ifr_name, ":"),
		       label->ifr_name);
	to = interface_of(rd, name);
	if (!to || to->n_ipv4 == INTERFACE_ADDRESSES_MAX)
		return;
	a = &to->ipv4[to->n_ipv4++];
	a->address = ((const struct sockaddr_in *)(const void *)&label->ifr_addr)->sin_addr;
	/* With the address in the request, the kernel answers for this one of the label. */
	if (ioctl(rd->fd, SIOCGIFNETMASK, &r) == 0)
		a->mask = ((const struct sockaddr_in *)(const void *)&r.ifr_netmask)->sin_addr;
}

static int read_ipv4(struct reading *rd)
{
	struct ifconf c = {0};
	int r = 0;

	c.ifc_req = calloc(CONF_MAX, sizeof(*c.ifc_req));
	c.ifc_len = (int)(CONF_MAX * sizeof(*c.ifc_req));
	if (!c.ifc_req)
		return -ENOMEM;
	if (ioctl(rd->fd, SIOCGIFCONF, &c) < 0)
		r = -errno;
	for (size_t i = 0; r == 0 && i < (size_t)c.ifc_len / sizeof(*c.ifc_req); i++)
		add_ipv4(rd, &c.ifc_req[i]);
	free(c.ifc_req);
	return r;
}

static void read_ipv6(struct reading *rd)
{
	const char *at = rd->ipv6 ? rd->ipv6 : "";
	char name[INTERFACE_NAME_BYTES];
	struct network_interface *to;
	struct ipv6_address a;

	while (ipv6_addresses_next(&at, name, &a)) {
		to = interface_of(rd, name);
		if (to && to->n_ipv6 < INTERFACE_ADDRESSES_MAX)
			to->ipv6[to->n_ipv6++] = a;
	}
}

/* ---- which of them are shown -------------------------------------------------------------------
 */

bool listened_parse(const char *text, struct listened *ret)
{
	char address[INET6_ADDRSTRLEN];
	struct listened l = {.family = AF_INET};
	const size_t len = strcspn(text, "%");

	(void)snprintf(address, sizeof(address), "%.*s", (int)len, text);
	if (text[len])
		(void)snprintf(l.zone, sizeof(l.zone), "%s", text + len + 1);
	if (inet_pton(AF_INET, address, &l.ipv4) != 1) {
		l.family = AF_INET6;
		if (inet_pton(AF_INET6, address, &l.ipv6) != 1)
			return false;
	}
	*ret = l;
	return true;
}

static bool has_ipv4(const struct network_interface *i, struct in_addr wanted)
{
	if (wanted.s_addr == htonl(INADDR_ANY))
		return i->n_ipv4 > 0;
	for (size_t k = 0; k < i->n_ipv4; k++)
		if (i->ipv4[k].address.s_addr == wanted.s_addr)
			return true;
	return false;
}

static bool has_ipv6(const struct network_interface *i, const struct listened *l)
{
	if (l->zone[0] && !str_equal(l->zone, i->name))
		return false;
	if (IN6_IS_ADDR_UNSPECIFIED(&l->ipv6))
		return i->n_ipv6 > 0;
	for (size_t k = 0; k < i->n_ipv6; k++)
		if (IN6_ARE_ADDR_EQUAL(&i->ipv6[k].address, &l->ipv6))
			return true;
	return false;
}

static bool is_listened_on(const struct network_interface *i, const struct listened *list, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (list[k].family == AF_INET ? has_ipv4(i, list[k].ipv4) : has_ipv6(i, &list[k]))
			return true;
	return false;
}

/* ---- one interface -----------------------------------------------------------------------------
 */

/* Return: whether the kernel answers, into @r. */
static bool ask(const struct reading *rd, unsigned long request, const char *name, struct ifreq *r)
{
	*r = (struct ifreq){0};
	(void)snprintf(r->ifr_name, sizeof(r->ifr_name), "%s", name);
	return ioctl(rd->fd, request, r) == 0;
}

/*
 * The first request says how many words the masks of link modes have, and the second has the space
 * for three such masks.
 */
static void read_link(const struct reading *rd, struct network_interface *i)
{
	struct {
		struct ethtool_link_settings s;
		uint32_t masks[3 * LINK_MODE_WORDS_MAX];
	} link = {.s.cmd = ETHTOOL_GLINKSETTINGS};
	struct ifreq r = {0};

	(void)snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", i->name);
	r.ifr_data = (void *)&link;
	if (ioctl(rd->fd, SIOCETHTOOL, &r) < 0 || link.s.link_mode_masks_nwords >= 0)
		return;
	link.s.link_mode_masks_nwords = (int8_t)-link.s.link_mode_masks_nwords;
	link.s.cmd = ETHTOOL_GLINKSETTINGS;
	if (ioctl(rd->fd, SIOCETHTOOL, &r) < 0 || link.s.link_mode_masks_nwords <= 0)
		return;
	if (link.s.speed > 0 && link.s.speed <= INT32_MAX)
		i->speed = OPT_U64(link.s.speed);
	if (link.s.duplex != DUPLEX_UNKNOWN)
		i->full_duplex = OPT_BOOL(link.s.duplex == DUPLEX_FULL);
	/* A virtual interface has no medium with which it could negotiate, and no speed. */
	if (i->speed.present)
		i->autonegotiates = OPT_BOOL(link.s.autoneg == AUTONEG_ENABLE);
}

/* Return: whether it is an Ethernet interface that still exists. */
static bool read_interface(const struct reading *rd, struct network_interface *i)
{
	struct ifreq r;

	if (!ask(rd, SIOCGIFHWADDR, i->name, &r) || r.ifr_hwaddr.sa_family != ARPHRD_ETHER)
		return false;
	memcpy(i->mac, r.ifr_hwaddr.sa_data, sizeof(i->mac));
	if (!ask(rd, SIOCGIFFLAGS, i->name, &r))
		return false;
	i->enabled = r.ifr_flags & IFF_UP;
	i->linked = i->enabled && r.ifr_flags & IFF_RUNNING;
	if (ask(rd, SIOCGIFMTU, i->name, &r) && r.ifr_mtu > 0)
		i->mtu = OPT_U64((unsigned int)r.ifr_mtu);
	read_link(rd, i);
	i->gateway = ipv4_gateway(rd->routes ? rd->routes : "", i->name);
	return true;
}

static int interface_order(const void *a, const void *b)
{
	return strcmp(((const struct network_interface *)a)->name,
		      ((const struct network_interface *)b)->name);
}

static int read_addresses(struct reading *rd)
{
	int r = rd->fd < 0 ? -errno : 0;

	rd->list = calloc(READ_MAX, sizeof(*rd->list));
	if (!rd->list)
		r = -ENOMEM;
	if (r == 0)
		r = read_ipv4(rd);
	if (r < 0)
		return r;
	/* Without IPv6 there is no such file. */
	(void)read_file_at(AT_FDCWD, "/proc/net/if_inet6", INTERFACE_ROUTES_BYTES_MAX, &rd->ipv6,
			   NULL);
	(void)read_file_at(AT_FDCWD, "/proc/net/route", INTERFACE_ROUTES_BYTES_MAX, &rd->routes,
			   NULL);
	read_ipv6(rd);
	qsort(rd->list, rd->n, sizeof(*rd->list), interface_order);
	return 0;
}

/* Chooses among all that were read. Return: one reference; NULL when out of memory. */
static const struct interfaces *choose(const struct reading *rd, const struct listened *list,
				       size_t n)
{
	struct interfaces *chosen =
		calloc(1, sizeof(*chosen) + INTERFACES_MAX * sizeof(chosen->items[0]));

	if (!chosen)
		return NULL;
	atomic_init(&chosen->references, 1);
	for (size_t i = 0; i < rd->n && chosen->n < INTERFACES_MAX; i++) {
		struct network_interface *next = &chosen->items[chosen->n];

		*next = rd->list[i];
		chosen->n += is_listened_on(next, list, n) && read_interface(rd, next);
	}
	return chosen;
}

int interfaces_read(const struct listened *list, size_t n, const struct interfaces **ret,
		    struct error *e)
{
	struct reading rd = {.fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
	const struct interfaces *chosen = NULL;
	int r = read_addresses(&rd);

	if (r == 0)
		chosen = choose(&rd, list, n);
	if (r == 0 && !chosen)
		r = -ENOMEM;
	if (rd.fd >= 0)
		(void)close(rd.fd);
	free(rd.list);
	free(rd.ipv6);
	free(rd.routes);
	if (r < 0)
		return error_set(e, r, "%s", strerror(-r));
	*ret = chosen;
	return 0;
}

/* ---- references -------------------------------------------------------------------------------
 */

static atomic_uint *references_of(const struct interfaces *i)
{
	return (atomic_uint *)(uintptr_t)&i->references;
}

const struct interfaces *interfaces_ref(const struct interfaces *i)
{
	atomic_fetch_add_explicit(references_of(i), 1, memory_order_relaxed);
	return i;
}

const struct interfaces *interfaces_unref(const struct interfaces *i)
{
	if (i && atomic_fetch_sub_explicit(references_of(i), 1, memory_order_acq_rel) == 1)
		free((void *)(uintptr_t)i);
	return NULL;
}

static bool same_u64(struct opt_u64 a, struct opt_u64 b)
{
	return a.present == b.present && (!a.present || a.value == b.value);
}

static bool same_bool(struct opt_bool a, struct opt_bool b)
{
	return a.present == b.present && (!a.present || a.value == b.value);
}

static bool same_addresses(const struct network_interface *a, const struct network_interface *b)
{
	/* Neither kind of address has space between its members. */
	return a->n_ipv4 == b->n_ipv4 && a->n_ipv6 == b->n_ipv6 &&
	       memcmp(a->ipv4, b->ipv4, a->n_ipv4 * sizeof(a->ipv4[0])) == 0 &&
	       memcmp(a->ipv6, b->ipv6, a->n_ipv6 * sizeof(a->ipv6[0])) == 0;
}

static bool same_interface(const struct network_interface *a, const struct network_interface *b)
{
	return str_equal(a->name, b->name) && memcmp(a->mac, b->mac, sizeof(a->mac)) == 0 &&
	       a->enabled == b->enabled && a->linked == b->linked && same_u64(a->mtu, b->mtu) &&
	       same_u64(a->speed, b->speed) && same_bool(a->full_duplex, b->full_duplex) &&
	       same_bool(a->autonegotiates, b->autonegotiates) &&
	       a->gateway.s_addr == b->gateway.s_addr && same_addresses(a, b);
}

bool interfaces_equal(const struct interfaces *a, const struct interfaces *b)
{
	const size_t n_a = a ? a->n : 0, n_b = b ? b->n : 0;

	for (size_t i = 0; i < n_a && n_a == n_b; i++)
		if (!same_interface(&a->items[i], &b->items[i]))
			return false;
	return n_a == n_b;
}
