// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The snapshot of each bundled host compared with the output of `cxl list -vv` (ndctl 81 or later)
 * on the same machine when it was captured, in cmd/cxl-list-vv.json.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>
#include <jansson.h>

#include "capture/captured_host.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "sysfs/host.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/suites.h"

enum { LIST_BYTES_MAX = 1024 * 1024, DEPTH_MAX = 16 };

static const char *const hosts[] = {
	"idle-7.3",   "normalized-6.12", "normalized-7.3", "normalized-no-prm-7.3",
	"plain-6.12", "plain-7.3",	 "switch-7.3",
};

static struct host_root *root;
static const struct host *host;

/* Numbers of values that were compared: with an empty list the suite would test nothing. */
static size_t n_memdevs, n_decoders, n_regions, n_ports, n_targets;

static const char *string(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* cxl list omits absent values, and some that are 0. */
static void same_number(const json_t *object, const char *key, struct opt_u64 ours)
{
	const json_t *theirs = json_object_get(object, key);

	if (theirs)
		ck_assert_msg(opt_u64_is(ours, (uint64_t)json_integer_value(theirs)),
			      "%s is %lld for the peer", key,
			      (long long)json_integer_value(theirs));
}

static void same_name(const json_t *object, const char *key, const char *ours)
{
	const char *theirs = string(object, key);

	if (theirs)
		ck_assert_msg(str_equal(ours, theirs), "%s is %s for the peer, %s for us", key,
			      theirs, ours ? ours : "absent");
}

static void compare_memdev(const json_t *object, const char *name)
{
	const struct memdev *m = host_memdev(host, name);

	ck_assert_msg(m != NULL, "%s is missing", name);
	same_number(object, "ram_size", m->ram_size);
	same_number(object, "pmem_size", m->pmem_size);
	same_number(object, "serial", m->serial);
	same_name(object, "host", m->host);
	same_name(object, "firmware_version", m->firmware_version);
	n_memdevs++;
}

static void compare_targets(const json_t *list, const struct decoder *d)
{
	size_t i;
	json_t *theirs;

	json_array_foreach(list, i, theirs) {
		const size_t position =
			(size_t)json_integer_value(json_object_get(theirs, "position"));

		ck_assert_uint_lt(position, d->n_targets);
		ck_assert_uint_eq(d->targets[position].id,
				  (uint64_t)json_integer_value(json_object_get(theirs, "id")));
		same_name(theirs, "target", d->targets[position].dport->name);
		n_targets++;
	}
}

static void compare_decoder(const json_t *object, const char *name)
{
	const struct decoder *d = host_decoder(host, name);

	ck_assert_msg(d != NULL, "%s is missing", name);
	same_number(object, "size", d->size);
	if (!opt_u64_is(d->size, 0)) { /* of an idle one they are not read */
		same_number(object, "resource", d->start);
		same_number(object, "interleave_ways", d->ways);
		same_number(object, "interleave_granularity", d->granularity);
	}
	same_number(object, "dpa_resource", d->dpa_resource);
	same_number(object, "dpa_size", d->dpa_size);
	same_name(object, "mode", decoder_mode_name(d->mode));
	same_name(object, "region", d->region ? d->region->name : NULL);
	if (json_object_get(object, "nr_targets"))
		ck_assert_uint_eq(d->n_targets, (size_t)json_integer_value(
							json_object_get(object, "nr_targets")));
	compare_targets(json_object_get(object, "targets"), d);
	n_decoders++;
}

static void compare_mappings(const json_t *list, const struct region *r)
{
	size_t i;
	json_t *theirs;

	json_array_foreach(list, i, theirs) {
		const size_t position =
			(size_t)json_integer_value(json_object_get(theirs, "position"));

		ck_assert_uint_lt(position, r->n_targets);
		same_name(theirs, "memdev", r->targets[position].memdev->name);
		same_name(theirs, "decoder", r->targets[position].decoder->name);
		n_targets++;
	}
}

static void compare_region(const json_t *object, const char *name)
{
	const struct region *r = host_region(host, name);

	ck_assert_msg(r != NULL, "%s is missing", name);
	same_number(object, "resource", r->resource);
	same_number(object, "size", r->size);
	same_number(object, "interleave_ways", r->ways);
	same_number(object, "interleave_granularity", r->granularity);
	compare_mappings(json_object_get(object, "mappings"), r);
	n_regions++;
}

static void compare_port(const json_t *object, const char *name)
{
	const struct port *p = host_port(host, name);

	ck_assert_msg(p != NULL, "%s is missing", name);
	same_name(object, "host", p->host);
	same_name(object, "parent_dport", p->parent_dport ? p->parent_dport->name : NULL);
	same_number(object, "depth", OPT_U64(p->depth));
	same_number(object, "decoders_committed", p->decoders_committed);
	same_number(object, "nr_dports", OPT_U64(p->n_dports));
	n_ports++;
}

/* The first key of an object names its kind. */
static void compare_object(const json_t *object)
{
	static const struct {
		const char *key;
		void (*compare)(const json_t *object, const char *name);
	} kinds[] = {
		{"bus", compare_port},	    {"port", compare_port},
		{"endpoint", compare_port}, {"decoder", compare_decoder},
		{"region", compare_region}, {"memdev", compare_memdev},
	};
	const char *first = json_object_iter_key(json_object_iter((json_t *)(uintptr_t)object));

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (str_equal(first, kinds[i].key) && string(object, first))
			kinds[i].compare(object, string(object, first));
}

static void compare_all(const json_t *value, unsigned int depth)
{
	const char *key;
	size_t i;
	json_t *child;

	ck_assert_uint_lt(depth, DEPTH_MAX);
	json_array_foreach(value, i, child)
		compare_all(child, depth + 1);
	if (!json_is_object(value))
		return;
	compare_object(value);
	json_object_foreach((json_t *)(uintptr_t)value, key, child)
		if (!str_equal(key, "mappings") && !str_equal(key, "targets"))
			compare_all(child, depth + 1);
}

START_TEST(snapshot_equals_the_output_of_cxl_list)
{
	_cleanup_free_ char *text = NULL;
	json_error_t json_error;
	char path[4096];
	struct error e;
	json_t *list;
	size_t len;

	bundled_host(hosts[_i], path, sizeof(path));
	ck_assert_msg(host_root_open(path, &root, &e) == 0, "%s", e.text);
	ck_assert_msg(host_read(root, &host, &e) == 0, "%s", e.text);
	ck_assert_int_eq(host_root_read(root, "cmd/cxl-list-vv.json", LIST_BYTES_MAX, &text, &len),
			 0);
	list = json_loadb(text, len, 0, &json_error);
	ck_assert_msg(list != NULL, "%s", json_error.text);
	compare_all(list, 0);
	ck_assert_uint_eq(n_memdevs, host->n_memdevs);
	ck_assert_uint_eq(n_decoders, host->n_decoders);
	ck_assert_uint_eq(n_regions, host->n_regions);
	ck_assert_uint_eq(n_ports, host->n_ports);
	ck_assert_uint_gt(n_targets, 0);
	json_decref(list);
	host = host_unref(host);
	root = host_root_free(root);
}
END_TEST

SUITE(check_sysfs_peer)
{
	Suite *s = suite_create("sysfs, against cxl list");
	TCase *tc = tcase_create("peer");

	if (!have_namespaces())
		return NULL;
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, snapshot_equals_the_output_of_cxl_list, 0, ARRAY_SIZE(hosts));
	suite_add_tcase(s, tc);
	return s;
}
