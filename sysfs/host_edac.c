// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * EDAC devices, below the directories of their parents (drivers/edac/edac_device.c,
 * edac_dev_register()): there also a captured host without /sys/bus/edac has them.
 */
#include "sysfs/host_edac.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>

#include "common/cleanup.h"

enum { EDAC_NAME_MAX = 128 }; /* "mem0: mem_repair3", "cxl_mem0"; device names have 64 bytes */

/* Numbers of the instances that a directory has; those that are too high are counted. */
struct edac_numbers {
	bool repairs[EDAC_REPAIRS_MAX], frus[EDAC_FRUS_MAX];
	size_t n_repairs, n_frus, n_more;
};

struct repair_words {
	const char *type;
	struct opt_u64 first, last;
};

static const struct attr_field word_fields[] = {
	{"repair_type", ATTR_TEXT, offsetof(struct repair_words, type)},
	{"min_dpa", ATTR_U64, offsetof(struct repair_words, first)},
	{"max_dpa", ATTR_U64, offsetof(struct repair_words, last)},
};

static const struct attr_field repair_fields[] = {
	{"persist_mode", ATTR_BOOL, offsetof(struct edac_repair, hard)},
	{"repair_safe_when_in_use", ATTR_BOOL, offsetof(struct edac_repair, safe_when_used)},
};

/* The kernel makes all of these files for each instance, so a missing one is noted. */
static void read_fields(const struct attr_dir *dir, const struct attr_field *fields, size_t n,
			void *object)
{
	for (size_t i = 0; i < n; i++)
		if (attr_read(dir, &fields[i], object) == -ENOENT)
			read_notes_add(dir->notes, "%s: %s is missing", dir->name, fields[i].attr);
}

static void take_type(const struct attr_dir *dir, const char *word, struct edac_repair *repair)
{
	repair->type = edac_repair_type_of(word);
	if (!word || repair->type != EDAC_REPAIR_UNKNOWN)
		return;
	repair->other_type = word;
	read_notes_add(dir->notes, "%s: repair_type \"%.40s\" is unknown", dir->name, word);
}

static void take_range(const struct attr_dir *dir, const struct repair_words *words,
		       struct edac_repair *repair)
{
	if (!words->first.present || !words->last.present)
		return;
	if (words->first.value > words->last.value) {
		read_notes_add(dir->notes, "%s: min_dpa is higher than max_dpa", dir->name);
		return;
	}
	repair->first_dpa = words->first;
	repair->last_dpa = words->last;
}

static void repair_read(struct build *b, int edac_fd, const char *parent,
			struct edac_repair *repair)
{
	char attr[sizeof("mem_repair4294967295")], name[EDAC_NAME_MAX];
	_cleanup_close_ int fd = -1;
	struct repair_words words = {0};
	struct attr_dir dir;

	(void)snprintf(attr, sizeof(attr), "mem_repair%u", repair->number);
	(void)snprintf(name, sizeof(name), "%s: %s", parent, attr);
	fd = attr_open_dir(edac_fd, attr);
	if (fd < 0) {
		read_notes_add(&b->notes, "%s cannot be opened", name);
		return;
	}
	dir = (struct attr_dir){fd, "repair", name, &b->notes, b->root->opener};
	read_fields(&dir, word_fields, ARRAY_SIZE(word_fields), &words);
	read_fields(&dir, repair_fields, ARRAY_SIZE(repair_fields), repair);
	take_type(&dir, words.type, repair);
	take_range(&dir, &words, repair);
}

/* Return: whether @name is @prefix and a number as the kernel writes it, without zeros before it.
 */
static bool has_number(const char *name, const char *prefix, uint64_t *ret)
{
	const char *digits = str_after_prefix(name, prefix);

	return digits && (digits[0] != '0' || digits[1] == '\0') && parse_u64(digits, ret) == 0;
}

static size_t take_number(bool *known, size_t max, uint64_t number, size_t *more)
{
	if (number >= max) {
		(*more)++;
		return 0;
	}
	known[number] = true;
	return 1;
}

static void list_instances(int fd, struct edac_numbers *ret, struct edac_device *edac)
{
	_cleanup_closedir_ DIR *dir = build_open_list(fd);
	const struct dirent *entry;
	uint64_t number;

	while (dir && (entry = readdir(dir))) {
		if (has_number(entry->d_name, "mem_repair", &number))
			ret->n_repairs +=
				take_number(ret->repairs, EDAC_REPAIRS_MAX, number, &ret->n_more);
		else if (has_number(entry->d_name, "ecs_fru", &number))
			ret->n_frus += take_number(ret->frus, EDAC_FRUS_MAX, number, &ret->n_more);
		else if (str_equal(entry->d_name, "scrub0"))
			edac->has_scrub = true;
	}
}

static int take_frus(struct build *b, const struct edac_numbers *numbers, struct edac_device *edac)
{
	unsigned int *frus = ARENA_ARRAY(b->arena, numbers->n_frus, unsigned int);

	if (!frus)
		return -ENOMEM;
	for (unsigned int i = 0; i < EDAC_FRUS_MAX; i++)
		if (numbers->frus[i])
			frus[edac->n_frus++] = i;
	edac->frus = frus;
	return 0;
}

static int take_repairs(struct build *b, int fd, const char *parent,
			const struct edac_numbers *numbers, struct edac_device *edac)
{
	struct edac_repair *repairs = ARENA_ARRAY(b->arena, numbers->n_repairs, struct edac_repair);

	if (!repairs)
		return -ENOMEM;
	for (unsigned int i = 0; i < EDAC_REPAIRS_MAX; i++) {
		if (!numbers->repairs[i])
			continue;
		repairs[edac->n_repairs].number = i;
		repair_read(b, fd, parent, &repairs[edac->n_repairs++]);
	}
	edac->repairs = repairs;
	return b->notes.out_of_memory ? -ENOMEM : 0;
}

int build_edac(struct build *b, int fd, const char *parent, const struct edac_device **ret)
{
	struct edac_numbers numbers = {0};
	char name[EDAC_NAME_MAX];
	_cleanup_close_ int edac_fd = -1;
	struct edac_device *edac;
	int r;

	(void)snprintf(name, sizeof(name), "cxl_%s", parent);
	/* Never a link in sysfs; one of a captured host may lead to another device. */
	edac_fd = openat(fd, name, O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (edac_fd < 0)
		return 0;
	edac = ARENA_NEW(b->arena, struct edac_device);
	if (!edac)
		return -ENOMEM;
	edac->name = build_name(b, name);
	list_instances(edac_fd, &numbers, edac);
	if (numbers.n_more > 0)
		read_notes_add(&b->notes,
			       "%s: %zu EDAC instances are not read: their numbers are above %d of "
			       "mem_repair or %d of ecs_fru",
			       parent, numbers.n_more, EDAC_REPAIRS_MAX - 1, EDAC_FRUS_MAX - 1);
	r = take_frus(b, &numbers, edac);
	if (r == 0)
		r = take_repairs(b, edac_fd, parent, &numbers, edac);
	if (r == 0)
		*ret = edac;
	return r;
}

static bool edac_is_whole(const struct edac_device *edac)
{
	return edac && edac->has_scrub && edac->n_frus > 0 && edac->n_repairs > 0;
}

int build_kernel_options(struct build *b)
{
	ARRAY_FOREACH(memdev, &b->memdevs) {
		if (edac_is_whole((*memdev)->edac))
			continue;
		kernel_options_read(b->root, b->host->kernel_release, &b->host->options);
		break;
	}
	return 0;
}
