// SPDX-License-Identifier: LGPL-2.1-or-later
/* The device, severity and SPA of an event, on hosts built in memory. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/clock.h"
#include "events/event_extents.h"
#include "events/event_fill.h"
#include "prm/firmware.h"
#include "tests/lib/fake_module.h"
#include "tests/lib/model_usual.h"
#include "tests/lib/suites.h"

/* A region of three ways, at no multiple of 768 MiB. */
#define REGION_3 (BASE + MIB_256)

#define HOUR_NS UINT64_C(3600000000000)

static struct event_mapping *mapping;
static struct event_record rec;
static struct stored_event ev;
static struct event_question question;
static struct provenance from;
static const uint8_t boot[EVENT_BOOT_ID_SIZE] = {1, 2, 3};

static void setup(void)
{
	fake_setup();
	model_setup();
	mapping = NULL;
	from = provenance_live;
}

static void teardown(void)
{
	struct firmware *f = m.firmware;

	mapping = event_mapping_unref(mapping);
	model_teardown();
	(void)firmware_free(f);
	fake_teardown();
}

static void number(enum event_field field, uint64_t value)
{
	rec.present |= UINT64_C(1) << field;
	rec.number[field] = value;
}

/*
 * A record of that device and address, as the kernel would write it on this host. Its time is to
 * come, so that it is as old as nothing when it is filled in: the mapping is older, however slow
 * the machine is.
 */
static void record(enum event_type type, const struct memdev *memdev, uint64_t dpa)
{
	rec = (struct event_record){.type = type, .cpu = 3, .time_ns = 77};
	rec.wall_ns = OPT_U64(clock_realtime_ns() + HOUR_NS);
	strcpy(rec.event, "cxl_test");
	strcpy(rec.memdev, memdev->name);
	strcpy(rec.host, memdev->bdf);
	number(FIELD_SERIAL, memdev->serial.value);
	number(FIELD_LOG, 2);
	if (event_type_has_address(type))
		number(FIELD_DPA, dpa);
	if (region && event_type_has_address(type))
		strcpy(rec.region, region->name);
}

static void ready(const char *kernel)
{
	struct error e;

	m.host.kernel_release = kernel;
	model_ready(&m);
	ck_assert_int_eq(event_mapping_new(&m.host, m.t, &mapping, &e), 0);
}

static const struct event_answer *fill(void)
{
	event_fill(mapping, boot, &rec, &from, 123456789, &ev, &question);
	return &ev.answer;
}

static void expect(enum answer_source source, uint64_t spa, uint64_t spa_last)
{
	const struct event_answer *a = fill();

	ck_assert_msg(a->source == source && a->has_spa, "%s: %s", answer_source_name(a->source),
		      a->reason);
	ck_assert_uint_eq(a->spa, spa);
	ck_assert_uint_eq(a->spa_last, spa_last);
	ck_assert_int_eq(a->exact, spa == spa_last);
}

static void expect_unknown(const char *reason)
{
	const struct event_answer *a = fill();

	ck_assert(!a->has_spa && !a->exact && a->source == SOURCE_NONE);
	ck_assert_msg(strstr(a->reason, reason), "%s", a->reason);
}

static void expect_why(const char *reason)
{
	ck_assert_msg(strstr(ev.answer.reason, reason), "%s", ev.answer.reason);
}

/* ---- ordinary decoders ---- */

START_TEST(without_hpa_the_decoders_answer)
{
	build_usual();
	(void)model_dax(&m, region, 5);
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], 0x1040);
	expect(SOURCE_DECODER, BASE + 0x4140, BASE + 0x4140);
	ck_assert_str_eq(ev.answer.region, region->name);
	ck_assert(opt_u64_is(ev.answer.region_resource, BASE));
	ck_assert(!ev.answer.has_region_uuid);
	ck_assert(ev.answer.numa_node.present && ev.answer.numa_node.value == 5);
	ck_assert_str_eq(ev.answer.dax, "dax0.0");
	ck_assert(!ev.answer.hpa_disagrees && !ev.pending);
	ck_assert_str_eq(ev.answer.reason, "");
}
END_TEST

START_TEST(the_rest_of_the_event_is_filled_in)
{
	build_usual();
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], 0x1040);
	ev.resolved = true;
	ev.seq = 99;
	(void)fill();
	ck_assert_str_eq(ev.device, "cxl-000000000000abc1");
	ck_assert_mem_eq(ev.boot_id, boot, sizeof(boot));
	ck_assert_uint_eq(ev.stored_ns, 123456789);
	ck_assert_uint_eq(ev.seq, 0);
	ck_assert(!ev.resolved && !ev.pending);
	ck_assert_uint_eq(ev.record.time_ns, 77);
	ck_assert_int_eq(ev.severity, EVENT_CRITICAL);
}
END_TEST

START_TEST(an_hpa_that_the_decoders_confirm_is_the_kernels)
{
	build_usual();
	ready("6.12.95");
	record(EVENT_POISON, mem[1], 0x1040);
	number(FIELD_HPA, BASE + 0x4140);
	expect(SOURCE_KERNEL, BASE + 0x4140, BASE + 0x4140);
	ck_assert(!ev.answer.hpa_disagrees);
	ck_assert_str_eq(ev.answer.region, region->name);
}
END_TEST

START_TEST(an_hpa_that_contradicts_the_decoders_gives_an_interval_of_both)
{
	build_usual();
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], 0x1040);
	number(FIELD_HPA, BASE + 0x8140);
	expect(SOURCE_ESTIMATE, BASE + 0x4140, BASE + 0x8140);
	ck_assert(ev.answer.hpa_disagrees);
	expect_why("0x1000008140");
	number(FIELD_HPA, BASE + 0x140);
	expect(SOURCE_ESTIMATE, BASE + 0x140, BASE + 0x4140);
}
END_TEST

/* Linux before 7.0 and a 3-way window whose region is not at a multiple of 768 MiB. */
START_TEST(the_decoders_are_used_where_the_kernel_is_known_to_be_wrong)
{
	build(3, 3, REGION_3);
	model_cedt(&m, 0, NULL, 0);
	ready("6.12.95+deb13-amd64");
	record(EVENT_DRAM, mem[1], 0x1040);
	number(FIELD_HPA, REGION_3 + 0x3140);
	expect(SOURCE_DECODER, REGION_3 + 0x3240, REGION_3 + 0x3240);
	ck_assert(ev.answer.hpa_disagrees);
	expect_why("the kernel's hpa");
}
END_TEST

/* Several devices below each bridge: the kernel uses their positions, hardware the decoders. */
START_TEST(the_decoders_are_used_where_every_kernel_is_wrong)
{
	static const char *const kernels[] = {"6.12.95", "7.3.4"};

	build(3, 6, BASE + 2 * MIB_256);
	ready(kernels[_i]);
	record(EVENT_DRAM, mem[1], 0x1040);
	/* Chunk 0x10 of mem1: block 0x10, and of this the chunk at bridge 1 and target 0. */
	number(FIELD_HPA, BASE + 2 * MIB_256 + 0x10 * 6 * 256 + 256 + 0x40);
	expect(SOURCE_DECODER, BASE + 2 * MIB_256 + 0x10 * 6 * 256 + 4 * 256 + 0x40,
	       BASE + 2 * MIB_256 + 0x10 * 6 * 256 + 4 * 256 + 0x40);
	ck_assert(ev.answer.hpa_disagrees);
	expect_why("contradicts the decoders");
	/* No region of other ways has this hpa for this address, so it is of this one. */
	rec.wall_ns = OPT_U64(1);
	expect(SOURCE_DECODER, BASE + 2 * MIB_256 + 0x10 * 6 * 256 + 4 * 256 + 0x40,
	       BASE + 2 * MIB_256 + 0x10 * 6 * 256 + 4 * 256 + 0x40);
	/* The first chunk of three ways at the same base has the same as that of six. */
	record(EVENT_DRAM, mem[1], 0x40);
	number(FIELD_HPA, BASE + 2 * MIB_256 + 256 + 0x40);
	expect(SOURCE_DECODER, BASE + 2 * MIB_256 + 4 * 256 + 0x40,
	       BASE + 2 * MIB_256 + 4 * 256 + 0x40);
	rec.wall_ns = OPT_U64(1);
	(void)fill();
	ck_assert(!ev.answer.exact);
	expect_why("may be older");
	/* mem0 is one of those for which it is right. */
	record(EVENT_DRAM, mem[0], 0x1040);
	number(FIELD_HPA, BASE + 2 * MIB_256 + 0x10 * 6 * 256 + 0x40);
	expect(SOURCE_KERNEL, BASE + 2 * MIB_256 + 0x10 * 6 * 256 + 0x40,
	       BASE + 2 * MIB_256 + 0x10 * 6 * 256 + 0x40);
}
END_TEST

/* Region and record agree only if hpa is the one that the kernel's known error gives. */
START_TEST(an_hpa_that_the_kernels_known_error_does_not_explain_gives_an_interval)
{
	build(3, 3, REGION_3);
	model_cedt(&m, 0, NULL, 0);
	ready("6.12.95+deb13-amd64");
	record(EVENT_DRAM, mem[1], 0x1040);
	number(FIELD_HPA, REGION_3 + 0x6140);
	expect(SOURCE_ESTIMATE, REGION_3 + 0x3240, REGION_3 + 0x6140);
	ck_assert(ev.answer.hpa_disagrees);
	/* The same, but the record may be of an earlier region: the address was near its hpa. */
	rec.wall_ns = OPT_U64(1);
	(void)fill();
	ck_assert(!ev.answer.exact && ev.answer.has_spa);
	ck_assert_uint_le(ev.answer.spa, REGION_3 + 0x6140 - 0x300);
	ck_assert_uint_ge(ev.answer.spa_last, REGION_3 + 0x6140 + 0x300);
	expect_why("may be older");
	number(FIELD_HPA, REGION_3 + 0x3140);
	expect(SOURCE_DECODER, REGION_3 + 0x3240, REGION_3 + 0x3240);
}
END_TEST

START_TEST(a_newer_kernel_is_not_known_to_be_wrong)
{
	build(3, 3, BASE + MIB_256);
	model_cedt(&m, 0, NULL, 0);
	ready("7.0.0");
	record(EVENT_DRAM, mem[1], 0x1040);
	(void)fill();
	number(FIELD_HPA, ev.answer.spa + 0x100);
	(void)fill();
	ck_assert(!ev.answer.exact && ev.answer.hpa_disagrees);
}
END_TEST

/* Without a CEDT it is not known whether the window uses XOR, of which the kernel may be wrong. */
START_TEST(an_hpa_that_may_be_of_xor_gives_the_interval)
{
	static const char *const kernels[] = {"7.3.4", "6.12.95", "6.10.14", "5.19", NULL, "?"};

	build(2, 4, BASE);
	ready(kernels[_i]);
	record(EVENT_DRAM, mem[0], 0x1040);
	number(FIELD_HPA, BASE + 0x4040);
	expect(SOURCE_ESTIMATE, BASE + 0x4000, BASE + 0x43ff);
	expect_why("the CEDT, which distinguishes modulo from XOR, is missing");
	strcpy(rec.region, "region7");
	expect_unknown("cannot be confirmed");
}
END_TEST

START_TEST(an_hpa_outside_the_interval_is_not_accepted)
{
	build(2, 4, BASE);
	ready("7.3.4");
	record(EVENT_DRAM, mem[0], 0x1040);
	number(FIELD_HPA, BASE + 0x10000);
	expect(SOURCE_ESTIMATE, BASE + 0x4000, BASE + 0x10000);
	ck_assert(ev.answer.hpa_disagrees);
}
END_TEST

/* ---- a mapping other than that of the event ---- */

START_TEST(a_region_that_was_removed_leaves_the_hpa)
{
	build_usual();
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], 0x1040);
	strcpy(rec.region, "region7");
	expect_unknown("the record names region7");
	ck_assert_str_eq(ev.answer.region, "region7");
	ck_assert(!ev.answer.region_resource.present);
	number(FIELD_HPA, 0x123440);
	expect_unknown("in no CXL window");
	number(FIELD_HPA, BASE + 0x80123440);
	expect(SOURCE_KERNEL, BASE + 0x80123440, BASE + 0x80123440);
	ck_assert(!ev.answer.hpa_disagrees && !ev.answer.numa_node.present);
	ck_assert_str_eq(ev.answer.dax, "");
}
END_TEST

START_TEST(the_hpa_of_an_old_kernel_is_not_accepted_for_a_removed_region)
{
	build(3, 3, BASE);
	model_cedt(&m, 0, NULL, 0);
	ready("6.12.95");
	record(EVENT_DRAM, mem[1], 0x1040);
	strcpy(rec.region, "region7");
	number(FIELD_HPA, BASE + 0x123440);
	expect_unknown("cannot be confirmed");
}
END_TEST

START_TEST(a_region_created_again_with_its_name_is_recognized_by_its_uuid)
{
	static const uint8_t uuid[EVENT_UUID_SIZE] = {0x11, 0x22, 0x33};

	build_usual();
	region->uuid = "11223300-0000-0000-0000-000000000000";
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], 0x1040);
	memcpy(rec.payload, uuid, sizeof(uuid));
	rec.bytes[BYTES_REGION_UUID].len = EVENT_UUID_SIZE;
	expect(SOURCE_DECODER, BASE + 0x4140, BASE + 0x4140);
	ck_assert(ev.answer.has_region_uuid);
	ck_assert_mem_eq(ev.answer.region_uuid, uuid, sizeof(uuid));
	rec.payload[0]++;
	expect_unknown("another");
	/* The record, and then the region, has no UUID. */
	rec.bytes[BYTES_REGION_UUID].len = 0;
	expect_unknown("another");
	rec.payload[0]--;
	rec.bytes[BYTES_REGION_UUID].len = EVENT_UUID_SIZE;
	region->uuid = NULL;
	expect_unknown("another");
}
END_TEST

START_TEST(a_device_that_was_removed_keeps_its_name)
{
	build_usual();
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], 0x1040);
	number(FIELD_SERIAL, 0x1234);
	strcpy(rec.memdev, "mem9");
	expect_unknown("mem9 is no longer a device");
	ck_assert_str_eq(ev.device, "cxl-0000000000001234");
	number(FIELD_SERIAL, 0);
	(void)fill();
	ck_assert_str_eq(ev.device, "0000-01-00.0");
	rec.host[0] = '\0';
	(void)fill();
	ck_assert_str_eq(ev.device, "mem9");
}
END_TEST

START_TEST(a_name_that_another_device_has_now_does_not_match)
{
	build_usual();
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], 0x1040);
	strcpy(rec.memdev, mem[0]->name);
	/* It is the same device, but its driver was bound again. */
	expect_unknown("mem0 of the record is mem1 now");
	ck_assert_ptr_nonnull(strstr(ev.answer.reason, "(now it would be SPA 0x"));
	ck_assert_str_eq(ev.device, "cxl-000000000000abc1");
	strcpy(rec.host, mem[0]->bdf);
	expect_unknown("no longer a device of this host");
}
END_TEST

/* Linux names the region in the events of addresses since 6.10, in those of poison always. */
START_TEST(a_record_that_names_no_region_is_not_of_the_present_one)
{
	build_usual();
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], 0x1040);
	rec.region[0] = '\0';
	expect_unknown("names no region");
	ck_assert_str_eq(ev.answer.region, "");
	ck_assert(!ev.answer.region_resource.present);
	record(EVENT_POISON, mem[1], 0x1040);
	rec.region[0] = '\0';
	expect_unknown("names no region");
}
END_TEST

START_TEST(a_record_of_a_kernel_that_names_no_regions_is_answered_by_the_mapping_of_its_time)
{
	build_usual();
	ready("6.9.7");
	record(EVENT_DRAM, mem[1], 0x1040);
	rec.region[0] = '\0';
	expect(SOURCE_DECODER, BASE + 0x4140, BASE + 0x4140);
	expect_why("names no region");
	rec.wall_ns = OPT_U64(1);
	expect_unknown("may be older");
	record(EVENT_POISON_CLEARED, mem[1], 0x1040);
	rec.region[0] = '\0';
	expect_unknown("names no region, so none mapped");
}
END_TEST

/* The snapshot is older than the record, and the region of the record newer than the snapshot. */
START_TEST(a_region_made_anew_since_the_snapshot_has_no_address)
{
	char dir[] = "/tmp/check_event_fill.XXXXXX", command[128];
	struct stat st;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	(void)snprintf(command, sizeof(command),
		       "cd %s && mkdir -p sys/bus/cxl/devices/region0 other", dir);
	ck_assert_int_eq(system(command), 0);
	build_usual();
	ck_assert_str_eq(region->name, "region0");
	m.root_directory = (struct host_root){.dirfd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC)};
	m.host.root = &m.root_directory;
	ck_assert_int_eq(fstatat(m.root_directory.dirfd, "sys/bus/cxl/devices/region0", &st, 0), 0);
	region->inode = st.st_ino;
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], 0x1040);
	expect(SOURCE_DECODER, BASE + 0x4140, BASE + 0x4140);
	(void)snprintf(
		command, sizeof(command),
		"cd %s && rmdir sys/bus/cxl/devices/region0 && mv other sys/bus/cxl/devices/region0",
		dir);
	ck_assert_int_eq(system(command), 0);
	expect_unknown("may be older than the present region0");
	(void)snprintf(command, sizeof(command), "rm -r %s", dir);
	ck_assert_int_eq(system(command), 0);
	expect_unknown("may be older than the present region0");
	(void)close(m.root_directory.dirfd);
}
END_TEST

START_TEST(a_record_from_before_the_mapping_was_seen_has_no_address)
{
	build_usual();
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], 0x1040);
	expect(SOURCE_DECODER, BASE + 0x4140, BASE + 0x4140);
	rec.wall_ns = OPT_U64(clock_realtime_ns() - HOUR_NS);
	expect_unknown("may be older than the present region0");
	expect_why("now it would be SPA 0x1000004140");
	rec.wall_ns = (struct opt_u64){0};
	expect_unknown("may be older than the present region0");
	/* The kernel computed then the address that it computes now: the same mapping. */
	number(FIELD_HPA, BASE + 0x4140);
	expect(SOURCE_KERNEL, BASE + 0x4140, BASE + 0x4140);
	ck_assert_str_eq(ev.answer.region, region->name);
	/* Another mapping, or a wrong address: it is not known which. */
	number(FIELD_HPA, BASE + 0x8140);
	expect(SOURCE_ESTIMATE, BASE + 0x4140, BASE + 0x81ff);
	ck_assert(ev.answer.hpa_disagrees);
	expect_why("may be older");
}
END_TEST

/* No kernel computes an hpa without the region that it names. */
START_TEST(the_hpa_of_a_record_without_region_is_not_exact)
{
	build_usual();
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], 0x1040);
	rec.region[0] = '\0';
	number(FIELD_HPA, BASE + 0x4140);
	expect(SOURCE_ESTIMATE, BASE + 0x4100, BASE + 0x41ff);
	ck_assert(!ev.answer.hpa_disagrees);
	expect_why("names no region");
}
END_TEST

START_TEST(a_locked_decoder_cannot_have_been_another_one)
{
	build_usual();
	endpoint_decoder(mem[1], 0)->locked = OPT_BOOL(true);
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], 0x1040);
	rec.wall_ns = (struct opt_u64){0};
	expect(SOURCE_DECODER, BASE + 0x4140, BASE + 0x4140);
}
END_TEST

/* As the service does when the topology changes. */
static void replace_mapping(void)
{
	struct event_mapping *before = mapping;
	struct error e;

	ck_assert_int_eq(event_mapping_new(&m.host, m.t, &mapping, &e), 0);
	event_mapping_continue(mapping, before);
	(void)event_mapping_unref(before);
}

START_TEST(a_region_that_did_not_change_is_the_same_after_a_topology_change)
{
	build_usual();
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], 0x1040);
	replace_mapping();
	replace_mapping();
	expect(SOURCE_DECODER, BASE + 0x4140, BASE + 0x4140);
}
END_TEST

/* The snapshots of the host as it was, and as it is with a region made anew. */
static struct snapshot before;
static struct region before_region;

START_TEST(a_region_made_anew_under_its_old_name_is_another_one)
{
	static const struct region *const list[] = {&before_region};
	struct translator *t;
	struct error e;

	build_usual();
	m.host.kernel_release = "7.3.4";
	before_region = *region;
	before_region.resource = OPT_U64(BASE + 4 * MIB_256);
	before = m.snapshot;
	before.host.regions = list;
	ck_assert_int_eq(translator_new(&before.host, NULL, &t, &e), 0);
	ck_assert_int_eq(event_mapping_new(&before.host, t, &mapping, &e), 0);
	record(EVENT_DRAM, mem[1], 0x1040);
	rec.wall_ns = OPT_U64(clock_realtime_ns());
	model_ready(&m);
	replace_mapping();
	(void)translator_unref(t);
	expect_unknown("may be older than the present region0");
	record(EVENT_DRAM, mem[1], 0x1040);
	expect(SOURCE_DECODER, BASE + 0x4140, BASE + 0x4140);
}
END_TEST

START_TEST(records_of_a_captured_host_are_older_than_its_capture)
{
	build_usual();
	m.root_directory.captured = true;
	m.host.root = &m.root_directory;
	m.host.kernel_release = "7.3.4";
	model_ready(&m);
	ck_assert_int_eq(event_mapping_new(&m.host, m.t, &mapping, NULL), 0);
	record(EVENT_DRAM, mem[1], 0x1040);
	expect_unknown("may be older");
}
END_TEST

/* ---- where no kernel is right ---- */

/* Two devices below each bridge of a 3-way window, measured on 6.12 and 7.3. */
START_TEST(an_unconfirmed_hpa_of_six_ways_over_three_bridges_is_not_accepted)
{
	build(3, 6, BASE);
	ready(_i ? "7.3.4" : "6.12.95");
	record(EVENT_DRAM, mem[3], 0x1040);
	number(FIELD_HPA, BASE + 0x6340);
	(void)fill();
	ck_assert_msg(!ev.answer.exact || ev.answer.source != SOURCE_KERNEL, "%s",
		      ev.answer.reason);
	/* The device is gone. */
	strcpy(rec.memdev, "mem77");
	number(FIELD_SERIAL, 0x77);
	expect_unknown("arithmetic may be wrong");
	/* The region is gone. */
	record(EVENT_DRAM, mem[3], 0x1040);
	number(FIELD_HPA, BASE + 0x6340);
	strcpy(rec.region, "region7");
	expect_unknown("arithmetic may be wrong");
}
END_TEST

/* The lowest bits of the maps are those of the interleaving, but the first map reads bit 9, which
 * the second one changes. */
START_TEST(an_unconfirmed_hpa_of_dependent_xor_maps_is_not_accepted)
{
	static const uint64_t dependent[] = {0x2300, 0x4200}, independent[] = {0x2100, 0x4200};

	build(4, 4, BASE);
	model_cedt(&m, 1, _i ? independent : dependent, 2);
	ready("7.3.4");
	record(EVENT_DRAM, mem[3], 0x1040);
	strcpy(rec.region, "region7");
	number(FIELD_HPA, BASE + 0x4340);
	if (_i)
		expect(SOURCE_KERNEL, BASE + 0x4340, BASE + 0x4340);
	else
		expect_unknown("arithmetic may be wrong");
}
END_TEST

/* Kernels treat a region below a window of one way as aligned, hardware does not. */
START_TEST(an_hpa_alone_is_not_accepted_where_a_bridge_can_have_three_ways)
{
	bridges[0] = model_bridge(&m);
	window = model_window(&m, bridges, 1);
	for (unsigned int i = 0; i < 3; i++)
		mem[i] = model_memdev(&m, bridges[0]);
	region = model_region(&m, window, BASE, mem, 2);
	ready("7.3.4");
	record(EVENT_DRAM, mem[0], 0x1040);
	strcpy(rec.region, "region7");
	number(FIELD_HPA, BASE + 0x2040);
	expect_unknown("arithmetic may be wrong");
}
END_TEST

/* Only what is absent or unreadable leaves the kernel's word; a contradiction does not. */
START_TEST(an_unconfirmed_hpa_is_not_accepted_against_a_contradiction)
{
	build(2, 4, BASE);
	model_cedt(&m, 0, NULL, 0);
	window->granularity = OPT_U64(512);
	ready("7.3.4");
	record(EVENT_DRAM, mem[0], 0x1040);
	number(FIELD_HPA, BASE + 0x4040);
	(void)fill();
	ck_assert_msg(!ev.answer.exact, "%s", ev.answer.reason);
}
END_TEST

/* Without the ways of its decoders the route of the region is not examined. */
START_TEST(an_unconfirmed_hpa_of_a_region_that_may_be_normalized_is_of_one_way)
{
	const unsigned int ways = _i ? 1 : 4;

	build(_i ? 1 : 2, ways, BASE);
	for (unsigned int i = 0; i < ways; i++) {
		endpoint_decoder(mem[i], 0)->start.present = false;
		endpoint_decoder(mem[i], 0)->ways.present = _i;
		endpoint_decoder(mem[i], 0)->locked = OPT_BOOL(true);
	}
	ready("7.3.4");
	record(EVENT_DRAM, mem[0], 0x1040);
	number(FIELD_HPA, BASE + ways * 0x1000 + 0x40);
	if (_i)
		expect(SOURCE_KERNEL, BASE + 0x1040, BASE + 0x1040);
	else
		expect(SOURCE_ESTIMATE, BASE + 0x4000, BASE + 0x43ff);
}
END_TEST

START_TEST(an_address_that_nothing_maps_has_no_answer)
{
	build_usual();
	ready("7.3.4");
	record(EVENT_DRAM, mem[1], MIB_256);
	rec.region[0] = '\0';
	expect_unknown("beyond the capacity");
}
END_TEST

/* ---- records longer than a chunk ---- */

static void poison(const struct memdev *memdev, uint64_t dpa, uint64_t length)
{
	record(EVENT_POISON, memdev, dpa);
	number(FIELD_DPA_LENGTH, length);
	(void)fill();
}

static void expect_extent(unsigned int i, uint64_t dpa, uint64_t spa, uint64_t length)
{
	const struct event_extent *x = &ev.answer.extents[i];

	ck_assert_uint_lt(i, ev.answer.n_extents);
	ck_assert(x->exact);
	ck_assert_uint_eq(x->dpa, dpa);
	ck_assert_uint_eq(x->dpa_last, dpa + length - 1);
	ck_assert_uint_eq(x->spa, spa);
	ck_assert_uint_eq(x->spa_last, spa + length - 1);
}

START_TEST(a_long_record_has_an_extent_for_each_chunk)
{
	struct event_page_range pages[EVENT_EXTENTS_MAX];

	build_usual();
	ready("7.3.4");
	poison(mem[1], 0x10c0, 0x1000);
	ck_assert(ev.answer.exact && ev.answer.has_spa);
	ck_assert_uint_eq(ev.answer.spa, BASE + 0x41c0);
	ck_assert_uint_eq(ev.answer.spa_last, BASE + 0x41c0);
	ck_assert_uint_eq(ev.answer.n_extents, 17);
	ck_assert_uint_eq(ev.answer.bytes_beyond, 0);
	expect_extent(0, 0x10c0, BASE + 0x41c0, 0x40);
	expect_extent(1, 0x1100, BASE + 0x4500, 0x100);
	expect_extent(16, 0x2000, BASE + 0x8100, 0xc0);
	ck_assert_uint_eq(event_page_ranges(ev.answer.extents, ev.answer.n_extents, 4096, pages),
			  1);
	ck_assert_uint_eq(pages[0].first, BASE + 0x4000);
	ck_assert_uint_eq(pages[0].last, BASE + 0x8fff);
	ck_assert_uint_eq(event_page_ranges(ev.answer.extents, ev.answer.n_extents, 65536, pages),
			  1);
	ck_assert_uint_eq(pages[0].first, BASE);
	ck_assert_uint_eq(pages[0].last, BASE + 0xffff);
	ck_assert(event_touches(&ev, BASE + 0x4500, BASE + 0x4500));
	ck_assert(!event_touches(&ev, BASE + 0x4600, BASE + 0x46ff));
}
END_TEST

START_TEST(a_record_inside_a_chunk_has_one_extent)
{
	build_usual();
	ready("7.3.4");
	poison(mem[1], 0x1040, 64);
	ck_assert(ev.answer.exact);
	ck_assert_uint_eq(ev.answer.n_extents, 1);
	expect_extent(0, 0x1040, BASE + 0x4140, 64);
	/* One address only. */
	poison(mem[1], 0x1040, 0);
	ck_assert(ev.answer.exact);
	ck_assert_uint_eq(ev.answer.n_extents, 0);
}
END_TEST

START_TEST(a_region_of_one_way_has_one_extent_however_long_the_record_is)
{
	build(1, 1, BASE);
	ready("7.3.4");
	poison(mem[0], 0x1000, 128 << 20);
	ck_assert(ev.answer.exact);
	ck_assert_uint_eq(ev.answer.n_extents, 1);
	expect_extent(0, 0x1000, BASE + 0x1000, 128 << 20);
}
END_TEST

/* 256 GiB of a device that has 256 MiB. */
START_TEST(a_record_that_claims_too_much_is_bounded_and_what_is_beyond_is_counted)
{
	const uint64_t claim = UINT64_C(256) << 30;
	const struct event_extent *last;

	build_usual();
	ready("7.3.4");
	poison(mem[1], 0x1000, claim);
	ck_assert(!ev.answer.exact && ev.answer.has_spa);
	ck_assert_uint_le(ev.answer.n_extents, EVENT_EXTENTS_MAX);
	expect_extent(0, 0x1000, BASE + 0x4100, 0x100);
	last = &ev.answer.extents[ev.answer.n_extents - 1];
	ck_assert(!last->exact);
	ck_assert_uint_eq(last->dpa_last, MIB_256 - 1);
	ck_assert_uint_eq(ev.answer.bytes_beyond, 0x1000 + claim - MIB_256);
	ck_assert_uint_eq(ev.answer.spa, BASE + 0x4100);
	ck_assert_uint_eq(ev.answer.spa_last, last->spa_last);
	expect_why("the record is 274877906944 bytes long");
	/* Beyond 64 bits. */
	poison(mem[1], 0x1000, UINT64_MAX);
	ck_assert(!ev.answer.exact);
	ck_assert_uint_eq(ev.answer.bytes_beyond, UINT64_MAX - MIB_256 + 1);
}
END_TEST

START_TEST(the_rest_of_a_record_whose_start_only_the_kernel_knows_is_an_interval)
{
	build(1, 1, BASE);
	endpoint_decoder(mem[0], 0)->start.present = false;
	endpoint_decoder(mem[0], 0)->ways.present = false;
	ready("7.3.4");
	record(EVENT_POISON, mem[0], 0x1040);
	number(FIELD_DPA_LENGTH, 0x1000);
	number(FIELD_HPA, BASE + 0x1040);
	(void)fill();
	ck_assert(!ev.answer.exact);
	ck_assert_uint_eq(ev.answer.n_extents, 2);
	expect_extent(0, 0x1040, BASE + 0x1040, 0xc0);
	ck_assert(!ev.answer.extents[1].exact);
	ck_assert_uint_eq(ev.answer.extents[1].dpa, 0x1100);
	ck_assert_uint_eq(ev.answer.extents[1].dpa_last, 0x203f);
	ck_assert_uint_eq(ev.answer.bytes_beyond, 0);
}
END_TEST

/* ---- extended linear cache: two pages ---- */

static void build_cached(void)
{
	build_usual();
	region->size = OPT_U64(8 * MIB_256);
	for (unsigned int i = 0; i < 4; i++)
		endpoint_decoder(mem[i], 0)->start = OPT_U64(BASE + 4 * MIB_256);
	region->extended_linear_cache_size = OPT_U64(4 * MIB_256);
	ready("7.3.4");
}

/* The event as it was stored and read again. */
static struct stored_event again(void)
{
	char text[EVENT_EXTENTS_TEXT_MAX];
	struct stored_event ret = ev;

	event_extents_print(&ev.answer, text);
	memset(ret.answer.extents, 0xff, sizeof(ret.answer.extents));
	event_extents_parse(text, &ret.answer);
	return ret;
}

static void expect_two_pages(const struct stored_event *e, uint64_t spa)
{
	const uint64_t alias = spa - 4 * MIB_256;
	struct event_page_range pages[EVENT_EXTENTS_MAX];
	struct event_extent extents[EVENT_EXTENTS_MAX];
	uint64_t first, last;
	size_t n = event_extents(e, extents);

	ck_assert_uint_eq(n, 2);
	ck_assert_uint_eq(extents[0].spa, spa);
	ck_assert_uint_eq(extents[1].spa, alias);
	ck_assert_uint_eq(extents[1].dpa, extents[0].dpa);
	ck_assert_uint_eq(event_page_ranges(extents, n, 4096, pages), 2);
	ck_assert_uint_eq(pages[0].first, alias / 4096 * 4096);
	ck_assert_uint_eq(pages[1].first, spa / 4096 * 4096);
	ck_assert(event_alias_span(&e->answer, &first, &last) && first == alias);
	ck_assert(event_indexed_span(&e->answer, &first, &last) && first == alias && last >= spa);
	ck_assert(event_span(&e->answer, &first, &last) && first == spa);
	ck_assert(event_touches(e, alias, alias) && event_touches(e, spa, spa));
	ck_assert(!event_touches(e, alias + 4096, spa - 4096));
}

START_TEST(a_line_of_an_extended_linear_cache_has_two_pages)
{
	const uint64_t spa = BASE + 4 * MIB_256 + 0x41c0;
	struct stored_event e;

	build_cached();
	record(_i ? EVENT_POISON : EVENT_DRAM, mem[1], 0x10c0);
	if (_i)
		number(FIELD_DPA_LENGTH, 0x40);
	expect(SOURCE_DECODER, spa, spa);
	expect_two_pages(&ev, spa);
	e = again();
	expect_two_pages(&e, spa);
}
END_TEST

/* An interval from the kernel's address in DRAM to the present one: no page before the region. */
START_TEST(the_alias_of_an_interval_begins_with_the_region)
{
	struct event_page_range pages[EVENT_EXTENTS_MAX];
	struct event_extent extents[EVENT_EXTENTS_MAX];
	size_t n;

	build_cached();
	record(EVENT_DRAM, mem[1], 0x10c0);
	strcpy(rec.region, "region0");
	number(FIELD_HPA, BASE + 0x41c0);
	expect(SOURCE_ESTIMATE, BASE + 0x41c0, BASE + 4 * MIB_256 + 0x41c0);
	n = event_extents(&ev, extents);
	ck_assert_uint_eq(event_page_ranges(extents, n, 4096, pages), 1);
	ck_assert_uint_eq(pages[0].first, BASE);
	ck_assert_uint_eq(pages[0].last, BASE + 4 * MIB_256 + 0x4fff);
	ck_assert(event_touches(&ev, BASE + 0x41c0, BASE + 0x41c0));
	ck_assert(!event_touches(&ev, BASE - 1, BASE - 1));
}
END_TEST

/* Where the region is gone, the kernel's alias is used with its address. */
START_TEST(the_kernels_alias_is_used_with_its_address)
{
	build_cached();
	record(EVENT_DRAM, mem[1], 0x10c0);
	strcpy(rec.region, "region7");
	number(FIELD_HPA, BASE + 4 * MIB_256 + 0x80123440);
	number(FIELD_HPA_ALIAS0, BASE + 0x80123440);
	expect(SOURCE_KERNEL, BASE + 4 * MIB_256 + 0x80123440, BASE + 4 * MIB_256 + 0x80123440);
	expect_two_pages(&ev, BASE + 4 * MIB_256 + 0x80123440);
}
END_TEST

/* Linux computes the length of poison with 32 bits. */
START_TEST(of_a_length_of_zero_only_the_start_is_known)
{
	struct event_extent extents[EVENT_EXTENTS_MAX];

	build_usual();
	ready("7.3.4");
	record(EVENT_POISON, mem[1], 0x10c0);
	number(FIELD_DPA_LENGTH, 0);
	expect(SOURCE_DECODER, BASE + 0x41c0, BASE + 0x41c0);
	expect_why("the record's length of 0 is any multiple of 4 GiB");
	ck_assert_uint_eq(event_extents(&ev, extents), 0);
	ck_assert(event_touches(&ev, BASE + 0x41c0, BASE + 0x41c0));
}
END_TEST

/* Both ends of the interval are of the first address: the chunk ends behind either of them. */
START_TEST(of_a_record_that_the_kernel_disputes_only_the_first_chunk_is_known)
{
	static const uint64_t hpas[] = {BASE + 0x140, BASE + 0x8140};
	const uint64_t first = _i ? BASE + 0x4140 : BASE + 0x140;
	const uint64_t last = _i ? BASE + 0x8140 : BASE + 0x4140;

	build_usual();
	ready("7.3.4");
	record(EVENT_POISON, mem[1], 0x1040);
	number(FIELD_HPA, hpas[_i]);
	number(FIELD_DPA_LENGTH, 0x40);
	expect(SOURCE_ESTIMATE, first, last + 0x3f);
	ck_assert_uint_eq(ev.answer.n_extents, 1);
	ck_assert_uint_eq(ev.answer.bytes_beyond, 0);
	number(FIELD_DPA_LENGTH, 0x1000);
	expect(SOURCE_ESTIMATE, first, last + 0xbf);
	ck_assert(!ev.answer.extents[0].exact);
	ck_assert_uint_eq(ev.answer.n_extents, 1);
	ck_assert_uint_eq(ev.answer.bytes_beyond, 0xf40);
}
END_TEST

START_TEST(of_a_record_of_another_mapping_only_the_kernels_chunk_is_known)
{
	build_usual();
	ready("7.3.4");
	record(EVENT_POISON, mem[1], 0x1040);
	number(FIELD_DPA_LENGTH, 0x1000);
	strcpy(rec.region, "region7");
	(void)fill();
	ck_assert(!ev.answer.has_spa);
	ck_assert_uint_eq(ev.answer.n_extents, 0);
	ck_assert_uint_eq(ev.answer.bytes_beyond, 0x1000);
	number(FIELD_HPA, BASE + 0x80000140);
	(void)fill();
	ck_assert(!ev.answer.exact && ev.answer.has_spa);
	ck_assert_uint_eq(ev.answer.n_extents, 1);
	expect_extent(0, 0x1040, BASE + 0x80000140, 0xc0);
	ck_assert_uint_eq(ev.answer.bytes_beyond, 0xf40);
}
END_TEST

START_TEST(extents_are_stored_as_text_and_damaged_text_is_read_up_to_its_damage)
{
	static const char *const damaged[] = {
		"1000-10ff@4000-40ff! x",	"1000-10ff@4000-40ff!  2-3@4-5",
		"1000-10ff@4000-40ff! 2-1@4-5", "1000-10ff@4000-40ff! 2-3@5-4",
		"1000-10ff@4000-40ff!2",	"1000-10ff@4000-40ff! 2-3@"};
	char text[EVENT_EXTENTS_TEXT_MAX];
	struct event_answer back = {0};

	build_usual();
	ready("7.3.4");
	poison(mem[1], 0x10c0, UINT64_C(256) << 30);
	event_extents_print(&ev.answer, text);
	event_extents_parse(text, &back);
	ck_assert_uint_eq(back.n_extents, ev.answer.n_extents);
	ck_assert_mem_eq(back.extents, ev.answer.extents, sizeof(back.extents));
	for (size_t i = 0; i < ARRAY_SIZE(damaged); i++) {
		event_extents_parse(damaged[i], &back);
		ck_assert_msg(back.n_extents == (i < 4 || i == 5), "%s", damaged[i]);
	}
}
END_TEST

/* ---- events without address ---- */

START_TEST(an_event_without_address_has_no_answer_and_needs_no_reason)
{
	static const enum event_type types[] = {EVENT_MEMORY_MODULE, EVENT_OVERFLOW,
						EVENT_AER_CORRECTABLE, EVENT_GENERIC};

	build_usual();
	ready("7.3.4");
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		record(types[i], mem[2], 0);
		expect_unknown("");
		ck_assert_str_eq(ev.answer.reason, "");
		ck_assert_str_eq(ev.answer.region, "");
		ck_assert_str_eq(ev.device, "cxl-000000000000abc2");
	}
}
END_TEST

START_TEST(a_port_is_named_by_its_function_and_a_loss_has_no_device)
{
	build_usual();
	ready("7.3.4");
	rec = (struct event_record){.type = EVENT_PORT_AER_UNCORRECTABLE};
	strcpy(rec.memdev, "0000:0c:00.0");
	strcpy(rec.host, "pci0000:0c");
	(void)fill();
	ck_assert_str_eq(ev.device, "0000-0c-00.0");
	ck_assert_ptr_null(question.memdev);
	rec = (struct event_record){.type = EVENT_LOST};
	(void)fill();
	ck_assert_str_eq(ev.device, "");
}
END_TEST

/* ---- firmware ---- */

/* Two devices in the 2-way Normalized region0, as fake_plain() has them. */
static void build_normalized(void)
{
	bridges[0] = model_bridge(&m);
	window = model_window(&m, bridges, 1);
	mem[0] = model_memdev(&m, bridges[0]);
	mem[1] = model_memdev(&m, bridges[0]);
	region = model_region(&m, window, BASE, mem, 2);
	model_normalize(region);
	ck_assert_int_eq(firmware_new(fake.path, &m.firmware), 0);
	ready("7.3.4");
}

static bool query_firmware(struct event_answer *ret)
{
	struct firmware_timeout timeout = {.call_ms = 60000, .bucket_ms = 60000};
	const struct event_question *questions[] = {&question};

	event_ask_ahead(mapping, questions, 1, &timeout);
	return event_answer(mapping, &question, &timeout, ret);
}

START_TEST(normalized_is_pending_until_firmware_has_answered)
{
	struct event_answer answer;

	build_normalized();
	record(EVENT_DRAM, mem[1], 0x1040);
	expect(SOURCE_ESTIMATE, BASE + 0x2000, BASE + 0x21ff);
	ck_assert(ev.pending);
	ck_assert(!query_firmware(&answer));
	ck_assert_int_eq(answer.source, SOURCE_PRM);
	ck_assert(answer.exact);
	ck_assert_uint_eq(answer.spa, BASE + 0x2140);
	/* Firmware has answered. */
	expect(SOURCE_PRM, BASE + 0x2140, BASE + 0x2140);
	ck_assert(!ev.pending);
}
END_TEST

START_TEST(without_firmware_the_answer_is_the_interval)
{
	struct event_answer answer;

	fake.translate_errno = 5;
	build_normalized();
	record(EVENT_DRAM, mem[1], 0x1040);
	(void)fill();
	ck_assert(ev.pending);
	(void)query_firmware(&answer);
	ck_assert_int_eq(answer.source, SOURCE_ESTIMATE);
	ck_assert_uint_eq(answer.spa, BASE + 0x2000);
	ck_assert_uint_eq(answer.spa_last, BASE + 0x21ff);
}
END_TEST

/* Linux 7.x gives no hpa here; that of another version is as reliable as its arithmetic. */
START_TEST(an_hpa_of_normalized_addressing_waits_for_firmware)
{
	struct event_answer answer;

	build_normalized();
	record(EVENT_DRAM, mem[1], 0x1040);
	number(FIELD_HPA, BASE + 0x2140);
	expect(SOURCE_ESTIMATE, BASE + 0x2000, BASE + 0x21ff);
	expect_why("not confirmed by firmware");
	ck_assert(ev.pending);
	(void)query_firmware(&answer);
	ck_assert_int_eq(answer.source, SOURCE_KERNEL);
	ck_assert_uint_eq(answer.spa, BASE + 0x2140);

	number(FIELD_HPA, BASE + 0x2040);
	expect(SOURCE_PRM, BASE + 0x2140, BASE + 0x2140);
	ck_assert(ev.answer.hpa_disagrees);
	expect_why("contradicts firmware");
}
END_TEST

/* ---- severity ---- */

static const struct {
	enum event_type type;
	enum event_severity severity;
	enum event_field field;
	uint64_t value;
	uint64_t log;
} severe[] = {
	{EVENT_GENERAL_MEDIA, EVENT_OK, FIELD_LOG, 0, 0},
	{EVENT_GENERAL_MEDIA, EVENT_WARNING, FIELD_LOG, 1, 1},
	{EVENT_GENERAL_MEDIA, EVENT_CRITICAL, FIELD_LOG, 2, 2},
	{EVENT_GENERAL_MEDIA, EVENT_CRITICAL, FIELD_LOG, 3, 3},
	{EVENT_GENERAL_MEDIA, EVENT_CRITICAL, FIELD_DESCRIPTOR, 1, 0},
	{EVENT_DRAM, EVENT_CRITICAL, FIELD_DESCRIPTOR, 3, 0},
	{EVENT_GENERAL_MEDIA, EVENT_WARNING, FIELD_DESCRIPTOR, 2, 0},
	{EVENT_DRAM, EVENT_WARNING, FIELD_CME_THRESHOLD_EV_FLAGS, 2, 0},
	{EVENT_DRAM, EVENT_OK, FIELD_CME_THRESHOLD_EV_FLAGS, 0, 0},
	{EVENT_GENERIC, EVENT_OK, FIELD_CME_THRESHOLD_EV_FLAGS, 2, 0},
	{EVENT_MEMORY_SPARING, EVENT_OK, FIELD_DESCRIPTOR, 1, 0},
	{EVENT_GENERIC, EVENT_OK, FIELD_HDR_FLAGS, 0x1c0, 0},
	{EVENT_GENERIC, EVENT_WARNING, FIELD_HDR_FLAGS, 1, 0},
	{EVENT_GENERIC, EVENT_CRITICAL, FIELD_HDR_FLAGS, 2, 0},
	{EVENT_GENERIC, EVENT_CRITICAL, FIELD_HDR_FLAGS, 3, 1},
	{EVENT_GENERIC, EVENT_CRITICAL, FIELD_HDR_FLAGS, 0, 3},
	{EVENT_DRAM, EVENT_WARNING, FIELD_HDR_FLAGS, EVENT_FLAG_PERMANENT, 0},
	{EVENT_DRAM, EVENT_WARNING, FIELD_HDR_FLAGS, EVENT_FLAG_MAINTENANCE, 0},
	{EVENT_DRAM, EVENT_WARNING, FIELD_HDR_FLAGS, EVENT_FLAG_DEGRADED, 0},
	{EVENT_DRAM, EVENT_CRITICAL, FIELD_HDR_FLAGS, EVENT_FLAG_REPLACE, 0},
	{EVENT_GENERAL_MEDIA, EVENT_WARNING, FIELD_LOG, 4, 4},
	{EVENT_DRAM, EVENT_OK, FIELD_DESCRIPTOR, 4, 0},
	{EVENT_MEMORY_SPARING, EVENT_OK, FIELD_LOG, 0, 0},
	{EVENT_GENERIC, EVENT_WARNING, FIELD_LOG, 1, 1},
	{EVENT_MEMORY_MODULE, EVENT_OK, FIELD_HEALTH_STATUS, 0, 0},
	{EVENT_POISON, EVENT_CRITICAL, FIELD_TRACE_TYPE, 0, 0},
	{EVENT_POISON, EVENT_CRITICAL, FIELD_TRACE_TYPE, 1, 0},
	{EVENT_POISON_CLEARED, EVENT_OK, FIELD_TRACE_TYPE, 2, 0},
	{EVENT_OVERFLOW, EVENT_WARNING, FIELD_COUNT, 9, 0},
	{EVENT_AER_CORRECTABLE, EVENT_WARNING, FIELD_STATUS, 1, 0},
	{EVENT_AER_UNCORRECTABLE, EVENT_CRITICAL, FIELD_STATUS, 1, 0},
	{EVENT_PORT_AER_CORRECTABLE, EVENT_WARNING, FIELD_STATUS, 1, 0},
	{EVENT_PORT_AER_UNCORRECTABLE, EVENT_CRITICAL, FIELD_STATUS, 1, 0},
};

START_TEST(severity_is_that_of_log_and_type)
{
	rec = (struct event_record){.type = severe[_i].type};
	number(FIELD_LOG, severe[_i].log);
	number(severe[_i].field, severe[_i].value);
	ck_assert_int_eq(event_severity_of(&rec), severe[_i].severity);
}
END_TEST

START_TEST(a_record_without_log_is_a_warning)
{
	rec = (struct event_record){.type = EVENT_OTHER};
	ck_assert_int_eq(event_severity_of(&rec), EVENT_WARNING);
	rec.type = EVENT_LOST;
	ck_assert_int_eq(event_severity_of(&rec), EVENT_WARNING);
}
END_TEST

START_TEST(only_a_record_of_the_trace_instance_shows_that_its_event_was_enabled)
{
	build_usual();
	ready("7.3.4");
	record(EVENT_DRAM, mem[0], 0x1000);
	(void)fill();
	ck_assert(!ev.live); /* of a saved ring, or of text */
	rec.instance = 77;
	(void)fill();
	ck_assert(ev.live);
	from.boot = PROVENANCE_UNKNOWN;
	(void)fill();
	ck_assert(!ev.live);
	from.boot = PROVENANCE_ANOTHER;
	(void)fill();
	ck_assert(!ev.live);
}
END_TEST

static void add_mapping_tests(TCase *t)
{
	tcase_add_test(t, without_hpa_the_decoders_answer);
	tcase_add_test(t, the_rest_of_the_event_is_filled_in);
	tcase_add_test(t, an_hpa_that_the_decoders_confirm_is_the_kernels);
	tcase_add_test(t, an_hpa_that_contradicts_the_decoders_gives_an_interval_of_both);
	tcase_add_test(t, the_decoders_are_used_where_the_kernel_is_known_to_be_wrong);
	tcase_add_loop_test(t, the_decoders_are_used_where_every_kernel_is_wrong, 0, 2);
	tcase_add_test(t, an_hpa_that_the_kernels_known_error_does_not_explain_gives_an_interval);
	tcase_add_test(t, a_newer_kernel_is_not_known_to_be_wrong);
	tcase_add_loop_test(t, an_hpa_that_may_be_of_xor_gives_the_interval, 0, 6);
	tcase_add_test(t, an_hpa_outside_the_interval_is_not_accepted);
	tcase_add_test(t, a_region_that_was_removed_leaves_the_hpa);
	tcase_add_test(t, the_hpa_of_an_old_kernel_is_not_accepted_for_a_removed_region);
	tcase_add_test(t, a_region_created_again_with_its_name_is_recognized_by_its_uuid);
	tcase_add_test(t, a_device_that_was_removed_keeps_its_name);
	tcase_add_test(t, a_name_that_another_device_has_now_does_not_match);
	tcase_add_test(t, a_record_that_names_no_region_is_not_of_the_present_one);
	tcase_add_test(
		t,
		a_record_of_a_kernel_that_names_no_regions_is_answered_by_the_mapping_of_its_time);
	tcase_add_test(t, a_region_made_anew_since_the_snapshot_has_no_address);
	tcase_add_test(t, a_record_from_before_the_mapping_was_seen_has_no_address);
	tcase_add_test(t, the_hpa_of_a_record_without_region_is_not_exact);
	tcase_add_test(t, a_locked_decoder_cannot_have_been_another_one);
	tcase_add_test(t, a_region_that_did_not_change_is_the_same_after_a_topology_change);
	tcase_add_test(t, a_region_made_anew_under_its_old_name_is_another_one);
	tcase_add_test(t, records_of_a_captured_host_are_older_than_its_capture);
	tcase_add_loop_test(t, an_unconfirmed_hpa_of_six_ways_over_three_bridges_is_not_accepted, 0,
			    2);
	tcase_add_loop_test(t, an_unconfirmed_hpa_of_dependent_xor_maps_is_not_accepted, 0, 2);
	tcase_add_test(t, an_hpa_alone_is_not_accepted_where_a_bridge_can_have_three_ways);
	tcase_add_test(t, an_unconfirmed_hpa_is_not_accepted_against_a_contradiction);
	tcase_add_loop_test(t, an_unconfirmed_hpa_of_a_region_that_may_be_normalized_is_of_one_way,
			    0, 2);
}

static void add_other_tests(TCase *t)
{
	tcase_add_test(t, an_address_that_nothing_maps_has_no_answer);
	tcase_add_test(t, a_long_record_has_an_extent_for_each_chunk);
	tcase_add_test(t, a_record_inside_a_chunk_has_one_extent);
	tcase_add_test(t, a_region_of_one_way_has_one_extent_however_long_the_record_is);
	tcase_add_test(t, a_record_that_claims_too_much_is_bounded_and_what_is_beyond_is_counted);
	tcase_add_test(t, the_rest_of_a_record_whose_start_only_the_kernel_knows_is_an_interval);
	tcase_add_loop_test(t, a_line_of_an_extended_linear_cache_has_two_pages, 0, 2);
	tcase_add_test(t, the_alias_of_an_interval_begins_with_the_region);
	tcase_add_test(t, the_kernels_alias_is_used_with_its_address);
	tcase_add_test(t, of_a_length_of_zero_only_the_start_is_known);
	tcase_add_loop_test(t, of_a_record_that_the_kernel_disputes_only_the_first_chunk_is_known,
			    0, 2);
	tcase_add_test(t, of_a_record_of_another_mapping_only_the_kernels_chunk_is_known);
	tcase_add_test(t, extents_are_stored_as_text_and_damaged_text_is_read_up_to_its_damage);
	tcase_add_test(t, an_event_without_address_has_no_answer_and_needs_no_reason);
	tcase_add_test(t, a_port_is_named_by_its_function_and_a_loss_has_no_device);
	tcase_add_test(t, normalized_is_pending_until_firmware_has_answered);
	tcase_add_test(t, without_firmware_the_answer_is_the_interval);
	tcase_add_test(t, an_hpa_of_normalized_addressing_waits_for_firmware);
	tcase_add_loop_test(t, severity_is_that_of_log_and_type, 0, ARRAY_SIZE(severe));
	tcase_add_test(t, a_record_without_log_is_a_warning);
	tcase_add_test(t, only_a_record_of_the_trace_instance_shows_that_its_event_was_enabled);
}

SUITE(check_event_fill)
{
	Suite *suite = suite_create("filling in events");
	TCase *t = tcase_create("fill");

	tcase_add_checked_fixture(t, setup, teardown);
	add_mapping_tests(t);
	add_other_tests(t);
	suite_add_tcase(suite, t);
	return suite;
}
