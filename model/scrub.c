// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/scrub.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

int scrub_check(const struct scrub *now, struct error *e)
{
	if (now->found)
		return 0;
	return error_set(
		e, EOPNOTSUPP,
		"Linux shows no patrol scrub of it: the device does not have it, is not enabled, or Linux is older than 6.16 or built without CONFIG_CXL_EDAC_SCRUB");
}

int scrub_check_cycle(const struct scrub *now, uint64_t seconds, struct error *e)
{
	const uint64_t min = now->min_cycle_s.value > SCRUB_HOUR_S ? now->min_cycle_s.value
								   : (uint64_t)SCRUB_HOUR_S;

	if (seconds >= min && seconds <= SCRUB_CYCLE_S_MAX)
		return 0;
	return error_set(e, EINVAL,
			 "its cycle can be from %" PRIu64 " to %d s, and %" PRIu64
			 " s is not; give one between them",
			 min, SCRUB_CYCLE_S_MAX, seconds);
}

int ecs_check(const struct memdev_scrub *now, struct error *e)
{
	if (now->n_frus > SCRUB_FRUS_MAX)
		return error_set(
			e, EOPNOTSUPP,
			"it has %zu FRUs with error check scrub, and no more than %d are set together; write their files by hand",
			now->n_frus, SCRUB_FRUS_MAX);
	if (now->n_frus > 0)
		return 0;
	return error_set(
		e, EOPNOTSUPP,
		"Linux shows no error check scrub of it: the device does not have it, is not enabled, or Linux is older than 6.16 or built without CONFIG_CXL_EDAC_ECS");
}

int ecs_check_threshold(uint64_t threshold, struct error *e)
{
	return ecs_threshold_is_valid(threshold)
		       ? 0
		       : error_set(
				 e, EINVAL,
				 "a threshold of error check scrub is 256, 1024 or 4096 errors a Gibit");
}

static bool same_u64(struct opt_u64 a, struct opt_u64 b)
{
	return a.present == b.present && (!a.present || a.value == b.value);
}

bool scrub_equal(const struct scrub *a, const struct scrub *b)
{
	return a->enabled.present == b->enabled.present &&
	       (!a->enabled.present || a->enabled.value == b->enabled.value) &&
	       same_u64(a->cycle_s, b->cycle_s);
}

const char *scrub_text(const struct scrub *s, char ret[static SCRUB_TEXT_MAX])
{
	const char *state = !s->enabled.present ? "state not known"
			    : s->enabled.value	? "on"
						: "off";

	if (!s->cycle_s.present)
		(void)snprintf(ret, SCRUB_TEXT_MAX, "%s, cycle not known", state);
	else if (s->cycle_s.value % SCRUB_HOUR_S == 0)
		(void)snprintf(ret, SCRUB_TEXT_MAX, "%s, %" PRIu64 " h", state,
			       s->cycle_s.value / SCRUB_HOUR_S);
	else
		(void)snprintf(ret, SCRUB_TEXT_MAX, "%s, %" PRIu64 " s", state, s->cycle_s.value);
	return ret;
}

static const char *word_of(struct opt_u64 value, const char *zero, const char *one)
{
	return !value.present ? "not the same of all" : value.value ? one : zero;
}

const char *ecs_text(const struct memdev_scrub *s, char ret[static SCRUB_TEXT_MAX])
{
	const struct opt_u64 threshold = memdev_ecs_common(s, offsetof(struct ecs_fru, threshold));
	const struct opt_u64 mode = memdev_ecs_common(s, offsetof(struct ecs_fru, codewords));
	const struct opt_u64 entries = memdev_ecs_common(s, offsetof(struct ecs_fru, per_fru));
	char number[24] = "not the same of all";

	if (threshold.present)
		(void)snprintf(number, sizeof(number), "%" PRIu64, threshold.value);
	(void)snprintf(ret, SCRUB_TEXT_MAX, "threshold %s, mode %s, entries %s", number,
		       word_of(mode, "rows", "codewords"),
		       word_of(entries, "for each DRAM", "for each FRU"));
	return ret;
}

static void add_member(const struct scrub *member, bool first, struct scrub *ret, bool *same)
{
	if (first)
		*ret = *member;
	*same &= scrub_equal(ret, member);
	if (!first && !member->min_cycle_s.present)
		ret->min_cycle_s = (struct opt_u64){0};
	else if (ret->min_cycle_s.present && member->min_cycle_s.value > ret->min_cycle_s.value)
		ret->min_cycle_s = member->min_cycle_s;
}

void region_scrub_by(const struct region *region, scrub_of_memdev_fn *of, const void *userdata,
		     struct scrub *ret, bool *ret_same)
{
	bool found = region->n_targets > 0;

	*ret = (struct scrub){0};
	*ret_same = true;
	for (size_t i = 0; i < region->n_targets; i++) {
		const struct memdev *m = region->targets[i].memdev;
		const struct memdev_scrub *s = m ? of(userdata, m) : NULL;

		found &= s && s->patrol.found;
		if (found)
			add_member(&s->patrol, i == 0, ret, ret_same);
	}
	if (!found)
		*ret = (struct scrub){0};
	ret->found = found;
	if (found && !*ret_same) {
		ret->enabled = (struct opt_bool){0};
		ret->cycle_s = (struct opt_u64){0};
	}
}

static const struct memdev_scrub *of_readings(const void *userdata, const struct memdev *m)
{
	return readings_scrub(userdata, m);
}

void region_scrub(const struct region *region, const struct readings *r, struct scrub *ret,
		  bool *ret_same)
{
	region_scrub_by(region, of_readings, r, ret, ret_same);
}
