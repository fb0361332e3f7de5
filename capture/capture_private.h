/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CAPTURE_CAPTURE_PRIVATE_H
#define CXLR_CAPTURE_CAPTURE_PRIVATE_H

/*
 * Private to capture*.c: the members of the archive, and what could not be read.
 *
 * Members are collected first, each path once, and read only when the archive is written, sorted
 * by path. All paths are relative to the host's "/".
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "capture/capture.h"
#include "common/error.h"
#include "mailbox/cci.h"

enum member_kind {
	MEMBER_DIRECTORY,
	MEMBER_FILE, /* its contents are the host's file of that path */
	MEMBER_LINK, /* data is its target */
	MEMBER_DATA, /* data is its contents */
};

enum directory_listed { LISTED_NOT, LISTED_SHALLOW, LISTED_DEEP };

struct member {
	char *path;
	enum member_kind kind;
	mode_t permissions;
	char *data;
	size_t len;
	enum directory_listed listed; /* of a directory: how much of it is in the set */
};

struct capture_set {
	const struct host_root *root;
	int dirfd;	       /* of the host */
	struct opener *opener; /* of what this process may not even see; NULL: it may */
	void *tree;
	size_t n;
	char **follow; /* devices that links point to and that are still to be listed */
	size_t n_follow;
	struct capture_result *result;
	bool out_of_memory; /* checked once, at the end */
};

/*
 * capture_set_add() - add a member and its parent directories
 * @data: copied; may be NULL
 *
 * Return: the member, also when it was added before; NULL when out of memory.
 */
struct member *capture_set_add(struct capture_set *set, const char *path, enum member_kind kind,
			       mode_t permissions, const void *data, size_t len);

/* Return: the member of that path or NULL. */
struct member *capture_set_find(const struct capture_set *set, const char *path);

/* Calls @fn for each member in the order of their paths until it returns less than 0. */
int capture_set_foreach(const struct capture_set *set, int (*fn)(struct member *m, void *userdata),
			void *userdata);

/* Notes that @path (or its directory) is to be listed as a device. */
void capture_set_follow(struct capture_set *set, const char *path);

/* Notes that @path could not be read. */
void capture_set_missed(struct capture_set *set, const char *path, const char *why);

void capture_set_done(struct capture_set *set);

/* capture_list_all() - collect everything of the host that goes into a capture */
void capture_list_all(struct capture_set *set);

/*
 * capture_list_trace() - add what the service's trace instance has of events, by cxl-redfish-helper
 *
 * The formats are put where the rest of tracefs has them: those of an instance are the same.
 */
void capture_list_trace(struct capture_set *set);

/* capture_list_tree() - collect all files of a captured host */
void capture_list_tree(struct capture_set *set);

/*
 * capture_mailbox() - add the output of the mailbox commands of each memdev
 *
 * A memdev that does not answer in time is listed as missed; a thread of its own waits for it, as
 * long as the process lives. So threads exist afterwards, but none before.
 */
void capture_mailbox(struct capture_set *set, const struct host_root *root);

struct switch_access;

/*
 * capture_switches() - add what the switches answer to the commands by which they are read
 * @root: says whether the machine is emulated
 */
void capture_switches(struct capture_set *set, const struct host_root *root,
		      struct switch_access *access);

#endif
