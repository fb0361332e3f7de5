// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/client.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "mailbox/transport.h"

struct mailbox_client {
	atomic_uint references; /* the owner's, and one of each thread that sends */
	struct mailbox_transport *transport;
};

int mailbox_client_new_transport(struct mailbox_transport *t, struct mailbox_client **ret)
{
	struct mailbox_client *c = calloc(1, sizeof(*c));

	if (!c) {
		t->ops->free(t);
		return -ENOMEM;
	}
	atomic_init(&c->references, 1);
	c->transport = t;
	*ret = c;
	return 0;
}

int mailbox_client_new(const struct host_root *root, struct mailbox_client **ret, struct error *e)
{
	struct mailbox_transport *t;
	int r;

	if (root->captured)
		r = transport_recorded_new(root, &t, e);
	else if (opener_is_up(root->opener) || !opener_may_open(root->opener))
		r = transport_helper_new(root->opener, &t, e);
	else
		r = transport_memdev_new(root->dirfd, &t, e);
	if (r < 0)
		return r;
	r = mailbox_client_new_transport(t, ret);
	return r < 0 ? error_set(e, r, "out of memory") : 0;
}

struct mailbox_client *mailbox_client_ref(struct mailbox_client *c)
{
	atomic_fetch_add_explicit(&c->references, 1, memory_order_relaxed);
	return c;
}

struct mailbox_client *mailbox_client_free(struct mailbox_client *c)
{
	if (!c || atomic_fetch_sub_explicit(&c->references, 1, memory_order_acq_rel) != 1)
		return NULL;
	c->transport->ops->free(c->transport);
	free(c);
	return NULL;
}

bool mailbox_client_may_hang(const struct mailbox_client *c)
{
	return c->transport->ops->may_hang;
}

const char *mailbox_client_directory(const struct mailbox_client *c)
{
	return c->transport->ops->directory;
}

const char *mailbox_client_memdev(const struct mailbox_client *c, size_t i)
{
	return c->transport->ops->device(c->transport, i);
}

int mailbox_client_prepare(struct mailbox_client *c, const char *memdev)
{
	return c->transport->ops->prepare(c->transport, memdev);
}

int mailbox_client_send(struct mailbox_client *c, const char *memdev,
			const struct mailbox_command *command, uint8_t output[MAILBOX_OUTPUT_MAX],
			unsigned int *ret_code)
{
	int r = c->transport->ops->send(c->transport, memdev, command, output, ret_code);

	return r > MAILBOX_OUTPUT_MAX ? -EMSGSIZE : r;
}
