// SPDX-License-Identifier: LGPL-2.1-or-later
//
// PATCH of Memory: partition sizes (DSP0288 1.2.0, table 1, rows 20 and 21), Enabled,
// SecurityState, LocationIndicatorActive, and scrub.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/service/body_check.h"
#include "redfish/resources/memory/memory_operations.h"
#include "redfish/resources/scrub.h"

#define VOLATILE   "CXL/StagedVolatileSizeMiB"
#define PERSISTENT "CXL/StagedNonVolatileSizeMiB"
#define LIGHT	   "LocationIndicatorActive"

enum { MIB_SHIFT = 20, CHANGES_MAX = 7 };

static uint64_t mib(uint64_t bytes)
{
	return bytes >> MIB_SHIFT;
}

/* ---- partitions -------------------------------------------------------------------------------
 */

/* @ret: the size in bytes; absent when it was not given. A size that is not in the device is noted.
 */
static bool read_size(struct exchange *x, const char *path, const struct mailbox *mb,
		      struct opt_u64 *ret)
{
	const struct opt_u64 given = body_number(x, path);

	*ret = (struct opt_u64){0};
	if (!given.present)
		return true;
	if (given.value > mib(mb->total_size.value)) {
		memory_note(x, path, 400,
			    "%" PRIu64 " MiB is more than its capacity of %" PRIu64 " MiB",
			    given.value, mib(mb->total_size.value));
		return false;
	}
	*ret = OPT_U64(given.value << MIB_SHIFT);
	return true;
}

static void read_sizes(struct exchange *x, const struct mailbox *mb, uint64_t *ret)
{
	const uint64_t total = mb->total_size.value;
	const char *path = body_has(x, VOLATILE) ? VOLATILE : PERSISTENT;
	struct error e = {0};
	struct opt_u64 v, p;

	if (!read_size(x, VOLATILE, mb, &v) || !read_size(x, PERSISTENT, mb, &p))
		return;
	if (v.present && p.present && v.value + p.value != total) {
		memory_note(x, path, 400,
			    "%" PRIu64 " MiB and %" PRIu64 " MiB are not its capacity of %" PRIu64
			    " MiB: give sizes with that sum, or one of them",
			    mib(v.value), mib(p.value), mib(total));
		return;
	}
	*ret = v.present ? v.value : total - p.value;
	if (memdev_check_volatile_size(mb, *ret, &e) < 0)
		memory_note_error(x, path, &e);
}

static size_t add_partitions(struct exchange *x, const struct memdev *m, struct change *to)
{
	const struct mailbox *mb = view_mailbox(x->view, m);
	const char *path = body_has(x, VOLATILE) ? VOLATILE : PERSISTENT;
	struct error e = {0};

	if (!body_has(x, path) || !memory_may(x, ALLOW_PARTITIONS, path))
		return 0;
	if (memdev_check_partitions(mb, &e) < 0) {
		memory_note_error(x, path, &e);
		return 0;
	}
	change_of_memdev(to, CHANGE_PARTITIONS, m);
	read_sizes(x, mb, &to->volatile_bytes);
	return 1;
}

/* ---- SecurityState ----------------------------------------------------------------------------
 */

/* How a client reaches the states that a PATCH does not set. */
static const struct {
	const char *state, *way;
} other_states[] = {
	{"Disabled", "the action Memory.DisablePassphrase does that, with the passphrase"},
	{"Enabled", "the action Memory.SetPassphrase does that, or Memory.UnlockUnit"},
	{"Unlocked", "the action Memory.UnlockUnit does that, with the passphrase"},
	{"Locked", "a device with a passphrase is locked by its next reset"},
	{"Passphraselimit", "the device sets it itself"},
};

static void refuse_state(struct exchange *x, const char *state)
{
	for (size_t i = 0; i < ARRAY_SIZE(other_states); i++) {
		if (!str_equal(state, other_states[i].state))
			continue;
		memory_note(x, "SecurityState", 400, "only Frozen can be set; %s",
			    other_states[i].way);
		return;
	}
	body_note(x, MESSAGE_PROPERTY_VALUE_NOT_IN_LIST, "SecurityState");
}

static size_t add_security_state(struct exchange *x, const struct memdev *m, struct change *to)
{
	const char *state = body_text(x, "SecurityState"), *why;

	if (!state || !memory_may(x, ALLOW_SECURITY, "SecurityState"))
		return 0;
	if (!str_equal(state, "Frozen")) {
		refuse_state(x, state);
		return 0;
	}
	why = passphrases_unchangeable(x->view, x->resource);
	if (why)
		memory_note(x, "SecurityState", 409, "%s", why);
	if (why || str_equal(view_security(x->view, m).state, "frozen"))
		return 0;
	change_of_memdev(to, CHANGE_FREEZE_SECURITY, m);
	return 1;
}

/* ---- Enabled ----------------------------------------------------------------------------------
 */

static size_t add_enabled(struct exchange *x, const struct memdev *m, bool enable,
			  struct change *to)
{
	const struct opt_bool wanted = body_boolean(x, "Enabled");

	if (!wanted.present || wanted.value != enable || !memory_may(x, ALLOW_MEMORY, "Enabled") ||
	    m->enabled == enable)
		return 0;
	change_of_memdev(to, enable ? CHANGE_MEMDEV_ENABLE : CHANGE_MEMDEV_DISABLE, m);
	return 1;
}

/* ---- LocationIndicatorActive ------------------------------------------------------------------
 */

static size_t add_light(struct exchange *x, const struct memdev *m, struct change *to)
{
	const struct opt_bool wanted = body_boolean(x, LIGHT);

	if (!wanted.present || !memory_may(x, ALLOW_ALERTS, LIGHT))
		return 0;
	if (!m->slot_has_light) {
		memory_note(x, LIGHT, 409, "its slot has no attention indicator");
		return 0;
	}
	change_of_memdev(to, CHANGE_LIGHT, m);
	to->on = wanted.value;
	return 1;
}

/* ---- scrub ------------------------------------------------------------------------------------
 */

static struct memdev_scrub shown_scrub(const struct exchange *x, const struct memdev *m)
{
	const struct memdev_scrub *s = readings_scrub(x->view->readings, m);

	return s ? *s : (struct memdev_scrub){0};
}

static size_t add_patrol(struct exchange *x, const struct memdev *m, struct change *to)
{
	const struct memdev_scrub shown = shown_scrub(x, m);
	const char *path = scrub_property(x, CHANGE_SCRUB);
	struct error e = {0};
	int r;

	change_of_memdev(to, CHANGE_SCRUB, m);
	scrub_take_patrol(x, &to->scrub);
	if (to->scrub.fields == 0 || !memory_may(x, ALLOW_SCRUB, path))
		return 0;
	r = scrub_check(&shown.patrol, &e);
	if (r == 0 && to->scrub.fields & CHANGE_SCRUB_CYCLE)
		r = scrub_check_cycle(&shown.patrol, to->scrub.cycle_s, &e);
	if (r < 0)
		memory_note_error(x, path, &e);
	return r == 0;
}

static size_t add_ecs(struct exchange *x, const struct memdev *m, struct change *to)
{
	const struct memdev_scrub shown = shown_scrub(x, m);
	const char *path = scrub_property(x, CHANGE_ECS);
	struct error e = {0};
	int r;

	change_of_memdev(to, CHANGE_ECS, m);
	scrub_take_ecs(x, &to->ecs);
	if (to->ecs.fields == 0 || !memory_may(x, ALLOW_SCRUB, path))
		return 0;
	r = ecs_check(&shown, &e);
	if (r == 0 && to->ecs.fields & CHANGE_ECS_THRESHOLD)
		r = ecs_check_threshold(to->ecs.threshold, &e);
	if (r < 0)
		memory_note_error(x, path, &e);
	return r == 0;
}

/* ---- the request ------------------------------------------------------------------------------
 */

static const struct parameter cxl[] = {
	{.name = "StagedVolatileSizeMiB",
	 .type = PARAMETER_NUMBER,
	 .max = INT64_MAX,
	 .description = "volatile capacity after the next reset"},
	{.name = "StagedNonVolatileSizeMiB",
	 .type = PARAMETER_NUMBER,
	 .max = INT64_MAX,
	 .description = "persistent capacity after the next reset"},
};

static const struct parameter cxl_host[] = {SCRUB_PATROL_ROW, SCRUB_ECS_ROW};

static const struct parameter oem[] = {
	{.name = "CXLHost", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(cxl_host)},
};

static const struct parameter rows[] = {
	{.name = "CXL", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(cxl)},
	{.name = "Enabled",
	 .type = PARAMETER_BOOLEAN,
	 .description = "whether Linux's driver uses the device"},
	{.name = LIGHT,
	 .type = PARAMETER_BOOLEAN,
	 .description = "whether the attention indicator of its slot blinks"},
	{.name = "SecurityState", .type = PARAMETER_TEXT, .description = "Frozen"},
	{.name = "Oem", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(oem)},
};

const struct parameters memory_patch_body = {PARAMETER_ROWS(rows)};

/* Return: the property that errors of a change name; NULL when there are several. */
static const char *property_of(const struct exchange *x, const struct change *items, size_t n)
{
	if (n != 1)
		return NULL;
	switch (items[0].kind) {
	case CHANGE_PARTITIONS:
		return body_has(x, VOLATILE) ? VOLATILE : PERSISTENT;
	case CHANGE_FREEZE_SECURITY:
		return "SecurityState";
	case CHANGE_LIGHT:
		return LIGHT;
	case CHANGE_SCRUB:
	case CHANGE_ECS:
		return scrub_property(x, items[0].kind);
	default:
		return "Enabled";
	}
}

/* A device is enabled before anything else of it is changed, and disabled after that. */
int patch_memory(struct exchange *x)
{
	const struct memdev *m = x->resource->object;
	struct change items[CHANGES_MAX];
	struct host_changes changes = {.items = items, .image = -1, .on_done = scrub_note_set};
	size_t n = 0;
	int r;

	n += add_enabled(x, m, true, &items[n]);
	n += add_partitions(x, m, &items[n]);
	n += add_security_state(x, m, &items[n]);
	n += add_light(x, m, &items[n]);
	n += add_patrol(x, m, &items[n]);
	n += add_ecs(x, m, &items[n]);
	n += add_enabled(x, m, false, &items[n]);
	r = exchange_noted(x);
	if (r < 0 || n == 0)
		return r;
	changes.n = n;
	changes.property = property_of(x, items, n);
	return host_changes_submit(x, &changes);
}

const char *memory_unchangeable(const struct view *v, const struct resource *r)
{
	static const unsigned int bits[] = {ALLOW_PARTITIONS, ALLOW_MEMORY, ALLOW_SECURITY,
					    ALLOW_ALERTS, ALLOW_SCRUB};
	const unsigned int configured = v->inputs.changes_allowed.configured;
	const bool captured = v->host->root && v->host->root->captured;
	const char *reason =
		"changes of memory devices are not allowed (--allow=partitions, memory, security, alerts or scrub)";

	(void)r;
	for (size_t i = 0; i < ARRAY_SIZE(bits); i++) {
		const char *why = host_unchangeable(v, bits[i]);

		if (!why)
			return NULL;
		if (captured || (configured & bits[i]))
			reason = why;
	}
	return reason;
}
