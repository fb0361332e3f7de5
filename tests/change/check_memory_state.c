// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Memory of a region online and offline, on a memory of this suite whose steps can fail: order,
 * progress, cancellation, and what is undone. The real one is tested in the virtual machine.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "change/memory_state.h"
#include "common/array.h"
#include "sysfs/memory_use.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/suites.h"

enum { BLOCKS = 4, FIRST = 8, BLOCK = 2 << 20 };

/* ---- a memory: two devices of four blocks each ---- */

static struct {
	enum dax_mode mode;
	enum block_state blocks[BLOCKS];
} memory[2];

static char calls[4096];	      /* what was done, in order */
static unsigned int n_calls, fail_at; /* the call that fails, from 1; 0 none */
static int fail_with;
static unsigned int fail_undo_at;
static bool auto_online; /* in the zone of the kernel, when kmem is bound */
static bool intruder;	 /* another program brings a block online after it was taken offline */
static unsigned int cancel_after; /* so many calls; 0: never */

static size_t index_of(const struct dax_device *d)
{
	return d->name[5] == '1';
}

static int note_call(const char *text)
{
	n_calls++;
	(void)strncat(calls, text, sizeof(calls) - strlen(calls) - 1);
	return n_calls == fail_at || n_calls == fail_undo_at ? fail_with : 0;
}

static int fake_read_blocks(const struct change_context *x, const struct dax_device *d,
			    struct dax_blocks *ret)
{
	const size_t k = index_of(d);

	(void)x;
	*ret = (struct dax_blocks){.size = BLOCK};
	if (memory[k].mode != DAX_MODE_SYSTEM_RAM)
		return 0;
	ret->items = calloc(BLOCKS, sizeof(*ret->items));
	ck_assert_ptr_nonnull(ret->items);
	ret->n = BLOCKS;
	for (size_t i = 0; i < BLOCKS; i++)
		ret->items[i] = (struct dax_block){FIRST + k * BLOCKS + i, memory[k].blocks[i]};
	return 0;
}

static int fake_set_block(const struct change_context *x, uint64_t number, enum block_state state,
			  bool can_cancel)
{
	static const char *const names[] = {"offline", "movable", "kernel"};
	const size_t k = (number - FIRST) / BLOCKS;
	char text[32];
	int r;

	(void)x, (void)can_cancel;
	(void)snprintf(text, sizeof(text), "%llu %s,", (unsigned long long)number, names[state]);
	r = note_call(text);
	if (r == 0)
		memory[k].blocks[(number - FIRST) % BLOCKS] = state;
	if (intruder && k == 1)
		memory[0].blocks[0] = BLOCK_KERNEL;
	return r;
}

static int fake_set_mode(const struct change_context *x, const struct dax_device *d,
			 enum dax_mode mode)
{
	const size_t k = index_of(d);
	char text[32];
	int r;

	(void)x;
	(void)snprintf(text, sizeof(text), "%s %s,", d->name, dax_mode_name(mode));
	r = note_call(text);
	if (r < 0)
		return r;
	if (memory[k].mode == DAX_MODE_SYSTEM_RAM && mode != DAX_MODE_SYSTEM_RAM)
		for (size_t i = 0; i < BLOCKS; i++)
			ck_assert_int_eq(memory[k].blocks[i], BLOCK_OFFLINE);
	for (size_t i = 0; auto_online && mode == DAX_MODE_SYSTEM_RAM && i < BLOCKS; i++)
		memory[k].blocks[i] = BLOCK_KERNEL;
	memory[k].mode = mode;
	return 0;
}

static const struct memory_access fake = {fake_read_blocks, fake_set_block, fake_set_mode};

/* ---- the host, whose use of memory is that of a scratch directory ---- */

static struct scratch scratch;
static struct host_root root;
static struct dax_device dax0, dax1;
static const struct dax_device *const devices[] = {&dax0, &dax1};
static struct dax_region dax;
static struct region region;
static const struct dax_region *const dax_regions[] = {&dax};
static const struct region *const regions[] = {&region};
static struct host host;
static struct change change;
static struct change_result result;
static struct change_progress progress[64];
static size_t n_progress;

static void on_progress(void *userdata, const struct change_progress *p)
{
	(void)userdata;
	ck_assert_uint_lt(n_progress, ARRAY_SIZE(progress));
	progress[n_progress++] = *p;
}

static bool is_cancelled(void *userdata)
{
	(void)userdata;
	return cancel_after > 0 && n_calls >= cancel_after;
}

static const struct change_context context = {
	.root = &root, .image = -1, .progress = on_progress, .cancelled = is_cancelled};

static void set_all(enum dax_mode mode, enum block_state state)
{
	for (size_t k = 0; k < 2; k++) {
		memory[k].mode = mode;
		for (size_t i = 0; i < BLOCKS; i++)
			memory[k].blocks[i] = state;
	}
	dax0.mode = dax1.mode = mode;
}

static void setup(void)
{
	scratch_setup(&scratch);
	put_directory(scratch.dirfd, "proc");
	put_directory(scratch.dirfd, MEMORY_DIRECTORY);
	put_text(scratch.dirfd, MEMORY_DIRECTORY "/block_size_bytes", "200000\n");
	put_text(scratch.dirfd, "dev/dax0.0", "");
	root = (struct host_root){.dirfd = scratch.dirfd};
	dax0 = (struct dax_device){.name = "dax0.0",
				   .resource = OPT_U64(FIRST * BLOCK),
				   .size = OPT_U64(BLOCKS * BLOCK)};
	dax1 = dax0;
	dax1.name = "dax0.1";
	dax1.resource.value += BLOCKS * BLOCK;
	dax = (struct dax_region){.region = &region, .devices = devices, .n_devices = 2};
	region = (struct region){.name = "region0",
				 .inode = 77,
				 .mode = DECODER_MODE_RAM,
				 .enabled = true,
				 .dax = &dax};
	host = (struct host){.root = &root,
			     .regions = regions,
			     .n_regions = 1,
			     .dax_regions = dax_regions,
			     .n_dax_regions = 1};
	change = (struct change){.object = "region0", .identity = 77};
	set_all(DAX_MODE_SYSTEM_RAM, BLOCK_OFFLINE);
}

static void teardown(void)
{
	scratch_teardown(&scratch);
}

static int run(enum change_kind kind)
{
	int r;

	change.kind = kind;
	memset(&result, 0, sizeof(result));
	r = kind == CHANGE_MEMORY_ONLINE
		    ? memory_online_by(&fake, &context, &change, &host, &result)
		    : memory_offline_by(&fake, &context, &change, &host, &result);
	ck_assert_int_eq(r, result.error);
	return r;
}

static void expect_all(enum dax_mode mode, enum block_state state)
{
	for (size_t k = 0; k < 2; k++) {
		ck_assert_int_eq(memory[k].mode, mode);
		for (size_t i = 0; i < BLOCKS; i++)
			ck_assert_int_eq(memory[k].blocks[i], state);
	}
}

static void expect_failure(int error, enum change_outcome outcome, const char *text)
{
	ck_assert_int_eq(result.error, error);
	ck_assert_int_eq(result.outcome, outcome);
	ck_assert_msg(strstr(result.text, text), "%s", result.text);
}

static void expect_refused(int error, const char *text)
{
	expect_failure(error, CHANGE_REFUSED, text);
	ck_assert_uint_eq(n_calls, 0);
}

/* ---- what is done ---- */

START_TEST(devdax_comes_online_in_the_zone_that_is_requested)
{
	set_all(DAX_MODE_DEVDAX, BLOCK_OFFLINE);
	change.zone = _i == 0 ? CHANGE_ZONE_MOVABLE : CHANGE_ZONE_KERNEL;
	ck_assert_int_eq(run(CHANGE_MEMORY_ONLINE), 0);
	expect_all(DAX_MODE_SYSTEM_RAM, _i == 0 ? BLOCK_MOVABLE : BLOCK_KERNEL);
	ck_assert_uint_eq(n_calls, 2 + 2 * BLOCKS);
	ck_assert_str_eq(result.text, "");
}
END_TEST

START_TEST(online_again_changes_nothing)
{
	set_all(DAX_MODE_SYSTEM_RAM, BLOCK_MOVABLE);
	ck_assert_int_eq(run(CHANGE_MEMORY_ONLINE), 0);
	ck_assert_str_eq(calls, "");
}
END_TEST

START_TEST(blocks_that_another_program_brings_online_get_the_requested_zone)
{
	set_all(DAX_MODE_DEVDAX, BLOCK_OFFLINE);
	auto_online = true;
	ck_assert_int_eq(run(CHANGE_MEMORY_ONLINE), 0);
	expect_all(DAX_MODE_SYSTEM_RAM, BLOCK_MOVABLE);
}
END_TEST

/* kmem without online blocks only: the fake driver asserts it. */
START_TEST(blocks_that_another_program_brings_online_are_offline_before_the_driver_is_undone)
{
	set_all(DAX_MODE_DEVDAX, BLOCK_OFFLINE);
	auto_online = true;
	fail_at = 2; /* the driver of the second device */
	fail_with = -EIO;
	ck_assert_int_eq(run(CHANGE_MEMORY_ONLINE), -EIO);
	expect_failure(-EIO, CHANGE_UNDONE, "the driver of dax0.1 cannot be changed to kmem");
	expect_all(DAX_MODE_DEVDAX, BLOCK_OFFLINE);
	/* A block that cannot be taken offline keeps the driver. */
	n_calls = 0;
	fail_undo_at = 4;
	ck_assert_int_eq(run(CHANGE_MEMORY_ONLINE), -EIO);
	expect_failure(-EIO, CHANGE_INCOMPLETE, "dax0.0 is not devdax again: ");
	ck_assert_int_eq(memory[0].mode, DAX_MODE_SYSTEM_RAM);
}
END_TEST

START_TEST(policy_of_the_kernel_for_new_blocks_is_refused_when_it_is_another_zone)
{
	static const struct {
		const char *policy;
		enum change_zone zone;
		bool refused;
	} cases[] = {
		{"offline\n", CHANGE_ZONE_MOVABLE, false},
		{"online_movable\n", CHANGE_ZONE_MOVABLE, false},
		{"online_kernel\n", CHANGE_ZONE_MOVABLE, true},
		{"online\n", CHANGE_ZONE_MOVABLE, true},
		{"online_movable\n", CHANGE_ZONE_KERNEL, true},
		{"online_kernel\n", CHANGE_ZONE_KERNEL, false},
		{"online\n", CHANGE_ZONE_KERNEL, false},
		{"garbage\n", CHANGE_ZONE_MOVABLE, false},
	};

	put_text(scratch.dirfd, MEMORY_DIRECTORY "/auto_online_blocks", cases[_i].policy);
	set_all(DAX_MODE_DEVDAX, BLOCK_OFFLINE);
	change.zone = cases[_i].zone;
	ck_assert_int_eq(run(CHANGE_MEMORY_ONLINE), cases[_i].refused ? -EBUSY : 0);
	if (cases[_i].refused)
		expect_refused(-EBUSY, "auto_online_blocks, and try again");
	/* Blocks that are there already are not concerned. */
	set_all(DAX_MODE_SYSTEM_RAM, BLOCK_OFFLINE);
	ck_assert_int_eq(run(CHANGE_MEMORY_ONLINE), 0);
}
END_TEST

START_TEST(offline_keeps_the_driver)
{
	set_all(DAX_MODE_SYSTEM_RAM, BLOCK_MOVABLE);
	ck_assert_int_eq(run(CHANGE_MEMORY_OFFLINE), 0);
	expect_all(DAX_MODE_SYSTEM_RAM, BLOCK_OFFLINE);
	ck_assert_uint_eq(n_calls, 2 * BLOCKS);
}
END_TEST

START_TEST(devdax_is_bound_when_all_blocks_are_offline)
{
	set_all(DAX_MODE_SYSTEM_RAM, BLOCK_MOVABLE);
	ck_assert_int_eq(run(CHANGE_MEMORY_DEVDAX), 0);
	expect_all(DAX_MODE_DEVDAX, BLOCK_OFFLINE);
	ck_assert_ptr_nonnull(strstr(calls, "15 offline,dax0.0 devdax,dax0.1 devdax,"));
	/* And again, which is nothing to do. */
	dax0.mode = dax1.mode = DAX_MODE_DEVDAX;
	n_calls = 0;
	ck_assert_int_eq(run(CHANGE_MEMORY_DEVDAX), 0);
	ck_assert_uint_eq(n_calls, 0);
}
END_TEST

START_TEST(progress_is_in_blocks_of_the_kernel)
{
	set_all(DAX_MODE_SYSTEM_RAM, BLOCK_MOVABLE);
	ck_assert_int_eq(run(CHANGE_MEMORY_OFFLINE), 0);
	ck_assert_uint_eq(n_progress, 2 * BLOCKS);
	for (size_t i = 0; i < n_progress; i++) {
		ck_assert_uint_eq(progress[i].done, i + 1);
		ck_assert_uint_eq(progress[i].total, 2 * BLOCKS);
		ck_assert_str_eq(progress[i].unit, "blocks");
	}
}
END_TEST

/* ---- what fails ---- */

START_TEST(block_that_cannot_be_emptied_has_the_others_brought_online_again)
{
	set_all(DAX_MODE_SYSTEM_RAM, BLOCK_MOVABLE);
	fail_at = 3;
	fail_with = -EBUSY;
	ck_assert_int_eq(run(CHANGE_MEMORY_OFFLINE), -EBUSY);
	expect_failure(-EBUSY, CHANGE_UNDONE, "memory10 cannot be taken offline");
	expect_all(DAX_MODE_SYSTEM_RAM, BLOCK_MOVABLE);
	ck_assert_str_eq(calls, "8 offline,9 offline,10 offline,9 movable,8 movable,");
}
END_TEST

START_TEST(each_block_gets_the_zone_that_it_had)
{
	set_all(DAX_MODE_SYSTEM_RAM, BLOCK_MOVABLE);
	memory[0].blocks[0] = BLOCK_KERNEL;
	memory[0].blocks[1] = BLOCK_OFFLINE;
	fail_at = 3;
	fail_with = -EBUSY;
	ck_assert_int_eq(run(CHANGE_MEMORY_OFFLINE), -EBUSY);
	ck_assert_int_eq(memory[0].blocks[0], BLOCK_KERNEL);
	ck_assert_int_eq(memory[0].blocks[1], BLOCK_OFFLINE);
	ck_assert_int_eq(memory[0].blocks[2], BLOCK_MOVABLE);
}
END_TEST

START_TEST(failure_at_any_step_is_undone)
{
	set_all(DAX_MODE_SYSTEM_RAM, BLOCK_MOVABLE);
	fail_at = (unsigned int)_i + 1;
	fail_with = -EIO;
	ck_assert_int_eq(run(CHANGE_MEMORY_DEVDAX), -EIO);
	/* A failed change of a driver is undone itself, too. */
	expect_failure(-EIO, _i == 0 ? CHANGE_REFUSED : CHANGE_UNDONE, "region0: ");
	expect_all(DAX_MODE_SYSTEM_RAM, BLOCK_MOVABLE);
}
END_TEST

START_TEST(failure_at_any_step_online_is_undone)
{
	set_all(DAX_MODE_DEVDAX, BLOCK_OFFLINE);
	fail_at = (unsigned int)_i + 1;
	fail_with = -ENOMEM;
	ck_assert_int_eq(run(CHANGE_MEMORY_ONLINE), -ENOMEM);
	ck_assert_int_eq(result.outcome, CHANGE_UNDONE);
	expect_all(DAX_MODE_DEVDAX, BLOCK_OFFLINE);
}
END_TEST

START_TEST(what_cannot_be_undone_is_named)
{
	set_all(DAX_MODE_SYSTEM_RAM, BLOCK_MOVABLE);
	fail_at = 3;
	fail_undo_at = 4;
	fail_with = -EBUSY;
	ck_assert_int_eq(run(CHANGE_MEMORY_OFFLINE), -EBUSY);
	expect_failure(-EBUSY, CHANGE_INCOMPLETE, "memory9 is not online again: ");
	ck_assert_int_eq(memory[0].blocks[0], BLOCK_MOVABLE);
	ck_assert_int_eq(memory[0].blocks[1], BLOCK_OFFLINE);
}
END_TEST

START_TEST(cancellation_ends_between_two_blocks_and_is_undone)
{
	set_all(DAX_MODE_SYSTEM_RAM, BLOCK_MOVABLE);
	cancel_after = 3;
	ck_assert_int_eq(run(CHANGE_MEMORY_OFFLINE), -ECANCELED);
	expect_failure(-ECANCELED, CHANGE_UNDONE, "3 of 8 memory blocks were done");
	expect_all(DAX_MODE_SYSTEM_RAM, BLOCK_MOVABLE);
	ck_assert_uint_eq(n_calls, 6);
}
END_TEST

START_TEST(block_without_room_elsewhere_has_the_remedy)
{
	set_all(DAX_MODE_SYSTEM_RAM, BLOCK_MOVABLE);
	fail_at = 1;
	fail_with = -ETIMEDOUT;
	ck_assert_int_eq(run(CHANGE_MEMORY_OFFLINE), -ETIMEDOUT);
	expect_failure(-ETIMEDOUT, CHANGE_REFUSED, "no free memory elsewhere");
}
END_TEST

/* Its memory would stay until the next boot. */
START_TEST(kmem_is_not_unbound_while_a_block_is_online)
{
	set_all(DAX_MODE_SYSTEM_RAM, BLOCK_MOVABLE);
	intruder = true;
	ck_assert_int_eq(run(CHANGE_MEMORY_DEVDAX), -EBUSY);
	expect_failure(-EBUSY, CHANGE_UNDONE, "1 memory blocks of dax0.0 were brought online");
	ck_assert_int_eq(memory[0].mode, DAX_MODE_SYSTEM_RAM);
}
END_TEST

/* ---- what is refused ---- */

START_TEST(region_that_is_another_one_is_refused)
{
	change.identity = 78;
	ck_assert_int_eq(run(CHANGE_MEMORY_ONLINE), -ESTALE);
	expect_refused(-ESTALE, "region0 is another region now");
	(void)snprintf(change.object, sizeof(change.object), "region5");
	ck_assert_int_eq(run(CHANGE_MEMORY_OFFLINE), -ENOENT);
	expect_refused(-ENOENT, "there is no region region5");
}
END_TEST

START_TEST(persistent_memory_and_regions_without_dax_are_refused)
{
	region.mode = DECODER_MODE_PMEM;
	ck_assert_int_eq(run(CHANGE_MEMORY_ONLINE), -EOPNOTSUPP);
	expect_refused(-EOPNOTSUPP, "persistent memory");
	region.mode = DECODER_MODE_RAM;
	region.dax = NULL;
	ck_assert_int_eq(run(CHANGE_MEMORY_OFFLINE), -EOPNOTSUPP);
	expect_refused(-EOPNOTSUPP, "no dax device");
	region.enabled = false;
	ck_assert_int_eq(run(CHANGE_MEMORY_OFFLINE), -EOPNOTSUPP);
	expect_refused(-EOPNOTSUPP, "its driver is not bound");
}
END_TEST

START_TEST(device_that_a_process_has_open_is_refused_without_force)
{
	set_all(DAX_MODE_DEVDAX, BLOCK_OFFLINE);
	put_text(scratch.dirfd, "proc/812/comm", "qemu\n");
	put_text(scratch.dirfd, "proc/812/maps", "");
	put_symlink(scratch.dirfd, "proc/812/fd/3", "../../../dev/dax0.0");
	ck_assert_int_eq(run(CHANGE_MEMORY_ONLINE), -EBUSY);
	expect_refused(-EBUSY, "process 812 (qemu) has dax0.0 open or mapped");
	change.force = 1;
	ck_assert_int_eq(run(CHANGE_MEMORY_ONLINE), 0);
	expect_all(DAX_MODE_SYSTEM_RAM, BLOCK_MOVABLE);
}
END_TEST

START_TEST(device_whose_holders_cannot_be_seen_is_refused_without_force)
{
	set_all(DAX_MODE_DEVDAX, BLOCK_OFFLINE);
	put_text(scratch.dirfd, "proc/812/fd", "");
	put_text(scratch.dirfd, "proc/812/maps", "");
	ck_assert_int_eq(run(CHANGE_MEMORY_ONLINE), -EBUSY);
	expect_refused(-EBUSY, "it cannot be seen who uses dax0.0");
}
END_TEST

static void put_blocks(const char *zone)
{
	char path[64];

	for (unsigned int i = 0; i < 2 * BLOCKS; i++) {
		(void)snprintf(path, sizeof(path), MEMORY_DIRECTORY "/memory%u/state", FIRST + i);
		put_text(scratch.dirfd, path, "online\n");
		(void)snprintf(path, sizeof(path), MEMORY_DIRECTORY "/memory%u/valid_zones",
			       FIRST + i);
		put_text(scratch.dirfd, path, zone);
	}
}

/* One page of the kernel in memory10. */
static void put_pinned_page(void)
{
	static uint64_t flags[(FIRST + 2 * BLOCKS) * 512];

	memset(flags, 0, sizeof(flags));
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		flags[i] = 1 << 10;   /* BUDDY */
	flags[10 * 512 + 7] = 1 << 7; /* SLAB */
	put_file(scratch.dirfd, "proc/kpageflags", flags, sizeof(flags));
}

START_TEST(pages_of_the_kernel_are_refused_before_anything_is_changed)
{
	set_all(DAX_MODE_SYSTEM_RAM, BLOCK_KERNEL);
	put_blocks("Normal\n");
	put_pinned_page();
	ck_assert_int_eq(run(CHANGE_MEMORY_OFFLINE), -EBUSY);
	expect_refused(-EBUSY, "memory10, zone Normal, 1 unmovable page (1 slab)");
	/* The kernel itself is asked. */
	change.force = 1;
	fail_at = 3;
	fail_with = -EBUSY;
	ck_assert_int_eq(run(CHANGE_MEMORY_OFFLINE), -EBUSY);
	expect_failure(
		-EBUSY, CHANGE_UNDONE,
		"memory10 cannot be taken offline: it has pages that the kernel cannot move, zone Normal, 1 unmovable page (1 slab); 2 of 8 blocks were done");
	expect_all(DAX_MODE_SYSTEM_RAM, BLOCK_KERNEL);
}
END_TEST

/* The kernel knows, and nothing is lost when it refuses. */
START_TEST(doubt_about_pages_is_no_reason_to_refuse)
{
	set_all(DAX_MODE_SYSTEM_RAM, BLOCK_KERNEL);
	put_blocks("Normal\n");
	ck_assert_int_eq(run(CHANGE_MEMORY_OFFLINE), 0);
	expect_all(DAX_MODE_SYSTEM_RAM, BLOCK_OFFLINE);
}
END_TEST

START_TEST(memory_in_another_zone_is_refused)
{
	set_all(DAX_MODE_SYSTEM_RAM, BLOCK_KERNEL);
	ck_assert_int_eq(run(CHANGE_MEMORY_ONLINE), -EBUSY);
	expect_refused(
		-EBUSY,
		"4 memory blocks of region0 (dax0.0) are online in a zone of the kernel already; take it offline first");
}
END_TEST

/* ---- for the destruction of a region ---- */

START_TEST(release_leaves_devices_without_driver_and_can_be_undone)
{
	struct memory_steps steps = {.access = &fake};
	char text[128] = "";

	set_all(DAX_MODE_SYSTEM_RAM, BLOCK_MOVABLE);
	put_blocks("Movable\n");
	change.kind = CHANGE_REGION_DESTROY;
	ck_assert_int_eq(memory_release(&context, &change, &host, &region, &steps, &result), 0);
	expect_all(DAX_MODE_UNKNOWN, BLOCK_OFFLINE);
	ck_assert(memory_undo(&context, &steps, text, sizeof(text)));
	expect_all(DAX_MODE_SYSTEM_RAM, BLOCK_MOVABLE);
	ck_assert_str_eq(text, "");
	memory_steps_done(&steps);
}
END_TEST

START_TEST(release_that_fails_is_undone_and_refuses_as_the_others)
{
	struct memory_steps steps = {.access = &fake};

	set_all(DAX_MODE_SYSTEM_RAM, BLOCK_MOVABLE);
	put_blocks("Movable\n");
	change.kind = CHANGE_REGION_DESTROY;
	fail_at = 10;
	fail_with = -EIO;
	ck_assert_int_eq(memory_release(&context, &change, &host, &region, &steps, &result), -EIO);
	expect_failure(-EIO, CHANGE_UNDONE, "the driver of dax0.1 cannot be changed to none");
	expect_all(DAX_MODE_SYSTEM_RAM, BLOCK_MOVABLE);
	ck_assert_uint_eq(steps.n, 0);
	memory_steps_done(&steps);
}
END_TEST

static void expect_release_refused(const char *text, const char *remedy)
{
	struct memory_steps steps = {.access = &fake};

	change.kind = CHANGE_REGION_DESTROY;
	change.force = 0;
	ck_assert_int_eq(memory_release(&context, &change, &host, &region, &steps, &result),
			 -EBUSY);
	expect_refused(-EBUSY, text);
	expect_refused(-EBUSY, remedy);
	ck_assert_uint_eq(steps.n, 0);
	change.force = 1;
	ck_assert_int_eq(memory_release(&context, &change, &host, &region, &steps, &result), 0);
	expect_all(DAX_MODE_UNKNOWN, BLOCK_OFFLINE);
	memory_steps_done(&steps);
}

#define END_USERS    "end what uses it, or force it"
#define OFFLINE_THEN "take it offline first, or force it"

START_TEST(release_for_a_destruction_needs_a_certain_yes)
{
	set_all(DAX_MODE_SYSTEM_RAM, BLOCK_KERNEL);
	put_blocks("Normal\n");
	expect_release_refused("its pages cannot be seen", OFFLINE_THEN);
}
END_TEST

START_TEST(release_for_a_destruction_is_refused_when_pages_cannot_be_moved)
{
	set_all(DAX_MODE_SYSTEM_RAM, BLOCK_KERNEL);
	put_blocks("Normal\n");
	put_pinned_page();
	expect_release_refused("memory10, zone Normal, 1 unmovable page (1 slab)", END_USERS);
}
END_TEST

START_TEST(release_for_a_destruction_is_refused_when_a_process_has_the_device)
{
	set_all(DAX_MODE_DEVDAX, BLOCK_OFFLINE);
	put_text(scratch.dirfd, "proc/812/comm", "qemu\n");
	put_text(scratch.dirfd, "proc/812/maps", "");
	put_symlink(scratch.dirfd, "proc/812/fd/3", "../../../dev/dax0.0");
	expect_release_refused("process 812 (qemu) has dax0.0 open or mapped", END_USERS);
}
END_TEST

/* Nothing is known of a region without dax device: no addresses of the host can be read. */
START_TEST(release_for_a_destruction_without_any_knowledge_is_refused)
{
	struct memory_steps steps = {.access = &fake};

	region.dax = NULL;
	region.resource = region.size = OPT_U64(BLOCK);
	region.enabled = true;
	host.n_dax_regions = 0;
	change.kind = CHANGE_REGION_DESTROY;
	ck_assert_int_eq(memory_release(&context, &change, &host, &region, &steps, &result),
			 -EBUSY);
	expect_refused(-EBUSY, "cannot be read which of its memory blocks are online");
	region.enabled = false; /* it has no driver, so no memory that could be online */
	ck_assert_int_eq(memory_release(&context, &change, &host, &region, &steps, &result), 0);
	memory_steps_done(&steps);
}
END_TEST

START_TEST(release_of_a_region_without_memory_is_nothing)
{
	struct memory_steps steps = {.access = &fake};

	region.dax = NULL;
	host.n_dax_regions = 0;
	host.iomem = &(const struct iomem_range){0x1000, 0x1fff, 0, "System RAM"};
	host.n_iomem = 1;
	change.kind = CHANGE_REGION_DESTROY;
	ck_assert_int_eq(memory_release(&context, &change, &host, &region, &steps, &result), 0);
	ck_assert_uint_eq(n_calls, 0);
	memory_steps_done(&steps);
}
END_TEST

START_TEST(persistent_memory_whose_namespaces_cannot_be_seen_is_kept_without_force)
{
	struct memory_steps steps = {.access = &fake};

	region.mode = DECODER_MODE_PMEM;
	region.dax = NULL;
	host.n_dax_regions = 0;
	ck_assert_int_eq(memory_release(&context, &change, &host, &region, &steps, &result),
			 -EBUSY);
	expect_refused(-EBUSY, "it cannot be seen who uses region0");
	change.force = 1;
	ck_assert_int_eq(memory_release(&context, &change, &host, &region, &steps, &result), 0);
	memory_steps_done(&steps);
}
END_TEST

SUITE(check_memory_state)
{
	Suite *s = suite_create("memory state");
	TCase *t = tcase_create("memory state");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, devdax_comes_online_in_the_zone_that_is_requested, 0, 2);
	tcase_add_test(t, online_again_changes_nothing);
	tcase_add_test(t, blocks_that_another_program_brings_online_get_the_requested_zone);
	tcase_add_test(
		t,
		blocks_that_another_program_brings_online_are_offline_before_the_driver_is_undone);
	tcase_add_loop_test(
		t, policy_of_the_kernel_for_new_blocks_is_refused_when_it_is_another_zone, 0, 8);
	tcase_add_test(t, offline_keeps_the_driver);
	tcase_add_test(t, devdax_is_bound_when_all_blocks_are_offline);
	tcase_add_test(t, progress_is_in_blocks_of_the_kernel);
	tcase_add_test(t, block_that_cannot_be_emptied_has_the_others_brought_online_again);
	tcase_add_test(t, each_block_gets_the_zone_that_it_had);
	tcase_add_loop_test(t, failure_at_any_step_is_undone, 0, 2 * BLOCKS + 2);
	tcase_add_loop_test(t, failure_at_any_step_online_is_undone, 0, 2 * BLOCKS + 2);
	tcase_add_test(t, what_cannot_be_undone_is_named);
	tcase_add_test(t, cancellation_ends_between_two_blocks_and_is_undone);
	tcase_add_test(t, block_without_room_elsewhere_has_the_remedy);
	tcase_add_test(t, kmem_is_not_unbound_while_a_block_is_online);
	tcase_add_test(t, region_that_is_another_one_is_refused);
	tcase_add_test(t, persistent_memory_and_regions_without_dax_are_refused);
	tcase_add_test(t, device_that_a_process_has_open_is_refused_without_force);
	tcase_add_test(t, device_whose_holders_cannot_be_seen_is_refused_without_force);
	tcase_add_test(t, pages_of_the_kernel_are_refused_before_anything_is_changed);
	tcase_add_test(t, doubt_about_pages_is_no_reason_to_refuse);
	tcase_add_test(t, memory_in_another_zone_is_refused);
	tcase_add_test(t, release_leaves_devices_without_driver_and_can_be_undone);
	tcase_add_test(t, release_that_fails_is_undone_and_refuses_as_the_others);
	tcase_add_test(t, release_for_a_destruction_needs_a_certain_yes);
	tcase_add_test(t, release_for_a_destruction_is_refused_when_pages_cannot_be_moved);
	tcase_add_test(t, release_for_a_destruction_is_refused_when_a_process_has_the_device);
	tcase_add_test(t, release_for_a_destruction_without_any_knowledge_is_refused);
	tcase_add_test(t, release_of_a_region_without_memory_is_nothing);
	tcase_add_test(t, persistent_memory_whose_namespaces_cannot_be_seen_is_kept_without_force);
	suite_add_tcase(s, t);
	return s;
}
