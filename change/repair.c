// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Repairs of places by EDAC (drivers/edac/mem_repair.c). An instance has one set of values, which
 * two writers mix: they are written and read back under the lock of the device, and Linux compares
 * them with the event that it kept.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "change/device.h"
#include "change/operations.h"
#include "change/timed_write.h"
#include "common/strutil.h"
#include "events/repair_place.h"
#include "model/repairs.h"

/* A background command of the device, whose time Linux does not limit. */
enum { REPAIR_MS = 10 * 60 * 1000, VALUE_MAX = 32 };

struct repair_files {
	const struct change_context *x;
	const struct memdev *m;
	const struct edac_repair *repair;
	struct change_result *ret;
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
static int check_when(const struct repair_files *f)
{
	const enum repair_when when = repair_when(f->m, f->repair);

	if (when == REPAIR_NOW || when == REPAIR_AFTER_EVENT)
		return 0;
	return change_result_set(f->ret, -EBUSY, CHANGE_REFUSED, "%s cannot be repaired: %s",
				 f->m->name, repair_when_text(when));
}

static void file_path(const struct repair_files *f, const char *file,
		      char ret[static DEVICE_PATH_MAX])
{
	char attr[DEVICE_PATH_MAX / 2];

	(void)snprintf(attr, sizeof(attr), "cxl_%.31s/mem_repair%u/%s", f->m->name,
		       f->repair->number, file);
	device_path(f->m, attr, ret);
}

static int write_value(const struct repair_files *f, const char *file, uint64_t value)
{
	char path[DEVICE_PATH_MAX], text[VALUE_MAX];
	uint64_t now = 0;
	int r;

	file_path(f, file, path);
	(void)snprintf(text, sizeof(text), "0x%" PRIx64, value);
	r = change_write(f->x->root, path, text);
	if (r < 0)
		return change_result_set(f->ret, r, CHANGE_REFUSED,
					 "%s cannot be repaired: %s does not take %s: %s",
					 f->m->name, path, text, strerror(-r));
	r = device_read(f->x->root, path, text, sizeof(text));
	if (r == 0)
		r = parse_u64(text, &now);
	if (r == 0 && now == value)
		return 0;
	return change_result_set(f->ret, -EIO, CHANGE_REFUSED,
				 "%s cannot be repaired: %s does not show 0x%" PRIx64
				 ", which was written; another program may use it at the same time",
				 f->m->name, path, value);
}

/* Parts that the record does not have are 0: a value of an earlier repair is none of this one. */
static int write_values(const struct repair_files *f, const struct change_repair *c)
{
	const uint32_t used = repair_parts_used((enum edac_repair_type)c->type);
	int r = write_value(f, "dpa", c->dpa);

	for (int i = 0; r == 0 && i < REPAIR_PARTS; i++)
		if (used >> i & 1)
			r = write_value(f, repair_part_name((enum repair_part)i), c->part[i]);
	return r;
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
	default:
		return strerror(-r);
	}
}

static int write_repair(const struct repair_files *f)
{
	char path[DEVICE_PATH_MAX];
	int r;

	if (change_is_cancelled(f->x))
		return change_result_set(f->ret, -ECANCELED, CHANGE_REFUSED,
					 "the repair of %s was cancelled", f->m->name);
	file_path(f, "repair", path);
	r = timed_write(path, "1", REPAIR_MS);
	if (r == -ETIMEDOUT || r == -EINTR)
		return change_result_set(
			f->ret, r, CHANGE_UNKNOWN,
			"the repair of %s was begun, and the device did not answer in time",
			f->m->name);
	return r == 0 ? 0
		      : change_result_set(f->ret, r, CHANGE_REFUSED, "%s was not repaired: %s",
					  f->m->name, reason_of(r));
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
	if (r == 0)
		r = check_when(&f);
	if (r == 0)
		r = write_values(&f, &c->repair);
	return r < 0 ? r : write_repair(&f);
}
