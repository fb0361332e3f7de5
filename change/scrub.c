// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Patrol scrub and error check scrub, by the files of Linux's EDAC devices. A value is read back
// after it was written: the kernel cuts cycles to hours. It does not undo what it wrote to members
// of a region before one failed, and nothing of several FRUs; so all of that is written again with
// the values of before.
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "change/operations.h"
#include "change/timed_write.h"
#include "common/arena.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "model/scrub.h"
#include "sysfs/scrub.h"

enum { WRITE_MS = 10 * 1000, VALUE_MAX = 24, WRITES_MAX = 3 * SCRUB_FRUS_MAX };

#define ENABLED "scrub0/enable_background"
#define CYCLE	"scrub0/current_cycle_duration"

/* A file, its value of before, and the new one. */
struct scrub_write {
	const char *object; /* whose EDAC device has it */
	char file[SCRUB_PATH_MAX];
	struct opt_u64 before;
	uint64_t value;
};

struct scrub_writes {
	size_t n;
	struct scrub_write items[WRITES_MAX];
};

/* A member of a region with its values of before. */
struct scrub_member {
	const char *name;
	struct scrub before, after;
};

struct scrub_members {
	size_t n;
	struct scrub_member items[INTERLEAVE_WAYS_MAX];
};

static void add_write(struct scrub_writes *l, const char *object, const char *file,
		      struct opt_u64 before, uint64_t value)
{
	struct scrub_write *w = &l->items[l->n++];

	*w = (struct scrub_write){.object = object, .before = before, .value = value};
	(void)snprintf(w->file, sizeof(w->file), "%s", file);
}

static int write_number(const struct change_context *x, const char *object, const char *file,
			uint64_t value)
{
	char path[SCRUB_PATH_MAX], text[VALUE_MAX];

	if (x->root->captured)
		return -EROFS;
	scrub_path(object, file, path);
	(void)snprintf(text, sizeof(text), "%" PRIu64, value);
	return timed_write(path, text, WRITE_MS);
}

/* ---- failures ---------------------------------------------------------------------------------
 */

/* The next step for each error of the files, drivers/cxl/core/edac.c. */
static const struct {
	int error;
	const char *next;
} next_steps[] = {
	{-EPERM,
	 "Linux takes it only from a process with CAP_SYS_RAWIO; start cxl-redfish-change-helper by its unit"},
	{-EINVAL,
	 "the device does not take this value; give a cycle that is not below the shortest one shown"},
	{-EOPNOTSUPP, "the device does not let this be changed; it stays as it is shown"},
	{-EBUSY, "the device carries out another command; repeat the request when that has ended"},
	{-ENXIO, CHANGE_DEVICE_REFUSES},
	{-ENOENT,
	 "Linux does not show it any more; look whether the device or region is still there and enabled"},
	{-ETIMEDOUT, "the device did not answer; see the kernel log, and read the value again"},
	{-EINTR, "the write was interrupted; read the value again, and repeat the request"},
};

static const char *next_step(int error)
{
	for (size_t i = 0; i < ARRAY_SIZE(next_steps); i++)
		if (next_steps[i].error == error)
			return next_steps[i].next;
	return "see the kernel log";
}

/* @kept: the first file that could not be written again with its value of before; NULL: none, or
 * there was nothing to undo */
static int fail(const struct scrub_write *w, int error, size_t n_made, const char *kept,
		struct change_result *ret)
{
	const bool unknown = error == -ETIMEDOUT || error == -EINTR;

	if (kept)
		return change_result_set(
			ret, error, CHANGE_INCOMPLETE,
			"%s: %s: %s; %s; %s does not have its value of before again, write it by hand",
			w->object, w->file, strerror(-error), next_step(error), kept);
	return change_result_set(ret, error,
				 unknown      ? CHANGE_UNKNOWN
				 : n_made > 0 ? CHANGE_UNDONE
					      : CHANGE_REFUSED,
				 "%s: %s: %s; %s", w->object, w->file, strerror(-error),
				 next_step(error));
}

/* Return: the earliest of the first @n files whose value of before is not there again; NULL: none.
 */
static const char *undo(const struct change_context *x, const struct scrub_writes *l, size_t n)
{
	const char *kept = NULL;

	while (n-- > 0) {
		const struct scrub_write *w = &l->items[n];

		if (!w->before.present || write_number(x, w->object, w->file, w->before.value) < 0)
			kept = w->file;
	}
	return kept;
}

static int write_all(const struct change_context *x, const struct scrub_writes *l,
		     struct change_result *ret)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct scrub_write *w = &l->items[i];
		int r = change_is_cancelled(x) ? -ECANCELED
					       : write_number(x, w->object, w->file, w->value);

		if (r < 0)
			return fail(w, r, i, undo(x, l, i), ret);
		change_report(x, NULL, i + 1, l->n, "files");
	}
	return 0;
}

/* ---- patrol scrub -----------------------------------------------------------------------------
 */

static void read_patrol(const char *object, struct scrub *ret)
{
	struct arena *arena = arena_new();
	struct read_notes notes = {.arena = arena};

	*ret = (struct scrub){0};
	if (arena)
		scrub_read(object, &notes, ret);
	(void)arena_free(arena);
}

static struct opt_u64 of_bool(struct opt_bool b)
{
	return b.present ? OPT_U64(b.value) : (struct opt_u64){0};
}

/* The cycle first: it is that of the scrub which then begins. */
static void patrol_writes(const char *object, const struct change_scrub *s, const struct scrub *now,
			  struct scrub_writes *ret)
{
	ret->n = 0;
	if (s->fields & CHANGE_SCRUB_CYCLE)
		add_write(ret, object, CYCLE, now->cycle_s, s->cycle_s);
	if (s->fields & CHANGE_SCRUB_ENABLED)
		add_write(ret, object, ENABLED, of_bool(now->enabled), s->enabled);
}

static int check_patrol(const char *object, const struct change_scrub *s, const struct scrub *now,
			struct change_result *ret)
{
	struct error e = {0};
	int r = scrub_check(now, &e);

	if (r == 0 && s->fields & CHANGE_SCRUB_CYCLE)
		r = scrub_check_cycle(now, s->cycle_s, &e);
	return r < 0 ? change_result_set(ret, r, CHANGE_REFUSED, "%s: %s", object, e.text) : 0;
}

/* Return: whether a value that is read back is what was written, as far as hours are. */
static bool is_as_written(const struct change_scrub *s, const struct scrub *now)
{
	if (s->fields & CHANGE_SCRUB_CYCLE &&
	    !opt_u64_is(now->cycle_s, s->cycle_s / SCRUB_HOUR_S * SCRUB_HOUR_S))
		return false;
	return !(s->fields & CHANGE_SCRUB_ENABLED) ||
	       (now->enabled.present && now->enabled.value == s->enabled);
}

static int verify_patrol(const char *object, const struct change_scrub *s, const struct scrub *now,
			 struct change_result *ret)
{
	char text[SCRUB_TEXT_MAX];

	if (is_as_written(s, now))
		return 0;
	return change_result_set(
		ret, EIO, CHANGE_INCOMPLETE,
		"%s accepted the setting of patrol scrub, but shows %s; read it again, and see the kernel log",
		object, scrub_text(now, text));
}

int change_scrub(const struct change_context *x, const struct change *c, const struct host *host,
		 struct change_result *ret)
{
	const struct memdev *m = change_find_memdev(host, c, ret);
	char now_text[SCRUB_TEXT_MAX], before_text[SCRUB_TEXT_MAX];
	struct scrub before, now;
	struct scrub_writes writes;
	int r = m ? 0 : ret->error;

	if (r == 0) {
		read_patrol(m->name, &before);
		r = check_patrol(m->name, &c->scrub, &before, ret);
	}
	if (r == 0) {
		patrol_writes(m->name, &c->scrub, &before, &writes);
		r = write_all(x, &writes, ret);
	}
	if (r < 0)
		return r;
	read_patrol(m->name, &now);
	r = verify_patrol(m->name, &c->scrub, &now, ret);
	if (r == 0)
		(void)snprintf(ret->text, sizeof(ret->text), "%s: %s; before: %s", m->name,
			       scrub_text(&now, now_text), scrub_text(&before, before_text));
	return r;
}

/* ---- a region ---------------------------------------------------------------------------------
 */

/* Return: 0; -EINVAL for a region with a member that is not known, as its value could not be
 * restored. */
static int find_members(const struct region *region, struct scrub_members *ret,
			struct change_result *result)
{
	ret->n = 0;
	for (size_t i = 0; i < region->n_targets && i < INTERLEAVE_WAYS_MAX; i++) {
		const struct memdev *m = region->targets[i].memdev;

		if (!m)
			return change_result_set(
				result, EINVAL, CHANGE_REFUSED,
				"%s: the device at position %u is not known, so its scrub could not be restored; complete the region first",
				region->name, region->targets[i].position);
		ret->items[ret->n].name = m->name;
		read_patrol(m->name, &ret->items[ret->n++].before);
	}
	return 0;
}

/* Return: the first member whose values of before are not there again; NULL: none. */
static const char *restore_members(const struct change_context *x, const struct change_scrub *s,
				   const struct scrub_members *l)
{
	const char *kept = NULL;
	struct scrub_writes writes;
	struct scrub now;

	for (size_t i = 0; i < l->n; i++) {
		const struct scrub_member *m = &l->items[i];

		read_patrol(m->name, &now);
		if (scrub_equal(&now, &m->before))
			continue;
		patrol_writes(m->name, s, &m->before, &writes);
		if (undo(x, &writes, writes.n) && !kept)
			kept = m->name;
	}
	return kept;
}

static int write_region(const struct change_context *x, const struct change *c,
			const struct scrub_members *members, struct change_result *ret)
{
	const struct scrub none = {0};
	struct scrub_writes writes;

	patrol_writes(c->object, &c->scrub, &none, &writes);
	for (size_t i = 0; i < writes.n; i++) {
		const struct scrub_write *w = &writes.items[i];
		int r = change_is_cancelled(x) ? -ECANCELED
					       : write_number(x, w->object, w->file, w->value);

		/* Linux leaves the members as they are when one fails. */
		if (r < 0)
			return fail(w, r, i, restore_members(x, &c->scrub, members), ret);
	}
	return 0;
}

static int verify_members(const struct change *c, struct scrub_members *l,
			  struct change_result *ret)
{
	int r = 0;

	for (size_t i = 0; i < l->n && r == 0; i++) {
		read_patrol(l->items[i].name, &l->items[i].after);
		r = verify_patrol(l->items[i].name, &c->scrub, &l->items[i].after, ret);
	}
	return r;
}

/* The setting, and the values of members that were others. */
static void say_overwritten(const char *region, const struct scrub_members *l, char *text,
			    size_t size)
{
	char one[SCRUB_TEXT_MAX];
	size_t len;
	bool any = false;

	len = (size_t)snprintf(text, size, "%s: %s", region,
			       l->n > 0 ? scrub_text(&l->items[0].after, one) : "no member");
	for (size_t i = 0; i < l->n && len < size; i++) {
		const struct scrub_member *m = &l->items[i];

		if (scrub_equal(&m->before, &m->after))
			continue;
		len += (size_t)snprintf(text + len, size - len, "%s %s: %s",
					any ? "," : "; overwritten:", m->name,
					scrub_text(&m->before, one));
		any = true;
	}
}

int change_region_scrub(const struct change_context *x, const struct change *c,
			const struct host *host, struct change_result *ret)
{
	const struct region *region = change_find_region(host, c, ret);
	struct scrub_members members = {0};
	struct scrub now;
	int r = region ? 0 : ret->error;

	if (r == 0) {
		read_patrol(region->name, &now);
		r = check_patrol(region->name, &c->scrub, &now, ret);
	}
	if (r == 0)
		r = find_members(region, &members, ret);
	if (r == 0)
		r = write_region(x, c, &members, ret);
	if (r == 0)
		r = verify_members(c, &members, ret);
	if (r == 0)
		say_overwritten(region->name, &members, ret->text, sizeof(ret->text));
	return r;
}

/* ---- error check scrub ------------------------------------------------------------------------
 */

static void read_device(const char *memdev, struct memdev_scrub *ret)
{
	struct arena *arena = arena_new();
	struct read_notes notes = {.arena = arena};

	*ret = (struct memdev_scrub){0};
	if (arena)
		memdev_scrub_read(memdev, &notes, ret);
	(void)arena_free(arena);
}

/* The files of a FRU. */
static const struct {
	uint32_t field;
	const char *file;
	size_t member; /* of struct ecs_fru */
	size_t wanted; /* of struct change_ecs */
} ecs_files[] = {
	{CHANGE_ECS_PER_FRU, "log_entry_type", offsetof(struct ecs_fru, per_fru),
	 offsetof(struct change_ecs, per_fru)},
	{CHANGE_ECS_CODEWORDS, "mode", offsetof(struct ecs_fru, codewords),
	 offsetof(struct change_ecs, codewords)},
	{CHANGE_ECS_THRESHOLD, "threshold", offsetof(struct ecs_fru, threshold),
	 offsetof(struct change_ecs, threshold)},
};

static uint32_t wanted_of(const struct change_ecs *s, size_t file)
{
	uint32_t value;

	memcpy(&value, (const char *)s + ecs_files[file].wanted, sizeof(value));
	return value;
}

static void fru_writes(const char *memdev, const struct change_ecs *s,
		       const struct memdev_scrub *now, size_t fru, struct scrub_writes *to)
{
	char file[SCRUB_PATH_MAX];
	struct opt_u64 before;

	for (size_t i = 0; i < ARRAY_SIZE(ecs_files); i++) {
		if (!(s->fields & ecs_files[i].field))
			continue;
		(void)snprintf(file, sizeof(file), "ecs_fru%zu/%s", fru, ecs_files[i].file);
		memcpy(&before, (const char *)&now->frus[fru] + ecs_files[i].member,
		       sizeof(before));
		add_write(to, memdev, file, before, wanted_of(s, i));
	}
}

static int verify_ecs(const char *memdev, const struct change_ecs *s,
		      const struct memdev_scrub *now, struct change_result *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(ecs_files); i++) {
		const struct opt_u64 shown = memdev_ecs_common(now, ecs_files[i].member);

		if (!(s->fields & ecs_files[i].field) || opt_u64_is(shown, wanted_of(s, i)))
			continue;
		return change_result_set(
			ret, EIO, CHANGE_INCOMPLETE,
			"%s accepted the settings of error check scrub, but %s of its FRUs does not show %" PRIu32
			"; read it again, and see the kernel log",
			memdev, ecs_files[i].file, wanted_of(s, i));
	}
	return 0;
}

int change_ecs(const struct change_context *x, const struct change *c, const struct host *host,
	       struct change_result *ret)
{
	const struct memdev *m = change_find_memdev(host, c, ret);
	char now_text[SCRUB_TEXT_MAX], before_text[SCRUB_TEXT_MAX];
	struct memdev_scrub before, now;
	struct scrub_writes writes = {0};
	struct error e = {0};
	int r;

	if (!m)
		return ret->error;
	read_device(m->name, &before);
	if (ecs_check(&before, &e) < 0)
		return change_refuse(m, &e, ret);
	for (size_t i = 0; i < before.n_frus; i++)
		fru_writes(m->name, &c->ecs, &before, i, &writes);
	r = write_all(x, &writes, ret);
	if (r < 0)
		return r;
	read_device(m->name, &now);
	r = verify_ecs(m->name, &c->ecs, &now, ret);
	if (r == 0)
		(void)snprintf(ret->text, sizeof(ret->text), "%s: %s; before: %s", m->name,
			       ecs_text(&now, now_text), ecs_text(&before, before_text));
	return r;
}
