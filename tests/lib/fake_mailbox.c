// SPDX-License-Identifier: LGPL-2.1-or-later
#undef _FORTIFY_SOURCE /* it defines inline functions with the names below */
#include "tests/lib/fake_mailbox.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <check.h>
#include <linux/cxl_mem.h>

#include "common/strutil.h"
#include "sysfs/host_root.h"
#include "tests/lib/fake_ioctl.h"

struct fake_mailbox fake_mailbox;
static struct fake_command queue[FAKE_COMMANDS_MAX];
static size_t n_expected, n_done, n_let_go;
static bool held, repeats;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static int mailbox_ioctl(int fd, unsigned long request, void *arg);

void fake_mailbox_setup(void)
{
	fake_ioctl = mailbox_ioctl;
	fake_mailbox = (struct fake_mailbox){.supported = UINT32_MAX};
	n_expected = n_done = n_let_go = 0;
	repeats = false;
}

void fake_mailbox_expect(const struct fake_command *command)
{
	ck_assert_uint_lt(n_expected, FAKE_COMMANDS_MAX);
	(void)pthread_mutex_lock(&lock);
	queue[n_expected++] = *command;
	(void)pthread_mutex_unlock(&lock);
}

void fake_mailbox_repeat_last(void)
{
	(void)pthread_mutex_lock(&lock);
	repeats = true;
	(void)pthread_mutex_unlock(&lock);
}

void fake_mailbox_finish(void)
{
	(void)pthread_mutex_lock(&lock);
	ck_assert_msg(fake_mailbox.unexpected == 0, "%s", fake_mailbox.complaint);
	ck_assert_msg(n_done == n_expected, "%zu of %zu commands were sent", n_done, n_expected);
	n_done = n_expected = 0;
	(void)pthread_mutex_unlock(&lock);
}

size_t fake_mailbox_sent(void)
{
	size_t n;

	(void)pthread_mutex_lock(&lock);
	n = fake_mailbox.sent;
	(void)pthread_mutex_unlock(&lock);
	return n;
}

void fake_mailbox_hold(const char *memdev)
{
	(void)pthread_mutex_lock(&lock);
	fake_mailbox.hold_memdev = memdev;
	fake_mailbox.hold = true;
	(void)pthread_mutex_unlock(&lock);
}

void fake_mailbox_wait_until_held(void)
{
	(void)pthread_mutex_lock(&lock);
	while (!held)
		(void)pthread_cond_wait(&changed, &lock);
	(void)pthread_mutex_unlock(&lock);
}

void fake_mailbox_release(void)
{
	(void)pthread_mutex_lock(&lock);
	fake_mailbox.hold = false;
	(void)pthread_cond_broadcast(&changed);
	(void)pthread_mutex_unlock(&lock);
}

void fake_mailbox_let_go(size_t n)
{
	(void)pthread_mutex_lock(&lock);
	n_let_go = n;
	(void)pthread_cond_broadcast(&changed);
	(void)pthread_mutex_unlock(&lock);
}

struct host_root fake_live_root(void)
{
	struct host_root root = {.dirfd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};

	ck_assert_int_ge(root.dirfd, 0);
	return root;
}

static int complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static int complain(const char *fmt, ...)
{
	va_list ap;

	if (fake_mailbox.unexpected++ == 0) {
		va_start(ap, fmt);
		(void)vsnprintf(fake_mailbox.complaint, sizeof(fake_mailbox.complaint), fmt, ap);
		va_end(ap);
	}
	return ENOTTY;
}

/* Writes "memN" when @fd is the node of a memdev. Return: whether it is. */
static bool memdev_of(int fd, char *name, size_t size)
{
	char link[64], target[256];
	const char *memdev;
	ssize_t n;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, target, sizeof(target) - 1);
	if (n < 0)
		return false;
	target[n] = '\0';
	memdev = str_after_prefix(target, "/dev/cxl/");
	if (memdev)
		(void)snprintf(name, size, "%s", memdev);
	return memdev != NULL;
}

/* As core/mbox.c, where it matters. */
static void fill_info(struct cxl_command_info *info, uint32_t id)
{
	*info = (struct cxl_command_info){.id = id, .size_out = 128};
	if (id == 9 || id == 12) /* Set Partition Info, Set Alert Configuration */
		info->size_in = id == 9 ? 10 : 12;
	if (!fake_mailbox.old_kernel && fake_mailbox.supported >> id & 1)
		info->flags = 1;
}

static int query(struct cxl_mem_query_commands *q)
{
	const uint32_t n = q->n_commands;

	fake_mailbox.queries++;
	if (fake_mailbox.query_error)
		return fake_mailbox.query_error;
	if (n == 0)
		q->n_commands = FAKE_ID_MAX;
	for (uint32_t id = 1; id <= FAKE_ID_MAX && id <= n; id++)
		fill_info(&q->commands[id - 1], id);
	return 0;
}

static int answer(struct cxl_send_command *s, const struct fake_command *c)
{
	const size_t len = c->out_len < s->out.size ? c->out_len : s->out.size;

	if (c->error)
		return c->error;
	if (len > 0)
		memcpy((void *)(uintptr_t)s->out.payload, c->out, len);
	s->out.size = (uint32_t)(c->claimed_len ? c->claimed_len : len);
	s->retval = c->return_code;
	return 0;
}

static int send_command(const char *memdev, struct cxl_send_command *s)
{
	const struct fake_command *c;

	fake_mailbox.sent++;
	while (fake_mailbox.hold && n_let_go == 0 &&
	       (!fake_mailbox.hold_memdev || str_equal(fake_mailbox.hold_memdev, memdev))) {
		held = true;
		(void)pthread_cond_broadcast(&changed);
		(void)pthread_cond_wait(&changed, &lock);
	}
	held = false;
	if (n_let_go > 0)
		n_let_go--;
	if (repeats && n_done > 0 && n_done == n_expected)
		n_done--;
	c = n_done < n_expected ? &queue[n_done] : NULL;
	if (s->flags || s->in.rsvd || s->out.rsvd || s->raw.rsvd ||
	    s->raw.opcode != (c && s->id == CXL_MEM_COMMAND_ID_RAW ? c->raw : 0))
		return complain("command %u with reserved bits", s->id);
	if (!(fake_mailbox.supported >> s->id & 1))
		return fake_mailbox.old_kernel ? ENOTTY : complain("%u is not supported", s->id);
	if (!c || c->id != s->id)
		return complain("command %u instead of %u", s->id, c ? c->id : 0);
	if (s->in.size != c->in_len ||
	    (c->in_len && memcmp((void *)(uintptr_t)s->in.payload, c->in, c->in_len) != 0))
		return complain("command %u with another input", s->id);
	n_done++;
	return answer(s, c);
}

static int mailbox_ioctl(int fd, unsigned long request, void *arg)
{
	char memdev[64] = "";
	int error = ENOTTY;

	(void)pthread_mutex_lock(&lock);
	if (!memdev_of(fd, memdev, sizeof(memdev)))
		error = complain("ioctl on a file that is not in /dev/cxl");
	else if (fake_mailbox.memdev && !str_equal(fake_mailbox.memdev, memdev))
		error = complain("ioctl on %s", memdev);
	else if (request == CXL_MEM_QUERY_COMMANDS)
		error = query(arg);
	else if (request == CXL_MEM_SEND_COMMAND)
		error = send_command(memdev, arg);
	(void)pthread_mutex_unlock(&lock);
	errno = error;
	return error ? -1 : 0;
}

/* The stand-ins are on a read-only file system, where only devices can be opened for writing. */
int openat(int dirfd, const char *path, int flags, ...)
{
	unsigned int mode;
	va_list ap;

	va_start(ap, flags);
	mode = va_arg(ap, unsigned int);
	va_end(ap);
	if (strstr(path, "dev/cxl/mem"))
		flags &= ~O_ACCMODE;
	return (int)syscall(SYS_openat, dirfd, path, flags, mode);
}
