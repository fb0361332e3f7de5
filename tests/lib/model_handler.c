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

struct model m;
struct port *bridge;
struct memdev *mem[4];
struct decoder *window;
struct region *region;
static char directory[PATH_MAX];
int dirfd = -1;

void handler_setup(void)
{
	const char *tmp = getenv("TMPDIR");

	(void)snprintf(directory, sizeof(directory), "%s/check_handler.XXXXXX", tmp ? tmp : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	dirfd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(dirfd, 0);
	ck_assert_int_eq(mkdirat(dirfd, "prm", 0755), 0);
	model_init(&m);
	bridge = model_bridge(&m);
	window = model_window(&m, &bridge, 1);
	mem[0] = model_memdev(&m, bridge);
	mem[1] = model_memdev(&m, bridge);
	region = model_region(&m, window, BASE, mem, 2);
	model_normalize(region);
	model_captured(&m, dirfd);
}

void handler_teardown(void)
{
	model_done(&m);
	(void)unlinkat(dirfd, PAIRS_FILE, 0);
	(void)unlinkat(dirfd, RULES_FILE, 0);
	(void)unlinkat(dirfd, "prm", AT_REMOVEDIR);
	(void)close(dirfd);
	(void)rmdir(directory);
}

void put_bytes(const char *path, const char *text, size_t len)
{
	int fd = openat(dirfd, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, len), (ssize_t)len);
	(void)close(fd);
}

void put_pairs(const char *text)
{
	put_bytes(PAIRS_FILE, text, strlen(text));
}

void put_rules(const char *text)
{
	put_bytes(RULES_FILE, text, strlen(text));
}

const struct answer *query(unsigned int device, uint64_t dpa)
{
	return model_translate_dpa(&m, mem[device], dpa, dpa);
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
