/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_HELPER_PRIVATE_H
#define CXLR_COMMON_HELPER_PRIVATE_H

/*
 * Private to helper*.c: what the two sides of a fork share.
 */

#include "common/helper.h"

enum {
	HELPER_CLOSE_MAX = 65536, /* descriptors that are closed one by one */
};

/* Why there is no helper; one message. */
struct helper_failure {
	int code; /* positive errno */
	bool is_sentence;
	union {
		char step[32];
		char sentence[ERROR_TEXT_MAX];
	};
};

/*
 * helper_child() - the life of the child
 * @parent: its process id
 * @socket: this side of the socket
 * @status_fd: a socket; receives a byte when the child shall go on, and sends a struct
 *             helper_failure, or is closed when all went well
 */
void helper_child(const struct helper_options *o, pid_t parent, int socket, int status_fd)
	__attribute__((noreturn));

#endif
