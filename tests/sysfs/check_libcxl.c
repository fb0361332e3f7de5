// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The snapshot of each captured host against libcxl on the same tree, as a second reader: the same
 * buses, devices, ports, decoders and regions, with the same numbers where libcxl has them.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include <check.h>
#include <cxl/libcxl.h>

#include "capture/captured_host.h"
#include "common/strutil.h"
#include "sysfs/host.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/suites.h"

static const char *const hosts[] = {
	"dynamic-7.3",	      "idle-7.3",	  "mock-7.3",	       "normalized-6.12",
	"normalized-7.3",     "plain-6.12",	  "plain-7.3",	       "switch-7.3",
	"switch-mailbox-7.3", "switch-model-7.3", "three-bridges-7.3", "zen5-doc",
};

static const struct host *host;
static struct cxl_ctx *ctx;
static size_t n_ports, n_decoders, n_regions;

/* libcxl returns all-ones, 0, or -1 for what it cannot read. */
static void expect_number(const char *name, const char *attr, struct opt_u64 ours, uint64_t libcxls)
{
	if (ours.present)
		ck_assert_msg(ours.value == libcxls, "%s: %s is 0x%llx, by libcxl 0x%llx", name,
			      attr, (unsigned long long)ours.value, (unsigned long long)libcxls);
}

static void expect_region(struct cxl_region *r)
{
	const char *name = cxl_region_get_devname(r);
	const struct region *region = host_region(host, name);

	ck_assert_msg(region != NULL, "%s", name);
	expect_number(name, "resource", region->resource, cxl_region_get_resource(r));
	expect_number(name, "size", region->size, cxl_region_get_size(r));
	expect_number(name, "ways", region->ways, cxl_region_get_interleave_ways(r));
	expect_number(name, "granularity", region->granularity,
		      cxl_region_get_interleave_granularity(r));
	n_regions++;
}

static void expect_decoders(struct cxl_port *port, bool is_endpoint)
{
	struct cxl_decoder *d;
	struct cxl_region *r;

	cxl_decoder_foreach(port, d) {
		const char *name = cxl_decoder_get_devname(d);
		const struct decoder *decoder = host_decoder(host, name);

		ck_assert_msg(decoder != NULL, "%s", name);
		expect_number(name, "start", decoder->start, cxl_decoder_get_resource(d));
		expect_number(name, "size", decoder->size, cxl_decoder_get_size(d));
		if (is_endpoint && decoder->dpa_size.present && decoder->dpa_size.value > 0)
			expect_number(name, "dpa_resource", decoder->dpa_resource,
				      cxl_decoder_get_dpa_resource(d));
		ck_assert_uint_eq(is_endpoint ? 0 : decoder->n_targets,
				  is_endpoint ? 0 : (size_t)cxl_decoder_get_nr_targets(d));
		n_decoders++;
		cxl_region_foreach(d, r)
			expect_region(r);
	}
}

static void expect_ports(struct cxl_port *parent)
{
	struct cxl_endpoint *endpoint;
	struct cxl_port *port;

	ck_assert_msg(host_port(host, cxl_port_get_devname(parent)) != NULL, "%s",
		      cxl_port_get_devname(parent));
	n_ports++;
	expect_decoders(parent, false);
	cxl_port_foreach(parent, port) expect_ports(port);
	cxl_endpoint_foreach(parent, endpoint) {
		const struct port *ours = host_port(host, cxl_endpoint_get_devname(endpoint));

		ck_assert_msg(ours != NULL, "%s", cxl_endpoint_get_devname(endpoint));
		ck_assert_str_eq(ours->host, cxl_endpoint_get_host(endpoint));
		n_ports++;
		expect_decoders(cxl_endpoint_get_port(endpoint), true);
	}
}

static const struct bus *bus_of(const char *name)
{
	for (size_t i = 0; i < host->n_buses; i++)
		if (str_equal(host->buses[i].name, name))
			return &host->buses[i];
	return NULL;
}

START_TEST(libcxl_sees_the_same_host)
{
	char path[4096];
	struct host_root *root;
	struct cxl_memdev *m;
	struct cxl_bus *b;
	size_t n = 0;
	struct error e;

	bundled_host(hosts[_i], path, sizeof(path));
	ck_assert_msg(host_root_open(path, &root, &e) == 0, "%s", e.text);
	ck_assert_msg(host_read(root, &host, &e) == 0, "%s", e.text);
	ck_assert_int_eq(cxl_new(&ctx), 0);
	cxl_bus_foreach(ctx, b) {
		const struct bus *bus = bus_of(cxl_bus_get_devname(b));

		ck_assert_msg(bus != NULL, "%s", cxl_bus_get_devname(b));
		ck_assert_str_eq(bus->provider, cxl_bus_get_provider(b));
		n++;
		expect_ports(cxl_bus_get_port(b));
	}
	ck_assert_uint_eq(host->n_buses, n);
	n = 0;
	cxl_memdev_foreach(ctx, m) {
		const struct memdev *memdev = host_memdev(host, cxl_memdev_get_devname(m));

		ck_assert_msg(memdev != NULL, "%s", cxl_memdev_get_devname(m));
		expect_number(memdev->name, "serial", memdev->serial, cxl_memdev_get_serial(m));
		expect_number(memdev->name, "ram size", memdev->ram_size,
			      cxl_memdev_get_ram_size(m));
		expect_number(memdev->name, "pmem size", memdev->pmem_size,
			      cxl_memdev_get_pmem_size(m));
		n++;
	}
	ck_assert_uint_eq(host->n_memdevs, n);
	ck_assert_uint_eq(host->n_ports, n_ports);
	ck_assert_uint_eq(host->n_decoders, n_decoders);
	ck_assert_uint_eq(host->n_regions, n_regions);
	cxl_unref(ctx);
	host = host_unref(host);
	(void)host_root_free(root);
}
END_TEST

SUITE(check_libcxl)
{
	Suite *s = suite_create("libcxl");
	TCase *t = tcase_create("libcxl");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, libcxl_sees_the_same_host, 0,
			    (int)(sizeof(hosts) / sizeof(hosts[0])));
	suite_add_tcase(s, t);
	return s;
}
