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

#include "common/array.h"
#include "common/cidr.h"
#include "common/cleanup.h"
#include "common/host_name.h"
#include "common/strutil.h"

/* Connections not accepted yet; the kernel limits it to net.core.somaxconn. */
enum { BACKLOG = 256 };

static int bad_spec(const char *spec, struct error *e)
{
	return error_set(
		e, EINVAL,
		"cannot listen on %s: expected http://ADDRESS:PORT or https://ADDRESS:PORT (an IPv4 address, or an IPv6 address in brackets) or unix:PATH",
		spec);
}

/* A port is needed, and 0 is any free one. The address may have a zone. */
static int split_address(const char *spec, const char *rest, struct listener_spec *ret,
			 struct error *e)
{
	struct authority a;

	if (authority_parse(rest, strlen(rest), &a) < 0 || a.port == AUTHORITY_NO_PORT ||
	    strlen(a.host) >= sizeof(ret->address))
		return bad_spec(spec, e);
	(void)snprintf(ret->address, sizeof(ret->address), "%.*s", LISTENER_ADDRESS_MAX - 1,
		       a.host);
	ret->port = (unsigned int)a.port;
	return 0;
}

static bool is_loopback(const struct sockaddr *address)
{
	if (address->sa_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(
			&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr);
	return ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr) >> 24 ==
	       IN_LOOPBACKNET;
}

/* Return: 0 with both, the list to be freed by freeaddrinfo(); an error that names the spec. */
static int listener_resolve(const char *spec, const char *rest, struct listener_spec *ret,
			    struct addrinfo **ret_ai, struct error *e)
{
	struct addrinfo hints = {
		.ai_socktype = SOCK_STREAM,
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
	};
	char port[8];
	int r = split_address(spec, rest, ret, e);

	if (r < 0)
		return r;
	hints.ai_family = strchr(ret->address, ':') ? AF_INET6 : AF_INET;
	(void)snprintf(port, sizeof(port), "%u", ret->port);
	if (getaddrinfo(ret->address, port, &hints, ret_ai) != 0)
		return bad_spec(spec, e);
	ret->is_loopback = is_loopback((*ret_ai)->ai_addr);
	return 0;
}

static int check_unix(const char *spec, const char *path, struct error *e)
{
	const size_t max = sizeof(((struct sockaddr_un *)NULL)->sun_path);

	if (*path == '\0')
		return bad_spec(spec, e);
	if (strlen(path) >= max)
		return error_set(
			e, EINVAL,
			"cannot listen on %s: the path is too long for a socket, the maximum is %zu bytes",
			spec, max - 1);
	return 0;
}

/* Return: what follows the scheme; NULL for an unknown one. */
static const char *scheme_of(const char *spec, enum http_transport *ret)
{
	static const struct {
		const char *prefix;
		enum http_transport transport;
	} schemes[] = {
		{"https://", HTTP_OVER_TLS},
		{"http://", HTTP_OVER_TCP},
		{"unix:", HTTP_OVER_UNIX},
	};

	for (size_t i = 0; i < ARRAY_SIZE(schemes); i++) {
		const char *rest = str_after_prefix(spec, schemes[i].prefix);

		*ret = schemes[i].transport;
		if (rest)
			return rest;
	}
	return NULL;
}

int listener_check(const char *spec, struct listener_spec *ret, struct error *e)
{
	struct listener_spec l = {.is_loopback = true};
	const char *rest = scheme_of(spec, &l.transport);
	struct addrinfo *ai = NULL;
	int r;

	if (!rest)
		return bad_spec(spec, e);
	r = l.transport == HTTP_OVER_UNIX ? check_unix(spec, rest, e)
					  : listener_resolve(spec, rest, &l, &ai, e);
	if (r < 0)
		return r;
	if (ai)
		freeaddrinfo(ai);
	*ret = l;
	return 0;
}

/* Port 0 asks the kernel for one; the URL must name it. */
static int real_url(int fd, struct listener *l)
{
	struct sockaddr_storage ss;
	socklen_t len = sizeof(ss);
	bool is_ipv6;

	if (getsockname(fd, (struct sockaddr *)&ss, &len) < 0)
		return -errno;
	is_ipv6 = ss.ss_family == AF_INET6;
	l->spec.port = ntohs(is_ipv6 ? ((struct sockaddr_in6 *)&ss)->sin6_port
				     : ((struct sockaddr_in *)&ss)->sin_port);
	(void)snprintf(l->url, sizeof(l->url), is_ipv6 ? "%s://[%s]:%u" : "%s://%s:%u",
		       l->spec.transport == HTTP_OVER_TLS ? "https" : "http", l->spec.address,
		       l->spec.port);
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
	int r;

	r = listener_resolve(spec, rest, &ret->spec, &ai, e);
	if (r < 0)
		return r;
	fd = socket(ai->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	r = fd < 0 ? -errno : bind_tcp(fd, ai);
	freeaddrinfo(ai);
	if (r >= 0)
		r = real_url(fd, ret);
	if (r == -EACCES)
		return error_set(
			e, r,
			"cannot listen on %s: the user of the service may not use this port: choose one from 1024 on, or lower the sysctl net.ipv4.ip_unprivileged_port_start",
			spec);
	if (r < 0)
		return error_set(e, r, "cannot listen on %s: %s", spec, strerror(-r));
	ret->fd = STEAL_FD(fd);
	return 0;
}

bool listener_is_at(const char *spec, int fd, bool exactly)
{
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	} bound = {.any.sa_family = AF_UNSPEC};
	socklen_t len = sizeof(bound);
	struct listener_spec wanted;
	struct addrinfo *ai = NULL;
	const char *rest = scheme_of(spec, &wanted.transport);
	bool is_ipv6, same;

	if (!rest || wanted.transport == HTTP_OVER_UNIX || getsockname(fd, &bound.any, &len) < 0 ||
	    listener_resolve(spec, rest, &wanted, &ai, NULL) < 0)
		return false;
	is_ipv6 = bound.any.sa_family == AF_INET6;
	same = wanted.port == ntohs(is_ipv6 ? bound.in6.sin6_port : bound.in.sin_port);
	if (exactly)
		same = same && ai->ai_family == bound.any.sa_family &&
		       memcmp(cidr_address_bytes(ai->ai_addr), cidr_address_bytes(&bound.any),
			      is_ipv6 ? sizeof(struct in6_addr) : sizeof(struct in_addr)) == 0;
	freeaddrinfo(ai);
	return same;
}

int listener_adopt(const char *spec, int fd, struct listener *ret, struct error *e)
{
	struct listener l = {.fd = -1};
	_cleanup_close_ int own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	int flags = own < 0 ? -1 : fcntl(own, F_GETFL);
	int r = listener_check(spec, &l.spec, e);

	if (r < 0)
		return r;
	r = flags < 0 || fcntl(own, F_SETFL, flags | O_NONBLOCK) < 0 ? -errno : real_url(own, &l);
	if (r < 0)
		return error_set(e, r, "cannot listen on %s: %s", spec, strerror(-r));
	l.fd = STEAL_FD(own);
	*ret = l;
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
	const char *rest;
	int r;

	r = listener_check(spec, &l.spec, e);
	if (r < 0)
		return r;
	rest = scheme_of(spec, &l.spec.transport);
	r = l.spec.transport == HTTP_OVER_UNIX ? open_unix(rest, &l, e)
					       : open_tcp(spec, rest, &l, e);
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
