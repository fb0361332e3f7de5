// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The reference for HTTP: libmicrohttpd with the daemon's threading, which answers each
 * request with the bytes of one file. Prints its port and serves until it is killed.
 *
 * With a certificate and a key it speaks TLS as the daemon does.
 *
 *	bench_bare_server FILE [CERTIFICATE KEY]
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <microhttpd.h>

#include "common/fileio.h"
#include "http/tls_session.h"

static enum MHD_Result answer(void *cls, struct MHD_Connection *connection, const char *url,
			      const char *method, const char *version, const char *upload,
			      size_t *upload_size, void **state)
{
	static int seen;

	(void)url;
	(void)method;
	(void)version;
	(void)upload;
	(void)upload_size;
	if (!*state) {
		*state = &seen;
		return MHD_YES;
	}
	return MHD_queue_response(connection, MHD_HTTP_OK, cls);
}

/* Return: the text of a file; the process ends when there is none. */
static char *text_of(const char *path, size_t *ret_len)
{
	char *text;

	if (read_file_at(AT_FDCWD, path, 1 << 20, &text, ret_len) < 0)
		exit(EXIT_FAILURE);
	return text;
}

int main(int argc, char **argv)
{
	struct MHD_OptionItem tls[] = {
		{MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)TLS_PRIORITIES},
		{MHD_OPTION_HTTPS_MEM_CERT, 0, NULL},
		{MHD_OPTION_HTTPS_MEM_KEY, 0, NULL},
		{MHD_OPTION_END, 0, NULL},
	};
	const struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
	unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD;
	struct sockaddr_in address = {.sin_family = AF_INET};
	const union MHD_DaemonInfo *info;
	struct MHD_Response *response;
	struct MHD_Daemon *daemon;
	char *body;
	size_t len;

	if (argc != 2 && argc != 4)
		return EXIT_FAILURE;
	if (argc == 4) {
		flags |= MHD_USE_TLS;
		tls[1].ptr_value = text_of(argv[2], NULL);
		tls[2].ptr_value = text_of(argv[3], NULL);
	}
	body = text_of(argv[1], &len);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	response = MHD_create_response_from_buffer(len, body, MHD_RESPMEM_PERSISTENT);
	if (!response || MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE,
						 "application/json;charset=utf-8") == MHD_NO)
		return EXIT_FAILURE;
	daemon = MHD_start_daemon(flags, 0, NULL, NULL, answer, response, MHD_OPTION_SOCK_ADDR,
				  &address, MHD_OPTION_THREAD_POOL_SIZE, 2u, MHD_OPTION_ARRAY,
				  argc == 4 ? tls : none, MHD_OPTION_END);
	if (!daemon)
		return EXIT_FAILURE;
	info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
	if (!info)
		return EXIT_FAILURE;
	printf("%u\n", (unsigned int)info->port);
	fflush(stdout);
	for (;;)
		pause();
}
