// SPDX-License-Identifier: LGPL-2.1-or-later
/* Values of PCI configuration space, CDAT and slots; damaged ones have none. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "tests/lib/suites.h"
#include "tests/lib/sysfs_util.h"

#define PCI_PORT "sys/devices/pci0000:de/0000:de:01.0" /* above mem0 */

enum { CONFIG_BYTES = 4096, CDAT_MAX = 256 };

static unsigned char config[CONFIG_BYTES], cdat[CDAT_MAX];
static size_t cdat_len;

static size_t load(const char *path, unsigned char *buf, size_t max)
{
	int fd = openat(tree, path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	ck_assert_int_ge(fd, 0);
	n = read(fd, buf, max);
	(void)close(fd);
	ck_assert_int_gt(n, 0);
	return (size_t)n;
}

static void store(const char *path, const unsigned char *buf, size_t n)
{
	int fd;

	drop(path);
	fd = openat(tree, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, buf, n), (ssize_t)n);
	(void)close(fd);
}

static void setup(void)
{
	tree_setup();
	ck_assert_uint_eq(load(PCI_MEM0 "/config", config, sizeof(config)), CONFIG_BYTES);
	cdat_len = load(ENDPOINT4 "/CDAT", cdat, sizeof(cdat));
}

static void use_config(size_t n)
{
	store(PCI_MEM0 "/config", config, n);
	enter();
}

/* With a checksum that fits. */
static void use_cdat(size_t n)
{
	unsigned char sum = 0;

	cdat[5] = 0;
	for (size_t i = 0; i < n; i++)
		sum = (unsigned char)(sum + cdat[i]);
	cdat[5] = (unsigned char)-sum;
	store(ENDPOINT4 "/CDAT", cdat, n);
	enter();
}

static const struct pci_config *mem0_config(void)
{
	return &host_memdev(host, "mem0")->pci->config;
}

static const struct port *mem0_endpoint(void)
{
	return host_memdev(host, "mem0")->endpoint;
}

START_TEST(link_and_cxl_capabilities_are_read)
{
	const struct pci_config *port;

	enter();
	ck_assert_uint_eq(mem0_config()->link_speeds.value, 0x3e); /* up to 32 GT/s */
	/* Captures of earlier versions have no attributes of the link's limits. */
	ck_assert_str_eq(host_memdev(host, "mem0")->pci->max_link_speed, "32.0 GT/s PCIe");
	ck_assert_uint_eq(host_memdev(host, "mem0")->pci->max_link_width.value, 16);
	ck_assert_uint_eq(mem0_config()->cxl_revision.value, 3);
	ck_assert_uint_eq(mem0_config()->cxl_capability.value, 0x001e);
	ck_assert_uint_eq(mem0_config()->flex_capability.value, 0x0026);
	ck_assert_uint_eq(mem0_config()->flex_status.value, 0x0026);
	ck_assert(mem0_config()->flit_capable.present && !mem0_config()->flit_capable.value);
	ck_assert(!mem0_config()->slot_number.present);
	port = &mem0_endpoint()->parent_dport->pci->config;
	ck_assert_uint_eq(port->link_speeds.value, 0x7e);
	/* The kernel names a downstream port by the same register. */
	ck_assert(port->port_number.present);
	ck_assert_uint_eq(port->port_number.value, mem0_endpoint()->parent_dport->id);
	ck_assert(port->slot_number.present);
	ck_assert(port->slot_hot_plug.value);
	ck_assert(!port->cxl_revision.present);
}
END_TEST

/* Linux gives 64 bytes to programs without CAP_SYS_ADMIN. */
START_TEST(without_privilege_nothing_is_known_and_nothing_noted)
{
	use_config(64);
	ck_assert(!mem0_config()->max_link_speed && !mem0_config()->max_link_width.present);
	ck_assert(!mem0_config()->link_speeds.present && !mem0_config()->port_number.present);
	ck_assert(!mem0_config()->cxl_revision.present);
	ck_assert_uint_eq(host->n_notes, 0);
	ck_assert(host_memdev(host, "mem0")->pci->vendor.present);
}
END_TEST

START_TEST(a_device_that_is_gone_has_no_capabilities)
{
	memset(config, 0xff, sizeof(config));
	use_config(sizeof(config));
	ck_assert(!mem0_config()->link_speeds.present);
	ck_assert(!mem0_config()->cxl_revision.present);
}
END_TEST

/* The PCI Express capability of mem0, whose chain begins in the byte 0x34. */
static unsigned char *pcie_capability(void)
{
	size_t at = config[0x34];

	while (at >= 0x40 && config[at] != 0x10)
		at = config[at + 1];
	ck_assert_uint_ge(at, 0x40);
	return config + at;
}

/* Without the bit, with it, and where the capability cannot be read. */
START_TEST(a_common_clock_is_the_bit_of_link_control)
{
	if (_i == 1)
		pcie_capability()[0x10] |= 1 << 6;
	use_config(_i == 2 ? 64 : sizeof(config));
	ck_assert(mem0_config()->common_clock.present == (_i != 2));
	ck_assert(mem0_config()->common_clock.value == (_i == 1));
}
END_TEST

START_TEST(chains_that_are_rings_end)
{
	config[0x34] = 0x40;
	config[0x40] = 0x01;
	config[0x41] = 0x40;
	memset(config + 0x100, 0, CONFIG_BYTES - 0x100);
	config[0x100] = 0x23;
	config[0x102] = 0x01;
	config[0x103] = 0x10; /* next: 0x100 */
	use_config(sizeof(config));
	ck_assert(!mem0_config()->link_speeds.present);
	ck_assert(!mem0_config()->flex_status.present);
}
END_TEST

START_TEST(a_capability_at_the_end_is_not_read_beyond_it)
{
	config[0x34] = 0xfc;
	config[0xfc] = 0x10;
	memset(config + 0x100, 0, CONFIG_BYTES - 0x100);
	config[0x100] = 0x01;
	config[0x102] = 0xc1;
	config[0x103] = 0xff; /* next: 0xffc */
	config[0xffc] = 0x23;
	use_config(sizeof(config));
	ck_assert(!mem0_config()->link_speeds.present);
	ck_assert(!mem0_config()->cxl_revision.present);
}
END_TEST

START_TEST(a_dvsec_of_another_vendor_is_not_cxl)
{
	for (size_t at = 0x100; at < CONFIG_BYTES; at += 4)
		if (config[at] == 0x23 && config[at + 4] == 0x98 && config[at + 5] == 0x1e)
			config[at + 4] = 0x99;
	use_config(sizeof(config));
	ck_assert(mem0_config()->link_speeds.present);
	ck_assert(!mem0_config()->cxl_revision.present);
	ck_assert(!mem0_config()->flex_capability.present);
}
END_TEST

START_TEST(ranges_of_the_cdat_have_their_flags)
{
	cdat[0x15] = 1 << 2 | 1 << 3 | 1 << 4;
	use_cdat(cdat_len);
	ck_assert_uint_eq(mem0_endpoint()->n_cdat, 1);
	ck_assert_uint_eq(mem0_endpoint()->cdat[0].first, 0);
	ck_assert_uint_eq(mem0_endpoint()->cdat[0].last, 0xfffffff);
	ck_assert(mem0_endpoint()->cdat[0].nonvolatile);
	ck_assert(mem0_endpoint()->cdat[0].shareable);
	ck_assert(mem0_endpoint()->cdat[0].hardware_coherent);
	ck_assert_uint_eq(host->n_notes, 0);
}
END_TEST

START_TEST(a_damaged_cdat_is_noted_and_not_used)
{
	static const struct damage {
		size_t len, at;
		unsigned char byte;
	} damages[] = {
		{8, 0, 8},	   /* no header */
		{160, 0, 0xa1},	   /* another length than it has */
		{160, 0x12, 0},	   /* an entry without length */
		{160, 0x12, 0xff}, /* one that is longer than the table */
		{160, 0x12, 20},   /* one that is too short for its type */
		{160, 0x27, 0},	   /* a range of no bytes: see below */
		{160, 0x1f, 0xff}, /* one that ends beyond all addresses */
		{36, 0x12, 20},	   /* the same at the end of the table */
	};
	const struct damage *d = &damages[_i];

	cdat[d->at] = d->byte;
	if (d->len == 36)
		cdat[0] = 36;
	if (d->at == 0x27)
		memset(cdat + 0x20, 0, 8);
	if (d->at == 0x1f)
		memset(cdat + 0x18, 0xff, 8);
	use_cdat(d->len);
	ck_assert_uint_eq(mem0_endpoint()->n_cdat, 0);
	ck_assert(noted("endpoint4", "CDAT"));
}
END_TEST

START_TEST(a_cdat_with_a_wrong_checksum_is_not_used)
{
	cdat[0x15] ^= 1 << 3;
	store(ENDPOINT4 "/CDAT", cdat, cdat_len);
	enter();
	ck_assert_uint_eq(mem0_endpoint()->n_cdat, 0);
	ck_assert(noted("endpoint4", "CDAT"));
}
END_TEST

START_TEST(without_cdat_there_are_no_ranges)
{
	drop(ENDPOINT4 "/CDAT");
	enter();
	ck_assert_uint_eq(mem0_endpoint()->n_cdat, 0);
	ck_assert_uint_eq(host->n_notes, 0);
}
END_TEST

static void make_slot(const char *name, const char *address)
{
	char path[128];

	(void)mkdirat(tree, "sys/bus/pci/slots", 0755);
	(void)snprintf(path, sizeof(path), "sys/bus/pci/slots/%s", name);
	ck_assert_int_eq(mkdirat(tree, path, 0755), 0);
	(void)snprintf(path, sizeof(path), "sys/bus/pci/slots/%s/address", name);
	set(path, address);
}

START_TEST(a_device_is_in_the_slot_with_its_address)
{
	make_slot("5", "0000:e0:00\n");
	make_slot("6", "0000:e0:0\n");
	make_slot("7", "0000:ff:00\n");
	make_slot("8", "\n");
	enter();
	ck_assert_str_eq(host_memdev(host, "mem0")->slot, "5");
	ck_assert_ptr_null(strpbrk(host_memdev(host, "mem1")->slot, "5678"));
}
END_TEST

/* Slot Capabilities of the port that mem0 is below: the number is in the bits from 19 on. */
static void set_slot_number(unsigned int number)
{
	size_t at, n;

	n = load(PCI_PORT "/config", config, sizeof(config));
	for (at = config[0x34]; config[at] != 0x10; at = config[at + 1])
		ck_assert_uint_ge(at, 0x40);
	config[at + 0x16] = (unsigned char)((config[at + 0x16] & 7) | number << 3);
	config[at + 0x17] = 0;
	store(PCI_PORT "/config", config, n);
	enter();
}

START_TEST(a_slot_without_a_name_has_the_number_of_the_port_above)
{
	set_slot_number(7);
	ck_assert_str_eq(host_memdev(host, "mem0")->slot, "7");
}
END_TEST

START_TEST(a_device_on_the_board_has_no_slot)
{
	set_slot_number(0);
	ck_assert_ptr_null(host_memdev(host, "mem0")->slot);
}
END_TEST

SUITE(check_pci_config)
{
	Suite *s = suite_create("pci config");
	TCase *t = tcase_create("pci config");

	tcase_add_checked_fixture(t, setup, tree_teardown);
	tcase_add_test(t, link_and_cxl_capabilities_are_read);
	tcase_add_test(t, without_privilege_nothing_is_known_and_nothing_noted);
	tcase_add_test(t, a_device_that_is_gone_has_no_capabilities);
	tcase_add_loop_test(t, a_common_clock_is_the_bit_of_link_control, 0, 3);
	tcase_add_test(t, chains_that_are_rings_end);
	tcase_add_test(t, a_capability_at_the_end_is_not_read_beyond_it);
	tcase_add_test(t, a_dvsec_of_another_vendor_is_not_cxl);
	tcase_add_test(t, ranges_of_the_cdat_have_their_flags);
	tcase_add_loop_test(t, a_damaged_cdat_is_noted_and_not_used, 0, 8);
	tcase_add_test(t, a_cdat_with_a_wrong_checksum_is_not_used);
	tcase_add_test(t, without_cdat_there_are_no_ranges);
	tcase_add_test(t, a_device_is_in_the_slot_with_its_address);
	tcase_add_test(t, a_slot_without_a_name_has_the_number_of_the_port_above);
	tcase_add_test(t, a_device_on_the_board_has_no_slot);
	suite_add_tcase(s, t);
	return s;
}
