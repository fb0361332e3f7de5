/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_REPAIR_PLACE_H
#define CXLR_EVENTS_REPAIR_PLACE_H

/*
 * The place of a record, which it may ask to have repaired, as Linux compares it with the events
 * that it keeps (drivers/cxl/core/edac.c): only what the record itself vouches for. Plain values;
 * pure functions; any thread.
 */

#include "events/record.h"
#include "sysfs/edac.h"

/* Parts of a place besides the DPA, as bits of `known`; in the order of the kernel's files. */
enum repair_part {
	REPAIR_NIBBLE_MASK,
	REPAIR_CHANNEL,
	REPAIR_RANK,
	REPAIR_BANK_GROUP,
	REPAIR_BANK,
	REPAIR_ROW,
	REPAIR_COLUMN,
	REPAIR_SUB_CHANNEL,
	REPAIR_PARTS,
};

struct repair_place {
	/* The address as the record has it, with its flags in bits 1:0, which are part of the
	 * kernel's key: 0x1001 of a volatile address. */
	uint64_t dpa;
	uint32_t known;		     /* a bit for each enum repair_part */
	uint32_t part[REPAIR_PARTS]; /* 0 where not known */
};

/* A repair as a record asks for it. */
struct repair_wish {
	enum edac_repair_type type; /* UNKNOWN: the record names one that Linux does not offer */
	uint32_t op_class, op_subclass; /* as the record has them; 0 where it has none */
};

/* Bits of an address in a record (CXL 3.2 table 8-57). */
enum { REPAIR_DPA_VOLATILE = 1, REPAIR_DPA_NOT_REPAIRABLE = 2, REPAIR_DPA_FLAGS = 3 };

/* Return: the name of the kernel's file, "bank_group"; static. */
const char *repair_part_name(enum repair_part part);

/* Return: a bit for each part that a type of repair has a file of, and that it cannot do without.
 */
uint32_t repair_parts_used(enum edac_repair_type type);
uint32_t repair_parts_needed(enum edac_repair_type type);

/*
 * repair_place_gap() - what Linux would tell the device though the record does not vouch for it
 *
 * Sparing of a cacheline gives the sub-channel to the device as a valid one, always
 * (cxl_mem_perform_sparing()). While the device is in use, Linux compares it with its event; while
 * it is not, nobody does.
 *
 * Return: a clause; NULL: nothing; static.
 */
const char *repair_place_gap(enum edac_repair_type type, uint32_t known);

/*
 * repair_place_read() - the place of a record, whether it asks for a repair or not
 *
 * Return: false when it has none that can be repaired: no memory record, not repairable (bit 1 of
 * dpa_flags), without address or its flags, or with a part that is wider than the kernel's.
 */
bool repair_place_read(const struct event_record *rec, struct repair_place *ret);

/* Return: whether a record asks for maintenance. */
bool repair_is_asked(const struct event_record *rec);

/*
 * repair_place_of() - the place and the repair that a record asks for
 * @ret_wish: ppr, where the record names no class of maintenance
 *
 * Return: false when it asks for none, or has no place, see above.
 */
bool repair_place_of(const struct event_record *rec, struct repair_place *ret,
		     struct repair_wish *ret_wish);

/*
 * repair_place_confirmed() - whether a memory sparing record is about that repair
 *
 * Its sub-type is that of the repair, and all parts that both have, and that the repair uses, are
 * equal; at least those that it needs are in the record.
 */
bool repair_place_confirmed(const struct event_record *rec, const struct repair_place *place,
			    enum edac_repair_type type);

#endif
