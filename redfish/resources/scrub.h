/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_SCRUB_H
#define CXLR_REDFISH_RESOURCES_SCRUB_H

/*
 * Patrol scrub and error check scrub in Oem/CXLHost of Memory and MemoryChunks: their properties,
 * the members of a PATCH, and the change that these become. docs/changes-devices.md describes them
 * for clients.
 *
 * Functions that render, and those that say why something is unchangeable, are of the view, for any
 * thread; the others are called on an HTTP thread and wait for nothing.
 */

#include "change/change.h"
#include "common/json_writer.h"
#include "model/scrub.h"
#include "redfish/core/parameters.h"
#include "redfish/service/exchange.h"
#include "redfish/view/view.h"

#define SCRUB_PATROL_PATH "Oem/CXLHost/PatrolScrub"
#define SCRUB_ECS_PATH	  "Oem/CXLHost/ErrorCheckScrub"

/* The members of the two objects of a PATCH; rows for its table. */
extern const struct parameter scrub_patrol_members[2], scrub_ecs_members[3];

#define SCRUB_PATROL_ROW                                                                           \
	{                                                                                          \
		.name = "PatrolScrub", .type = PARAMETER_OBJECT,                                   \
		PARAMETER_MEMBERS(scrub_patrol_members)                                            \
	}
#define SCRUB_ECS_ROW                                                                              \
	{                                                                                          \
		.name = "ErrorCheckScrub", .type = PARAMETER_OBJECT,                               \
		PARAMETER_MEMBERS(scrub_ecs_members)                                               \
	}

/* The properties; nothing of what the kernel does not show. */
void put_memory_scrub(const struct view *v, const struct memdev *m, struct json_writer *w);
void put_region_scrub(const struct view *v, const struct region *region, struct json_writer *w);

/* The values of a body; `fields` is 0 without any. */
void scrub_take_patrol(const struct exchange *x, struct change_scrub *ret);
void scrub_take_ecs(const struct exchange *x, struct change_ecs *ret);

/* Return: the path that an error of a change of scrub names. */
const char *scrub_property(const struct exchange *x, enum change_kind kind);

/*
 * scrub_note_set() - remember who had it set, for the readings that come after it
 * @c, @result: a change that was made; others are left alone
 *
 * For `on_done` of struct host_changes.
 */
void scrub_note_set(struct exchange *x, const struct change *c, const struct change_result *result);

#endif
