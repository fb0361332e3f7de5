// SPDX-License-Identifier: LGPL-2.1-or-later
/* Regions, below the directories of their root decoders. */
#include "sysfs/host_regions.h"
#include "sysfs/host_edac.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

#include "common/cleanup.h"

#define FIELD(attr, type, member)                                                                  \
	{                                                                                          \
		attr, type, offsetof(struct region, member)                                        \
	}

static const struct attr_field region_fields[] = {
	FIELD("resource", ATTR_ADDRESS, resource),
	FIELD("size", ATTR_U64, size),
	FIELD("interleave_ways", ATTR_WAYS, ways),
	FIELD("interleave_granularity", ATTR_U64, granularity),
	FIELD("locked", ATTR_BOOL, locked),
	FIELD("uuid", ATTR_UUID, uuid),
	FIELD("extended_linear_cache_size", ATTR_U64, extended_linear_cache_size),
};

struct words {
	const char *mode;
	struct opt_bool commit;
};

static const struct attr_field word_fields[] = {
	{"mode", ATTR_TEXT, offsetof(struct words, mode)},
	{"commit", ATTR_BOOL, offsetof(struct words, commit)},
};

#define COORDINATE(member)                                                                         \
	{                                                                                          \
#member, ATTR_U64, offsetof(struct access_coordinate, member)                      \
	}

static const struct attr_field access_fields[] = {
	COORDINATE(read_bandwidth),
	COORDINATE(write_bandwidth),
	COORDINATE(read_latency),
	COORDINATE(write_latency),
};

static void read_access(struct build *b, int fd, struct region *region)
{
	static const char *const directories[] = {"access0", "access1"};

	for (size_t i = 0; i < ARRAY_SIZE(directories); i++) {
		_cleanup_close_ int access_fd = attr_open_dir(fd, directories[i]);

		if (access_fd >= 0)
			attr_read_all(&(struct attr_dir){access_fd, directories[i], region->name,
							 &b->notes},
				      access_fields, ARRAY_SIZE(access_fields), &region->access[i]);
	}
}

/* Only the names in the attributes; build_links() finds the decoders and memdevs. */
static int region_read_targets(struct build *b, const struct attr_dir *dir, struct region *region)
{
	struct region_target *targets;
	size_t n = region->ways.present ? (size_t)region->ways.value : 0;

	targets = ARENA_ARRAY(b->arena, n, struct region_target);
	if (!targets)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		char attr[sizeof("target4294967295")];
		struct attr_field field = {attr, ATTR_TEXT,
					   offsetof(struct region_target, decoder_name)};

		(void)snprintf(attr, sizeof(attr), "target%u", (unsigned int)i);
		targets[i].position = (unsigned int)i;
		(void)attr_read(dir, &field, &targets[i]);
	}
	region->targets = targets;
	region->n_targets = n;
	return 0;
}

/* kernfs numbers its nodes once and for all (fs/kernfs/dir.c, kernfs_new_node()). */
static uint64_t region_inode(const struct build *b, int fd)
{
	struct stat st;

	return b->root->captured || fstat(fd, &st) < 0 ? 0 : st.st_ino;
}

/* @ret: NULL when the region is left out */
static int region_read(struct build *b, int root_fd, const char *name, const struct decoder *root,
		       struct region **ret)
{
	_cleanup_close_ int fd = -1;
	struct region *region, **slot;
	struct words words = {0};
	struct attr_dir dir;
	int r;

	*ret = NULL;
	fd = build_open_child(b, root_fd, name);
	if (fd < 0)
		return 0;
	slot = region_list_add(&b->regions);
	region = slot ? ARENA_NEW(b->arena, struct region) : NULL;
	if (!region)
		return -ENOMEM;
	*slot = region;
	region->name = build_name(b, name);
	if (!region->name)
		return -ENOMEM;
	region->root = root;
	region->inode = region_inode(b, fd);
	region->enabled = build_has_driver(fd);
	dir = (struct attr_dir){fd, "region", region->name, &b->notes, b->root->opener};
	attr_read_all(&dir, region_fields, ARRAY_SIZE(region_fields), region);
	attr_read_all(&dir, word_fields, ARRAY_SIZE(word_fields), &words);
	region->mode = build_mode(b, region->name, words.mode, &region->other_mode);
	if (words.commit.present)
		region->commit = words.commit.value ? REGION_COMMITTED : REGION_NOT_COMMITTED;
	read_access(b, fd, region);
	*ret = region;
	r = build_edac(b, fd, region->name, &region->edac);
	return r < 0 ? r : region_read_targets(b, &dir, region);
}

int build_regions(struct build *b, int fd, struct decoder *root)
{
	_cleanup_(region_list_done) struct region_list own = {0};
	_cleanup_closedir_ DIR *dir = build_open_list(fd);
	const struct dirent *entry;
	struct region *region, **slot;
	int r;

	while (dir && (entry = readdir(dir))) {
		if (!build_is_numbered(entry->d_name, "region"))
			continue;
		r = region_read(b, fd, entry->d_name, root, &region);
		if (r < 0)
			return r;
		if (!region)
			continue;
		slot = region_list_add(&own);
		if (!slot)
			return -ENOMEM;
		*slot = region;
	}
	LIST_SORT(&own, region);
	root->regions = LIST_FREEZE(&own, b->arena);
	root->n_regions = own.n;
	return root->regions ? 0 : -ENOMEM;
}
