/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CHANGE_CLIENT_H
#define CXLR_CHANGE_CLIENT_H

/*
 * How a process asks for changes: cxl-redfishd by cxl-redfish-change-helper, cxl-spa by
 * change_run() in its own process, tests by a table of their own.
 *
 * Any thread may call change_client_run(), several at a time; each call waits until the change has
 * ended, which may take hours (overwriting a device): only for workers and jobs.
 */

#include "change/change.h"
#include "opener/opener.h"
#include "sysfs/host_root.h"

struct change_call {
	const struct change *change;
	int image; /* descriptor of a firmware image; -1 none */
	void (*progress)(void *userdata, const struct change_progress *p); /* NULL: none */
	/* CHANGE_SCAN_MEDIA: the next of its results, before the call returns; NULL: not wanted.
	 * Return: 0; -ENOMEM: no more is wanted */
	int (*found)(void *userdata, const struct found_poison *items, size_t n);
	bool (*cancelled)(void *userdata); /* NULL: never; asked several times a second */
	void *userdata;
};

/* The changes that are possible at present, as a view shows them; those of pages, too. */
struct changes_allowed {
	unsigned int configured; /* ALLOW_... of the daemon's --allow */
	unsigned int helper;	 /* of both helpers'; none of those of one that is away */
};

struct change_client;

struct change_client_ops {
	int (*run)(void *userdata, const struct change_call *call, struct change_result *ret);
	/* The bits of --allow that changes are made for at present. */
	unsigned int (*allowed)(void *userdata);
	void (*free)(void *userdata); /* NULL: nothing to free */
};

/* change_client_new() - one that calls @ops. Return: NULL when out of memory, with nothing freed */
struct change_client *change_client_new(const struct change_client_ops *ops, void *userdata);

/* change_client_new_direct() - one that makes changes in this process, all that it has privileges
 * for */
struct change_client *change_client_new_direct(const struct host_root *root);

/*
 * change_client_new_helper() - one that asks the helper that listens at the address of @opener
 * @silence_ms: a helper that sends nothing for so long does not answer: CHANGE_SILENCE_MS
 */
struct change_client *change_client_new_helper(struct opener *opener, unsigned int silence_ms);

/* Accepts NULL. Return: NULL. */
struct change_client *change_client_free(struct change_client *c);

/* change_client_allowed() - what the helper would do now; 0 when it is not there. Waits for it. */
unsigned int change_client_allowed(struct change_client *c);

/*
 * change_client_run() - have a change made
 * @ret: filled in always; CHANGE_UNKNOWN when the helper went away meanwhile
 *
 * Return: ret->error.
 */
int change_client_run(struct change_client *c, const struct change_call *call,
		      struct change_result *ret);

#endif
