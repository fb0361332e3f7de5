// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/pages/pages_util.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "pages/page_flags.h"
#include "sysfs/dax_blocks.h"

struct pages_host ph;

/* ---- the kernel's files -----------------------------------------------------------------------
 */

static uint64_t element(const char *path, uint64_t pfn, const uint64_t *set)
{
	_cleanup_close_ int fd = openat(ph.scratch.dirfd, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	uint64_t value = 0;

	ck_assert_int_ge(fd, 0);
	if (set)
		ck_assert_int_eq(pwrite(fd, set, sizeof(*set), (off_t)(pfn * 8)), 8);
	else
		ck_assert_int_eq(pread(fd, &value, sizeof(value), (off_t)(pfn * 8)), 8);
	return value;
}

void put_flags(uint64_t pfn, uint64_t flags)
{
	(void)element("proc/kpageflags", pfn, &flags);
}

uint64_t get_flags(uint64_t pfn)
{
	return element("proc/kpageflags", pfn, NULL);
}

void put_count(uint64_t pfn, uint64_t count)
{
	(void)element("proc/kpagecount", pfn, &count);
}

void put_block_state(unsigned int number, const char *state, const char *zones)
{
	char path[96];

	(void)snprintf(path, sizeof(path), MEMORY_DIRECTORY "/memory%u/state", number);
	put_text(ph.scratch.dirfd, path, state);
	(void)snprintf(path, sizeof(path), MEMORY_DIRECTORY "/memory%u/valid_zones", number);
	put_text(ph.scratch.dirfd, path, zones);
}

static void kernel_takes(const char *file, uint64_t value)
{
	const bool online = str_equal(file, "unpoison-pfn");
	const uint64_t pfn = online ? value : value / PAGE_SIZE_DEFAULT;

	if (ph.kernel.offline_after)
		put_flags(pfn, PAGE_FLAG(KPF_NOPAGE));
	else if (!ph.kernel.idle)
		put_flags(pfn, online ? get_flags(pfn) & ~PAGE_FLAG_HWPOISON
				      : get_flags(pfn) | PAGE_FLAG_HWPOISON);
}

ssize_t __real_write(int fd, const void *data, size_t len);
ssize_t __wrap_write(int fd, const void *data, size_t len);

/* Return: the last part of the path of @fd when it is one of the three files, or NULL. */
static const char *kernel_file(int fd, char path[static 512])
{
	static const char *const names[] = {"soft_offline_page", "hard_offline_page",
					    "unpoison-pfn"};
	char link[64];
	ssize_t n;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, 511);
	path[n < 0 ? 0 : n] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strstr(path, names[i]) && strstr(path, ph.scratch.path))
			return names[i];
	return NULL;
}

ssize_t __wrap_write(int fd, const void *data, size_t len)
{
	struct fake_kernel *k = &ph.kernel;
	char path[512], text[32] = "";
	const char *file = ph.kernel.plays ? kernel_file(fd, path) : NULL;
	uint64_t value;
	size_t i;

	if (!file)
		return __real_write(fd, data, len);
	ck_assert_msg(ph.privileged, "%s is written without privileges", file);
	ck_assert_uint_lt(k->n_writes, WRITES_MAX);
	memcpy(text, data, len < 31 ? len : 31);
	i = k->n_writes++;
	(void)snprintf(k->written[i], sizeof(k->written[i]), "%s %s", file, text);
	ck_assert_int_eq(parse_u64(text, &value), 0);
	if (k->errors[i]) {
		errno = k->errors[i];
		return -1;
	}
	kernel_takes(file, value);
	return (ssize_t)len;
}

/* ---- the host ---------------------------------------------------------------------------------
 */

static void make_files(void)
{
	put_text(ph.scratch.dirfd, MEMORY_DIRECTORY "/block_size_bytes", "10000000\n");
	put_text(ph.scratch.dirfd, MEMORY_DIRECTORY "/soft_offline_page", "");
	put_text(ph.scratch.dirfd, MEMORY_DIRECTORY "/hard_offline_page", "");
	put_text(ph.scratch.dirfd, "sys/kernel/debug/hwpoison/unpoison-pfn", "");
	for (unsigned int i = 0; i < 4; i++)
		put_block_state(PAGES_BLOCK + i, "online\n", "Movable\n");
	put_directory(ph.scratch.dirfd, "proc");
	put_flags(PAGES_BASE / PAGE_SIZE_DEFAULT, PAGE_FLAG(KPF_LRU));
}

void pages_setup(void)
{
	struct port *bridge;
	struct decoder *window;

	ph = (struct pages_host){.privileged = false};
	scratch_setup(&ph.scratch);
	model_init(&ph.m);
	bridge = model_bridge(&ph.m);
	window = model_window(&ph.m, &bridge, 1);
	struct port *sw = model_switch(&ph.m, bridge);
	for (unsigned int i = 0; i < 2; i++) {
		ph.mem[i] = model_memdev(&ph.m, sw);
		ph.mem[i]->serial = OPT_U64(0xabc0 + i);
	}
	ph.region = model_region(&ph.m, window, PAGES_BASE, ph.mem, 2);
	ph.dax = model_dax(&ph.m, ph.region, 2);
	ph.dax->mode = DAX_MODE_SYSTEM_RAM;
	ph.m.root_directory.dirfd = ph.scratch.dirfd;
	ph.m.host.root = &ph.m.root_directory;
	make_files();
}

void pages_make_cached(void)
{
	ph.region->size = OPT_U64(4 * MIB_256);
	for (unsigned int i = 0; i < 2; i++)
		endpoint_decoder(ph.mem[i], 0)->start = OPT_U64(PAGES_BASE + 2 * MIB_256);
	ph.region->extended_linear_cache_size = OPT_U64(2 * MIB_256);
	ph.dax->size = ph.region->size;
}

void pages_teardown(void)
{
	ph.m.root_directory.dirfd = -1;
	model_done(&ph.m);
	scratch_teardown(&ph.scratch);
}

/* ---- requests ---------------------------------------------------------------------------------
 */

static void use_privileges(bool on)
{
	ck_assert_msg(ph.privileged != on, "privileges are used twice");
	ph.privileged = on;
	ph.n_privileged += on;
}

struct page_request pages_request(enum page_action action, uint64_t dpa)
{
	struct page_request q = {.serial = 0xabc0, .dpa = dpa, .action = (uint32_t)action};
	const struct answer *a;

	if (!ph.m.t)
		model_ready(&ph.m);
	a = model_translate_dpa(&ph.m, ph.mem[0], dpa, dpa);
	q.spa = a->spa;
	(void)snprintf(q.device, sizeof(q.device), "cxl-000000000000abc0");
	return q;
}

void pages_run_all(const struct page_request *q, size_t n, bool allow_huge, struct page_result *ret)
{
	const struct page_context x = {.root = &ph.m.root_directory,
				       .allow_huge = allow_huge,
				       .allow_fence = ph.allow_fence,
				       .marks = ph.marks,
				       .block_limit = ph.block_limit,
				       .use_privileges = use_privileges};

	ph.n_privileged = 0;
	ph.kernel.plays = true;
	page_run_on(&x, &ph.m.host, ph.m.t, q, n, ret);
	ph.kernel.plays = false;
	ck_assert(!ph.privileged);
	for (size_t i = 0; i < n; i++) {
		ck_assert_int_eq(ret[i].error == 0,
				 ret[i].outcome == PAGE_DONE || ret[i].outcome == PAGE_ALREADY);
		ck_assert_int_eq(ret[i].error != 0, ret[i].reason[0] != '\0');
	}
}

struct page_result pages_run(const struct page_request *q, bool allow_huge)
{
	struct page_result result;

	pages_run_all(q, 1, allow_huge, &result);
	return result;
}
