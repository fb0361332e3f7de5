// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Any bytes on a connection to the HTTP server: what reaches the handler is a request that it may
// rely on, once each, and the connection ends.
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/json_writer.h"
#include "http/head.h"
#include "http/negotiation.h"
#include "http/server.h"
#include "tests/fuzz/fuzz_table.h"

enum { INPUT_MAX = 64 * 1024, REPLY_MS = 10, END_MS = 5000 };

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static struct http_server *server;

static void check_text(const char *s)
{
	for (; *s; s++)
		FUZZ_MUST(((unsigned char)*s >= 0x20 || *s == '\t') && *s != 0x7f);
}

static enum http_body_choice on_wants_body(void *userdata, const struct http_request *req,
					   struct http_call *call)
{
	(void)userdata;
	(void)call;
	FUZZ_MUST(req->fault == FAULT_NONE && !req->body);
	return req->method == METHOD_POST ? HTTP_BODY_KEEP : HTTP_BODY_DISCARD;
}

static enum http_outcome on_handle(void *userdata, const struct http_request *req,
				   struct http_reply *ret, struct http_call *call)
{
	struct json_writer w = {0};

	(void)userdata;
	(void)call;
	FUZZ_MUST(req->path && (req->fault != FAULT_HEADER || req->fault_header));
	FUZZ_MUST(req->body_len <= HTTP_BODY_MAX && req->n_options <= HTTP_OPTIONS_MAX);
	for (size_t i = 0; req->fault == FAULT_NONE && i < HTTP_HEADERS; i++)
		if (req->headers[i])
			check_text(req->headers[i]);
	(void)accept_admits(req->headers[HEADER_ACCEPT] ? req->headers[HEADER_ACCEPT] : "*/*",
			    CONTENT_TYPE_JSON);
	(void)etag_listed(req->headers[HEADER_IF_NONE_MATCH] ? req->headers[HEADER_IF_NONE_MATCH]
							     : "*",
			  "\"0123\"");
	for (size_t i = 0; i < req->n_options; i++)
		FUZZ_MUST(http_is_option(req->options[i].name));
	put_raw(&w, path_is_sane(req->path) ? "sane" : "not sane");
	ret->status = req->fault == FAULT_NONE ? 200 : 400;
	ret->body = representation_new(&w, "text/plain");
	if (req->fault == FAULT_HEADER)
		(void)http_reply_header(ret, "Connection", "close");
	return HTTP_REPLIED;
}

static const struct http_handler handler = {on_wants_body, on_handle};

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const struct http_limits limits = {
		.head_ms = 1000,
		.body_ms = 1000,
		.reply_ms = 1000,
		.crowded_ms = 1000,
		.crowd = 64,
		.connections = 64,
		.head_bytes = HTTP_HEAD_MAX,
		.threads = 1,
	};
	const struct http_server_options o = {.handler = &handler, .limits = &limits};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	(void)argc;
	(void)argv;
	/* An address of the kernel's choice, without a file. */
	FUZZ_MUST(fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(sa_family_t)) == 0);
	FUZZ_MUST(listen(fd, 16) == 0);
	FUZZ_MUST(getsockname(fd, (struct sockaddr *)&address, &(socklen_t){sizeof(address)}) == 0);
	FUZZ_MUST(http_server_new(&o, fd, &server, NULL) == 0);
	return 0;
}

/* Return: whether the server has closed the connection. */
static bool drain(int fd, int wait_ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	char bytes[4096];

	while (poll(&p, 1, wait_ms) == 1)
		if (recv(fd, bytes, sizeof(bytes), 0) <= 0)
			return true;
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	socklen_t len = sizeof(sa_family_t) + 6; /* an address of the kernel: NUL and five digits */
	int fd;

	if (size > INPUT_MAX)
		return 0;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	FUZZ_MUST(fd >= 0 && connect(fd, (struct sockaddr *)&address, len) == 0);
	while (size > 0) {
		ssize_t n = send(fd, data, size, MSG_NOSIGNAL);

		if (n <= 0)
			break;
		data += n;
		size -= (size_t)n;
	}
	(void)shutdown(fd, SHUT_WR);
	/* libmicrohttpd misses a close that came with data; the sweep does not. */
	for (int waited = 0; !drain(fd, REPLY_MS); waited += REPLY_MS) {
		FUZZ_MUST(waited < END_MS);
		http_server_sweep(server);
	}
	(void)close(fd);
	return 0;
}
