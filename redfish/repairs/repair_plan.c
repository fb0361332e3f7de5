// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/repairs/repair_plan.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/strutil.h"

/* Linux keeps an event for so long by the clock of the device (drivers/cxl/core/edac.c). */
#define KERNEL_KEEPS_NS (UINT64_C(10) * 24 * 3600 * 1000000000)

__attribute__((format(printf, 2, 3))) static void plan_say(struct repair_plan *plan,
							   const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(plan->reason, sizeof(plan->reason), fmt, ap);
	va_end(ap);
}

/* The Id depends on all serial numbers of the host. */
static bool has_id(const struct host *host, const struct memdev *m, const char *wanted)
{
	struct arena *arena = arena_new();
	const struct memdev_ids *ids = arena ? memdev_ids_new(arena, host) : NULL;
	const char *id = ids ? memdev_id(ids, m) : NULL;
	const bool same = id && str_equal(id, wanted);

	(void)arena_free(arena);
	return same;
}

/* A serial number that is 0, or that is or was not unique, would repair another device. */
static bool find_memdev(const struct repair_entry *entry, const struct host *host,
			struct repair_plan *plan)
{
	size_t n = 0;

	if (entry->serial == 0) {
		plan_say(plan, "the device has no serial number, so it cannot be identified");
		return false;
	}
	if (!stable_id_has_serial(entry->device)) {
		plan_say(plan, "its serial number was not unique when the record came; it is shown "
			       "only");
		return false;
	}
	plan->memdev = host_memdev_by_serial(host, entry->serial, &n);
	if (n == 1 && has_id(host, plan->memdev, entry->device))
		return true;
	plan->memdev = NULL;
	if (n == 1)
		plan_say(plan, "the device with its serial number has another Id");
	else if (n == 0)
		plan_say(plan, "no device of this host has its serial number");
	else
		plan_say(plan, "%zu devices of this host have its serial number", n);
	return false;
}

/* The repairs that may end a fault, the narrowest first. A fault whose place is not known is taken
 * for one of the newest record's. */
enum { TYPES_MAX = 3 };
static const struct {
	enum edac_repair_type types[TYPES_MAX];
	size_t n;
} of_fault[INCIDENT_PLACES] = {
	[PLACE_UNKNOWN] = {{EDAC_REPAIR_CACHELINE_SPARING, EDAC_REPAIR_ROW_SPARING,
			    EDAC_REPAIR_PPR},
			   3},
	[PLACE_CELL] = {{EDAC_REPAIR_CACHELINE_SPARING, EDAC_REPAIR_ROW_SPARING, EDAC_REPAIR_PPR},
			3},
	[PLACE_ROW_PART] = {{EDAC_REPAIR_ROW_SPARING, EDAC_REPAIR_PPR}, 2},
	[PLACE_ROW] = {{EDAC_REPAIR_ROW_SPARING, EDAC_REPAIR_PPR}, 2},
	[PLACE_COLUMN] = {{EDAC_REPAIR_BANK_SPARING}, 1},
	[PLACE_BANK] = {{EDAC_REPAIR_BANK_SPARING}, 1},
	[PLACE_RANK] = {{EDAC_REPAIR_RANK_SPARING}, 1},
};

/* Another repair than the one that the device asks for is none. */
static bool is_offered(const struct repair_entry *entry, struct repair_plan *plan)
{
	if (plan->type != EDAC_REPAIR_UNKNOWN)
		return true;
	plan_say(plan, "Linux offers no such repair: class %" PRIu32 " subclass %" PRIu32,
		 entry->op_class, entry->op_subclass);
	return false;
}

static bool find_repair(const struct host *host, struct repair_plan *plan)
{
	const struct memdev *m = plan->memdev;
	char absence[REPAIRS_ABSENCE_MAX];
	const char *missing = repairs_absence(host, m, absence);

	if (missing) {
		plan_say(plan, "%s", missing);
		return false;
	}
	for (size_t i = 0; i < m->edac->n_repairs && !plan->repair; i++)
		if (m->edac->repairs[i].type == plan->type)
			plan->repair = &m->edac->repairs[i];
	if (!plan->repair)
		plan_say(plan, "Linux offers no %s of %s", edac_repair_type_word(plan->type),
			 m->name);
	return plan->repair != NULL;
}

static bool has_parts(const struct repair_entry *entry, struct repair_plan *plan)
{
	const uint32_t missing = repair_parts_needed(plan->type) & ~entry->place.known;

	for (int i = 0; i < REPAIR_PARTS; i++) {
		if (!(missing >> i & 1))
			continue;
		plan_say(plan, "the record does not say the %s, which %s needs",
			 repair_part_name((enum repair_part)i), edac_repair_type_word(plan->type));
		return false;
	}
	return true;
}

static bool is_in_range(const struct repair_entry *entry, struct repair_plan *plan)
{
	const struct edac_repair *repair = plan->repair;

	if (!repair->first_dpa.present || (entry->place.dpa >= repair->first_dpa.value &&
					   entry->place.dpa <= repair->last_dpa.value))
		return true;
	plan_say(plan, "the address is not one of the device: the record is not to be believed");
	return false;
}

/* Why the kernel has no event of the place, so that it refuses while the device is in use. */
static bool is_forgotten(const struct repair_entry *entry, const uint8_t *boot_id, uint64_t now_ns,
			 struct repair_plan *plan)
{
	static const uint8_t unknown[REPAIR_BOOT_SIZE];

	if (memcmp(boot_id, unknown, REPAIR_BOOT_SIZE) == 0 ||
	    memcmp(boot_id, entry->boot_id, REPAIR_BOOT_SIZE) != 0)
		plan_say(plan, "the kernel forgot the event, which is of an earlier boot");
	else if (entry->device_ns && now_ns > entry->device_ns &&
		 now_ns - entry->device_ns > KERNEL_KEEPS_NS)
		plan_say(plan, "the kernel forgot the event, which is older than 10 days");
	else if (!entry->live)
		plan_say(plan, "the kernel kept none as far as is known: the record is not of the "
			       "service's trace, which alone shows that its event was enabled");
	else if (!entry->is_dram && plan->type != EDAC_REPAIR_PPR)
		plan_say(plan, "the kernel kept none: of a general media record it keeps ppr only");
	else
		return false;
	return true;
}

static void say_gap(const struct repair_entry *entry, struct repair_plan *plan)
{
	const char *gap = repair_place_gap(plan->type, entry->place.known);

	if (!gap || plan->when != REPAIR_NOW)
		return;
	plan->when = REPAIR_NOT_KNOWN;
	plan->possible = false;
	plan_say(plan, "%s", gap);
}

static void plan_time(const struct repair_entry *entry, const uint8_t *boot_id, uint64_t now_ns,
		      struct repair_plan *plan)
{
	plan->when = repair_when(plan->memdev, plan->repair);
	plan->forgot =
		plan->when == REPAIR_AFTER_EVENT && is_forgotten(entry, boot_id, now_ns, plan);
	plan->possible =
		plan->when == REPAIR_NOW || (plan->when == REPAIR_AFTER_EVENT && !plan->forgot);
	if (plan->forgot)
		(void)snprintf(plan->reason + strlen(plan->reason),
			       sizeof(plan->reason) - strlen(plan->reason),
			       "; possible while the device is not in use, or after a new event");
	else if (plan->when == REPAIR_AFTER_EVENT)
		plan_say(plan,
			 "now, because the device is safe in use, and the event is of this boot");
	else
		plan_say(plan, "%s", repair_when_text(plan->when));
	say_gap(entry, plan);
}

static void plan_type(const struct repair_entry *entry, const struct host *host,
		      const uint8_t *boot_id, uint64_t now_ns, struct repair_plan *plan)
{
	if (is_offered(entry, plan) && find_repair(host, plan) && has_parts(entry, plan) &&
	    is_in_range(entry, plan))
		plan_time(entry, boot_id, now_ns, plan);
}

/* The first type of the list stands for those that Linux does not offer. */
static void choose_type(const struct repair_entry *entry, const struct host *host,
			const uint8_t *boot_id, uint64_t now_ns, struct repair_plan *plan)
{
	const struct repair_plan begun = *plan;

	if (of_fault[entry->fault].n == 0)
		plan_say(plan, "no repair of a place ends a fault of the whole device");
	for (size_t i = 0; i < of_fault[entry->fault].n && !plan->possible; i++) {
		struct repair_plan next = begun;

		next.type = of_fault[entry->fault].types[i];
		plan_type(entry, host, boot_id, now_ns, &next);
		if (i == 0 || next.possible || (!plan->repair && next.repair))
			*plan = next;
	}
}

void repair_plan_make(const struct repair_entry *entry, const struct host *host,
		      const uint8_t boot_id[static REPAIR_BOOT_SIZE], uint64_t now_ns,
		      struct repair_plan *ret)
{
	*ret = (struct repair_plan){.when = REPAIR_NOT_KNOWN};
	ret->type = (enum edac_repair_type)entry->asked;
	if (!find_memdev(entry, host, ret))
		return;
	if (repair_entry_is_asked(entry))
		plan_type(entry, host, boot_id, now_ns, ret);
	else
		choose_type(entry, host, boot_id, now_ns, ret);
}

bool repair_plan_may_run(const struct repair_plan *plan, const struct repair_entry *entry)
{
	return plan->possible && repair_entry_is_idle(entry);
}

const char *repair_plan_word(const struct repair_plan *plan)
{
	if (plan->forgot)
		return "kernel-forgot";
	return plan->possible ? "now" : repair_when_name(plan->when);
}
