/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_HTTP_CLIENT_H
#define CXLR_TESTS_LIB_HTTP_CLIENT_H

/* A client of an HTTP server of the same test at a socket of the file system. It asserts that it
 * may connect and send. */

#include <sys/un.h>

/* Connects, and sends the text. Return: the connection, the caller's; a receive on it ends within
 * WAIT_MAX_MS. */
int http_client_send(const struct sockaddr_un *address, const char *text);
/* Reads until the server closes, and closes. Return: at most 4,095 bytes, valid until the next call
 * of this thread. */
const char *http_client_receive(int fd);

#endif
