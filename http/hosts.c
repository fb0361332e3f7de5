// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/hosts.h"

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

/* Any port is accepted, and none: a proxy may have another one. */
bool http_hosts_admit(struct http_hosts *h, const char *authority, size_t len)
{
	struct authority a;
	size_t n;

	if (authority_parse(authority, len, &a) < 0)
		return false;
	if (a.kind != AUTHORITY_NAME)
		return true;
	/* The root of the domain names may be written out. */
	n = strlen(a.host);
	if (n > 1 && a.host[n - 1] == '.')
		a.host[n - 1] = '\0';
	return same_name(a.host, "localhost") || is_own(a.host) || is_listed(h, a.host);
}
