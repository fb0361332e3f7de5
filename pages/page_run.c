// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pages/page_run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/arena.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "pages/page_fence.h"
#include "pages/page_flags.h"
#include "pages/page_frame.h"
#include "pages/page_lock.h"
#include "prm/firmware.h"
#include "sysfs/dax_blocks.h"

DEFINE_CLEANUP(struct arena, arena_free);

/* As long as cxl-spa waits for firmware. */
enum { CALL_MS = 10000, BUCKET_MS = 30000 };

/* One batch. */
struct run {
	const struct page_context *x;
	const struct host *host;
	const struct translator *translator;
	const struct memdev_ids *ids;
	struct frame_files files;
	struct firmware_timeout timeout;
	uint64_t block_size;	      /* bytes; 0: not known */
	uint64_t online_block;	      /* the last one that was found online; UINT64_MAX: none */
	bool soft_is_on;	      /* the kernel looks at its setting again */
	const struct dax_device *ram; /* was found to be system RAM since the host was read */
};

/* ---- the device and the address ---------------------------------------------------------------
 */

static const struct memdev *find_memdev(const struct run *run, const struct page_request *q,
					struct page_result *ret)
{
	const struct memdev *m = memdev_by_id(run->ids, q->device);

	if (m && (q->serial == 0 || opt_u64_is(m->serial, q->serial)))
		return m;
	if (m)
		(void)page_result_set(
			ret, ESTALE, PAGE_REFUSED,
			"%s is another memory device now: its serial number is not 0x%" PRIx64
			"; look at it, and repeat the request if it is still meant",
			q->device, q->serial);
	else
		(void)page_result_set(
			ret, ENODEV, PAGE_REFUSED,
			"there is no memory device %s on this host; it may have been removed",
			q->device);
	return NULL;
}

static int check_answer(const struct page_request *q, const struct memdev *m,
			const struct answer *a, struct page_result *ret)
{
	if (!a->exact || !a->has_spa)
		return page_result_set(ret, ERANGE, PAGE_REFUSED,
				       "%s DPA 0x%" PRIx64
				       " has no exact system address at present: %.160s",
				       m->name, q->dpa, a->reason);
	if (a->spa != q->spa)
		return page_result_set(ret, ESTALE, PAGE_REFUSED,
				       "%s DPA 0x%" PRIx64 " is at SPA 0x%" PRIx64
				       " now, not at 0x%" PRIx64
				       ": the mapping has changed; translate it again",
				       m->name, q->dpa, a->spa, q->spa);
	return 0;
}

/* @a: set when 0 is returned */
static int resolve(struct run *run, const struct page_request *q, struct answer *a,
		   struct page_result *ret)
{
	struct answers answers = {0};
	struct error e = {0};
	const struct memdev *m;
	int r = page_check(q, &e);

	if (r < 0)
		return page_result_set(ret, r, PAGE_REFUSED, "%.300s", e.text);
	m = find_memdev(run, q, ret);
	if (!m)
		return ret->error;
	r = translate_dpa_wait(run->translator, m, q->dpa, q->dpa, &run->timeout, &answers);
	if (r < 0 || answers.n != 1)
		r = page_result_set(ret, ENOMEM, PAGE_REFUSED, "out of memory");
	else
		r = check_answer(q, m, &answers.items[0], ret);
	if (r == 0)
		*a = answers.items[0];
	answers_done(&answers);
	return r;
}

/* ---- the pages --------------------------------------------------------------------------------
 */

/* Once for the pages of a block that follow each other: one that has gone offline since is known by
 * the flags of its pages. */
static int check_block(struct run *run, uint64_t spa, struct page_result *ret)
{
	const uint64_t block = run->block_size ? spa / run->block_size : 0;
	enum block_state state;

	if (run->block_size && block == run->online_block)
		return 0;
	if (!run->block_size || memory_block_state(run->files.root, block, &state) < 0)
		return page_result_set(
			ret, ENXIO, PAGE_REFUSED,
			"SPA 0x%" PRIx64
			" is not memory that Linux uses: it has no memory block there",
			spa);
	if (state == BLOCK_OFFLINE)
		return page_result_set(
			ret, ENXIO, PAGE_REFUSED,
			"memory%" PRIu64 ", the memory block of SPA 0x%" PRIx64
			", is offline: its pages can be taken out only while it is online, and are not in use before",
			block, spa);
	run->online_block = block;
	return 0;
}

/* Nothing is written unless all pages of the request may be. */
static int check_pages(struct run *run, enum page_action action, const uint64_t *pfns, size_t n,
		       bool *ret_all_done, struct page_result *ret)
{
	int r = 0;

	*ret_all_done = true;
	for (size_t i = 0; r == 0 && i < n; i++) {
		bool done = false;

		r = check_block(run, pfns[i] * run->host->page_size, ret);
		if (r == 0)
			r = frame_check(&run->files, action, pfns[i], &done, ret);
		*ret_all_done = *ret_all_done && done;
	}
	return r;
}

static uint64_t per_block(const struct run *run)
{
	return run->block_size / run->files.page_size;
}

/* Each of the pages as if it were the only one: an alias may be one more of the same block. */
static int check_limit(const struct run *run, const uint64_t *pfns, size_t n,
		       struct page_result *ret)
{
	const uint64_t pages = per_block(run);
	int r = 0;

	for (size_t i = 0; r == 0 && pages > 0 && i < n; i++)
		r = block_marks_check(run->x->marks, run->files.flags, pfns[i] / pages, pages,
				      run->x->block_limit, ret);
	return r;
}

static void note_mark(const struct run *run, uint64_t pfn)
{
	const uint64_t pages = per_block(run);

	if (pages > 0)
		block_marks_note(run->x->marks, pfn / pages);
}

static void keep_frame(struct page_result *ret, size_t i, const struct frame_result *frame)
{
	ret->tries += frame->tries;
	if (i == 0) {
		ret->before = frame->before;
		ret->after = frame->after;
	} else {
		ret->alias_before = frame->before;
		ret->alias_after = frame->after;
	}
}

/* The first page has changed, so that the request was neither done nor refused. */
static void fail_half(enum page_action action, const uint64_t *pfns, struct page_result *ret)
{
	char why[PAGE_REASON_MAX];

	memcpy(why, ret->reason, sizeof(why));
	(void)page_result_set(
		ret, ret->error,
		ret->outcome == PAGE_UNVERIFIABLE ? PAGE_UNVERIFIABLE : PAGE_FAILED,
		"page pfn:0x%" PRIx64 " is %s, and its alias pfn:0x%" PRIx64 " is not: %.224s",
		pfns[0], action == PAGE_ONLINE ? "in use again" : "out of use", pfns[1], why);
}

/* Once for soft ones, which the kernel itself refuses by its setting; for each hard one. */
static int check_host(struct run *run, enum page_action action, struct page_result *ret)
{
	int r = action == PAGE_SOFT && run->soft_is_on ? 0
						       : frame_check_host(&run->files, action, ret);

	run->soft_is_on |= r == 0 && action == PAGE_SOFT;
	return r;
}

/* The first page is the address's own, the second its alias. */
static int run_pages(struct run *run, enum page_action action, const uint64_t *pfns, size_t n,
		     struct page_result *ret)
{
	const bool is_limited = run->x->marks && action != PAGE_ONLINE;
	bool all_done, changed = false;
	int r = check_pages(run, action, pfns, n, &all_done, ret);

	if (r == 0 && !all_done)
		r = check_host(run, action, ret);
	if (r == 0 && !all_done && is_limited)
		r = check_limit(run, pfns, n, ret);
	for (size_t i = 0; r == 0 && i < n; i++) {
		struct frame_result frame = {0};

		r = frame_run(&run->files, action, pfns[i], &frame, ret);
		keep_frame(ret, i, &frame);
		if (r < 0 && changed)
			fail_half(action, pfns, ret);
		changed = r == 0 && frame.before != frame.after;
		if (changed && is_limited)
			note_mark(run, pfns[i]);
	}
	if (r == 0)
		ret->outcome = all_done ? PAGE_ALREADY : PAGE_DONE;
	return r;
}

/* The host may have been read before the driver of the memory was bound. */
static bool is_system_ram(const struct run *run, const struct dax_device *d)
{
	char path[128], target[PATH_MAX];
	const char *driver;
	ssize_t n;

	(void)snprintf(path, sizeof(path), "sys/bus/dax/devices/%.64s/driver", d->name);
	n = readlinkat(run->files.root, path, target, sizeof(target) - 1);
	if (n < 0)
		return false;
	target[n] = '\0';
	driver = strrchr(target, '/');
	return driver && str_equal(driver, "/kmem");
}

/* Memory that is no system RAM has no page of its own for the kernel to take out. */
static int check_use(struct run *run, const struct answer *a, struct page_result *ret)
{
	if (!a->dax || a->dax->mode != DAX_MODE_DEVDAX || a->dax == run->ram)
		return 0;
	if (!is_system_ram(run, a->dax))
		return page_result_set(
			ret, ENXIO, PAGE_REFUSED,
			"SPA 0x%" PRIx64
			" is of %s, which is device-dax memory: only pages of online system RAM can be taken out",
			a->spa, a->dax->name);
	run->ram = a->dax;
	return 0;
}

/* A block whose pages have aliases elsewhere would be out by half. */
static int run_fence(const struct run *run, const struct answer *a, struct page_result *ret)
{
	const bool has_node = a->numa_node.present && a->numa_node.value >= 0;
	const struct fence_node node = {
		.marks = run->x->marks,
		.node = has_node ? (uint64_t)a->numa_node.value : 0,
		.pages = has_node ? fence_node_pages(run->host, a->numa_node.value) : 0,
	};
	bool done = false;
	int r;

	if (!run->x->allow_fence)
		return page_result_set(
			ret, EACCES, PAGE_REFUSED,
			"memory blocks are taken offline only with page-on-online = fence");
	if (a->has_alias)
		return page_result_set(
			ret, EPERM, PAGE_REFUSED,
			"a memory block of an extended linear cache is not taken offline because of a page");
	r = page_fence(&run->files, &node, a->spa / run->host->page_size, &done, ret);
	if (r == 0)
		ret->outcome = done ? PAGE_ALREADY : PAGE_DONE;
	return r;
}

static void run_one(struct run *run, const struct page_request *q, struct page_result *ret)
{
	const uint64_t page = run->host->page_size;
	struct answer a = {0};
	uint64_t pfns[2];
	size_t n = 1;

	*ret = (struct page_result){0};
	if (resolve(run, q, &a, ret) < 0 || check_use(run, &a, ret) < 0)
		return;
	pfns[0] = ret->pfn = a.spa / page;
	if (a.has_alias) {
		pfns[n++] = ret->alias_pfn = a.alias / page;
		ret->has_alias = 1;
	}
	if (q->action == PAGE_FENCE) {
		run->online_block = UINT64_MAX;
		run->files.only_free = q->only_free;
		(void)run_fence(run, &a, ret);
		return;
	}
	run->files.allow_huge = run->x->allow_huge && q->allow_huge;
	run->files.only_free = q->only_free;
	(void)run_pages(run, (enum page_action)q->action, pfns, n, ret);
}

/* ---- a batch ----------------------------------------------------------------------------------
 */

static void refuse_all(struct page_result *ret, size_t n, int code, const char *text)
{
	for (size_t i = 0; i < n; i++) {
		ret[i] = (struct page_result){0};
		(void)page_result_set(&ret[i], code, PAGE_REFUSED, "%.300s", text);
	}
}

static int open_flags(const struct page_context *x, struct error *e)
{
	const int fd = frame_open(x->root->dirfd, "proc/kpageflags", O_RDONLY, x->use_privileges);

	return fd < 0 ? error_set(
				e, fd,
				"the flags of pages cannot be read, and nothing is written without them: /proc/kpageflags: %s",
				strerror(-fd))
		      : fd;
}

void page_run_on(const struct page_context *x, const struct host *host,
		 const struct translator *translator, const struct page_request *requests, size_t n,
		 struct page_result *ret)
{
	_cleanup_(arena_freep) struct arena *arena = arena_new();
	struct error e = {0};
	_cleanup_close_ int flags = open_flags(x, &e);
	struct run run = {
		.x = x,
		.host = host,
		.translator = translator,
		.ids = arena ? memdev_ids_new(arena, host) : NULL,
		.files = {.root = x->root->dirfd,
			  .flags = flags,
			  .page_size = host->page_size,
			  .use_privileges = x->use_privileges,
			  .written = -1},
		.timeout = {CALL_MS, BUCKET_MS},
		.online_block = UINT64_MAX,
	};

	if (memory_block_size(x->root->dirfd, &run.block_size) < 0)
		run.block_size = 0;
	if (flags < 0) {
		refuse_all(ret, n, e.code, e.text);
	} else if (!run.ids) {
		refuse_all(ret, n, ENOMEM, "out of memory");
	} else {
		for (size_t i = 0; i < n; i++)
			run_one(&run, &requests[i], &ret[i]);
	}
	cleanup_close(&run.files.written);
}

/* The host would have to be another one for it to be done. */
static bool is_about_host(const struct page_result *r)
{
	return r->error == -ENODEV || r->error == -ESTALE || r->error == -ERANGE ||
	       r->error == -ENXIO;
}

/* Return: as kept_host_take(). */
static int run_on_kept(const struct page_context *x, const struct page_request *requests, size_t n,
		       struct page_result *ret)
{
	const struct host *host = NULL;
	struct translator *translator = NULL;
	struct error e = {0};
	int r = kept_host_take(x->kept, &host, &translator, &e);

	if (r < 0) {
		error_prefix(&e, "the host cannot be read");
		refuse_all(ret, n, r, e.text);
	} else {
		page_run_on(x, host, translator, requests, n, ret);
	}
	(void)translator_unref(translator);
	(void)host_unref(host);
	return r;
}

/* Nothing is refused because of a host that was read before. */
static void run_locked(const struct page_context *x, const struct page_request *requests, size_t n,
		       struct page_result *ret)
{
	bool may_be_old = run_on_kept(x, requests, n, ret) == 0;
	const bool again = may_be_old;

	for (size_t i = 0, end; again && i < n; i = end + 1) {
		for (end = i; end < n && is_about_host(&ret[end]); end++)
			;
		if (end > i && may_be_old)
			kept_host_forget(x->kept);
		may_be_old = may_be_old && end == i;
		if (end > i)
			(void)run_on_kept(x, &requests[i], end - i, &ret[i]);
	}
}

void page_run(const struct page_context *x, const struct page_request *requests, size_t n,
	      struct page_result *ret)
{
	struct page_lock lock = {.fd = -1};
	struct error e = {0};
	int r = 0;

	if (x->root->captured)
		r = error_set(&e, EROFS, "a captured host cannot be changed");
	if (r == 0)
		r = page_lock_take(x->lock_directory, x->use_privileges, &lock, &e);
	if (r < 0)
		refuse_all(ret, n, r, e.text);
	else
		run_locked(x, requests, n, ret);
	page_lock_release(&lock);
}

void page_prepare(const struct page_context *x)
{
	struct page_lock lock = {.fd = -1};
	const struct host *host = NULL;
	struct translator *translator = NULL;

	/* A failure is the next request's. */
	if (page_lock_take(x->lock_directory, x->use_privileges, &lock, NULL) == 0)
		(void)kept_host_take(x->kept, &host, &translator, NULL);
	(void)translator_unref(translator);
	(void)host_unref(host);
	page_lock_release(&lock);
}
