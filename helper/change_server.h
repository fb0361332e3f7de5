/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HELPER_CHANGE_SERVER_H
#define CXLR_HELPER_CHANGE_SERVER_H

/*
 * Changes of the host that cxl-redfishd asks for (change/protocol.h), each made by change_run() in
 * a thread of its own beside that of its connection, which sends its progress and takes its
 * cancellation.
 *
 * Nothing of a request is trusted: its form is checked by change_check(), its permission when it
 * comes, and each operation looks at the host again. Whatever may have a passphrase is overwritten
 * when the change has ended.
 *
 * One object, which main owns and never frees. Any thread, except for change_server_set_up().
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "change/context.h"
#include "helper/server.h"

/* As change_run(). */
typedef int (*change_server_run_fn)(const struct change_context *x, const struct change *c,
				    struct change_result *ret);

struct change_server {
	const struct host_root *root;
	change_server_run_fn run;
	/* Sets the capabilities that are effective in the thread of a change, by its kind. NULL:
	 * nothing is changed. */
	void (*use_privileges)(uint32_t kind);
	_Atomic unsigned int allowed; /* ALLOW_... of the configuration */
	atomic_uint n_running;
	atomic_bool ending; /* all are cancelled, and no more is made */
};

void change_server_set_up(struct change_server *c, const struct host_root *root,
			  change_server_run_fn run, void (*use_privileges)(uint32_t kind));

/* change_server_configure() - what is allowed from now on; changes that are being made go on */
void change_server_configure(struct change_server *c, unsigned int allowed);

/*
 * change_server_end() - cancel all, and make no more
 *
 * Return: whether all have ended; otherwise it is to be called again.
 */
bool change_server_end(struct change_server *c);

/* A server_connection_fn (server.h); the server's `userdata` is the struct change_server. */
void change_server_connection(struct server *s, int fd, const struct ucred *peer);

#endif
