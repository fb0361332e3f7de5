// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/helper_start.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <linux/capability.h>

#include "common/cleanup.h"
#include "common/log.h"
#include "common/privileges.h"

enum { BACKLOG = 64 };

/* Return: a listening socket with a name that the kernel chooses; its address in @ret. */
static int own_listener(struct sockaddr_un *ret, socklen_t *ret_len)
{
	_cleanup_close_ int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	*ret = (struct sockaddr_un){.sun_family = AF_UNIX};
	*ret_len = sizeof(*ret);
	if (fd < 0 || bind(fd, (struct sockaddr *)ret, sizeof(sa_family_t)) < 0 ||
	    getsockname(fd, (struct sockaddr *)ret, ret_len) < 0 || listen(fd, BACKLOG) < 0)
		return -errno;
	return STEAL_FD(fd);
}

static int start_own(struct started_helper *h, const struct helper_kind *kind, const char *program,
		     const char *const *options, int listener, struct error *e)
{
	const struct helper_options o = {
		.name = kind->name,
		.program = program,
		.args = h->args,
		.fds = {listener},
		.n_fds = 1,
		.capabilities = kind->capabilities,
		.message_max = 1,
	};
	size_t n = 0;

	(void)snprintf(h->user, sizeof(h->user), "%u", (unsigned int)geteuid());
	h->args[n++] = "--child";
	h->args[n++] = "--user";
	h->args[n++] = h->user;
	for (; options && *options; options++) {
		if (n == HELPER_ARGS_MAX)
			return error_set(e, E2BIG, "%s is not started: it has too many options",
					 kind->name);
		h->args[n++] = *options;
	}
	h->args[n] = NULL;
	helper_init(&h->child, &o);
	return helper_start(&h->child, e);
}

static int make_own(struct started_helper *h, const struct helper_kind *kind, const char *program,
		    const char *const *options)
{
	struct sockaddr_un address;
	struct error e = {0};
	socklen_t len;
	_cleanup_close_ int listener = own_listener(&address, &len);

	h->own = true;
	if (listener < 0) {
		log_warning("%s cannot be started: socket: %s", kind->name, strerror(-listener));
		address = (struct sockaddr_un){.sun_family = AF_UNIX};
		len = sizeof(sa_family_t);
	} else if (start_own(h, kind, program, options, listener, &e) < 0) {
		log_warning("%s", e.text);
	}
	return opener_new((struct sockaddr *)&address, len, OPENER_OWN, &h->opener);
}

static int make_shared(struct started_helper *h, const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	(void)stpcpy(address.sun_path, path);
	return opener_new((struct sockaddr *)&address, sizeof(address), OPENER_SHARED, &h->opener);
}

bool helper_starts_own(const struct helper_kind *kind)
{
	return !secure_getenv(kind->variable) &&
	       (geteuid() == 0 || capabilities_has(CAP_DAC_READ_SEARCH));
}

int helper_start_client(const struct helper_kind *kind, const char *program,
			const char *const *options, struct started_helper *ret)
{
	const char *path = secure_getenv(kind->variable);

	*ret = (struct started_helper){.own = false};
	helper_init(&ret->child, &(struct helper_options){.name = kind->name});
	if (helper_starts_own(kind))
		return make_own(ret, kind, program, options);
	return make_shared(ret, path ? path : kind->socket);
}

void helper_end(struct started_helper *h)
{
	/* All zeros: none was started, and its descriptors are none. */
	if (h->child.options.name)
		(void)helper_kill(&h->child);
	h->opener = opener_free(h->opener);
}
