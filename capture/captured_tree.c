// SPDX-License-Identifier: LGPL-2.1-or-later
#include "capture/captured_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/tree_check.h"
#include "common/array.h"
#include "common/cleanup.h"

DEFINE_CLEANUP(struct host_root, host_root_free);

int captured_tree_tables(struct host_root *root, struct error *e)
{
	static const char *const directories[] = {"", "sys/firmware/acpi/tables/"};
	static const char *const files[] = {"acpidump.txt", "cedt.dat", "prmt.dat", "srat.dat",
					    "hmat.dat"};
	char path[64];

	for (size_t i = 0; i < ARRAY_SIZE(directories) * ARRAY_SIZE(files); i++) {
		_cleanup_free_ char *data = NULL;
		size_t len;
		int r;

		(void)snprintf(path, sizeof(path), "%s%s", directories[i / ARRAY_SIZE(files)],
			       files[i % ARRAY_SIZE(files)]);
		r = host_root_read(root, path, ACPI_DUMP_BYTES_MAX, &data, &len);
		if (r == -ENOENT)
			continue;
		r = r < 0 ? error_set(e, r, "%s: %s", path, strerror(-r))
			  : acpi_dump_add(&root->dump, path, data, len, e);
		if (r < 0)
			return r;
	}
	return 0;
}

int captured_tree_open(const char *path, struct host_root **ret, struct error *e)
{
	_cleanup_(host_root_freep) struct host_root *root = calloc(1, sizeof(*root));
	struct stat st;
	int r;

	if (!root)
		return error_set(e, ENOMEM, "out of memory");
	root->dirfd = -1;
	root->captured = root->in_place = true;
	root->path = strdup(path);
	if (!root->path)
		return error_set(e, ENOMEM, "out of memory");
	root->dirfd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (root->dirfd < 0)
		return error_set(e, errno, "%s: %s", path, strerror(errno));
	if (fstatat(root->dirfd, "sys", &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISDIR(st.st_mode))
		return error_set(e, EINVAL, "%s: not a captured host: it has no directory sys",
				 path);
	r = tree_check(root->dirfd, e);
	if (r == 0)
		r = captured_tree_tables(root, e);
	if (r < 0) {
		error_prefix(e, "%s", path);
		return r;
	}
	*ret = STEAL_PTR(root);
	return 0;
}
