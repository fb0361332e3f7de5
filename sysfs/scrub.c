// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/scrub.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "sysfs/attr.h"

/* Names of directories: ecs_fru0 to this one. Devices have fewer: one for each DRAM at most. */
enum { FRU_NAME_MAX = 24, FRUS_COUNTED_MAX = 1024 };

static const struct attr_field patrol_fields[] = {
	{"enable_background", ATTR_BOOL, offsetof(struct scrub, enabled)},
	{"current_cycle_duration", ATTR_U64, offsetof(struct scrub, cycle_s)},
	{"min_cycle_duration", ATTR_U64, offsetof(struct scrub, min_cycle_s)},
};

static const struct attr_field ecs_fields[] = {
	{"log_entry_type", ATTR_U64, offsetof(struct ecs_fru, per_fru)},
	{"mode", ATTR_U64, offsetof(struct ecs_fru, codewords)},
	{"threshold", ATTR_U64, offsetof(struct ecs_fru, threshold)},
};

void scrub_path(const char *object, const char *file, char ret[static SCRUB_PATH_MAX])
{
	(void)snprintf(ret, SCRUB_PATH_MAX, "/sys/bus/cxl/devices/%s/cxl_%s/%s", object, object,
		       file);
}

bool ecs_threshold_is_valid(uint64_t threshold)
{
	return threshold == 256 || threshold == 1024 || threshold == 4096;
}

/* A number that no device can have is none. */
static void drop(const struct attr_dir *dir, const char *attr, struct opt_u64 *value)
{
	read_notes_add(dir->notes, "%s: %s is %" PRIu64 ", which no device can have", dir->name,
		       attr, value->value);
	*value = (struct opt_u64){0};
}

static void check_patrol(const struct attr_dir *dir, struct scrub *s)
{
	if (s->cycle_s.present && (s->cycle_s.value == 0 || s->cycle_s.value > SCRUB_CYCLE_S_MAX))
		drop(dir, "current_cycle_duration", &s->cycle_s);
	if (s->min_cycle_s.present && s->min_cycle_s.value > SCRUB_CYCLE_S_MAX)
		drop(dir, "min_cycle_duration", &s->min_cycle_s);
}

static void check_fru(const struct attr_dir *dir, struct ecs_fru *f)
{
	if (f->per_fru.present && f->per_fru.value > 1)
		drop(dir, "log_entry_type", &f->per_fru);
	if (f->codewords.present && f->codewords.value > 1)
		drop(dir, "mode", &f->codewords);
	if (f->threshold.present && !ecs_threshold_is_valid(f->threshold.value))
		drop(dir, "threshold", &f->threshold);
}

static int open_device(const char *object)
{
	char path[SCRUB_PATH_MAX];

	scrub_path(object, "", path);
	return attr_open_dir(AT_FDCWD, path);
}

/* @fd: the EDAC device */
static void read_patrol(int fd, const char *object, struct read_notes *notes, struct scrub *ret)
{
	_cleanup_close_ int scrub0 = attr_open_dir(fd, "scrub0");
	const struct attr_dir dir = {scrub0, "scrub", object, notes, NULL};

	*ret = (struct scrub){.found = scrub0 >= 0};
	if (!ret->found)
		return;
	attr_read_all(&dir, patrol_fields, ARRAY_SIZE(patrol_fields), ret);
	check_patrol(&dir, ret);
}

void scrub_read(const char *object, struct read_notes *notes, struct scrub *ret)
{
	_cleanup_close_ int fd = open_device(object);

	*ret = (struct scrub){0};
	if (fd >= 0)
		read_patrol(fd, object, notes, ret);
}

/* Return: whether there is one with that number. */
static bool read_fru(int fd, size_t number, const char *memdev, struct read_notes *notes,
		     struct memdev_scrub *ret)
{
	char name[FRU_NAME_MAX], title[SCRUB_PATH_MAX];
	const struct attr_dir named = {-1, "ecs", title, notes, NULL};
	struct attr_dir dir = named;
	_cleanup_close_ int fru = -1;

	(void)snprintf(name, sizeof(name), "ecs_fru%zu", number);
	(void)snprintf(title, sizeof(title), "%s %s", memdev, name);
	fru = attr_open_dir(fd, name);
	if (fru < 0)
		return false;
	dir.fd = fru;
	if (number < SCRUB_FRUS_MAX) {
		attr_read_all(&dir, ecs_fields, ARRAY_SIZE(ecs_fields), &ret->frus[number]);
		check_fru(&dir, &ret->frus[number]);
	}
	return true;
}

void memdev_scrub_read(const char *memdev, struct read_notes *notes, struct memdev_scrub *ret)
{
	_cleanup_close_ int fd = open_device(memdev);

	*ret = (struct memdev_scrub){0};
	if (fd < 0)
		return;
	read_patrol(fd, memdev, notes, &ret->patrol);
	while (ret->n_frus < FRUS_COUNTED_MAX && read_fru(fd, ret->n_frus, memdev, notes, ret))
		ret->n_frus++;
	if (ret->n_frus > SCRUB_FRUS_MAX)
		read_notes_add(notes,
			       "%s: it has %zu FRUs with error check scrub, of which %d are read",
			       memdev, ret->n_frus, SCRUB_FRUS_MAX);
}

static bool same_u64(struct opt_u64 a, struct opt_u64 b)
{
	return a.present == b.present && (!a.present || a.value == b.value);
}

static bool same_patrol(const struct scrub *a, const struct scrub *b)
{
	return a->found == b->found && a->enabled.present == b->enabled.present &&
	       a->enabled.value == b->enabled.value && same_u64(a->cycle_s, b->cycle_s) &&
	       same_u64(a->min_cycle_s, b->min_cycle_s);
}

bool memdev_scrub_equal(const struct memdev_scrub *a, const struct memdev_scrub *b)
{
	if (!same_patrol(&a->patrol, &b->patrol) || a->n_frus != b->n_frus ||
	    a->unread != b->unread)
		return false;
	for (size_t i = 0; i < a->n_frus && i < SCRUB_FRUS_MAX; i++)
		if (!same_u64(a->frus[i].per_fru, b->frus[i].per_fru) ||
		    !same_u64(a->frus[i].codewords, b->frus[i].codewords) ||
		    !same_u64(a->frus[i].threshold, b->frus[i].threshold))
			return false;
	return true;
}

struct opt_u64 memdev_ecs_common(const struct memdev_scrub *s, size_t member)
{
	struct opt_u64 first = {0}, one;

	if (s->n_frus > SCRUB_FRUS_MAX)
		return first;
	for (size_t i = 0; i < s->n_frus; i++) {
		memcpy(&one, (const char *)&s->frus[i] + member, sizeof(one));
		if (!one.present || (i > 0 && one.value != first.value))
			return (struct opt_u64){0};
		first = one;
	}
	return first;
}
