// SPDX-License-Identifier: LGPL-2.1-or-later
#include "opener/opener.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/fileio.h"
#include "common/frame.h"
#include "opener/kept_files.h"
#include "opener/paths.h"
#include "opener/request.h"

enum { IDLE_MAX = 4 };

struct opener {
	struct sockaddr_un address;
	socklen_t address_len;
	enum opener_owner owner;
	atomic_uint references; /* main's, and one of each transport for mailbox commands */
	atomic_bool up;
	pthread_mutex_t lock; /* of what follows */
	int idle[IDLE_MAX];
	size_t n_idle, n_used;
	struct kept_files kept;
};

int opener_new(const struct sockaddr *address, socklen_t len, enum opener_owner owner,
	       struct opener **ret)
{
	struct opener *o;

	if (len > sizeof(o->address))
		return -EINVAL;
	o = calloc(1, sizeof(*o));
	if (!o)
		return -ENOMEM;
	memcpy(&o->address, address, len);
	o->address_len = len;
	o->owner = owner;
	atomic_init(&o->references, 1);
	atomic_init(&o->up, false);
	(void)pthread_mutex_init(&o->lock, NULL);
	*ret = o;
	return 0;
}

void opener_describe(const struct opener *o, struct opener_description *ret)
{
	*ret = (struct opener_description){
		.owner = o->owner,
		.up = opener_is_up(o),
		.address_len = o->address_len,
		.address = o->address,
	};
}

int opener_new_described(const struct opener_description *p, struct opener **ret)
{
	int r;

	if (p->owner > OPENER_OWN || p->address_len > sizeof(p->address))
		return -EINVAL;
	r = opener_new((const struct sockaddr *)&p->address, p->address_len,
		       (enum opener_owner)p->owner, ret);
	if (r == 0)
		opener_set_up(*ret, p->up);
	return r;
}

/* With the lock held. */
static void close_idle(struct opener *o)
{
	while (o->n_idle > 0)
		(void)close(o->idle[--o->n_idle]);
}

struct opener *opener_ref(struct opener *o)
{
	if (o)
		atomic_fetch_add_explicit(&o->references, 1, memory_order_relaxed);
	return o;
}

struct opener *opener_free(struct opener *o)
{
	if (!o || atomic_fetch_sub_explicit(&o->references, 1, memory_order_acq_rel) != 1)
		return NULL;
	close_idle(o);
	kept_files_done(&o->kept);
	(void)pthread_mutex_destroy(&o->lock);
	free(o);
	return NULL;
}

void opener_set_up(struct opener *o, bool up)
{
	(void)pthread_mutex_lock(&o->lock);
	atomic_store(&o->up, up);
	if (!up) {
		close_idle(o);
		kept_files_done(&o->kept);
	}
	(void)pthread_mutex_unlock(&o->lock);
}

bool opener_is_up(const struct opener *o)
{
	return o && atomic_load(&o->up);
}

bool opener_may_open(const struct opener *o)
{
	return !o || o->owner == OPENER_SHARED;
}

/* ---- connections ------------------------------------------------------------------------------
 */

int opener_connect(const struct opener *o)
{
	_cleanup_close_ int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -errno;
	/* EAGAIN: too many connections wait to be accepted. */
	if (connect(fd, (const struct sockaddr *)&o->address, o->address_len) < 0)
		return errno == EAGAIN ? -EUSERS : -errno;
	return STEAL_FD(fd);
}

/* Return: a connection of the calling thread. */
static int opener_acquire(struct opener *o)
{
	int fd = -1, r = 0;

	(void)pthread_mutex_lock(&o->lock);
	if (o->n_used == OPENER_HANGING_MAX)
		r = -EUSERS;
	else if (o->n_idle > 0)
		fd = o->idle[--o->n_idle];
	o->n_used += r == 0;
	(void)pthread_mutex_unlock(&o->lock);
	if (r < 0 || fd >= 0)
		return r < 0 ? r : fd;
	fd = opener_connect(o);
	if (fd < 0) {
		(void)pthread_mutex_lock(&o->lock);
		o->n_used--;
		(void)pthread_mutex_unlock(&o->lock);
	}
	return fd;
}

static void opener_release(struct opener *o, int fd, bool usable)
{
	(void)pthread_mutex_lock(&o->lock);
	o->n_used--;
	if (usable && o->n_idle < IDLE_MAX && atomic_load(&o->up))
		o->idle[o->n_idle++] = STEAL_FD(fd);
	(void)pthread_mutex_unlock(&o->lock);
	if (fd >= 0)
		(void)close(fd);
}

/* A reply of at most @max bytes of payload behind it. */
struct answer {
	struct opener_reply head;
	uint8_t *payload;
	size_t max;
	int fd; /* -1: none came */
};

static int opener_receive(int fd, struct answer *a)
{
	const struct iovec parts[] = {{&a->head, sizeof(a->head)}, {a->payload, a->max}};
	size_t len;
	int r = frame_receive_fd(fd, parts, a->max ? 2 : 1, sizeof(a->head), &len, &a->fd);

	if (r < 0)
		return r;
	return a->head.len == len - sizeof(a->head) ? 0 : -EBADMSG;
}

struct call {
	struct iovec request;
	int timeout_ms; /* negative: for ever */
	/* It may change something: when it was sent, it is not sent again. */
	bool once;
	bool sent;
};

/* One request and its reply. Return: 0, or less when there was no valid reply. */
static int opener_exchange(int fd, struct call *call, struct answer *a)
{
	int r = frame_send(fd, &call->request, 1, call->request.iov_len);

	call->sent = r == 0;
	if (r == 0)
		r = clock_wait_fd(fd, POLLIN,
				  call->timeout_ms < 0
					  ? UINT64_MAX
					  : clock_monotonic_ms() + (uint64_t)call->timeout_ms);
	return r == 0 ? opener_receive(fd, a) : r;
}

/* A kept connection may be to a helper that has ended: then a new one is tried, once. */
static int opener_make_call(struct opener *o, struct call *call, struct answer *a)
{
	int r = -ECONNRESET;

	for (int attempt = 0; attempt < 2 && r == -ECONNRESET; attempt++) {
		const int fd = opener_acquire(o);

		if (fd < 0)
			return fd;
		a->fd = -1;
		r = opener_exchange(fd, call, a);
		if (r < 0 && a->fd >= 0)
			(void)close(STEAL_FD(a->fd));
		/* A helper that is busy has no connection to spare. */
		opener_release(o, fd, r == 0 && a->head.result != -EBUSY);
		r = r == -EPIPE ? -ECONNRESET : r;
		if (r == -ECONNRESET && call->once && call->sent)
			break;
		if (r == -ECONNRESET && attempt == 0) {
			(void)pthread_mutex_lock(&o->lock);
			close_idle(o);
			(void)pthread_mutex_unlock(&o->lock);
		}
	}
	return r;
}

/* Return: milliseconds, -1 as long as a device waits. */
static int call_timeout(enum opener_kind kind)
{
	switch (kind) {
	case OPENER_COMMANDS:
	case OPENER_COMMAND:
		return -1;
	case OPENER_DAX_HOLDERS:
		return OPENER_PROCESSES_TIMEOUT_MS;
	default:
		return OPENER_TIMEOUT_MS;
	}
}

/* Commands to memory devices only read, so sending one twice does no harm. */
static int opener_call(struct opener *o, struct opener_request *q, struct answer *a)
{
	struct call call = {.request = {q, opener_request_bytes(q)},
			    .timeout_ms = call_timeout(q->kind)};
	int r;

	q->version = OPENER_VERSION;
	r = opener_make_call(o, &call, a);
	if (r == -ETIMEDOUT)
		atomic_store(&o->up, false);
	return r == 0 ? a->head.result : r;
}

static int request_path(struct opener_request *q, const char *path)
{
	if (strlen(path) >= sizeof(q->path))
		return -ENAMETOOLONG;
	(void)stpcpy(q->path, path);
	return 0;
}

/* ---- files ------------------------------------------------------------------------------------
 */

static int open_directly(const char *path)
{
	const bool device = strcmp(path, OPENER_PRM_DEVICE) == 0;
	const int fd = open(path, O_CLOEXEC | O_NOCTTY | (device ? O_RDWR : O_RDONLY | O_NONBLOCK));

	return fd < 0 ? -errno : fd;
}

static int open_by_helper(struct opener *o, const char *path)
{
	struct opener_request q = {.kind = OPENER_OPEN};
	struct answer a = {.fd = -1};
	int r = request_path(&q, path);

	if (r == 0)
		r = opener_call(o, &q, &a);
	if (r == 0 && a.fd >= 0)
		return a.fd;
	if (a.fd >= 0)
		(void)close(a.fd);
	return r < 0 ? r : -EBADMSG;
}

/* Whether the helper does a thing; if not, the caller may, or it is not done. */
static bool by_helper(const struct opener *o, enum opener_kind kind, const char *path)
{
	return opener_is_up(o) && opener_path_place(kind, path) != OPENER_NOWHERE;
}

static bool is_forbidden(const struct opener *o, enum opener_kind kind, const char *path)
{
	return !opener_may_open(o) && opener_path_place(kind, path) != OPENER_NOWHERE;
}

int opener_open(struct opener *o, const char *path)
{
	if (by_helper(o, OPENER_OPEN, path))
		return open_by_helper(o, path);
	return is_forbidden(o, OPENER_OPEN, path) ? -EACCES : open_directly(path);
}

static int open_at_by_helper(struct opener *o, int dirfd, const char *name)
{
	char link[sizeof("/proc/self/fd/2147483647")], path[OPENER_PATH_MAX];
	const size_t name_len = strlen(name);
	ssize_t n;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", dirfd);
	n = readlink(link, path, sizeof(path));
	if (n < 0)
		return -errno;
	if ((size_t)n + name_len + 2 > sizeof(path))
		return -ENAMETOOLONG;
	path[n] = '/';
	memcpy(path + n + 1, name, name_len + 1);
	if (opener_path_place(OPENER_OPEN, path) == OPENER_NOWHERE)
		return -EACCES;
	return open_by_helper(o, path);
}

int opener_open_at(struct opener *o, int dirfd, const char *name)
{
	int fd;

	if (!opener_is_up(o))
		return -EACCES;
	(void)pthread_mutex_lock(&o->lock);
	fd = kept_files_get(&o->kept, dirfd, name);
	(void)pthread_mutex_unlock(&o->lock);
	if (fd >= 0)
		return fd;
	fd = open_at_by_helper(o, dirfd, name);
	if (fd < 0)
		return fd;
	(void)pthread_mutex_lock(&o->lock);
	kept_files_add(&o->kept, dirfd, name, fd);
	(void)pthread_mutex_unlock(&o->lock);
	return fd;
}

int opener_read(struct opener *o, const char *path, size_t max, char **ret, size_t *ret_len)
{
	_cleanup_close_ int fd = opener_open(o, path);

	return fd < 0 ? fd : read_open_file(fd, max, ret, ret_len);
}

static int list_directly(const char *path, char **ret, size_t *ret_len)
{
	_cleanup_closedir_ DIR *dir = opendir(path);
	_cleanup_free_ char *names = malloc(OPENER_LIST_MAX);
	int r;

	if (!dir || !names)
		return dir ? -ENOMEM : -errno;
	r = opener_pack_names(dir, names, ret_len);
	if (r == 0)
		*ret = STEAL_PTR(names);
	return r;
}

int opener_list(struct opener *o, const char *path, char **ret, size_t *ret_len)
{
	struct opener_request q = {.kind = OPENER_LIST};
	_cleanup_free_ char *names = NULL;
	struct answer a = {.max = OPENER_LIST_MAX, .fd = -1};
	int r;

	if (!by_helper(o, OPENER_LIST, path))
		return is_forbidden(o, OPENER_LIST, path) ? -EACCES
							  : list_directly(path, ret, ret_len);
	names = malloc(OPENER_LIST_MAX);
	if (!names)
		return -ENOMEM;
	a.payload = (uint8_t *)names;
	r = request_path(&q, path);
	if (r == 0)
		r = opener_call(o, &q, &a);
	if (r == 0 && a.head.len > 0 && names[a.head.len - 1] != '\0')
		r = -EBADMSG;
	if (r < 0)
		return r;
	*ret = STEAL_PTR(names);
	*ret_len = a.head.len;
	return 0;
}

static int stat_directly(const char *path, uint64_t *ret_inode, uint64_t *ret_ns)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return -errno;
	*ret_inode = st.st_ino;
	*ret_ns = st.st_mtim.tv_sec > 0
			  ? (uint64_t)st.st_mtim.tv_sec * 1000000000 + (uint64_t)st.st_mtim.tv_nsec
			  : 0;
	return 0;
}

int opener_stat(struct opener *o, const char *path, uint64_t *ret_inode, uint64_t *ret_ns)
{
	struct opener_request q = {.kind = OPENER_STAT};
	struct answer a = {.fd = -1};
	int r;

	if (!by_helper(o, OPENER_STAT, path))
		return is_forbidden(o, OPENER_STAT, path) ? -EACCES
							  : stat_directly(path, ret_inode, ret_ns);
	r = request_path(&q, path);
	if (r == 0)
		r = opener_call(o, &q, &a);
	if (r < 0)
		return r;
	*ret_inode = a.head.value;
	*ret_ns = a.head.value2;
	return 0;
}

/* ---- use of memory ----------------------------------------------------------------------------
 */

int opener_block_pages(struct opener *o, uint64_t block, uint32_t *counts, size_t n)
{
	struct opener_request q = {.kind = OPENER_BLOCK_PAGES};
	struct answer a = {.payload = (uint8_t *)counts, .max = n * sizeof(*counts), .fd = -1};
	int r;

	if (!opener_is_up(o))
		return -EACCES;
	(void)snprintf(q.path, sizeof(q.path), "/sys/devices/system/memory/memory%llu",
		       (unsigned long long)block);
	r = opener_call(o, &q, &a);
	if (r < 0)
		return r;
	return a.head.len == a.max ? 0 : -EBADMSG;
}

int opener_page_use(struct opener *o, uint64_t pfn, void *use, size_t size)
{
	struct opener_request q = {
		.kind = OPENER_PAGE_USE, .device = (uint32_t)pfn, .row = (uint16_t)(pfn >> 32)};
	struct answer a = {.payload = use, .max = size, .fd = -1};
	int r = opener_is_up(o) ? opener_call(o, &q, &a) : -EACCES;

	if (a.fd >= 0)
		(void)close(a.fd);
	if (r < 0)
		return r;
	return a.head.len == size ? 0 : -EBADMSG;
}

int opener_dax_holders(struct opener *o, void *items, size_t size, size_t *ret_len,
		       bool *ret_complete)
{
	struct opener_request q = {.kind = OPENER_DAX_HOLDERS};
	struct answer a = {.payload = items, .max = size, .fd = -1};
	int r = opener_is_up(o) ? opener_call(o, &q, &a) : -EACCES;

	if (r < 0)
		return r;
	*ret_len = a.head.len;
	*ret_complete = a.head.value != 0;
	return 0;
}

int opener_kernel_log(struct opener *o, char *text, size_t size)
{
	struct opener_request q = {.kind = OPENER_KERNEL_LOG};
	struct answer a = {.payload = (uint8_t *)text, .max = size - 1, .fd = -1};
	int r = opener_is_up(o) ? opener_call(o, &q, &a) : -EACCES;

	if (a.fd >= 0)
		(void)close(a.fd);
	if (r < 0)
		return r;
	text[a.head.len] = '\0';
	return strlen(text) == a.head.len ? 0 : -EBADMSG;
}

/* ---- mailbox commands, changes ----------------------------------------------------------------
 */

int opener_commands(struct opener *o, uint32_t device, uint32_t *ret_supported)
{
	struct opener_request q = {.kind = OPENER_COMMANDS, .device = device};
	struct answer a = {.fd = -1};
	int r = opener_call(o, &q, &a);

	if (r < 0)
		return r;
	*ret_supported = (uint32_t)a.head.value;
	return 0;
}

int opener_command(struct opener *o, uint32_t device, uint16_t row, uint16_t opcode,
		   uint8_t *output, uint32_t *ret_code)
{
	struct opener_request q = {
		.kind = OPENER_COMMAND, .device = device, .row = row, .opcode = opcode};
	struct answer a = {.payload = output, .max = OPENER_OUTPUT_MAX, .fd = -1};
	int r = opener_call(o, &q, &a);

	*ret_code = a.head.code;
	return r;
}

static int opener_call_switch(struct opener *o, struct opener_switch_request *q, struct answer *a)
{
	struct call call = {.request = {q, OPENER_SWITCH_REQUEST_HEAD + q->len},
			    .timeout_ms = OPENER_SWITCH_TIMEOUT_MS,
			    .once = true};
	int r;

	q->version = OPENER_VERSION;
	r = opener_make_call(o, &call, a);
	return r == 0 && a->head.result < 0 ? a->head.result : r;
}

int opener_switches(struct opener *o, struct opener_switch ret[OPENER_SWITCHES_MAX], size_t *ret_n,
		    bool *ret_may_change)
{
	struct opener_switch_request q = {.kind = OPENER_SWITCHES};
	struct answer a = {
		.payload = (uint8_t *)ret, .max = OPENER_SWITCHES_MAX * sizeof(*ret), .fd = -1};
	int r = opener_call_switch(o, &q, &a);

	if (r < 0)
		return r;
	if (a.head.len % sizeof(*ret) != 0)
		return -EBADMSG;
	*ret_n = a.head.len / sizeof(*ret);
	*ret_may_change = a.head.value != 0;
	for (size_t i = 0; i < *ret_n; i++) {
		ret[i].name[sizeof(ret[i].name) - 1] = '\0';
		ret[i].reason[sizeof(ret[i].reason) - 1] = '\0';
	}
	return 0;
}

int opener_switch_command(struct opener *o, struct opener_switch_request *q, uint8_t *output,
			  size_t *ret_len, uint32_t *ret_code)
{
	struct answer a = {.payload = output, .max = OPENER_SWITCH_PAYLOAD_MAX, .fd = -1};
	int r;

	q->kind = OPENER_SWITCH_COMMAND;
	r = opener_call_switch(o, q, &a);
	if (r < 0)
		return r;
	*ret_len = a.head.len;
	*ret_code = a.head.code;
	return 0;
}

int opener_watch(struct opener *o)
{
	const struct opener_request q = {.version = OPENER_VERSION, .kind = OPENER_WATCH};
	const struct iovec part = {(void *)(uintptr_t)&q, opener_request_bytes(&q)};
	_cleanup_close_ int fd = opener_connect(o);
	int r;

	if (fd < 0)
		return fd;
	r = frame_send(fd, &part, 1, sizeof(q));
	return r < 0 ? r : STEAL_FD(fd);
}

static struct uevent uevent_of(const struct opener_reply *reply)
{
	/* A kind of another version is a change that this one does not know. */
	if (reply->code == UEVENT_BLOCK_ONLINE)
		return (struct uevent){UEVENT_BLOCK_ONLINE, reply->value2, reply->value};
	return (struct uevent){.kind = reply->code == UEVENT_LOST ? UEVENT_LOST : UEVENT_OTHER};
}

int opener_watch_receive(int fd, struct uevent *ret)
{
	struct answer a = {.fd = -1};
	int r = opener_receive(fd, &a);

	if (a.fd >= 0)
		(void)close(a.fd);
	if (r == -EPIPE)
		return -ECONNRESET;
	if (r < 0)
		return r;
	*ret = uevent_of(&a.head);
	return a.head.result;
}
