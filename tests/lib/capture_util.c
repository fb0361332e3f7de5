// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/capture_util.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "capture/archive.h"
#include "capture/namespace.h"
#include "common/array.h"
#include "common/cleanup.h"

enum { BLOCK = 512, ZSTD_BLOCK = 128 * 1024 };

void scratch_setup(struct scratch *s)
{
	const char *tmp = getenv("TMPDIR");

	(void)snprintf(s->path, sizeof(s->path), "%s/check_capture.XXXXXX", tmp ? tmp : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(s->path));
	ck_assert_int_eq(chmod(s->path, 0755), 0);
	s->dirfd = open(s->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(s->dirfd, 0);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

void scratch_teardown(struct scratch *s)
{
	(void)close(s->dirfd);
	ck_assert_int_eq(nftw(s->path, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

void put_directory(int dirfd, const char *path)
{
	_cleanup_free_ char *copy = strdup(path);

	for (char *slash = copy; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		ck_assert(mkdirat(dirfd, copy, 0755) == 0 || errno == EEXIST);
	}
	ck_assert(mkdirat(dirfd, copy, 0755) == 0 || errno == EEXIST);
}

static void put_parent(int dirfd, const char *path)
{
	_cleanup_free_ char *copy = strdup(path);
	char *slash = strrchr(copy, '/');

	if (!slash)
		return;
	*slash = '\0';
	put_directory(dirfd, copy);
}

void put_file(int dirfd, const char *path, const void *data, size_t len)
{
	_cleanup_close_ int fd = -1;

	put_parent(dirfd, path);
	fd = openat(dirfd, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	ck_assert_msg(fd >= 0, "%s: %s", path, strerror(errno));
	ck_assert_int_eq(write(fd, data, len), (ssize_t)len);
}

void put_text(int dirfd, const char *path, const char *text)
{
	put_file(dirfd, path, text, strlen(text));
}

void put_symlink(int dirfd, const char *path, const char *target)
{
	put_parent(dirfd, path);
	ck_assert_int_eq(symlinkat(target, dirfd, path), 0);
}

static unsigned char *grow(struct tar *t, size_t by)
{
	if (t->len + by > t->cap) {
		t->cap = 2 * (t->len + by);
		t->data = realloc(t->data, t->cap);
		ck_assert_ptr_nonnull(t->data);
	}
	memset(t->data + t->len, 0, by);
	t->len += by;
	return t->data + t->len - by;
}

static void fill_checksum(unsigned char *h)
{
	unsigned int sum = 0;
	char number[16];

	memset(h + 148, ' ', 8);
	for (int i = 0; i < BLOCK; i++)
		sum += h[i];
	(void)snprintf(number, sizeof(number), "%06o", sum);
	memcpy(h + 148, number, 7);
}

/* A ustar header; sizes from 8 GiB on in the base-256 form of GNU tar. */
static void fill_header(unsigned char *h, const char *name, char type, const char *link,
			uint64_t size)
{
	char number[16];

	memcpy(h, name, strnlen(name, 100));
	memcpy(h + 100, "0000644", 7);
	memcpy(h + 108, "0000000", 7);
	memcpy(h + 116, "0000000", 7);
	if (size >> 33) {
		h[124] = 0x80;
		for (int i = 0; i < 8; i++)
			h[135 - i] = (unsigned char)(size >> (8 * i));
	} else {
		(void)snprintf(number, sizeof(number), "%011llo", (unsigned long long)size);
		memcpy(h + 124, number, 11);
	}
	memcpy(h + 136, "00000000000", 11);
	h[156] = (unsigned char)type;
	if (link)
		memcpy(h + 157, link, strnlen(link, 100));
	memcpy(h + 257, "ustar\00000", 8);
	fill_checksum(h);
}

void tar_patch(struct tar *t, size_t header, size_t offset, const char *text)
{
	memcpy(t->data + header + offset, text, strlen(text));
	fill_checksum(t->data + header);
}

void tar_add(struct tar *t, const char *name, char type, const char *link, const void *data,
	     size_t len, uint64_t declared)
{
	fill_header(grow(t, BLOCK), name, type, link, declared);
	if (len > 0)
		memcpy(grow(t, (len + BLOCK - 1) / BLOCK * BLOCK), data, len);
}

void tar_end(struct tar *t)
{
	(void)grow(t, 2 * (size_t)BLOCK);
}

void tar_done(struct tar *t)
{
	free(t->data);
	*t = (struct tar){0};
}

static void zstd_block(struct tar *t, unsigned int type, uint32_t size, bool last)
{
	uint32_t head = size << 3 | type << 1 | last;
	unsigned char *p = grow(t, 3);

	p[0] = (unsigned char)head;
	p[1] = (unsigned char)(head >> 8);
	p[2] = (unsigned char)(head >> 16);
}

void tar_zeros_as_zstd(struct tar *ret, const char *name, uint64_t bytes)
{
	/* Magic number; no checksum, no content size; a window of 128 KiB (RFC 8878, 3.1.1.1). */
	static const unsigned char frame[] = {0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38};
	enum { RAW, REPEATED };

	*ret = (struct tar){0};
	memcpy(grow(ret, sizeof(frame)), frame, sizeof(frame));
	zstd_block(ret, RAW, BLOCK, false);
	fill_header(grow(ret, BLOCK), name, '0', NULL, bytes);
	for (uint64_t i = 0; i < bytes / ZSTD_BLOCK; i++) {
		zstd_block(ret, REPEATED, ZSTD_BLOCK, false);
		(void)grow(ret, 1);
	}
	zstd_block(ret, REPEATED, 2 * BLOCK, true);
	(void)grow(ret, 1);
}

int unpack_tar(struct scratch *s, const char *name, const struct tar *t, struct error *e)
{
	_cleanup_close_ int fd = memfd_create("archive", MFD_CLOEXEC);
	_cleanup_close_ int dirfd = -1;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, t->data, t->len), (ssize_t)t->len);
	ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
	ck_assert_int_eq(mkdirat(s->dirfd, name, 0755), 0);
	dirfd = openat(s->dirfd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(dirfd, 0);
	return archive_unpack(fd, dirfd, e);
}

void bundled_host(const char *host, char *ret, size_t size)
{
	(void)snprintf(ret, size, "%s/tests/hosts/%s.tar.zst", SRCDIR, host);
}

int unpack_bundled(struct scratch *s, const char *host, const char *name)
{
	_cleanup_close_ int fd = -1;
	char path[4096];
	struct error e;
	int dirfd;

	bundled_host(host, path, sizeof(path));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_msg(fd >= 0, "%s: %s", path, strerror(errno));
	ck_assert_int_eq(mkdirat(s->dirfd, name, 0755), 0);
	dirfd = openat(s->dirfd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(dirfd, 0);
	ck_assert_msg(archive_unpack(fd, dirfd, &e) == 0, "%s", e.text);
	return dirfd;
}

static int become(unsigned int uid)
{
	if (uid == 0 || geteuid() != 0)
		return 0;
	if (setgroups(0, NULL) < 0 || setresgid(uid, uid, uid) < 0 || setresuid(uid, uid, uid) < 0)
		return -errno;
	return 0;
}

struct child_result {
	int r;
	struct error e;
};

/* Return: the status of the child as waitpid() gives it, or -1. */
static int fork_and_report(unsigned int uid, int (*fn)(void *arg, struct error *e), void *arg,
			   struct child_result *ret)
{
	int fds[2], status;
	ssize_t n;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		struct child_result result = {0};

		result.r = become(uid);
		if (result.r == 0)
			result.r = fn(arg, &result.e);
		if (write(fds[1], &result, sizeof(result)) != (ssize_t)sizeof(result))
			abort();
		exit(EXIT_SUCCESS);
	}
	(void)close(fds[1]);
	n = read(fds[0], ret, sizeof(*ret));
	(void)close(fds[0]);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return n == (ssize_t)sizeof(*ret) || status ? status : -1;
}

int in_child(unsigned int uid, int (*fn)(void *arg, struct error *e), void *arg, struct error *e)
{
	struct child_result result = {0};
	int status = fork_and_report(uid, fn, arg, &result);

	ck_assert_msg(status == 0, "the child ended with status %#x", (unsigned int)status);
	result.e.text[sizeof(result.e.text) - 1] = '\0';
	if (e)
		*e = result.e;
	return result.r;
}

static int try_namespace(void *arg, struct error *e)
{
	bool own_user;

	(void)arg;
	return namespace_enter(&own_user, e);
}

bool have_namespaces(void)
{
	static const unsigned int users[] = {0, ORDINARY_USER};

	for (size_t i = 0; i < ARRAY_SIZE(users); i++) {
		struct child_result result = {0};

		/* Do not skip because a child was killed: the tests will fail then. */
		if (fork_and_report(users[i], try_namespace, NULL, &result) != 0 || result.r == 0)
			continue;
		(void)fprintf(stderr, "SKIP: captured hosts cannot be entered here: %s\n",
			      result.e.text);
		return false;
	}
	return true;
}
