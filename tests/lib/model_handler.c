// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/model_handler.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

static char directory[PATH_MAX];
int host_dirfd = -1;

void handler_setup(void)
{
	const char *tmp = getenv("TMPDIR");

	(void)snprintf(directory, sizeof(directory), "%s/check_handler.XXXXXX", tmp ? tmp : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	host_dirfd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(host_dirfd, 0);
	ck_assert_int_eq(mkdirat(host_dirfd, "prm", 0755), 0);
	model_init(&m);
	bridges[0] = model_bridge(&m);
	window = model_window(&m, &bridges[0], 1);
	mem[0] = model_memdev(&m, bridges[0]);
	mem[1] = model_memdev(&m, bridges[0]);
	region = model_region(&m, window, BASE, mem, 2);
	model_normalize(region);
	model_captured(&m, host_dirfd);
}

void handler_teardown(void)
{
	model_done(&m);
	(void)unlinkat(host_dirfd, PAIRS_FILE, 0);
	(void)unlinkat(host_dirfd, RULES_FILE, 0);
	(void)unlinkat(host_dirfd, "prm", AT_REMOVEDIR);
	(void)close(host_dirfd);
	(void)rmdir(directory);
}

void put_prm_file(const char *path, const char *text, size_t len)
{
	int fd = openat(host_dirfd, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, len), (ssize_t)len);
	(void)close(fd);
}

void put_pairs(const char *text)
{
	put_prm_file(PAIRS_FILE, text, strlen(text));
}

void put_rules(const char *text)
{
	put_prm_file(RULES_FILE, text, strlen(text));
}

void expect_estimate(unsigned int device, uint64_t dpa, const char *reason)
{
	const struct answer *a = query(device, dpa);

	ck_assert_msg(a->source == SOURCE_ESTIMATE, "%s: %s", answer_source_name(a->source),
		      a->reason);
	ck_assert_uint_eq(a->spa, BASE + dpa / 256 * 512);
	ck_assert_uint_eq(a->spa_last, a->spa + 511);
	expect_reason(a, reason);
}

void expect_no_notes(void)
{
	size_t n;
	const char *const *notes = translator_notes(m.t, &n);

	ck_assert_msg(n == 0, "%s", n ? notes[0] : "");
}

void expect_note(const char *text)
{
	size_t n;
	const char *const *notes = translator_notes(m.t, &n);

	ck_assert_msg(model_note(&m, text) != NULL, "'%s' is not in '%s'", text,
		      n ? notes[0] : "(no notes)");
}
