/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_FORMATS_PRIVATE_H
#define CXLR_EVENTS_FORMATS_PRIVATE_H

/* Private to formats*.c: what is kept of the format files. */

#include "common/array.h"
#include "events/formats.h"

enum { SLOT_NAME_MAX = 32 };

/* Where the value of a field goes to. */
enum slot_kind {
	SLOT_NUMBER, /* record.number[index] */
	SLOT_BYTES,  /* record.bytes[index] */
	SLOT_MEMDEV,
	SLOT_HOST,
	SLOT_REGION,
	SLOT_OTHER, /* record.other_fields */
};

enum slot_place {
	PLACE_FIXED,	/* at offset */
	PLACE_DATA_LOC, /* at offset there is where it is, and how long, from the event's start */
	PLACE_REL_LOC,	/* the same, counted from behind this place */
};

struct slot {
	enum slot_kind kind;
	unsigned index;
	enum slot_place place;
	uint16_t offset, size;
	bool is_signed;
	bool is_text;
	char name[SLOT_NAME_MAX];
};
DEFINE_ARRAY(struct slot, slots);

struct event_format {
	uint16_t id; /* common_type */
	enum event_type type;
	char name[EVENT_NAME_MAX];
	struct slots slots;
};
DEFINE_ARRAY(struct event_format, event_format_list);

struct event_formats {
	struct event_format_list events;
	size_t page_bytes;
	struct error problem;
	unsigned n_problems;
};

/* Return: the event with that common_type, or NULL. */
const struct event_format *event_formats_find(const struct event_formats *f, uint16_t id);

/* format_read_slots() - the slots of a format file whose name and number are known already */
int format_read_slots(const char *text, size_t len, struct slots *ret, struct error *e);

#endif
