// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Repairs of places by EDAC (drivers/edac/mem_repair.c). An instance has one set of values, which
 * two writers mix: they are written under the lock of the device, and all of them are read back
 * when the last one was written. Each file is opened in one directory, so that the instance of
 * another device, which got the name meanwhile, is not repaired. Linux compares the values with the
 * event that it kept.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "change/device.h"
#include "change/operations.h"
#include "change/timed_write.h"
#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"
#include "events/repair_place.h"
#include "model/repairs.h"

/* How long the write may take. Where the device repairs in the background, Linux does not wait for
 * the end (a poll_count of 0): the write fails with ETIMEDOUT at once. */
enum { REPAIR_MS = 10 * 60 * 1000, VALUE_MAX = 32, FILE_BYTES_MAX = 4096 };

/* The DPA, the parts, and whether the repair is permanent. */
enum { VALUES_MAX = REPAIR_PARTS + 2 };

#define PERSIST_MODE "persist_mode"
enum { PERSIST_SOFT, PERSIST_HARD };

struct repair_value {
	const char *file;
	uint64_t value;
};

struct repair_files {
	const struct change_context *x;
	const struct memdev *m;
	const struct edac_repair *repair;
	struct change_result *ret;
	int dirfd; /* mem_repairX */
	size_t n;
	struct repair_value values[VALUES_MAX]; /* that were written */
};

static const struct edac_repair *find_instance(const struct host *host, const struct memdev *m,
					       uint32_t type, struct change_result *ret)
{
	char absence[REPAIRS_ABSENCE_MAX];
	const char *missing = repairs_absence(host, m, absence);

	for (size_t i = 0; !missing && i < m->edac->n_repairs; i++)
		if ((uint32_t)m->edac->repairs[i].type == type)
			return &m->edac->repairs[i];
	(void)change_result_set(ret, -EOPNOTSUPP, CHANGE_REFUSED, "%s cannot be repaired by %s: %s",
				m->name, edac_repair_type_word((enum edac_repair_type)type),
				missing ? missing : "Linux offers no such repair of it");
	return NULL;
}

/* The kernel refuses as well; but then the reason is not known. */
static int check_when(const struct repair_files *f, const struct change_repair *c)
{
	const enum repair_when when = repair_when(f->m, f->repair);
	const char *gap = repair_place_gap((enum edac_repair_type)c->type, c->known);

	if (gap && when == REPAIR_NOW)
		return change_result_set(f->ret, -EINVAL, CHANGE_REFUSED,
					 "%s cannot be repaired: %s", f->m->name, gap);
	if (when == REPAIR_NOW || when == REPAIR_AFTER_EVENT)
		return 0;
	return change_result_set(f->ret, -EBUSY, CHANGE_REFUSED, "%s cannot be repaired: %s",
				 f->m->name, repair_when_text(when));
}

static int open_instance(struct repair_files *f)
{
	char attr[DEVICE_PATH_MAX / 2], path[DEVICE_PATH_MAX];

	if (f->x->root->captured)
		return change_result_set(f->ret, -EROFS, CHANGE_REFUSED,
					 "%s cannot be repaired: it is of a captured host",
					 f->m->name);
	(void)snprintf(attr, sizeof(attr), "cxl_%.31s/mem_repair%u", f->m->name, f->repair->number);
	device_path(f->m, attr, path);
	f->dirfd = openat(f->x->root->dirfd, path + 1, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return f->dirfd >= 0 ? 0
			     : change_result_set(f->ret, -errno, CHANGE_REFUSED,
						 "%s cannot be repaired: %s: %s", f->m->name, path,
						 strerror(errno));
}

/* Decimal where it is a bool: kstrtobool() takes the first character of 0x1. */
static int try_value(struct repair_files *f, const char *file, uint64_t value)
{
	char text[VALUE_MAX];
	int r;

	(void)snprintf(text, sizeof(text),
		       str_equal(file, PERSIST_MODE) ? "%" PRIu64 : "0x%" PRIx64, value);
	r = change_write_at(f->dirfd, file, text);
	if (r == 0)
		f->values[f->n++] = (struct repair_value){file, value};
	return r;
}

static int write_value(struct repair_files *f, const char *file, uint64_t value)
{
	int r = try_value(f, file, value);

	return r == 0 ? 0
		      : change_result_set(f->ret, r, CHANGE_REFUSED,
					  "%s cannot be repaired: %s does not take 0x%" PRIx64
					  ": %s",
					  f->m->name, file, value, strerror(-r));
}

/* Soft, so that it can be made undone by a reset, unless the device knows hard sparing only. */
static int write_mode(struct repair_files *f)
{
	int r = try_value(f, PERSIST_MODE, PERSIST_SOFT);

	if (r == -EOPNOTSUPP)
		return write_value(f, PERSIST_MODE, PERSIST_HARD);
	return r == 0 ? 0 : write_value(f, PERSIST_MODE, PERSIST_SOFT);
}

/* Parts that the record does not have are 0: a value of an earlier repair is none of this one. */
static int write_values(struct repair_files *f, const struct change_repair *c)
{
	const uint32_t used = repair_parts_used((enum edac_repair_type)c->type);
	int r = c->type == EDAC_REPAIR_PPR ? 0 : write_mode(f);

	if (r == 0)
		r = write_value(f, "dpa", c->dpa);
	for (int i = 0; r == 0 && i < REPAIR_PARTS; i++)
		if (used >> i & 1)
			r = write_value(f, repair_part_name((enum repair_part)i), c->part[i]);
	return r;
}

static int read_value(const struct repair_files *f, const char *file, uint64_t *ret)
{
	_cleanup_free_ char *text = NULL;
	size_t len = 0;
	int r = read_file_at(f->dirfd, file, FILE_BYTES_MAX, &text, &len);

	if (r < 0)
		return r;
	return strlen(text) == len ? parse_u64(str_chomp(text), ret) : -EINVAL;
}

/* After the last one was written: each value may have been another program's meanwhile. */
static int check_values(const struct repair_files *f)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct repair_value *v = &f->values[i];
		uint64_t now = 0;

		if (read_value(f, v->file, &now) == 0 && now == v->value)
			continue;
		return change_result_set(
			f->ret, -EIO, CHANGE_REFUSED,
			"%s cannot be repaired: %s does not show 0x%" PRIx64
			", which was written; another program may use it at the same time",
			f->m->name, v->file, v->value);
	}
	return 0;
}

/* Linux shows it of ppr as well, where nothing is to be chosen. */
static void say_mode(const struct repair_files *f)
{
	uint64_t mode = PERSIST_SOFT;
	const int r = read_value(f, PERSIST_MODE, &mode);

	if (r == 0)
		(void)snprintf(f->ret->text, sizeof(f->ret->text), "%s",
			       mode == PERSIST_SOFT ? "soft, until the device is reset"
						    : "hard, permanent");
}

static const char *reason_of(int r)
{
	switch (r) {
	case -EBUSY:
		return "the device is in use and cannot be repaired then, or carries out another operation";
	case -EINVAL:
		return "Linux kept no event of this place in this boot, so it repairs only while the device is not in use";
	case -EIO:
		return "the device refuses the repair, or failed to make it";
	case -ENXIO:
		return CHANGE_DEVICE_REFUSES;
	default:
		return strerror(-r);
	}
}

static int write_repair(const struct repair_files *f)
{
	int r;

	if (change_is_cancelled(f->x))
		return change_result_set(f->ret, -ECANCELED, CHANGE_REFUSED,
					 "the repair of %s was cancelled", f->m->name);
	r = timed_write_at(f->dirfd, "repair", "1", REPAIR_MS);
	if (r == -ETIMEDOUT)
		return change_result_set(
			f->ret, r, CHANGE_UNKNOWN,
			"the repair of %s was begun: the device repairs in the background, and Linux does not wait for its end",
			f->m->name);
	if (r == -EINTR)
		return change_result_set(
			f->ret, r, CHANGE_UNKNOWN,
			"the repair of %s was begun, and its answer was not waited for",
			f->m->name);
	return r == 0 ? 0
		      : change_result_set(f->ret, r, CHANGE_REFUSED, "%s was not repaired: %s",
					  f->m->name, reason_of(r));
}

static int write_and_repair(struct repair_files *f, const struct change_repair *c)
{
	int r = check_when(f, c);

	if (r == 0)
		r = open_instance(f);
	if (r < 0)
		return r;
	r = write_values(f, c);
	if (r == 0)
		r = check_values(f);
	if (r == 0)
		say_mode(f);
	if (r == 0)
		r = write_repair(f);
	(void)close(f->dirfd);
	return r;
}

int change_repair(const struct change_context *x, const struct change *c, const struct host *host,
		  struct change_result *ret)
{
	struct repair_files f = {.x = x, .m = change_find_memdev(host, c, ret), .ret = ret};
	int r = f.m ? 0 : ret->error;

	if (r == 0)
		f.repair = find_instance(host, f.m, c->repair.type, ret);
	if (r == 0 && !f.repair)
		r = ret->error;
	return r < 0 ? r : write_and_repair(&f, &c->repair);
}
