// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/listener.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "common/cleanup.h"
#include "common/strutil.h"

/* Connections not accepted yet; the kernel limits it to net.core.somaxconn. */
enum { BACKLOG = 256 };

struct endpoint {
	char address[64]; /* without the brackets */
	char port[8];
	bool is_ipv6;
};

static int bad_spec(const char *spec, struct error *e)
{
	return error_set(e, EINVAL,
			 "cannot listen on %s: expected http://ADDRESS:PORT (an IPv4 address, or "
			 "an IPv6 address in brackets) or unix:PATH",
			 spec);
}

static int split_http(const char *spec, const char *rest, struct endpoint *ret, struct error *e)
{
	const char *end, *port;
	uint64_t number;
	size_t n;

	ret->is_ipv6 = *rest == '[';
	end = ret->is_ipv6 ? strchr(++rest, ']') : strchr(rest, ':');
	if (!end)
		return bad_spec(spec, e);
	n = (size_t)(end - rest);
	port = ret->is_ipv6 ? end + 1 : end;
	if (*port != ':' || n == 0 || n >= sizeof(ret->address))
		return bad_spec(spec, e);
	port++;
	if (strlen(port) > 5 || strspn(port, "0123456789") != strlen(port) ||
	    parse_u64(port, &number) < 0 || number > 65535)
		return bad_spec(spec, e);
	memcpy(ret->address, rest, n);
	ret->address[n] = '\0';
	(void)snprintf(ret->port, sizeof(ret->port), "%s", port);
	return 0;
}

/* Return: 0 with both, the list to be freed by freeaddrinfo(); an error that names the spec. */
static int listener_resolve(const char *spec, const char *rest, struct endpoint *ret_ep,
			    struct addrinfo **ret, struct error *e)
{
	struct addrinfo hints = {
		.ai_socktype = SOCK_STREAM,
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
	};
	int r = split_http(spec, rest, ret_ep, e);

	if (r < 0)
		return r;
	hints.ai_family = ret_ep->is_ipv6 ? AF_INET6 : AF_INET;
	if (getaddrinfo(ret_ep->address, ret_ep->port, &hints, ret) != 0)
		return bad_spec(spec, e);
	return 0;
}

static int check_http(const char *spec, const char *rest, struct error *e)
{
	struct addrinfo *ai;
	struct endpoint ep;
	int r;

	r = listener_resolve(spec, rest, &ep, &ai, e);
	if (r == 0)
		freeaddrinfo(ai);
	return r;
}

int listener_check(const char *spec, bool *ret_is_unix, struct error *e)
{
	const char *rest = str_after_prefix(spec, "unix:");
	int r;

	if (rest) {
		if (*rest == '\0')
			return bad_spec(spec, e);
		if (strlen(rest) >= sizeof(((struct sockaddr_un *)NULL)->sun_path))
			return error_set(e, EINVAL,
					 "cannot listen on %s: the path is too long for a socket, "
					 "the maximum is %zu bytes",
					 spec, sizeof(((struct sockaddr_un *)NULL)->sun_path) - 1);
		*ret_is_unix = true;
		return 0;
	}
	rest = str_after_prefix(spec, "http://");
	r = rest ? check_http(spec, rest, e) : bad_spec(spec, e);
	if (r >= 0)
		*ret_is_unix = false;
	return r;
}

/* Port 0 asks the kernel for one; the URL must name it. */
static int real_url(int fd, const struct endpoint *ep, char ret[static LISTENER_URL_MAX])
{
	struct sockaddr_storage ss;
	socklen_t len = sizeof(ss);
	unsigned int port;

	if (getsockname(fd, (struct sockaddr *)&ss, &len) < 0)
		return -errno;
	port = ntohs(ep->is_ipv6 ? ((struct sockaddr_in6 *)&ss)->sin6_port
				 : ((struct sockaddr_in *)&ss)->sin_port);
	(void)snprintf(ret, LISTENER_URL_MAX, ep->is_ipv6 ? "http://[%s]:%u" : "http://%s:%u",
		       ep->address, port);
	return 0;
}

static int bind_tcp(int fd, const struct addrinfo *ai)
{
	const int on = 1;

	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) < 0)
		return -errno;
	if (ai->ai_family == AF_INET6 &&
	    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on)) < 0)
		return -errno;
	if (bind(fd, ai->ai_addr, ai->ai_addrlen) < 0 || listen(fd, BACKLOG) < 0)
		return -errno;
	return 0;
}

static int open_tcp(const char *spec, const char *rest, struct listener *ret, struct error *e)
{
	_cleanup_close_ int fd = -1;
	struct addrinfo *ai;
	struct endpoint ep;
	int r;

	r = listener_resolve(spec, rest, &ep, &ai, e);
	if (r < 0)
		return r;
	fd = socket(ai->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	r = fd < 0 ? -errno : bind_tcp(fd, ai);
	freeaddrinfo(ai);
	if (r >= 0)
		r = real_url(fd, &ep, ret->url);
	if (r < 0)
		return error_set(e, r, "cannot listen on %s: %s", spec, strerror(-r));
	ret->fd = STEAL_FD(fd);
	return 0;
}

/* Return: 0 when the path is free now; -EADDRINUSE when a process listens there. */
static int clear_stale(const struct sockaddr_un *sun)
{
	_cleanup_close_ int fd = -1;
	struct stat st;

	if (lstat(sun->sun_path, &st) < 0)
		return errno == ENOENT ? 0 : -errno;
	if (!S_ISSOCK(st.st_mode))
		return -EEXIST;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	if (connect(fd, (const struct sockaddr *)sun, sizeof(*sun)) == 0 || errno != ECONNREFUSED)
		return -EADDRINUSE;
	return unlink(sun->sun_path) < 0 && errno != ENOENT ? -errno : 0;
}

static int bind_unix(int fd, const struct sockaddr_un *sun, struct listener *l)
{
	int r;

	if (bind(fd, (const struct sockaddr *)sun, sizeof(*sun)) < 0)
		return -errno;
	/* The mode is set before a client can connect, which listen() allows. */
	if (fchmodat(AT_FDCWD, sun->sun_path, 0660, AT_SYMLINK_NOFOLLOW) < 0 ||
	    lstat(sun->sun_path, &l->made) < 0 || listen(fd, BACKLOG) < 0) {
		r = -errno;
		(void)unlink(sun->sun_path);
		return r;
	}
	return 0;
}

static int open_unix(const char *path, struct listener *ret, struct error *e)
{
	struct sockaddr_un sun = {.sun_family = AF_UNIX};
	_cleanup_close_ int fd = -1;
	_cleanup_free_ char *copy = strdup(path);
	int r;

	if (!copy)
		return error_set(e, ENOMEM, "out of memory");
	memcpy(sun.sun_path, path, strlen(path) + 1);
	r = clear_stale(&sun);
	if (r == -EEXIST)
		return error_set(e, r,
				 "cannot listen on unix:%s: the file exists and is not a socket",
				 path);
	if (r >= 0) {
		fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		r = fd < 0 ? -errno : bind_unix(fd, &sun, ret);
	}
	if (r < 0)
		return error_set(e, r, "cannot listen on unix:%s: %s", path, strerror(-r));
	(void)snprintf(ret->url, sizeof(ret->url), "unix:%s", path);
	ret->path = STEAL_PTR(copy);
	ret->fd = STEAL_FD(fd);
	return 0;
}

int listener_open(const char *spec, struct listener *ret, struct error *e)
{
	struct listener l = {.fd = -1};
	int r;

	r = listener_check(spec, &l.is_unix, e);
	if (r < 0)
		return r;
	r = l.is_unix ? open_unix(str_after_prefix(spec, "unix:"), &l, e)
		      : open_tcp(spec, str_after_prefix(spec, "http://"), &l, e);
	if (r < 0)
		return r;
	*ret = l;
	return 0;
}

/* Inode numbers are reused, so the modification times are compared, too. */
static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

void listener_close(struct listener *l)
{
	struct stat st;

	if (l->path && lstat(l->path, &st) == 0 && is_same_file(&st, &l->made))
		(void)unlink(l->path);
	if (l->fd >= 0)
		(void)close(l->fd);
	free(l->path);
	*l = (struct listener){.fd = -1};
}
