/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_OPENER_OPENER_H
#define CXLR_OPENER_OPENER_H

/*
 * Opens what an ordinary user may not, by cxl-redfish-helper, which passes descriptors back.
 *
 * One object per process, made by main; every function may be called from any thread, and
 * accepts NULL, which is a process that opens everything itself: cxl-spa, tests, captured hosts.
 * A thread has a connection of its own while it waits; idle ones are kept for the next.
 *
 * Calls but those of mailbox commands, and the look at all processes, take microseconds. They fail
 * after OPENER_TIMEOUT_MS, which a helper needs on a host that swaps; then the helper counts as
 * away, so that only one call waits so long. While the helper is away, files are
 * opened as the user of the process may (a shared helper), or not at all (OPENER_OWN: this process
 * was root, and would be able to).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "common/error.h"
#include "common/uevent.h"
#include "opener/protocol.h"

enum {
	OPENER_TIMEOUT_MS = 10000,
	OPENER_PROCESSES_TIMEOUT_MS = 20000, /* to look at all processes */
	/* The time limit for a switch: one command waits for another one, and each has
	   CCI_DEADLINE_MS. */
	OPENER_SWITCH_TIMEOUT_MS = 5000,
};

struct opener;

enum opener_owner {
	OPENER_SHARED, /* of the system, at OPENER_SOCKET */
	OPENER_OWN,    /* of this process */
};

/*
 * opener_new() - a client of the helper that listens at @address
 * @address, @len: of AF_UNIX
 *
 * Nothing is connected; the helper counts as away until opener_set_up().
 *
 * Return: 0 or -ENOMEM.
 */
int opener_new(const struct sockaddr *address, socklen_t len, enum opener_owner owner,
	       struct opener **ret);

/* Another reference; dropped by opener_free(). Accepts NULL. Return: @o. */
struct opener *opener_ref(struct opener *o);

/* Return: NULL. */
struct opener *opener_free(struct opener *o);

/* Whether the helper answers, as the owner of the watch (opener_watch()) found. */
void opener_set_up(struct opener *o, bool up);
bool opener_is_up(const struct opener *o);

/* Whether this process may open for itself what the helper does not. */
bool opener_may_open(const struct opener *o);

/* The parameters by which another process of this user is a client of the same helper. Plain
 * values. */
struct opener_description {
	uint32_t owner; /* enum opener_owner */
	uint32_t up;
	uint32_t address_len;
	struct sockaddr_un address;
};

/* opener_describe() - for opener_new_described() in a process that this one starts */
void opener_describe(const struct opener *o, struct opener_description *ret);

/* opener_new_described() - as opener_new(), and opener_set_up() as it was. Return: also -EINVAL. */
int opener_new_described(const struct opener_description *p, struct opener **ret);

/*
 * opener_open() - open a file for reading, or OPENER_PRM_DEVICE for its ioctls
 * @path: absolute; one that is in no table (paths.h) is opened directly
 *
 * Return: a descriptor that the caller closes; the error of opening it; -EACCES also when the
 * helper is away.
 */
int opener_open(struct opener *o, const char *path);

/*
 * opener_open_at() - by the helper only, after openat() has failed
 * @dirfd, @name: as of openat(); the path of @dirfd is that of /proc/self/fd
 *
 * The file is kept open for the next call (kept_files.h).
 *
 * Return: a descriptor for pread() only, which the caller closes; otherwise as opener_open().
 */
int opener_open_at(struct opener *o, int dirfd, const char *name);

/*
 * opener_read() - read a whole file, as read_file_at()
 */
int opener_read(struct opener *o, const char *path, size_t max, char **ret, size_t *ret_len);

/*
 * opener_list() - the names in a directory, without those that begin with a dot
 * @ret: malloc'ed names, each ended by a NUL; @ret_len bytes in all
 */
int opener_list(struct opener *o, const char *path, char **ret, size_t *ret_len);

/* opener_stat() - inode, and ns since 1970 of the last change, 0 when that is not known */
int opener_stat(struct opener *o, const char *path, uint64_t *ret_inode, uint64_t *ret_ns);

/*
 * opener_block_pages() - block_pages_read() (sysfs/block_pages.h), by the helper only
 * @counts, @n: those of struct block_pages; not all are set when it fails
 *
 * Return: 0; the error of reading; -EACCES: the helper is away; -EBADMSG.
 */
int opener_block_pages(struct opener *o, uint64_t block, uint32_t *counts, size_t n);

/*
 * opener_page_use() - page_use_read() (sysfs/page_use.h), by the helper only
 * @pfn: up to PAGE_PFN_MAX
 * @use, @size: a struct page_use, as it was received
 *
 * Return: 0; the error of reading; -EACCES: the helper is away; -EBADMSG.
 */
int opener_page_use(struct opener *o, uint64_t pfn, void *use, size_t size);

/*
 * opener_dax_holders() - dax_holders_read() (sysfs/dax_holders.h), by the helper only
 * @items, @size: array of struct dax_holder, in bytes
 * @ret_len: bytes of it, as they were received
 */
int opener_dax_holders(struct opener *o, void *items, size_t size, size_t *ret_len,
		       bool *ret_complete);

/*
 * opener_kernel_log() - the lines of the kernel's log that are about CXL, by the helper only
 * @text: @size bytes; with a NUL behind the lines
 *
 * Return: 0; the error of reading the log; -EACCES: the helper is away; -EBADMSG.
 */
int opener_kernel_log(struct opener *o, char *text, size_t size);

/*
 * opener_commands() - the mailbox commands that /dev/cxl/mem@device supports: a bit for each id
 *
 * This one and the next may wait for as long as the device does. Return: also -EUSERS when
 * OPENER_HANGING_MAX calls are waiting; -ECONNRESET when the helper has ended meanwhile.
 */
int opener_commands(struct opener *o, uint32_t device, uint32_t *ret_supported);

/*
 * opener_command() - send a command of mailbox_commands()
 * @row, @opcode: its index, and as a check its opcode
 * @output: OPENER_OUTPUT_MAX bytes
 *
 * Return: length of the output as the device reports it, which may be larger than the buffer; or
 * the error of the ioctl.
 */
int opener_command(struct opener *o, uint32_t device, uint16_t row, uint16_t opcode,
		   uint8_t *output, uint32_t *ret_code);

/*
 * opener_connect() - a new connection to the helper, for requests of a protocol of its own
 *
 * Does not wait. Return: a non-blocking descriptor that the caller closes; the error of
 * connecting; -EUSERS when too many connections wait to be accepted.
 */
int opener_connect(const struct opener *o);

/*
 * opener_switches() - what cxl-redfish-switch-helper was configured for
 * @o: a client of that helper, which need not be up
 *
 * Return: 0; the error of reaching it; -ETIMEDOUT.
 */
int opener_switches(struct opener *o, struct opener_switch ret[OPENER_SWITCHES_MAX], size_t *ret_n,
		    bool *ret_may_change);

/*
 * opener_switch_command() - send a command to a switch, or through it
 * @q: all but version and kind, which are set
 * @output: OPENER_SWITCH_PAYLOAD_MAX bytes
 *
 * A command that has reached the helper is never sent again.
 *
 * Return: 0; the errors of cci_send(); the error of reaching the helper; -ECONNRESET when the
 * helper has ended meanwhile: whether the command was executed is not known.
 */
int opener_switch_command(struct opener *o, struct opener_switch_request *q, uint8_t *output,
			  size_t *ret_len, uint32_t *ret_code);

/*
 * opener_watch() - a connection on which the helper reports changes of devices
 *
 * Does not wait. The first opener_watch_receive() that returns 0 shows that the helper answers;
 * each further one is a change.
 *
 * Return: a descriptor that the caller polls and closes; the error of connecting.
 */
int opener_watch(struct opener *o);

/*
 * opener_watch_receive() - the next message of a watch; never waits
 * @ret: set when 0 is returned
 *
 * Return: 0; -EAGAIN when there is none; the error of the helper's monitor; -ECONNRESET when the
 * helper has ended or refuses this user.
 */
int opener_watch_receive(int fd, struct uevent *ret);

#endif
