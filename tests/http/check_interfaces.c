// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The texts of /proc/net that network interfaces are read from, and which of them are listened on.

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http/interfaces.h"
#include "tests/lib/suites.h"

static void ck_ipv4(struct in_addr found, const char *wanted)
{
	char text[INET_ADDRSTRLEN];

	ck_assert_str_eq(inet_ntop(AF_INET, &found, text, sizeof(text)), wanted);
}

START_TEST(addresses_of_ipv6_are_read_with_their_state)
{
	const char *at = "fd000000000000000000000000000002 04 40 00 80     eth0\n"
			 "fe80000000000000020000fffe000001 0a 80 20 c0 br-0123456789a\n"
			 "20010db8000000000000000000000007 04 7f 00 2a eth0\n"
			 "20010db8000000000000000000000008 04 00 00 20 eth0";
	static const struct {
		const char *name, *address;
		unsigned int prefix;
		enum ipv6_state state;
	} wanted[] = {
		{"eth0", "fd00::2", 64, IPV6_PREFERRED},
		{"br-0123456789a", "fe80::200:ff:fe00:1", 128, IPV6_TENTATIVE},
		{"eth0", "2001:db8::7", 127, IPV6_FAILED},
		{"eth0", "2001:db8::8", 0, IPV6_DEPRECATED},
	};
	char name[INTERFACE_NAME_BYTES], text[INET6_ADDRSTRLEN];
	struct ipv6_address a;

	for (size_t i = 0; i < 4; i++) {
		ck_assert(ipv6_addresses_next(&at, name, &a));
		ck_assert_str_eq(name, wanted[i].name);
		ck_assert_str_eq(inet_ntop(AF_INET6, &a.address, text, sizeof(text)),
				 wanted[i].address);
		ck_assert_uint_eq(a.prefix, wanted[i].prefix);
		ck_assert_int_eq(a.state, wanted[i].state);
	}
	ck_assert(!ipv6_addresses_next(&at, name, &a));
	ck_assert_str_eq(at, "");
}
END_TEST

START_TEST(lines_that_are_no_addresses_are_passed_over)
{
	static const char *const lines[] = {
		"",
		"\n\n",
		"fd00",
		"fd00000000000000000000000000000g 04 40 00 80 eth0\n",
		"fd000000000000000000000000000002",
		"fd000000000000000000000000000002 04 40 00 80\n",
		"fd000000000000000000000000000002 04 81 00 80 eth0\n", /* a prefix of 129 */
		"fd0000000000000000000000000000 2 04 40 00 80 eth0\n",
		"-0000000000000000000000000000002 04 40 00 80 eth0\n",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		char name[INTERFACE_NAME_BYTES];
		const char *at = lines[i];
		struct ipv6_address a;

		ck_assert_msg(!ipv6_addresses_next(&at, name, &a), "%s", lines[i]);
		ck_assert_str_eq(at, "");
	}
}
END_TEST

#define ROUTES                                                                                     \
	"Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"

/* As the kernel prints it: the bytes of an address as one number of this machine. */
static void put_route(char *to, size_t size, const char *name, const char *destination,
		      const char *gateway, unsigned int flags, unsigned int metric,
		      const char *mask)
{
	const size_t n = strlen(to);

	(void)snprintf(to + n, size - n, "%s\t%08X\t%08X\t%04X\t0\t0\t%u\t%08X\t0\t0\t0\n", name,
		       inet_addr(destination), inet_addr(gateway), flags, metric, inet_addr(mask));
}

START_TEST(a_gateway_is_of_the_default_route_with_the_lowest_metric)
{
	char routes[2048] = ROUTES;

	put_route(routes, sizeof(routes), "eth0", "192.0.2.0", "0.0.0.0", 1, 0, "255.255.255.0");
	put_route(routes, sizeof(routes), "eth1", "0.0.0.0", "198.51.100.1", 3, 0, "0.0.0.0");
	put_route(routes, sizeof(routes), "eth0", "0.0.0.0", "192.0.2.9", 3, 100, "0.0.0.0");
	put_route(routes, sizeof(routes), "eth0", "0.0.0.0", "192.0.2.1", 3, 10, "0.0.0.0");
	put_route(routes, sizeof(routes), "eth0", "0.0.0.0", "192.0.2.8", 3, 20, "0.0.0.0");
	/* Down; without a gateway; to a half of all addresses. */
	put_route(routes, sizeof(routes), "eth0", "0.0.0.0", "192.0.2.7", 2, 1, "0.0.0.0");
	put_route(routes, sizeof(routes), "eth0", "0.0.0.0", "192.0.2.6", 1, 1, "0.0.0.0");
	put_route(routes, sizeof(routes), "eth0", "0.0.0.0", "192.0.2.5", 3, 1, "128.0.0.0");
	ck_ipv4(ipv4_gateway(routes, "eth0"), "192.0.2.1");
	ck_ipv4(ipv4_gateway(routes, "eth1"), "198.51.100.1");
	ck_ipv4(ipv4_gateway(routes, "eth"), "0.0.0.0");
	ck_ipv4(ipv4_gateway("", "eth0"), "0.0.0.0");
	ck_ipv4(ipv4_gateway("eth0\t00000000\t010200C0", "eth0"), "0.0.0.0");
}
END_TEST

START_TEST(an_address_of_a_listener_has_a_family)
{
	struct listened l;

	ck_assert(listened_parse("192.0.2.1", &l) && l.family == AF_INET);
	ck_ipv4(l.ipv4, "192.0.2.1");
	ck_assert(listened_parse("::", &l) && l.family == AF_INET6 &&
		  IN6_IS_ADDR_UNSPECIFIED(&l.ipv6));
	ck_assert_str_eq(l.zone, "");
	ck_assert(listened_parse("fe80::1%eth0", &l) && IN6_IS_ADDR_LINKLOCAL(&l.ipv6));
	ck_assert_str_eq(l.zone, "eth0");
	ck_assert(!listened_parse("", &l)); /* that of a Unix socket */
	ck_assert(!listened_parse("cxl.example", &l));
}
END_TEST

/* No machine has an address of 192.0.2.0/24, and the loopback interface is no Ethernet. */
START_TEST(interfaces_without_listeners_are_not_read)
{
	static const char *const unused[] = {"203.0.113.213", "2001:db8::213", "127.0.0.1", "::1"};
	_cleanup_(interfaces_unrefp) const struct interfaces *found = NULL;
	struct listened list[4];
	struct error e = {0};

	for (size_t i = 0; i < 4; i++)
		ck_assert(listened_parse(unused[i], &list[i]));
	ck_assert_msg(interfaces_read(list, 4, &found, &e) == 0, "%s", e.text);
	ck_assert_uint_eq(found->n, 0);
	ck_assert(interfaces_equal(found, NULL));
}
END_TEST

static const struct interfaces *one_interface(const char *name)
{
	struct interfaces *i = calloc(1, sizeof(*i) + sizeof(i->items[0]));

	ck_assert_ptr_nonnull(i);
	atomic_init(&i->references, 1);
	i->n = 1;
	(void)snprintf(i->items[0].name, sizeof(i->items[0].name), "%s", name);
	return i;
}

START_TEST(what_a_client_sees_makes_a_difference)
{
	const struct interfaces *a = one_interface("eth0"), *b = one_interface("eth0");
	struct network_interface *i = (struct network_interface *)(uintptr_t)&b->items[0];

	ck_assert(interfaces_equal(a, b));
	ck_assert(!interfaces_equal(a, NULL) && !interfaces_equal(NULL, b));
	i->linked = true;
	ck_assert(!interfaces_equal(a, b));
	i->linked = false;
	i->speed.value = 5; /* it is absent */
	ck_assert(interfaces_equal(a, b));
	i->speed.present = true;
	ck_assert(!interfaces_equal(a, b));
	i->speed.present = false;
	i->ipv6[0].prefix = 64; /* behind the last one */
	ck_assert(interfaces_equal(a, b));
	i->n_ipv6 = 1;
	ck_assert(!interfaces_equal(a, b));
	(void)interfaces_unref(a);
	(void)interfaces_unref(b);
}
END_TEST

SUITE(check_interfaces)
{
	Suite *s = suite_create("interfaces");
	TCase *t = tcase_create("interfaces");

	tcase_add_test(t, addresses_of_ipv6_are_read_with_their_state);
	tcase_add_test(t, lines_that_are_no_addresses_are_passed_over);
	tcase_add_test(t, a_gateway_is_of_the_default_route_with_the_lowest_metric);
	tcase_add_test(t, an_address_of_a_listener_has_a_family);
	tcase_add_test(t, interfaces_without_listeners_are_not_read);
	tcase_add_test(t, what_a_client_sees_makes_a_difference);
	suite_add_tcase(s, t);
	return s;
}
