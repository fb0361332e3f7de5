// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/service.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/json_scan.h"
#include "common/strutil.h"

enum {
	ANSWER_MAX = 256 * 1024, /* bytes, with its head */
	REQUEST_MAX = 8 * 1024,
	WAIT_S = 60,		   /* for a part of an answer */
	TASK_WAIT_MS = 600 * 1000, /* for a change */
	TASK_PAUSE_NS = 200 * 1000000,
};

struct answer {
	char *text; /* with a NUL */
	size_t len;
	unsigned int status;
	const char *body;
	char location[SERVICE_URI_MAX]; /* "" none */
};

static void answer_done(struct answer *a)
{
	free(a->text);
}

#define _cleanup_answer_ _cleanup_(answer_done)

/* ---- the connection ---------------------------------------------------------------------------
 */

static int explain_away(const char *path, int error, struct error *e)
{
	if (error == EACCES || error == EPERM)
		return error_set(e, EACCES,
				 "cannot connect to %s: permission denied; run this as root", path);
	(void)error_set(
		e, ECONNREFUSED,
		"cannot connect to the service at %s: %s; nothing was changed; start it (systemctl start cxl-redfishd), or name its socket with --socket",
		path, strerror(error));
	return -ECONNREFUSED;
}

static int service_connect(const char *path, struct error *e)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const struct timeval wait = {.tv_sec = WAIT_S};
	int fd;

	if (strlen(path) >= sizeof(address.sun_path))
		return error_set(e, ENAMETOOLONG, "the path of --socket is too long");
	memcpy(address.sun_path, path, strlen(path));
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return error_set(e, errno, "no socket can be made: %s", strerror(errno));
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	(void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait));
	if (connect(fd, (const struct sockaddr *)&address, sizeof(address)) < 0) {
		const int error = errno;

		(void)close(fd);
		return explain_away(path, error, e);
	}
	return fd;
}

static int lost(struct error *e)
{
	const int error = errno ? errno : ECONNRESET;

	return error_set(
		e, EIO,
		"the service does not answer (%s), and whether it made the change is not known; look at it again",
		error == EAGAIN ? "nothing came for a minute" : strerror(error));
}

static int send_all(int fd, const char *text, size_t len, struct error *e)
{
	while (len > 0) {
		const ssize_t n = send(fd, text, len, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return lost(e);
		text += n;
		len -= (size_t)n;
	}
	return 0;
}

static int receive_all(int fd, struct answer *a, struct error *e)
{
	a->text = malloc(ANSWER_MAX + 1);
	if (!a->text)
		return error_set(e, ENOMEM, "out of memory");
	for (;;) {
		const ssize_t n = recv(fd, a->text + a->len, ANSWER_MAX - a->len, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return lost(e);
		a->len += (size_t)n;
		if (n == 0)
			break;
		if (a->len == ANSWER_MAX)
			return error_set(e, EPROTO,
					 "the answer of the service is longer than %d bytes",
					 ANSWER_MAX);
	}
	a->text[a->len] = '\0';
	return 0;
}

/* ---- the answer -------------------------------------------------------------------------------
 */

static int not_http(struct error *e)
{
	return error_set(
		e, EPROTO,
		"the answer is not one of cxl-redfishd: is --socket the socket of another program?");
}

/* The path of a Location, which may be a URL; one that is too long is none. */
static void take_location(struct answer *a, const char *value, size_t len)
{
	const char *path = memmem(value, len, "/redfish/", strlen("/redfish/"));
	const size_t n = path ? len - (size_t)(path - value) : 0;

	if (n == 0 || n >= sizeof(a->location))
		return;
	memcpy(a->location, path, n);
	a->location[n] = '\0';
}

static int parse_answer(struct answer *a, struct error *e)
{
	static const char version[] = "HTTP/1.1 ", location[] = "Location:";
	const char *end = strstr(a->text, "\r\n\r\n"), *line;

	if (!end || strncmp(a->text, version, strlen(version)) != 0)
		return not_http(e);
	a->status = (unsigned int)strtoul(a->text + strlen(version), NULL, 10);
	a->body = end + 4;
	for (line = strstr(a->text, "\r\n"); line && line < end; line = strstr(line, "\r\n")) {
		line += 2;
		if (strncasecmp(line, location, strlen(location)) == 0)
			take_location(a, line, strcspn(line, "\r"));
	}
	return a->status >= 100 && a->status < 600 ? 0 : not_http(e);
}

static int service_ask(const char *socket, const char *method, const char *uri,
		       struct json_span body, struct answer *ret, struct error *e)
{
	_cleanup_close_ int fd = -1;
	char head[REQUEST_MAX];
	int n, r;

	n = snprintf(head, sizeof(head),
		     "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
		     "Accept: application/json\r\n%s%s%zu\r\n\r\n%.*s",
		     method, uri, body.len ? "Content-Type: application/json\r\n" : "",
		     "Content-Length: ", body.len, (int)body.len, body.at);
	if (n < 0 || (size_t)n >= sizeof(head))
		return error_set(e, E2BIG, "the request is longer than %d bytes", REQUEST_MAX);
	fd = service_connect(socket, e);
	if (fd < 0)
		return fd;
	r = send_all(fd, head, (size_t)n, e);
	if (r == 0)
		r = receive_all(fd, ret, e);
	return r < 0 ? r : parse_answer(ret, e);
}

/* The first message of an error of Redfish. */
static bool message_of(const struct answer *a, char *ret, size_t size)
{
	const struct json_span all = {a->body, strlen(a->body)};
	struct json_span error, list, item, message;
	struct json_cursor c;

	return json_member(all, "error", &error) &&
	       json_member(error, "@Message.ExtendedInfo", &list) && json_enter(list, '[', &c) &&
	       json_next_item(&c, &item) && json_member(item, "Message", &message) &&
	       json_string_decode(message, ret, size);
}

/* Return: 0, or a negative errno for a status that is no success. */
static int judge(const struct answer *a, struct error *e)
{
	char text[ERROR_TEXT_MAX / 2] = "";

	if (a->status >= 200 && a->status < 300)
		return 0;
	if (a->status == 404)
		return -ENOENT;
	if (a->status == 401 || a->status == 403)
		return error_set(e, EACCES,
				 "the service does not allow it to this user; run this as root");
	if (!message_of(a, text, sizeof(text)))
		(void)snprintf(text, sizeof(text), "HTTP status %u", a->status);
	return error_set(e, EPROTO, "the service refuses it: %s", text);
}

/* ---- requests ---------------------------------------------------------------------------------
 */

/* A task's monitor answers with 202 until its end, and then as the change itself. */
static int follow_task(const char *socket, const char *monitor, struct error *e)
{
	const uint64_t until = clock_monotonic_ms() + TASK_WAIT_MS;
	const struct timespec pause = {.tv_nsec = TASK_PAUSE_NS};

	while (clock_monotonic_ms() < until) {
		_cleanup_answer_ struct answer a = {0};
		int r;

		(void)nanosleep(&pause, NULL);
		r = service_ask(socket, "GET", monitor, (struct json_span){"", 0}, &a, e);
		if (r < 0 || a.status != 202)
			return r < 0 ? r : judge(&a, e);
	}
	return error_set(e, ETIMEDOUT,
			 "the change takes longer than %d minutes, and goes on as the task %s",
			 TASK_WAIT_MS / 60000, monitor);
}

int service_patch(const char *socket, const char *uri, struct json_span body, struct error *e)
{
	_cleanup_answer_ struct answer a = {0};
	int r = service_ask(socket, "PATCH", uri, body, &a, e);

	if (r < 0)
		return r;
	if (a.status == 202 && a.location[0])
		return follow_task(socket, a.location, e);
	return judge(&a, e);
}

/* The first member of a collection. */
static bool first_member(const struct answer *a, char *ret, size_t size)
{
	const struct json_span all = {a->body, strlen(a->body)};
	struct json_span list, item, uri;
	struct json_cursor c;

	return json_member(all, "Members", &list) && json_enter(list, '[', &c) &&
	       json_next_item(&c, &item) && json_member(item, "@odata.id", &uri) &&
	       json_string_decode(uri, ret, size);
}

int service_host(const char *socket, char ret[static SERVICE_URI_MAX], struct error *e)
{
	_cleanup_answer_ struct answer a = {0};
	int r = service_ask(socket, "GET", "/redfish/v1/Systems", (struct json_span){"", 0}, &a, e);

	if (r == 0)
		r = judge(&a, e);
	if (r == -ENOENT)
		return not_http(e);
	return r == 0 && !first_member(&a, ret, SERVICE_URI_MAX) ? not_http(e) : r;
}
