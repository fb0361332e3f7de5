/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_PRIVILEGES_H
#define CXLR_COMMON_PRIVILEGES_H

/*
 * Drops privileges of the calling process. Capabilities belong to a thread: to be called while the
 * process has a single one. Makes system calls only, so that a fork of a process with several
 * threads may call it, too.
 */

#include <stdbool.h>
#include <stdint.h>

/*
 * capabilities_drop() - drop all capabilities except @keep and set no_new_privs, for good
 * @keep: a bit (1 << CAP_...) for each capability that stays, as far as the process has it
 *
 * Return: 0, also when there was nothing to drop; -EPERM when a seccomp profile forbids it: then
 * only the ambient and bounding sets are smaller; the error of prctl() or capset().
 */
int capabilities_drop(uint64_t keep);

/*
 * capabilities_use() - make effective what the calling thread is permitted of @set, and nothing
 * else
 *
 * Return: 0 or the error of capget() or capset().
 */
int capabilities_use(uint64_t set);

/* Capabilities that a thread is permitted: one system call makes all effective, or none. */
struct capabilities_switch {
	uint32_t permitted[2];
};

/*
 * capabilities_prepare() - a switch for the calling thread, and for threads that it starts later
 *
 * It holds also after capabilities_drop() with the same set. Return: 0 or the error of capget().
 */
int capabilities_prepare(uint64_t set, struct capabilities_switch *ret);

/*
 * capabilities_turn() - make all of the set effective, or nothing
 *
 * The rest is permitted no more, and nothing is inheritable. Return: 0 or the error
 * of capset().
 */
int capabilities_turn(const struct capabilities_switch *s, bool on);

/*
 * capabilities_pass() - let programs that this process executes have what it is permitted of @set
 *
 * Return: 0 or the error of capset() or prctl().
 */
int capabilities_pass(uint64_t set);

/* Return: whether capability @cap is effective. */
bool capabilities_has(int cap);

#endif
