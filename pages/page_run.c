// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pages/page_run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "pages/page_fence.h"
#include "pages/page_flags.h"
#include "pages/page_frame.h"
#include "pages/page_locator.h"
#include "pages/page_lock.h"
#include "sysfs/dax_blocks.h"

enum {
	PAGES_MAX = 2, /* of a request: with the alias */
	/* Requests whose pages are found together. The calls of firmware for them end in time also
	 * where each takes 300 ms. */
	TOGETHER_MAX = 32,
	/* A page in use is tried for longer: then the mapping is looked at again. */
	LOOK_MS = 5,
};

/* The pages of a request: the address's own, and its alias. None: its result is known. */
struct pages_of {
	uint64_t pfns[PAGES_MAX];
	size_t n;
};

/* One batch. */
struct run {
	const struct page_context *x;
	const struct host *host;
	struct page_locator locator;
	struct frame_files files;
	uint64_t block_size;   /* bytes; 0: not known */
	uint64_t online_block; /* the last one that was found online; UINT64_MAX: none */
	bool soft_is_on;       /* the kernel looks at its setting again */
	uint64_t looked_ms;    /* when the mapping was looked at; 0: not yet */
};

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

/* Nothing is written unless all pages of the request may be. @flags: of each of the @n pages */
static int check_pages(struct run *run, enum page_action action, const uint64_t *pfns, size_t n,
		       uint64_t *flags, bool *ret_all_done, struct page_result *ret)
{
	int r = 0;

	*ret_all_done = true;
	for (size_t i = 0; r == 0 && i < n; i++) {
		r = check_block(run, pfns[i] * run->host->page_size, ret);
		if (r == 0)
			r = frame_check(&run->files, action, pfns[i], &flags[i], ret);
		*ret_all_done = *ret_all_done && r == 0 && frame_is_done(action, flags[i]);
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

	for (size_t i = 0; r == 0 && i < n; i++)
		r = block_marks_check(run->x->marks, run->files.flags, pfns[i] / pages, pages,
				      run->x->block_limit, ret);
	return r;
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
	int r;

	if (action == PAGE_SOFT && run->soft_is_on)
		return 0;
	r = frame_check_host(&run->files, action, ret);
	run->soft_is_on |= r == 0 && action == PAGE_SOFT;
	return r;
}

static bool is_limited(const struct run *run, enum page_action action)
{
	return run->x->marks && action != PAGE_ONLINE && per_block(run) > 0;
}

/* Return: whether all but the flags of a lone page is known to allow the write, so that they were
 * read right before it. */
static bool is_ready(const struct run *run, enum page_action action, const uint64_t *pfns, size_t n)
{
	const bool host = action == PAGE_ONLINE || (action == PAGE_SOFT && run->soft_is_on);

	return n == 1 && host &&
	       (!is_limited(run, action) ||
		block_marks_has_room(run->x->marks, pfns[0] / per_block(run), run->x->block_limit));
}

/* @flags: of check_pages(). NULL: they are read again */
static int write_pages(struct run *run, enum page_action action, const uint64_t *pfns, size_t n,
		       const uint64_t *flags, struct page_result *ret)
{
	bool changed = false;
	int r = 0;

	for (size_t i = 0; r == 0 && i < n; i++) {
		struct frame_result frame = {0};

		r = frame_run(&run->files, action, pfns[i], flags ? &flags[i] : NULL, &frame, ret);
		keep_frame(ret, i, &frame);
		if (r < 0 && changed)
			fail_half(action, pfns, ret);
		changed = r == 0 && frame.before != frame.after;
		if (changed && is_limited(run, action))
			block_marks_note(run->x->marks, pfns[i] / per_block(run));
	}
	return r;
}

/* The first page is the address's own, the second its alias. */
static int run_pages(struct run *run, enum page_action action, const uint64_t *pfns, size_t n,
		     struct page_result *ret)
{
	const bool ready = is_ready(run, action, pfns, n);
	uint64_t flags[PAGES_MAX];
	bool all_done;
	int r = check_pages(run, action, pfns, n, flags, &all_done, ret);

	if (r == 0 && !all_done && !ready)
		r = check_host(run, action, ret);
	if (r == 0 && !all_done && !ready && is_limited(run, action))
		r = check_limit(run, pfns, n, ret);
	if (r == 0)
		r = write_pages(run, action, pfns, n, ready || all_done ? flags : NULL, ret);
	if (r == 0)
		ret->outcome = all_done ? PAGE_ALREADY : PAGE_DONE;
	return r;
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

static void find_pages(struct run *run, const struct page_request *q, struct pages_of *pages,
		       struct page_result *ret)
{
	const struct answer *a;

	*ret = (struct page_result){0};
	pages->n = 0;
	a = page_locate(&run->locator, q, ret);
	if (!a)
		return;
	pages->pfns[pages->n++] = ret->pfn = a->spa / run->host->page_size;
	if (a->has_alias) {
		pages->pfns[pages->n++] = ret->alias_pfn = a->alias / run->host->page_size;
		ret->has_alias = 1;
	}
	if (q->action != PAGE_FENCE)
		return;
	run->online_block = UINT64_MAX;
	run->files.only_free = q->only_free;
	(void)run_fence(run, a, ret);
	pages->n = 0;
}

/* Return: how many requests are done together: without a block that goes offline, which is done as
 * soon as it is found. */
static size_t together(const struct page_request *requests, size_t n)
{
	size_t i = 0;

	while (i < n && i < TOGETHER_MAX && requests[i].action != PAGE_FENCE)
		i++;
	return i > 0 ? i : n > 0;
}

/* Between two writes there are flags only, as long as they follow each other at once. */
static int check_mapping(struct run *run, struct page_result *ret)
{
	const uint64_t now_ms = clock_monotonic_ms();

	if (!run->x->kept || (run->looked_ms && now_ms - run->looked_ms < LOOK_MS))
		return 0;
	run->looked_ms = now_ms;
	return kept_host_is_current(run->x->kept)
		       ? 0
		       : page_result_set(
				 ret, ESTALE, PAGE_REFUSED,
				 "the CXL devices or their memory have changed meanwhile; repeat it");
}

/* All of them are found before the first write. */
static void run_some(struct run *run, const struct page_request *requests, size_t n,
		     struct page_result *ret)
{
	struct pages_of pages[TOGETHER_MAX];

	run->looked_ms = 0;
	page_locator_ask(&run->locator, requests, n);
	for (size_t i = 0; i < n; i++)
		find_pages(run, &requests[i], &pages[i], &ret[i]);
	for (size_t i = 0; i < n; i++) {
		const struct page_request *q = &requests[i];

		run->files.allow_huge = run->x->allow_huge && q->allow_huge;
		run->files.only_free = q->only_free;
		if (pages[i].n > 0 && check_mapping(run, &ret[i]) == 0)
			(void)run_pages(run, (enum page_action)q->action, pages[i].pfns, pages[i].n,
					&ret[i]);
	}
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
	struct error e = {0};
	_cleanup_close_ int flags = open_flags(x, &e);
	struct run run = {
		.x = x,
		.host = host,
		.files = {.root = x->root->dirfd,
			  .flags = flags,
			  .page_size = host->page_size,
			  .use_privileges = x->use_privileges,
			  .written = -1},
		.online_block = UINT64_MAX,
	};
	int r = page_locator_init(&run.locator, x->root->dirfd, host, translator);

	if (memory_block_size(x->root->dirfd, &run.block_size) < 0)
		run.block_size = 0;
	if (flags < 0)
		refuse_all(ret, n, e.code, e.text);
	else if (r < 0)
		refuse_all(ret, n, -r, "out of memory");
	else
		for (size_t i = 0, some; i < n; i += some) {
			some = together(requests + i, n - i);
			run_some(&run, requests + i, some, ret + i);
		}
	page_locator_done(&run.locator);
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
