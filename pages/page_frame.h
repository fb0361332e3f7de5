/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PAGES_PAGE_FRAME_H
#define CXLR_PAGES_PAGE_FRAME_H

/*
 * One page frame: whether its flags allow that it is taken out, the write, and the flags after it.
 * Private to pages/. The frame is of a memory block that is online; the lock is the caller's. Any
 * thread.
 */

#include "pages/page.h"

struct frame_files {
	int root;  /* "/" of the host */
	int flags; /* of /proc/kpageflags */
	bool allow_huge, only_free;
	uint64_t page_size;		 /* bytes */
	void (*use_privileges)(bool on); /* as in struct page_context */
	/* The file that was written last, which stays open: */
	int written;	      /* its descriptor, or -1: to be closed by the caller */
	uint32_t written_for; /* enum page_action */
};

struct frame_result {
	uint64_t before, after;
	uint32_t tries;
};

/*
 * frame_check_host() - whether the settings of the kernel allow the action at all
 * @ret: set when not
 *
 * Return: 0 or ret->error.
 */
int frame_check_host(const struct frame_files *f, enum page_action action, struct page_result *ret);

/*
 * frame_check() - whether the flags of a frame allow the action, without writing anything
 * @ret_flags: as they are
 *
 * Return: 0, also when it is done already, which frame_is_done() says; ret->error with the reason
 * in @ret.
 */
int frame_check(const struct frame_files *f, enum page_action action, uint64_t pfn,
		uint64_t *ret_flags, struct page_result *ret);

/* Return: whether a frame with these flags is as the action would make it. */
bool frame_is_done(enum page_action action, uint64_t flags);

/*
 * frame_run() - take a frame out, or bring it back; tried PAGE_TRIES_MAX times
 * @checked: the flags of frame_check(), where nothing else was waited for since; NULL: they are
 *           read and checked now
 * @frame: what was read and done, also when it fails
 * @ret: set when it fails
 *
 * Return: 0, also when it was so before; ret->error.
 */
int frame_run(struct frame_files *f, enum page_action action, uint64_t pfn, const uint64_t *checked,
	      struct frame_result *frame, struct page_result *ret);

/* frame_open() - a file of the host, with the privileges for it. Return: descriptor; negative errno
 */
int frame_open(int root, const char *path, int mode, void (*use_privileges)(bool on));

#endif
