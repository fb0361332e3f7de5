// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pages/page_frame.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"
#include "pages/page_facts.h"
#include "pages/page_flags.h"

#define SOFT_FILE     MEMORY_DIRECTORY "/soft_offline_page"
#define HARD_FILE     MEMORY_DIRECTORY "/hard_offline_page"
#define UNPOISON_FILE "sys/kernel/debug/hwpoison/unpoison-pfn"
#define SOFT_SETTING  "proc/sys/vm/enable_soft_offline"
#define PANIC_SETTING "proc/sys/vm/panic_on_unrecoverable_memory_failure"

enum { SETTING_BYTES_MAX = 64 };

int frame_open(int root, const char *path, int mode, void (*use_privileges)(bool on))
{
	int fd, error;

	if (use_privileges)
		use_privileges(true);
	fd = openat(root, path, mode | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	error = errno;
	if (use_privileges)
		use_privileges(false);
	return fd < 0 ? -error : fd;
}

/* A setting that the kernel does not have is as it was before there was one. */
static bool setting_is(const struct frame_files *f, const char *path, const char *value)
{
	_cleanup_free_ char *text = NULL;

	return read_file_at(f->root, path, SETTING_BYTES_MAX, &text, NULL) == 0 &&
	       str_equal(str_chomp(text), value);
}

int frame_check_host(const struct frame_files *f, enum page_action action, struct page_result *ret)
{
	if (action == PAGE_SOFT && setting_is(f, SOFT_SETTING, "0"))
		return page_result_set(
			ret, EOPNOTSUPP, PAGE_REFUSED,
			"soft offlining of pages is switched off on this host: vm.enable_soft_offline is 0; whoever set it must set it to 1 first");
	if (action == PAGE_HARD && setting_is(f, PANIC_SETTING, "1"))
		return page_result_set(
			ret, EPERM, PAGE_REFUSED,
			"no page is taken out hard while vm.panic_on_unrecoverable_memory_failure is 1: the kernel could panic; take it out soft, or set it to 0 first");
	return 0;
}

/* ---- flags ------------------------------------------------------------------------------------
 */

static int refuse_kind(uint64_t pfn, uint64_t flags, struct page_result *ret)
{
	const enum frame_kind kind = frame_kind_of(flags);

	if (flags & PAGE_FLAG(KPF_HUGE))
		return page_result_set(
			ret, EPERM, PAGE_REFUSED,
			"page pfn:0x%" PRIx64
			" is a huge page, which is taken out only with offline-huge-pages = yes: it would be split up or moved",
			pfn);
	/* As a free page on the list of a processor, which has no flag. */
	if (kind == FRAME_UNKNOWN && !(flags & PAGE_FLAG(KPF_NOPAGE)))
		return page_result_set(
			ret, EBUSY, PAGE_REFUSED,
			"page pfn:0x%" PRIx64
			" is of the kind unknown: it may be free and about to be used, or of a driver, and then it cannot be taken out; repeat it later",
			pfn);
	return page_result_set(
		ret, EPERM, PAGE_REFUSED,
		"page pfn:0x%" PRIx64
		" is of the kind %s: only pages of programs and files, and free ones, can be taken out; take its memory block offline, or plan a restart",
		pfn, frame_kind_name(kind));
}

static bool flags_allow(const struct frame_files *f, uint64_t flags)
{
	if (flags & PAGE_FLAGS_FORBIDDEN)
		return false;
	if (flags & PAGE_FLAG(KPF_HUGE))
		return f->allow_huge;
	return (flags & PAGE_FLAGS_NEEDED) != 0;
}

bool frame_is_done(enum page_action action, uint64_t flags)
{
	return ((flags & PAGE_FLAG_HWPOISON) != 0) == (action != PAGE_ONLINE);
}

static int read_flags(const struct frame_files *f, uint64_t pfn, uint64_t *flags,
		      struct page_result *ret)
{
	int r = page_flags_read(f->flags, pfn, flags);

	return r < 0 ? page_result_set(ret, r, PAGE_REFUSED,
				       "the flags of page pfn:0x%" PRIx64
				       " cannot be read: /proc/kpageflags: %s",
				       pfn, strerror(-r))
		     : 0;
}

/* @flags: as they are */
static int check_flags(const struct frame_files *f, enum page_action action, uint64_t pfn,
		       uint64_t flags, struct page_result *ret)
{
	if (frame_is_done(action, flags))
		return 0;
	if (action == PAGE_ONLINE ? flags & PAGE_FLAG(KPF_NOPAGE) : !flags_allow(f, flags))
		return refuse_kind(pfn, flags, ret);
	if (f->only_free && !(flags & PAGE_FLAG(KPF_BUDDY)))
		return page_result_set(
			ret, EBUSY, PAGE_REFUSED,
			"page pfn:0x%" PRIx64
			" is in use (%s), and data in it is lost: to move it would read them, which can end in a machine check; end what uses it (cxl-spa page show), or take it out hard",
			pfn, frame_kind_name(frame_kind_of(flags)));
	return 0;
}

int frame_check(const struct frame_files *f, enum page_action action, uint64_t pfn,
		uint64_t *ret_flags, struct page_result *ret)
{
	int r = read_flags(f, pfn, ret_flags, ret);

	return r < 0 ? r : check_flags(f, action, pfn, *ret_flags, ret);
}

/* ---- the write --------------------------------------------------------------------------------
 */

/* Return: a descriptor of @f, or a negative errno. */
static int open_for(struct frame_files *f, enum page_action action)
{
	static const char *const files[PAGE_ACTIONS] = {
		[PAGE_SOFT] = SOFT_FILE, [PAGE_HARD] = HARD_FILE, [PAGE_ONLINE] = UNPOISON_FILE};
	int fd;

	if (f->written >= 0 && f->written_for == (uint32_t)action)
		return f->written;
	fd = frame_open(f->root, files[action], O_WRONLY, f->use_privileges);
	if (fd < 0)
		return fd;
	cleanup_close(&f->written);
	f->written_for = (uint32_t)action;
	return f->written = fd;
}

/* Return: 0 or a negative errno: of open(), or what the kernel says about the page. */
static int write_frame(struct frame_files *f, enum page_action action, uint64_t pfn)
{
	/* unpoison-pfn takes the number of the page, the others an address. */
	const uint64_t value = action == PAGE_ONLINE ? pfn : pfn * f->page_size;
	const int fd = open_for(f, action);
	char text[24];
	int n, r;

	if (fd < 0)
		return fd;
	n = snprintf(text, sizeof(text), "0x%" PRIx64, value);
	if (f->use_privileges)
		f->use_privileges(true);
	r = write(fd, text, (size_t)n) < 0 ? -errno : 0;
	if (f->use_privileges)
		f->use_privileges(false);
	return r;
}

static int refuse_online(uint64_t pfn, int error, struct page_result *ret)
{
	if (error == -ENOENT)
		return page_result_set(
			ret, EOPNOTSUPP, PAGE_REFUSED,
			"page pfn:0x%" PRIx64
			" can be brought back only by the kernel's hwpoison-inject, which is not loaded: run modprobe hwpoison-inject, and repeat it; a new dax device or a restart brings it back, too",
			pfn);
	if (error == -EOPNOTSUPP)
		return page_result_set(
			ret, EOPNOTSUPP, PAGE_REFUSED,
			"the kernel brings no page back after the first failure of memory of this boot: page pfn:0x%" PRIx64
			" comes back with a new dax device, or a restart",
			pfn);
	return page_result_set(ret, error, PAGE_REFUSED,
			       "the kernel does not bring page pfn:0x%" PRIx64
			       " back: unpoison-pfn: %s; a new dax device or a restart does it",
			       pfn, strerror(-error));
}

/* The kernel has refused, and the flag is as it was. */
static int refuse_write(enum page_action action, uint64_t pfn, int error, struct page_result *ret)
{
	if (action == PAGE_ONLINE)
		return refuse_online(pfn, error, ret);
	if (error == -ENOENT)
		return page_result_set(
			ret, EOPNOTSUPP, PAGE_REFUSED,
			"this kernel takes no pages out of use: it was built without CONFIG_MEMORY_FAILURE");
	if (error == -EPERM || error == -EACCES)
		return page_result_set(
			ret, EPERM, PAGE_REFUSED,
			"pages are taken out of use by root only, or by cxl-redfish-page-helper: %s_offline_page: %s",
			page_action_name((uint32_t)action), strerror(-error));
	return page_result_set(
		ret, EBUSY, PAGE_REFUSED,
		"the kernel could not take page pfn:0x%" PRIx64
		" out of use, as happens with pages that are dirty or pinned: %s_offline_page: %s; repeat it later",
		pfn, page_action_name((uint32_t)action), strerror(-error));
}

/* Whether another try can help. */
static bool is_temporary(int error)
{
	return error == -EBUSY || error == -EAGAIN || error == -EIO || error == -EINTR;
}

/* @error: of the write. Return: 0 when the flag is as wanted. */
static int judge(enum page_action action, uint64_t pfn, int error, const struct frame_result *frame,
		 struct page_result *ret)
{
	if (frame_is_done(action, frame->after) && !(frame->after & PAGE_FLAG(KPF_NOPAGE)))
		return 0;
	if (frame->after & PAGE_FLAG(KPF_NOPAGE))
		return page_result_set(
			ret, EIO, PAGE_UNVERIFIABLE,
			"page pfn:0x%" PRIx64
			" has no flags any more: its memory block went offline meanwhile",
			pfn);
	if (error < 0)
		return refuse_write(action, pfn, error, ret);
	return page_result_set(ret, EIO, PAGE_FAILED,
			       "the kernel reports success, and page pfn:0x%" PRIx64
			       " is %s: bit 19 of its kpageflags is %d",
			       pfn, action == PAGE_ONLINE ? "still out of use" : "still in use",
			       action == PAGE_ONLINE);
}

/* Return: 0, or ret->error; *ret_again: it may be tried again. */
static int try_once(struct frame_files *f, enum page_action action, uint64_t pfn,
		    struct frame_result *frame, bool *ret_again, struct page_result *ret)
{
	int error = write_frame(f, action, pfn), r;

	*ret_again = is_temporary(error);
	frame->tries++;
	r = page_flags_read(f->flags, pfn, &frame->after);
	if (r < 0)
		return page_result_set(
			ret, r, PAGE_UNVERIFIABLE,
			"it is not known whether page pfn:0x%" PRIx64
			" is out of use: its flags cannot be read after the write: %s",
			pfn, strerror(-r));
	return judge(action, pfn, error, frame, ret);
}

/* Tries it until it is done, or there is no sense in it. @frame: `before` is set, and allows it */
static int try_all(struct frame_files *f, enum page_action action, uint64_t pfn,
		   struct frame_result *frame, struct page_result *ret)
{
	const struct timespec pause = {.tv_nsec = PAGE_TRY_MS * 1000000L};
	bool again = false;
	int r = try_once(f, action, pfn, frame, &again, ret);

	for (unsigned int i = 1;
	     r < 0 && again && ret->outcome == PAGE_REFUSED && i < PAGE_TRIES_MAX; i++) {
		uint64_t flags;

		(void)nanosleep(&pause, NULL);
		/* Its use may have changed meanwhile. */
		if (frame_check(f, action, pfn, &flags, ret) < 0)
			return ret->error;
		r = try_once(f, action, pfn, frame, &again, ret);
	}
	return r;
}

int frame_run(struct frame_files *f, enum page_action action, uint64_t pfn, const uint64_t *checked,
	      struct frame_result *frame, struct page_result *ret)
{
	uint64_t flags = checked ? *checked : 0;
	int r = checked ? 0 : frame_check(f, action, pfn, &flags, ret);

	*frame = (struct frame_result){.before = flags, .after = flags};
	if (r == 0 && !frame_is_done(action, flags))
		r = try_all(f, action, pfn, frame, ret);
	if (r == 0) { /* whatever an earlier try ended with */
		ret->error = 0;
		ret->reason[0] = '\0';
	}
	return r;
}
