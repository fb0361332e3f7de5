/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_FAKE_MAILBOX_H
#define CXLR_TESTS_LIB_FAKE_MAILBOX_H

/*
 * The ioctls of /dev/cxl/memN without devices: from fake_mailbox_setup() on there is a queue of
 * commands that must be sent in that order, and their output. It is for captured hosts, whose
 * /dev/cxl has plain files: programs with this file have an openat() of their own, which opens them
 * although they are read-only.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host_root;

struct fake_command {
	uint32_t id;	/* command id of the kernel */
	uint16_t raw;	/* opcode, of a raw command */
	const void *in; /* what must be sent, NULL for nothing */
	size_t in_len;
	int error; /* errno of the ioctl, 0 for none */
	unsigned int return_code;
	const void *out; /* output payload; truncated as the driver does */
	size_t out_len;
	size_t claimed_len; /* length that is reported instead, when not 0 */
};

enum { FAKE_COMMANDS_MAX = 64, FAKE_ID_MAX = 24 };

struct fake_mailbox {
	const char *memdev;   /* the only one that may be used; NULL for any */
	uint32_t supported;   /* a bit for each id; all at first */
	bool old_kernel;      /* flags nothing as supported */
	int query_error;      /* errno of the query, 0 for none */
	size_t queries, sent; /* in tests with other threads: fake_mailbox_sent() */
	bool hold;	      /* commands do not return until fake_mailbox_release() */

	const char *hold_memdev; /* with hold: only of this memdev; NULL for all */
	size_t unexpected;
	char complaint[256]; /* the first of these */
};

extern struct fake_mailbox fake_mailbox;

/* Resets everything. */
void fake_mailbox_setup(void);

/* Expect a command after those before. Its buffers must stay. */
void fake_mailbox_expect(const struct fake_command *command);

/* The command that was expected last may be sent as often as one likes, once at least. */
void fake_mailbox_repeat_last(void);

/* Fails the test when another command was sent, or not all of them. */
void fake_mailbox_finish(void);

/* For tests with a thread that sends commands. */
size_t fake_mailbox_sent(void);
void fake_mailbox_hold(const char *memdev); /* NULL holds all */
void fake_mailbox_wait_until_held(void);
void fake_mailbox_let_go(size_t n); /* that many of those that are held, now or later */
void fake_mailbox_release(void);

/* The captured host that was entered, as a live one. */
struct host_root fake_live_root(void);

#endif
