// SPDX-License-Identifier: LGPL-2.1-or-later
#include "change/client.h"

#include <stdlib.h>
#include <string.h>

struct change_client {
	const struct change_client_ops *ops;
	void *userdata;
};

struct change_client *change_client_new(const struct change_client_ops *ops, void *userdata)
{
	struct change_client *c = malloc(sizeof(*c));

	if (c)
		*c = (struct change_client){ops, userdata};
	return c;
}

struct change_client *change_client_free(struct change_client *c)
{
	if (c && c->ops->free)
		c->ops->free(c->userdata);
	free(c);
	return NULL;
}

unsigned int change_client_allowed(struct change_client *c)
{
	return c->ops->allowed(c->userdata);
}

int change_client_run(struct change_client *c, const struct change_call *call,
		      struct change_result *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->error = c->ops->run(c->userdata, call, ret);
	return ret->error;
}
