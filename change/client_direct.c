// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The client that makes changes in its own process. In a file of its own: who only asks links none
// of the operations.
#include "change/client.h"

#include <stdlib.h>

#include "change/run.h"

struct direct {
	const struct host_root *root;
};

static int direct_run(void *userdata, const struct change_call *call, struct change_result *ret)
{
	const struct direct *d = userdata;
	const struct change_context x = {
		.root = d->root,
		.image = call->image,
		.progress = call->progress,
		.found = call->found,
		.cancelled = call->cancelled,
		.userdata = call->userdata,
	};

	return change_run(&x, call->change, ret);
}

static unsigned int direct_allowed(void *userdata)
{
	(void)userdata;
	return ALLOW_HOST;
}

struct change_client *change_client_new_direct(const struct host_root *root)
{
	static const struct change_client_ops ops = {direct_run, direct_allowed, free};
	struct direct *d = malloc(sizeof(*d));
	struct change_client *c = NULL;

	if (d) {
		d->root = root;
		c = change_client_new(&ops, d);
	}
	if (!c)
		free(d);
	return c;
}
