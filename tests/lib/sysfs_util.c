// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/sysfs_util.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "capture/captured_host.h"
#include "common/strutil.h"

int tree = -1;
const struct host *host;
static struct scratch scratch;
static struct host_root *root;

void tree_setup_from(const char *bundled)
{
	scratch_setup(&scratch);
	tree = unpack_bundled(&scratch, bundled, "host");
}

void tree_setup(void)
{
	tree_setup_from("normalized-7.3");
}

void tree_setup_empty(void)
{
	scratch_setup(&scratch);
	put_directory(scratch.dirfd, "host/sys");
	tree = openat(scratch.dirfd, "host", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(tree, 0);
}

void tree_teardown(void)
{
	leave();
	(void)close(tree);
	scratch_teardown(&scratch);
}

void set(const char *path, const char *text)
{
	(void)unlinkat(tree, path, 0);
	put_text(tree, path, text);
}

void drop(const char *path)
{
	ck_assert_msg(unlinkat(tree, path, 0) == 0, "%s: %s", path, strerror(errno));
}

int read_host(struct error *e)
{
	char path[sizeof(scratch.path) + sizeof("/host")];
	int r;

	(void)snprintf(path, sizeof(path), "%s/host", scratch.path);
	r = host_root_open(path, &root, e);
	return r < 0 ? r : host_read(root, &host, e);
}

void enter(void)
{
	struct error e;

	ck_assert_msg(read_host(&e) == 0, "%s", e.text);
}

void leave(void)
{
	host = host_unref(host);
	root = host_root_free(root);
}

bool noted(const char *name, const char *what)
{
	for (size_t i = 0; i < host->n_notes; i++)
		if (str_after_prefix(host->notes[i], name) && strstr(host->notes[i], what))
			return true;
	return false;
}

size_t count_denied(const char *what)
{
	size_t n = 0;

	for (size_t i = 0; i < host->n_denied; i++)
		n += str_equal(host->denied[i], what);
	return n;
}
