/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_FINDING_H
#define CXLR_MODEL_FINDING_H

/*
 * A finding: something about an object of the host that a user should know, as a code with typed
 * arguments. Its code is a row of finding_rows.h, which has all that any front end shows of it.
 *
 * A finding is a plain value. Its maker documents how long the strings and lists that its
 * arguments refer to live. Any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/opt.h"
#include "events/record.h"
#include "model/health_level.h"

enum finding_level {
	FINDING_FACT,
	FINDING_PROBLEM, /* what is wrong or missing */
	FINDING_ADVICE,	 /* what to do next */
};

#define FINDING(code, ...) FINDING_##code,
#define FACT		   FINDING
#define ADVICE		   FINDING
#define PROBLEM		   FINDING
enum finding_code {
#include "model/finding_rows.h"
	FINDING_CODE_COUNT
};
#undef FINDING
#undef FACT
#undef ADVICE
#undef PROBLEM

/* Clauses that several findings have as an argument. */
enum finding_reason {
	/* Why there is no CXL. */
	REASON_NO_CXL_BUS,
	REASON_NO_CEDT,
	REASON_EMPTY_CXL_BUS,

	/* Why the windows of firmware are not known. */
	REASON_NO_CEDT_TABLE,
	REASON_CEDT_UNREADABLE,

	/* States of firmware's PRM handler as the ACPI table PRMT shows it. */
	REASON_HANDLER_PRESENT,
	REASON_NO_PRMT,
	REASON_PRMT_UNREADABLE,
	REASON_PRMT_DAMAGED,
	REASON_NO_HANDLER,
	REASON_HANDLER_WITHOUT_ADDRESS,

	/* Consequences for the memory of a region that is not complete. */
	REASON_MEMORY_UNUSABLE,
	REASON_MEMORY_DECODED,
	FINDING_REASONS
};

/* One item of a list inside a text. */
struct finding_item {
	struct opt_u64 position;    /* in an interleave set; absent without */
	const char *name;	    /* NULL for a position alone */
	const char *detail;	    /* shown in parentheses; NULL without */
	struct opt_u64 start, size; /* a range of addresses; absent without */
	const struct finding_item *next;
};

enum finding_arg_type {
	FINDING_ARG_NONE,	/* absent */
	FINDING_ARG_NAME,	/* .text: kernel name or attribute of an object */
	FINDING_ARG_TEXT,	/* .text: a clause from another module */
	FINDING_ARG_REASON,	/* .reason */
	FINDING_ARG_NUMBER,	/* .number: a count, position, node, ways */
	FINDING_ARG_HEX,	/* .number: an address, an id, or bytes to be compared exactly */
	FINDING_ARG_SIZE,	/* .range.size: bytes, in a unit for people */
	FINDING_ARG_RANGE,	/* .range: addresses */
	FINDING_ARG_LIST,	/* .list: at least one item */
	FINDING_ARG_EVENT_TYPE, /* .event_type */
	FINDING_ARG_ENTRY,	/* .number: a log entry */
	FINDING_ARG_INCIDENT,	/* .number: an incident of the log */
	FINDING_ARG_TIME,	/* .number: ns since 1970 UTC, of a log entry */
	FINDING_ARG_SEVERITY,	/* .severity: that of the finding, in place of its row's */
};

struct finding_arg {
	enum finding_arg_type type;
	union {
		const char *text;
		enum finding_reason reason;
		enum event_type event_type;
		enum health_level severity;
		uint64_t number;
		struct {
			struct opt_u64 start, size;
		} range;
		const struct finding_item *list;
	};
};

enum { FINDING_ARGS_MAX = 8 };

struct finding {
	enum finding_code code;
	const char *object; /* kernel name, "host", or path of a device node; not NULL */
	struct finding_arg args[FINDING_ARGS_MAX]; /* those behind the code's own are absent */
};

/* Description of one argument in the row of a code. */
struct finding_param {
	enum finding_arg_type type;
	bool optional;
	const char *what; /* it is, without final stop */
};

/* How Redfish's Conditions show a finding: its text as a sentence with the arguments of the text.
 */
struct finding_message {
	const char
		*key; /* the code as Redfish writes names, "RegionDeviceGone"; NULL: it has none */
	const char *description;
	const char *resolution; /* NULL: the next step */
};

/* All that is known of a code. */
struct finding_row {
	const char *name; /* of the code, "REGION_DEVICE_GONE" */
	enum finding_level level;
	enum health_level severity; /* HEALTH_OK unless it is a problem; see finding_severity() */
	struct finding_param args[FINDING_ARGS_MAX];
	const char *text; /* see finding_text.h */
	const char *next; /* the next step, unless advice follows the finding; NULL without */
	struct finding_message message;
};

/* Return: the row of a code; static. */
const struct finding_row *finding_row(enum finding_code code);

enum finding_level finding_level(enum finding_code code);

/* Return: the severity of its argument, if it has one, or that of its row. */
enum health_level finding_severity(const struct finding *f);

/* Return: whether the arguments are those that the row of the code names. For tests. */
bool finding_is_typed(const struct finding *f);

/* Return: whether two findings have the same code and equal arguments, whatever their objects. */
bool finding_equal(const struct finding *a, const struct finding *b);

/* ---- arguments --------------------------------------------------------------------------------
 */

/* @s: NULL gives an absent argument */
static inline struct finding_arg finding_name(const char *s)
{
	return (struct finding_arg){.type = s ? FINDING_ARG_NAME : FINDING_ARG_NONE, .text = s};
}

/* @s: NULL gives an absent argument */
static inline struct finding_arg finding_text(const char *s)
{
	return (struct finding_arg){.type = s ? FINDING_ARG_TEXT : FINDING_ARG_NONE, .text = s};
}

static inline struct finding_arg finding_reason(enum finding_reason reason)
{
	return (struct finding_arg){.type = FINDING_ARG_REASON, .reason = reason};
}

static inline struct finding_arg finding_number(uint64_t n)
{
	return (struct finding_arg){.type = FINDING_ARG_NUMBER, .number = n};
}

/* Absent when the number is. */
static inline struct finding_arg finding_opt_number(struct opt_u64 n)
{
	return (struct finding_arg){.type = n.present ? FINDING_ARG_NUMBER : FINDING_ARG_NONE,
				    .number = n.value};
}

static inline struct finding_arg finding_hex(uint64_t n)
{
	return (struct finding_arg){.type = FINDING_ARG_HEX, .number = n};
}

/* Present also when the size is not known. */
static inline struct finding_arg finding_size(struct opt_u64 bytes)
{
	return (struct finding_arg){.type = FINDING_ARG_SIZE, .range.size = bytes};
}

/* Present also when the start or the size is not known. */
static inline struct finding_arg finding_range(struct opt_u64 start, struct opt_u64 size)
{
	return (struct finding_arg){
		.type = FINDING_ARG_RANGE, .range.start = start, .range.size = size};
}

/* @seq: number of the entry */
static inline struct finding_arg finding_entry(uint64_t seq)
{
	return (struct finding_arg){.type = FINDING_ARG_ENTRY, .number = seq};
}

/* @id: number of the incident */
static inline struct finding_arg finding_incident(uint64_t id)
{
	return (struct finding_arg){.type = FINDING_ARG_INCIDENT, .number = id};
}

static inline struct finding_arg finding_time(uint64_t ns)
{
	return (struct finding_arg){.type = FINDING_ARG_TIME, .number = ns};
}

static inline struct finding_arg finding_event_type(enum event_type type)
{
	return (struct finding_arg){.type = FINDING_ARG_EVENT_TYPE, .event_type = type};
}

static inline struct finding_arg finding_of_severity(enum health_level severity)
{
	return (struct finding_arg){.type = FINDING_ARG_SEVERITY, .severity = severity};
}

/* @list: NULL gives an absent argument */
static inline struct finding_arg finding_list(const struct finding_item *list)
{
	return (struct finding_arg){.type = list ? FINDING_ARG_LIST : FINDING_ARG_NONE,
				    .list = list};
}

#endif
