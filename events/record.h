/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_RECORD_H
#define CXLR_EVENTS_RECORD_H

/*
 * One record of a trace ring: what the kernel reported of one CXL event, as plain values.
 *
 * A record owns its values and refers to nothing else, so it may be copied by assignment and handed
 * from thread to thread. Kernels add, drop, widen and move fields, so every value is optional
 * (`present`), and fields that this version does not know are kept as text in `other_fields`.
 *
 * These are absent, too, although the kernel shows a value:
 *	hpa		all ones: no region maps the address, or it could not be translated
 *	hpa_alias0	all ones, or hpa is absent: then the kernel did not set it
 *	hdr_timestamp, overflow_ts, first_ts, last_ts
 *			0: the device has no time of day
 *	channel, rank, ..., comp_id, cor_mask, sub_channel
 *			where validity_flags of the same record does not mark them as valid
 *	hdr_maint_op_sub_class, hdr_ld_id, hdr_head_id
 *			where hdr_flags does not
 *	region_uuid	all zeros: the region has none
 * The bytes as they were in the ring remain in `payload`.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/opt.h"

enum event_type {
	EVENT_GENERAL_MEDIA,
	EVENT_DRAM,
	EVENT_MEMORY_MODULE,
	EVENT_MEMORY_SPARING,
	EVENT_GENERIC, /* the kernel's cxl_generic_event: a record with a UUID it does not know */
	EVENT_POISON,  /* listed, or injected on request */
	EVENT_POISON_CLEARED, /* the kernel's cxl_poison with trace_type 2 */
	EVENT_OVERFLOW,	      /* the device's log overflowed */
	EVENT_AER_CORRECTABLE,
	EVENT_AER_UNCORRECTABLE,
	EVENT_PORT_AER_CORRECTABLE,
	EVENT_PORT_AER_UNCORRECTABLE,
	/* An event of system cxl that this version does not know, or one without the fields that it
	 * must have (memdev or device, host, and the dpa where its type has one). */
	EVENT_OTHER,
	/* Not from the kernel: records of this CPU's ring were lost before the next one. */
	EVENT_LOST,
	/* Likewise: records that were read from this CPU's ring and never stored, because the
	 * service ended before. */
	EVENT_LOST_AT_END,
	EVENT_UNREADABLE, /* in place of entries of the log whose file is damaged */
};
enum { EVENT_TYPES = EVENT_UNREADABLE + 1 };

/*
 * Numbers, by the names they have in events/cxl/EVENT/format (event_field_name()). The same name
 * means the same in all events that have it, except FIELD_TYPE, FIELD_SUB_TYPE and FIELD_FLAGS,
 * whose codes are those of the event's type.
 */
enum event_field {
	/* what all records of a device's event logs have */
	FIELD_LOG, /* 0 informational, 1 warning, 2 failure, 3 fatal */
	FIELD_SERIAL,
	FIELD_HDR_FLAGS,
	FIELD_HDR_HANDLE,
	FIELD_HDR_RELATED_HANDLE,
	FIELD_HDR_TIMESTAMP, /* ns since 1970 by the device's clock */
	FIELD_HDR_LENGTH,
	FIELD_HDR_MAINT_OP_CLASS,
	FIELD_HDR_MAINT_OP_SUB_CLASS,
	FIELD_HDR_LD_ID,
	FIELD_HDR_HEAD_ID,
	/* addresses, in bytes */
	FIELD_DPA,
	FIELD_DPA_FLAGS,
	FIELD_DPA_LENGTH,
	FIELD_HPA,
	FIELD_HPA_ALIAS0,
	/* general media, DRAM, memory sparing */
	FIELD_DESCRIPTOR,
	FIELD_TYPE,
	FIELD_SUB_TYPE,
	FIELD_TRANSACTION_TYPE,
	FIELD_VALIDITY_FLAGS,
	FIELD_CHANNEL,
	FIELD_RANK,
	FIELD_DEVICE,
	FIELD_NIBBLE_MASK,
	FIELD_BANK_GROUP,
	FIELD_BANK,
	FIELD_ROW,
	FIELD_COLUMN,
	FIELD_SUB_CHANNEL,
	FIELD_CME_THRESHOLD_EV_FLAGS,
	FIELD_CME_COUNT,
	FIELD_CVME_COUNT,
	FIELD_FLAGS, /* of poison and memory sparing */
	FIELD_RESULT,
	FIELD_RES_AVAIL,
	/* memory module */
	FIELD_EVENT_TYPE,
	FIELD_EVENT_SUB_TYPE,
	FIELD_HEALTH_STATUS,
	FIELD_MEDIA_STATUS,
	FIELD_LIFE_USED,
	FIELD_DIRTY_SHUTDOWN_CNT,
	FIELD_COR_VOL_ERR_CNT,
	FIELD_COR_PER_ERR_CNT,
	FIELD_DEVICE_TEMP, /* degrees Celsius, signed: see event_number_signed() */
	FIELD_ADD_STATUS,
	/* poison */
	FIELD_TRACE_TYPE, /* 0 list, 1 inject, 2 clear; 16 scan, which is not the kernel's */
	FIELD_SOURCE,
	FIELD_OVERFLOW_TS,
	/* overflow of a log */
	FIELD_FIRST_TS,
	FIELD_LAST_TS,
	FIELD_COUNT,
	/* AER: bits of the RAS capability's status register */
	FIELD_STATUS,
	FIELD_FIRST_ERROR,
};
enum { EVENT_FIELDS = FIELD_FIRST_ERROR + 1 };
_Static_assert(EVENT_FIELDS <= 64, "`present` has a bit for each");

/* Arrays of bytes, by the names they have in the format files (event_bytes_name()). */
enum event_bytes {
	BYTES_HDR_UUID,	   /* 16, in the order of RFC 4122's text form */
	BYTES_REGION_UUID, /* 16; cxl_poison calls it uuid */
	BYTES_COMP_ID,
	BYTES_COR_MASK,
	BYTES_DATA,	  /* of a generic event: the record behind its header */
	BYTES_HEADER_LOG, /* of AER: 16 words of 32 bits in this machine's byte order */
};
enum { EVENT_BYTES = BYTES_HEADER_LOG + 1 };

/* Values of FIELD_TRACE_TYPE (enum cxl_poison_trace_type in drivers/cxl/core/trace.h). */
enum {
	POISON_TRACE_LIST,
	POISON_TRACE_INJECT,
	POISON_TRACE_CLEAR,
	POISON_TRACE_SCAN = 16, /* of this service, see scan_event.h: the kernel has no such type */
};

/*
 * Bits of FIELD_HDR_FLAGS: CXL 3.2 table 8-55, Event Record Flags. Bits 1:0 are the severity of the
 * record, with the values of FIELD_LOG; those of 6 and above mark other fields as valid.
 */
enum {
	EVENT_FLAG_SEVERITY = 3,
	EVENT_FLAG_PERMANENT = 1 << 2,
	EVENT_FLAG_MAINTENANCE = 1 << 3,
	EVENT_FLAG_DEGRADED = 1 << 4,
	EVENT_FLAG_REPLACE = 1 << 5,
	/* All that are a state of the device. */
	EVENT_FLAG_STATES = EVENT_FLAG_PERMANENT | EVENT_FLAG_MAINTENANCE | EVENT_FLAG_DEGRADED |
			    EVENT_FLAG_REPLACE,
};

/* Values of FIELD_LOG: the logs of a device. */
enum { EVENT_LOG_INFORMATIONAL, EVENT_LOG_WARNING, EVENT_LOG_FAILURE, EVENT_LOG_FATAL };

/* Bits of FIELD_DESCRIPTOR, Memory Event Descriptor of general media and DRAM records. */
enum {
	EVENT_DESCRIPTOR_UNCORRECTABLE = 1 << 0,
	EVENT_DESCRIPTOR_THRESHOLD = 1 << 1,
};

enum {
	EVENT_NAME_MAX = 48,
	EVENT_MEMDEV_MAX = 32,
	EVENT_HOST_MAX = 64,
	EVENT_REGION_MAX = 32,
	EVENT_CLOCK_MAX = 16,
	EVENT_PAYLOAD_MAX = 1024,
	EVENT_OTHER_MAX = 512,
};

struct event_record {
	enum event_type type;
	char event[EVENT_NAME_MAX]; /* the kernel's name, "cxl_dram"; "lost" for EVENT_LOST */
	unsigned cpu;
	uint64_t time_ns; /* by the trace clock; of EVENT_LOST: that of what follows */
	unsigned repeat;  /* number of records of this CPU before it with the same time_ns */
	char clock[EVENT_CLOCK_MAX]; /* which clock that is, "boot"; "" when it is not known */
	struct opt_u64 wall_ns; /* the same moment in ns since 1970, UTC, where that is known */

	char memdev[EVENT_MEMDEV_MAX]; /* "mem2"; of a port's AER event the port's PCI function */
	char host[EVENT_HOST_MAX];     /* the parent device, mostly "0000:0d:00.0" */
	char region[EVENT_REGION_MAX]; /* "" when the kernel named none */

	uint64_t present; /* bit N: number[N] is known */
	uint64_t number[EVENT_FIELDS];
	struct {
		uint16_t at, len; /* in payload; len 0: absent */
	} bytes[EVENT_BYTES];

	struct opt_u64
		lost; /* of EVENT_LOST: how many records; absent when the ring has no count */
	/*
	 * How many records of the CPU's ring have been read, this one included, as the kernel
	 * counts them, and of which trace instance; absent unless the ring is a live one. The
	 * store compares them with what it has. A loss of 0 records only says how many were read.
	 */
	struct opt_u64 read;
	uint64_t instance;

	uint16_t payload_len;	/* bytes that are kept */
	uint16_t payload_whole; /* its length in the ring, larger than payload_len when cut */
	uint8_t payload[EVENT_PAYLOAD_MAX]; /* as it was in the ring, from common_type on */
	/* Fields without a name above: "name=0x1f name=text name=00:ff:10", cut at a field's end.
	 */
	char other_fields[EVENT_OTHER_MAX];
};

/* Return: the number; absent unless the record has it and marks it as valid. */
static inline struct opt_u64 event_number(const struct event_record *rec, enum event_field field)
{
	return rec->present >> field & 1 ? OPT_U64(rec->number[field]) : (struct opt_u64){0};
}

static inline void event_record_set(struct event_record *rec, enum event_field field,
				    uint64_t value)
{
	rec->number[field] = value;
	rec->present |= UINT64_C(1) << field;
}

/*
 * Return: when the record was made, ns since 1970: by the trace clock, else, where that cannot be
 * converted, by the device's clock; absent when it has neither.
 */
static inline struct opt_u64 event_created(const struct event_record *rec)
{
	return rec->wall_ns.present ? rec->wall_ns : event_number(rec, FIELD_HDR_TIMESTAMP);
}

/* Return: the number of a field that may be below zero (event_field_is_signed()); 0 when absent. */
static inline int64_t event_number_signed(const struct event_record *rec, enum event_field field)
{
	return (int64_t)rec->number[field];
}

/* Return: the bytes and their number in @ret_len, or NULL and 0 when absent. */
const uint8_t *event_bytes(const struct event_record *rec, enum event_bytes which, size_t *ret_len);

/* The kernel's name of a field; stable, so it may be stored. */
const char *event_field_name(enum event_field field);
const char *event_bytes_name(enum event_bytes which);
bool event_field_is_signed(enum event_field field);

/*
 * Return: the CPU whose ring had the record, or lost records; absent for a loss elsewhere, whose
 * place is `event`, and for what a scan of media found, which was in no ring.
 */
struct opt_u64 event_cpu(const struct event_record *rec);

/* The name of the type, "general_media", "lost"; stable, so it may be stored. */
const char *event_type_name(enum event_type type);

/* Return: EVENT_OTHER for a name that is none of these. */
enum event_type event_type_of_name(const char *name);

/* The type of an event by its name in the kernel, "cxl_dram", and the reverse; EVENT_OTHER and ""
 * for others. */
enum event_type event_type_of_event(const char *event);
const char *event_of_type(enum event_type type);

/* Return: whether it stands for records that were lost, and is none itself; `lost` is their number.
 */
static inline bool event_type_is_loss(enum event_type type)
{
	return type == EVENT_LOST || type == EVENT_LOST_AT_END;
}

/* Return: whether records of this type name an address of the device (FIELD_DPA). */
bool event_type_has_address(enum event_type type);

#endif
