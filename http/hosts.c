// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/hosts.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { OWN_NAME_MAX = HOST_NAME_MAX + 1 };

void http_hosts_init(struct http_hosts *h)
{
	(void)pthread_mutex_init(&h->lock, NULL);
	h->n = 0;
}

void http_hosts_done(struct http_hosts *h)
{
	(void)pthread_mutex_destroy(&h->lock);
}

void http_hosts_set(struct http_hosts *h, const char *const *items, size_t n)
{
	(void)pthread_mutex_lock(&h->lock);
	h->n = n < HOST_NAMES_MAX ? n : HOST_NAMES_MAX;
	for (size_t i = 0; i < h->n; i++)
		(void)snprintf(h->items[i], sizeof(h->items[i]), "%s", items[i]);
	(void)pthread_mutex_unlock(&h->lock);
}

/* Return: whether what follows the host is nothing, or a port. */
static bool is_port(const char *text)
{
	size_t n;

	if (*text == '\0')
		return true;
	n = *text == ':' ? strspn(text + 1, "0123456789") : 6;
	return n <= 5 && text[1 + n] == '\0';
}

/* "[ADDRESS]", with or without a zone. */
static bool is_ipv6(const char *authority)
{
	const char *end = strchr(authority, ']');
	size_t n = end ? strcspn(authority + 1, "%]") : INET6_ADDRSTRLEN;
	struct in6_addr unused;
	char text[INET6_ADDRSTRLEN];

	if (n >= sizeof(text) || !is_port(end + 1))
		return false;
	memcpy(text, authority + 1, n);
	text[n] = '\0';
	return inet_pton(AF_INET6, text, &unused) == 1;
}

static bool same_name(const char *a, const char *b)
{
	size_t n = strlen(b);

	n -= n > 1 && b[n - 1] == '.';
	return strlen(a) == n && strncasecmp(a, b, n) == 0;
}

/* The name of this host, or its first label. */
static bool is_own(const char *name)
{
	char own[OWN_NAME_MAX] = "";

	if (gethostname(own, sizeof(own) - 1) < 0 || own[0] == '\0')
		return false;
	if (same_name(name, own))
		return true;
	own[strcspn(own, ".")] = '\0';
	return same_name(name, own);
}

static bool is_listed(struct http_hosts *h, const char *name)
{
	bool found = false;

	(void)pthread_mutex_lock(&h->lock);
	for (size_t i = 0; i < h->n && !found; i++)
		found = same_name(name, h->items[i]);
	(void)pthread_mutex_unlock(&h->lock);
	return found;
}

bool http_hosts_admit(struct http_hosts *h, const char *authority, size_t len)
{
	char name[HOST_NAME_BYTES + 6];
	struct in_addr unused;
	size_t n;

	if (len >= sizeof(name))
		return false;
	memcpy(name, authority, len);
	name[len] = '\0';
	if (name[0] == '[')
		return is_ipv6(name);
	n = strcspn(name, ":");
	if (n == 0 || !is_port(name + n))
		return false;
	name[n] = '\0';
	/* The root of the domain names may be written out. */
	if (n > 1 && name[n - 1] == '.')
		name[n - 1] = '\0';
	return inet_pton(AF_INET, name, &unused) == 1 || same_name(name, "localhost") ||
	       is_own(name) || is_listed(h, name);
}
