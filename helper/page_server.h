/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HELPER_PAGE_SERVER_H
#define CXLR_HELPER_PAGE_SERVER_H

/*
 * Connections of cxl-redfish-page-helper: each is one request, or some batches of pages, on its own
 * thread. Belongs to main; threads use it until the process has ended.
 */

#include <stdatomic.h>
#include <stdbool.h>

#include "helper/server.h"
#include "pages/page_run.h"

/* As page_run(). */
typedef void (*page_server_run_fn)(const struct page_context *x,
				   const struct page_request *requests, size_t n,
				   struct page_result *ret);

struct page_server {
	const struct host_root *root;
	struct kept_host *kept;
	page_server_run_fn run;
	void (*use_privileges)(bool on); /* as in struct page_context */
	_Atomic unsigned int allowed;	 /* ALLOW_... of the configuration */
	atomic_bool allow_huge;		 /* offline-huge-pages */
	atomic_bool allow_fence;	 /* page-on-online = fence */
	struct block_marks *marks;
	atomic_uint block_limit; /* page-limit-block */
	atomic_uint n_running;
	atomic_uint n_batches; /* of them, requests */
	atomic_bool preparing; /* one of them reads the host for the next request */
	atomic_bool ending;    /* no more are begun */
};

/* @kept: of @root; the caller's, as @marks */
void page_server_set_up(struct page_server *s, const struct host_root *root, struct kept_host *kept,
			struct block_marks *marks, page_server_run_fn run,
			void (*use_privileges)(bool on));

/* page_server_configure() - what is allowed from now on */
void page_server_configure(struct page_server *s, unsigned int allowed, bool allow_huge,
			   bool allow_fence, unsigned int block_limit);

/* page_server_end() - begin no more. Return: whether all have ended; otherwise it is to be called
 * again. */
bool page_server_end(struct page_server *s);

/* A server_connection_fn (server.h); the server's `userdata` is the struct page_server. */
void page_server_connection(struct server *s, int fd, const struct ucred *peer);

#endif
