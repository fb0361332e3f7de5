// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/repair_place.h"

#include "common/array.h"

/* Maintenance Operation Class and Subclass of a record: CXL 3.2 table 8-103. */
enum { MAINTENANCE_NONE, MAINTENANCE_PPR, MAINTENANCE_SPARING };
enum { PPR_SOFT };

static const struct {
	const char *name;
	enum event_field field;
	uint64_t max; /* as wide as the kernel's attribute */
} parts[REPAIR_PARTS] = {
	[REPAIR_NIBBLE_MASK] = {"nibble_mask", FIELD_NIBBLE_MASK, 0xffffff},
	[REPAIR_CHANNEL] = {"channel", FIELD_CHANNEL, UINT8_MAX},
	[REPAIR_RANK] = {"rank", FIELD_RANK, UINT8_MAX},
	[REPAIR_BANK_GROUP] = {"bank_group", FIELD_BANK_GROUP, UINT8_MAX},
	[REPAIR_BANK] = {"bank", FIELD_BANK, UINT8_MAX},
	[REPAIR_ROW] = {"row", FIELD_ROW, 0xffffff},
	[REPAIR_COLUMN] = {"column", FIELD_COLUMN, UINT16_MAX},
	[REPAIR_SUB_CHANNEL] = {"sub_channel", FIELD_SUB_CHANNEL, UINT8_MAX},
};

/* Subclasses of sparing, and sub-types of its records (table 8-60): from cacheline to rank. */
static const enum edac_repair_type sparings[] = {
	EDAC_REPAIR_CACHELINE_SPARING,
	EDAC_REPAIR_ROW_SPARING,
	EDAC_REPAIR_BANK_SPARING,
	EDAC_REPAIR_RANK_SPARING,
};

const char *repair_part_name(enum repair_part part)
{
	return parts[part].name;
}

uint32_t repair_parts_needed(enum edac_repair_type type)
{
	const uint32_t rank = 1u << REPAIR_CHANNEL | 1u << REPAIR_RANK;
	const uint32_t bank = rank | 1u << REPAIR_BANK_GROUP | 1u << REPAIR_BANK;
	const uint32_t row = bank | 1u << REPAIR_ROW;

	switch (type) {
	case EDAC_REPAIR_RANK_SPARING:
		return rank;
	case EDAC_REPAIR_BANK_SPARING:
		return bank;
	case EDAC_REPAIR_ROW_SPARING:
		return row;
	case EDAC_REPAIR_CACHELINE_SPARING:
		return row | 1u << REPAIR_COLUMN;
	default:
		return 0;
	}
}

uint32_t repair_parts_used(enum edac_repair_type type)
{
	const uint32_t used = repair_parts_needed(type) | 1u << REPAIR_NIBBLE_MASK;

	return type == EDAC_REPAIR_CACHELINE_SPARING ? used | 1u << REPAIR_SUB_CHANNEL : used;
}

const char *repair_place_gap(enum edac_repair_type type, uint32_t known)
{
	if (type != EDAC_REPAIR_CACHELINE_SPARING || known >> REPAIR_SUB_CHANNEL & 1)
		return NULL;
	return "the record does not say the sub_channel, and Linux would give 0 to the device as "
	       "a valid one";
}

/* Linux offers soft PPR, and no other repair of that class: hard PPR is for ever. */
static enum edac_repair_type type_of(uint64_t op_class, struct opt_u64 sub)
{
	if (op_class == MAINTENANCE_NONE)
		return EDAC_REPAIR_PPR;
	if (op_class == MAINTENANCE_PPR && (!sub.present || sub.value == PPR_SOFT))
		return EDAC_REPAIR_PPR;
	if (op_class == MAINTENANCE_SPARING && sub.present && sub.value < ARRAY_SIZE(sparings))
		return sparings[sub.value];
	return EDAC_REPAIR_UNKNOWN;
}

static struct repair_wish wish_of(const struct event_record *rec)
{
	const struct opt_u64 op_class = event_number(rec, FIELD_HDR_MAINT_OP_CLASS);
	const struct opt_u64 sub = event_number(rec, FIELD_HDR_MAINT_OP_SUB_CLASS);
	const uint64_t value = op_class.present ? op_class.value : MAINTENANCE_NONE;

	return (struct repair_wish){
		.type = type_of(value, sub),
		.op_class = (uint32_t)value,
		.op_subclass = sub.present ? (uint32_t)sub.value : 0,
	};
}

static bool take_parts(const struct event_record *rec, struct repair_place *ret)
{
	for (int i = 0; i < REPAIR_PARTS; i++) {
		const struct opt_u64 value = event_number(rec, parts[i].field);

		if (!value.present)
			continue;
		if (value.value > parts[i].max)
			return false;
		ret->known |= 1u << i;
		ret->part[i] = (uint32_t)value.value;
	}
	return true;
}

bool repair_place_read(const struct event_record *rec, struct repair_place *ret)
{
	const struct opt_u64 dpa = event_number(rec, FIELD_DPA);
	const struct opt_u64 flags = event_number(rec, FIELD_DPA_FLAGS);

	if (rec->type != EVENT_GENERAL_MEDIA && rec->type != EVENT_DRAM)
		return false;
	if (!dpa.present || !flags.present || (flags.value & REPAIR_DPA_NOT_REPAIRABLE))
		return false;
	*ret = (struct repair_place){.dpa = (dpa.value & ~(uint64_t)REPAIR_DPA_FLAGS) |
					    (flags.value & REPAIR_DPA_FLAGS)};
	return take_parts(rec, ret);
}

bool repair_is_asked(const struct event_record *rec)
{
	return event_number(rec, FIELD_HDR_FLAGS).value & EVENT_FLAG_MAINTENANCE;
}

bool repair_place_of(const struct event_record *rec, struct repair_place *ret,
		     struct repair_wish *ret_wish)
{
	if (!repair_is_asked(rec) || !repair_place_read(rec, ret))
		return false;
	*ret_wish = wish_of(rec);
	return true;
}

bool repair_place_confirmed(const struct event_record *rec, const struct repair_place *place,
			    enum edac_repair_type type)
{
	const struct opt_u64 sub = event_number(rec, FIELD_SUB_TYPE);
	const uint32_t used = repair_parts_used(type) & place->known;
	const uint32_t needed = repair_parts_needed(type);
	struct repair_place told = {0};

	if (rec->type != EVENT_MEMORY_SPARING || needed == 0)
		return false;
	if (sub.present && (sub.value >= ARRAY_SIZE(sparings) || sparings[sub.value] != type))
		return false;
	if (!take_parts(rec, &told) || (needed & ~told.known))
		return false;
	for (int i = 0; i < REPAIR_PARTS; i++)
		if ((used & told.known) >> i & 1 && told.part[i] != place->part[i])
			return false;
	return true;
}
