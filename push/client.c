// SPDX-License-Identifier: LGPL-2.1-or-later
#include "push/client.h"

#include <errno.h>
#include <string.h>

#include "common/array.h"

/* Its open requests are sent again later, so there is no reason to wait longer. */
enum { PUSH_STOP_MS = 100 };

void push_client_set(struct push_client *c, const struct push_files *files)
{
	const char *const args[PUSH_ARGS] = {files->allow, files->ca_file, files->collector_ca,
					     files->collector_certificate, files->collector_key};

	for (size_t i = 0; i < PUSH_ARGS; i++)
		c->args[i] = args[i] ? args[i] : "";
}

void push_client_init(struct push_client *c, const char *program, const struct push_files *files)
{
	push_client_set(c, files);
	c->args[PUSH_ARGS] = NULL;
	helper_init(&c->helper, &(struct helper_options){
					.name = "cxl-redfish-push",
					.program = program,
					.args = c->args,
					.message_max = PUSH_PACKET_MAX,
					.stop_ms = PUSH_STOP_MS,
				});
}

void push_client_stop(struct push_client *c)
{
	helper_stop(&c->helper);
}

int push_client_send(struct push_client *c, const struct push_post *post)
{
	struct push_request q = {
		.ticket = post->ticket,
		.flags = post->flags,
		.url_len = (uint32_t)strlen(post->url),
		.headers_len = (uint32_t)post->headers_len,
		.body_len = (uint32_t)post->body_len,
	};
	const struct iovec parts[] = {
		{&q, sizeof(q)},
		{(void *)post->url, q.url_len},
		{(void *)post->headers, post->headers_len},
		{(void *)post->body, post->body_len},
	};

	if (q.url_len > PUSH_URL_MAX || post->headers_len > PUSH_HEADERS_MAX)
		return -E2BIG;
	return helper_send(&c->helper, parts, ARRAY_SIZE(parts));
}

int push_client_receive(struct push_client *c, struct push_answer *ret)
{
	size_t len;
	int r = helper_receive(&c->helper, ret, sizeof(*ret), sizeof(*ret), &len);

	if (r < 0)
		return r == -EAGAIN ? r : -EPIPE;
	ret->text[sizeof(ret->text) - 1] = '\0';
	ret->retry_after[sizeof(ret->retry_after) - 1] = '\0';
	return ret->body_len <= sizeof(ret->body) ? 0 : -EPIPE;
}
