// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/service/diagnostics.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/strutil.h"

#define MIB(bytes) ((bytes) >> 20)

struct kept_archive {
	struct diagnostic d; /* id 0: the place is free */
	uint64_t expires_ms; /* clock_monotonic_ms() */
	int fd;		     /* -1: the archive is gone */
	/* While it was being sent: it is shown no more, but is on the disk until that ends. */
	bool removed;
	uint64_t session; /* of the client to which it is being sent; 0 none */
	bool revoked;	  /* its right to get it */
};

struct diagnostics {
	char *directory; /* NULL: nothing can be collected */
	struct diagnostic_collector collector;

	pthread_mutex_t lock; /* of what follows */
	bool busy;
	uint64_t last_id;
	struct kept_archive kept[DIAGNOSTICS_MAX];
};

struct diagnostics *diagnostics_new(void)
{
	struct diagnostics *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	(void)pthread_mutex_init(&d->lock, NULL);
	for (size_t i = 0; i < DIAGNOSTICS_MAX; i++)
		d->kept[i].fd = -1;
	return d;
}

static void kept_drop(struct kept_archive *k)
{
	cleanup_close(&k->fd);
	*k = (struct kept_archive){.fd = -1};
}

static void kept_remove(struct kept_archive *k)
{
	if (k->d.state == DIAGNOSTIC_SENDING)
		k->removed = true;
	else
		kept_drop(k);
}

struct diagnostics *diagnostics_free(struct diagnostics *d)
{
	if (!d)
		return NULL;
	for (size_t i = 0; i < DIAGNOSTICS_MAX; i++)
		kept_drop(&d->kept[i]);
	(void)pthread_mutex_destroy(&d->lock);
	free(d->directory);
	free(d);
	return NULL;
}

int diagnostics_set(struct diagnostics *d, const char *directory,
		    const struct diagnostic_collector *c)
{
	d->directory = strdup(directory);
	d->collector = *c;
	return d->directory ? 0 : -ENOMEM;
}

bool diagnostics_are_set(const struct diagnostics *d)
{
	return d->directory;
}

bool diagnostics_are_recorded(const struct diagnostics *d)
{
	return d->collector.recorded;
}

/* ---- those that are kept; with the lock held --------------------------------------------------
 */

static void expire_all(struct diagnostics *d)
{
	const uint64_t now = clock_monotonic_ms();

	for (size_t i = 0; i < DIAGNOSTICS_MAX; i++) {
		struct kept_archive *k = &d->kept[i];

		if (k->d.id && k->d.state != DIAGNOSTIC_SENDING && now >= k->expires_ms)
			kept_drop(k);
	}
}

static struct kept_archive *find(struct diagnostics *d, uint64_t id)
{
	for (size_t i = 0; id && i < DIAGNOSTICS_MAX; i++)
		if (d->kept[i].d.id == id)
			return &d->kept[i];
	return NULL;
}

static struct kept_archive *find_in(struct diagnostics *d, enum diagnostic_place place, uint64_t id)
{
	struct kept_archive *k;

	expire_all(d);
	k = find(d, id);
	return k && !k->removed && k->d.place == place ? k : NULL;
}

/* Return: a free place; else that of the oldest one that was sent; NULL when there is none. */
static struct kept_archive *find_place(struct diagnostics *d)
{
	struct kept_archive *sent = NULL;

	expire_all(d);
	for (size_t i = 0; i < DIAGNOSTICS_MAX; i++) {
		struct kept_archive *k = &d->kept[i];

		if (!k->d.id)
			return k;
		if (k->d.state == DIAGNOSTIC_SENT && (!sent || k->d.id < sent->d.id))
			sent = k;
	}
	return sent;
}

/* @fd: taken over. Return: its number; 0: there is no place, which was there at the beginning. */
static uint64_t keep(struct diagnostics *d, const struct diagnostic *made, int fd)
{
	const uint64_t keep_ms = d->collector.keep_ms ? d->collector.keep_ms : DIAGNOSTICS_KEEP_MS;
	struct kept_archive *k = find_place(d);

	if (!k) {
		(void)close(fd);
		return 0;
	}
	kept_drop(k);
	k->d = *made;
	k->d.id = ++d->last_id;
	k->d.state = DIAGNOSTIC_KEPT;
	k->d.created_ns = clock_realtime_ns();
	k->d.expires_ns = k->d.created_ns + keep_ms * 1000000;
	k->expires_ms = clock_monotonic_ms() + keep_ms;
	k->fd = fd;
	return k->d.id;
}

/* ---- collecting -------------------------------------------------------------------------------
 */

int diagnostics_begin(struct diagnostics *d)
{
	int r = 0;

	if (!diagnostics_are_set(d))
		return -ENODEV;
	(void)pthread_mutex_lock(&d->lock);
	if (d->busy)
		r = -EBUSY;
	else if (!find_place(d))
		r = -EUSERS;
	else
		d->busy = true;
	(void)pthread_mutex_unlock(&d->lock);
	return r;
}

void diagnostics_end(struct diagnostics *d)
{
	(void)pthread_mutex_lock(&d->lock);
	d->busy = false;
	(void)pthread_mutex_unlock(&d->lock);
}

/* Without a name at once, as an upload (redfish/service/upload.c). */
static int create_file(const struct diagnostics *d, struct error *e)
{
	_cleanup_close_ int fd = -1;
	char path[4096];
	const int n = snprintf(path, sizeof(path), "%s/capture.XXXXXX", d->directory);

	if (n < 0 || (size_t)n >= sizeof(path))
		return error_set(e, ENAMETOOLONG, "the path of the state directory is too long");
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0 || unlink(path) < 0)
		return error_set(e, errno, "a file cannot be created in the state directory: %s",
				 strerror(errno));
	return STEAL_FD(fd);
}

/* For on_step(). */
struct step_context {
	int fd;
	int (*step)(void *userdata, uint64_t done, uint64_t total);
	void *userdata;
	struct error *e;
};

static int check_space(int fd, struct error *e)
{
	struct statvfs fs;
	uint64_t bytes_free;

	if (fstatvfs(fd, &fs) < 0)
		return error_set(e, errno, "the state directory: %s", strerror(errno));
	bytes_free = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (bytes_free < DIAGNOSTICS_FREE_MIN)
		return error_set(e, ENOSPC,
				 "the state directory has %" PRIu64
				 " MiB free, of which %d MiB are kept free; make space there",
				 MIB(bytes_free), MIB(DIAGNOSTICS_FREE_MIN));
	return 0;
}

static int check_size(int fd, uint64_t *ret, struct error *e)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_set(e, errno, "the archive: %s", strerror(errno));
	*ret = (uint64_t)st.st_size;
	if (*ret > DIAGNOSTICS_BYTES_MAX)
		return error_set(e, EFBIG, "the archive is larger than %llu MiB, the limit",
				 MIB(DIAGNOSTICS_BYTES_MAX));
	return 0;
}

static int on_step(void *userdata, uint64_t done, uint64_t total)
{
	const struct step_context *c = userdata;
	uint64_t size;
	int r = c->step(c->userdata, done, total);

	if (r < 0)
		return r;
	r = check_space(c->fd, c->e);
	return r < 0 ? r : check_size(c->fd, &size, c->e);
}

int diagnostics_collect(struct diagnostics *d, const struct diagnostic *what,
			int (*step)(void *userdata, uint64_t done, uint64_t total), void *userdata,
			uint64_t *ret_id, struct error *e)
{
	struct step_context c = {.step = step, .userdata = userdata, .e = e};
	struct diagnostic_order o = {.masked = what->masked, .step = on_step, .userdata = &c};
	_cleanup_free_ struct diagnostic *made = malloc(sizeof(*made));
	int r;

	if (!made)
		return error_set(e, ENOMEM, "out of memory");
	*made = *what;
	o.fd = c.fd = create_file(d, e);
	if (o.fd < 0)
		return o.fd;
	r = check_space(o.fd, e);
	if (r == 0)
		r = d->collector.collect(d->collector.userdata, &o, made, e);
	if (r == 0)
		r = check_size(o.fd, &made->size, e);
	if (r < 0) {
		(void)close(o.fd);
		return r;
	}
	(void)pthread_mutex_lock(&d->lock);
	*ret_id = keep(d, made, o.fd);
	(void)pthread_mutex_unlock(&d->lock);
	return *ret_id ? 0 : error_set(e, EUSERS, "there are %d archives already", DIAGNOSTICS_MAX);
}

/* ---- the list ---------------------------------------------------------------------------------
 */

size_t diagnostics_list(struct diagnostics *d, enum diagnostic_place place,
			uint64_t ret[static DIAGNOSTICS_MAX])
{
	size_t n = 0;

	(void)pthread_mutex_lock(&d->lock);
	expire_all(d);
	for (size_t i = 0; i < DIAGNOSTICS_MAX; i++) {
		const struct diagnostic *k = &d->kept[i].d;
		size_t at = n;

		if (!k->id || k->place != place || d->kept[i].removed)
			continue;
		for (; at > 0 && ret[at - 1] > k->id; at--)
			ret[at] = ret[at - 1];
		ret[at] = k->id;
		n++;
	}
	(void)pthread_mutex_unlock(&d->lock);
	return n;
}

bool diagnostics_get(struct diagnostics *d, enum diagnostic_place place, uint64_t id,
		     struct diagnostic *ret)
{
	const struct kept_archive *k;

	(void)pthread_mutex_lock(&d->lock);
	k = find_in(d, place, id);
	if (k)
		*ret = k->d;
	(void)pthread_mutex_unlock(&d->lock);
	return k;
}

void diagnostics_clear(struct diagnostics *d, enum diagnostic_place place)
{
	(void)pthread_mutex_lock(&d->lock);
	for (size_t i = 0; i < DIAGNOSTICS_MAX; i++)
		if (d->kept[i].d.id && d->kept[i].d.place == place)
			kept_remove(&d->kept[i]);
	(void)pthread_mutex_unlock(&d->lock);
}

bool diagnostics_remove(struct diagnostics *d, enum diagnostic_place place, uint64_t id)
{
	struct kept_archive *k;

	(void)pthread_mutex_lock(&d->lock);
	k = find_in(d, place, id);
	if (k)
		kept_remove(k);
	(void)pthread_mutex_unlock(&d->lock);
	return k;
}

void diagnostics_expire(struct diagnostics *d)
{
	(void)pthread_mutex_lock(&d->lock);
	expire_all(d);
	(void)pthread_mutex_unlock(&d->lock);
}

/* ---- sending ----------------------------------------------------------------------------------
 */

/* A name is not enough: another account may have got it since, and local clients have none. */
static bool is_owner(const struct diagnostic *d, const struct principal *p)
{
	return d->account == p->account && (d->account || str_equal(d->from, p->from));
}

static int open_kept(struct kept_archive *k, const struct principal *by, int *ret_fd)
{
	if (!k)
		return -ENOENT;
	if (!is_owner(&k->d, by))
		return -EACCES;
	if (k->d.state == DIAGNOSTIC_SENT)
		return -ESTALE;
	if (k->d.state == DIAGNOSTIC_SENDING)
		return -EBUSY;
	if (!ret_fd)
		return 0;
	*ret_fd = fcntl(k->fd, F_DUPFD_CLOEXEC, 0);
	if (*ret_fd < 0)
		return -errno;
	k->d.state = DIAGNOSTIC_SENDING;
	k->session = by->session;
	k->revoked = false;
	return 0;
}

int diagnostics_open(struct diagnostics *d, enum diagnostic_place place, uint64_t id,
		     const struct principal *by, int *ret_fd, uint64_t *ret_size)
{
	struct kept_archive *k;
	int r;

	(void)pthread_mutex_lock(&d->lock);
	k = find_in(d, place, id);
	r = open_kept(k, by, ret_fd);
	if (r == 0)
		*ret_size = k->d.size;
	(void)pthread_mutex_unlock(&d->lock);
	return r;
}

void diagnostics_revoke(struct diagnostics *d, const struct revocation *r)
{
	(void)pthread_mutex_lock(&d->lock);
	for (size_t i = 0; i < DIAGNOSTICS_MAX; i++) {
		struct kept_archive *k = &d->kept[i];
		const struct principal p = {.account = k->d.account, .session = k->session};

		if (k->d.state == DIAGNOSTIC_SENDING && revocation_concerns(r, &p))
			k->revoked = true;
	}
	(void)pthread_mutex_unlock(&d->lock);
}

bool diagnostics_may_send(struct diagnostics *d, uint64_t id)
{
	const struct kept_archive *k;
	bool may;

	(void)pthread_mutex_lock(&d->lock);
	k = find(d, id);
	may = !k || !k->revoked;
	(void)pthread_mutex_unlock(&d->lock);
	return may;
}

void diagnostics_sent(struct diagnostics *d, uint64_t id, bool all)
{
	struct kept_archive *k;

	(void)pthread_mutex_lock(&d->lock);
	k = find(d, id);
	if (k && k->removed) {
		kept_drop(k);
	} else if (k && k->d.state == DIAGNOSTIC_SENDING) {
		k->d.state = all ? DIAGNOSTIC_SENT : DIAGNOSTIC_KEPT;
		if (all) {
			cleanup_close(&k->fd);
			k->fd = -1;
		}
	}
	(void)pthread_mutex_unlock(&d->lock);
}
