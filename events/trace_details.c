// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/trace_details.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "events/event_uuid.h"
#include "events/event_words.h"
#include "events/record_vouch.h"
#include "events/trace_names.h"

enum { VALUE_MAX = 512, BYTES_MAX = 64 };

enum form {
	DECIMAL, /* unless it begins with 0x */
	HEX,	 /* of the kernel's text; decimal elsewhere */
	HEX_ALL, /* of the kernel's and rasdaemon's text */
	WORDS,
};

/* The names of a field in all programs. */
static const struct {
	const char *name;
	enum event_field field;
	enum form form;
} rows[] = {
	{"log", FIELD_LOG, WORDS},
	{"log type", FIELD_LOG, WORDS},
	{"flags", FIELD_HDR_FLAGS, WORDS},
	{"hdr_flags", FIELD_HDR_FLAGS, WORDS},
	{"handle", FIELD_HDR_HANDLE, HEX},
	{"hdr_handle", FIELD_HDR_HANDLE, DECIMAL},
	{"related_handle", FIELD_HDR_RELATED_HANDLE, HEX},
	{"hdr_related_handle", FIELD_HDR_RELATED_HANDLE, DECIMAL},
	{"time", FIELD_HDR_TIMESTAMP, DECIMAL},
	{"len", FIELD_HDR_LENGTH, DECIMAL},
	{"hdr_length", FIELD_HDR_LENGTH, DECIMAL},
	{"maint_op_class", FIELD_HDR_MAINT_OP_CLASS, DECIMAL},
	{"hdr_maint_op_class", FIELD_HDR_MAINT_OP_CLASS, DECIMAL},
	{"maint_op_sub_class", FIELD_HDR_MAINT_OP_SUB_CLASS, DECIMAL},
	{"hdr_maint_op_sub_class", FIELD_HDR_MAINT_OP_SUB_CLASS, DECIMAL},
	{"dpa_flags", FIELD_DPA_FLAGS, WORDS},
	{"memory event type", FIELD_TYPE, WORDS},
	{"memory event sub type", FIELD_SUB_TYPE, WORDS},
	{"transaction_type", FIELD_TRANSACTION_TYPE, WORDS},
	{"validity_flags", FIELD_VALIDITY_FLAGS, WORDS},
	{"channel", FIELD_CHANNEL, DECIMAL},
	{"rank", FIELD_RANK, DECIMAL},
	{"device", FIELD_DEVICE, HEX_ALL},
	{"nibble_mask", FIELD_NIBBLE_MASK, HEX},
	{"bank_group", FIELD_BANK_GROUP, DECIMAL},
	{"bank", FIELD_BANK, DECIMAL},
	{"row", FIELD_ROW, DECIMAL},
	{"column", FIELD_COLUMN, DECIMAL},
	{"sub_channel", FIELD_SUB_CHANNEL, DECIMAL},
	{"cme_count", FIELD_CME_COUNT, DECIMAL},
	{"Corrected Memory Error Count", FIELD_CME_COUNT, DECIMAL},
	{"cvme_count", FIELD_CVME_COUNT, DECIMAL},
	{"CVME Count", FIELD_CVME_COUNT, DECIMAL},
	{"source", FIELD_SOURCE, WORDS},
	{"event_type", FIELD_EVENT_TYPE, WORDS},
	{"event_sub_type", FIELD_EVENT_SUB_TYPE, WORDS},
	{"health_status", FIELD_HEALTH_STATUS, WORDS},
	{"media_status", FIELD_MEDIA_STATUS, WORDS},
	{"life_used", FIELD_LIFE_USED, DECIMAL},
	{"dirty_shutdown_cnt", FIELD_DIRTY_SHUTDOWN_CNT, DECIMAL},
	{"cor_vol_err_cnt", FIELD_COR_VOL_ERR_CNT, DECIMAL},
	{"cor_per_err_cnt", FIELD_COR_PER_ERR_CNT, DECIMAL},
	{"device_temp", FIELD_DEVICE_TEMP, DECIMAL},
	{"add_status", FIELD_ADD_STATUS, DECIMAL},
	{"result", FIELD_RESULT, DECIMAL},
	{"res_avail", FIELD_RES_AVAIL, DECIMAL},
	{"status", FIELD_STATUS, WORDS},
	{"error status", FIELD_STATUS, WORDS},
	{"error_status", FIELD_STATUS, WORDS},
	{"first_error", FIELD_FIRST_ERROR, WORDS},
	{"first error", FIELD_FIRST_ERROR, WORDS},
};

static const struct {
	const char *name;
	enum event_bytes which;
	size_t len;
} arrays[] = {
	{"comp_id", BYTES_COMP_ID, 16},
	{"component_id", BYTES_COMP_ID, 16},
	{"cor_mask", BYTES_COR_MASK, 32},
	{"correction_mask", BYTES_COR_MASK, 32},
};

static void set_bytes(struct event_record *rec, enum event_bytes which, const uint8_t *bytes,
		      size_t len)
{
	if (rec->bytes[which].len || rec->payload_len + len > EVENT_PAYLOAD_MAX)
		return;
	memcpy(rec->payload + rec->payload_len, bytes, len);
	rec->bytes[which].at = rec->payload_len;
	rec->bytes[which].len = (uint16_t)len;
	rec->payload_len = rec->payload_whole = (uint16_t)(rec->payload_len + len);
}

/* ---- text -------------------------------------------------------------------------------------
 */

/* Return: the value behind a name that is no part of a longer one; NULL without. */
static const char *find_value(const char *line, const char *name)
{
	const size_t len = strlen(name);

	for (const char *at = line; (at = strstr(at, name)); at++)
		if ((at == line || !trace_is_name_char(at[-1])) && at[len] && strchr("=:", at[len]))
			return at[len + 1] == ' ' && at[len + 2] == '\'' ? at + len + 2
									 : at + len + 1;
	return NULL;
}

/* "'A' , 'B'". Return: its length. */
static size_t quoted_length(const char *value)
{
	size_t n = 0, end = 0;

	while (value[n] == '\'') {
		n += 1 + strcspn(value + n + 1, "'");
		if (!value[n])
			return 0;
		end = ++n;
		n += strspn(value + n, " ,");
	}
	return end;
}

/* Words without quotes: up to a comma, or the next name. */
static size_t words_length(const char *value)
{
	const size_t comma = strcspn(value, ",");
	size_t n = 0;

	while (n < comma) {
		const size_t word = strcspn(value + n, " \t,");

		if (n && (memchr(value + n, '=', word) || memchr(value + n, ':', word)))
			break;
		n += word;
		n += strspn(value + n, " \t");
	}
	n = n < comma ? n : comma;
	while (n && value[n - 1] == ' ')
		n--;
	return n;
}

static void read_words(const char *value, enum event_field field, struct event_record *rec)
{
	const size_t len = *value == '\'' ? quoted_length(value) : words_length(value);
	char text[VALUE_MAX];
	uint64_t number;

	if (len >= sizeof(text) || (len == 0 && *value))
		return;
	(void)snprintf(text, sizeof(text), "%.*s", (int)len, value);
	if (event_words_parse(rec->type, field, text, &number))
		event_record_set(rec, field, number);
}

static void read_number(const char *value, bool is_hex, enum event_field field,
			struct event_record *rec)
{
	const bool has_prefix = value[0] == '0' && value[1] == 'x';
	char *end;
	uint64_t number;

	if (!isxdigit((unsigned char)*value) && *value != '-')
		return;
	errno = 0;
	number = strtoull(value, &end, has_prefix || is_hex ? 16 : 10);
	/* A time that is shown as a date has '-' behind its year. */
	if (errno || (*end && !strchr(" \t,", *end)))
		return;
	/* rasdaemon prints numbers below zero as if they were none. */
	if (field == FIELD_DEVICE_TEMP && number >> 31 == 1)
		number = (uint64_t)(int64_t)(int32_t)number;
	event_record_set(rec, field, number);
}

/* "6c 61 62". */
static bool read_bytes(const char *text, uint8_t *ret, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char digits[3] = {0};

		if (!isxdigit((unsigned char)text[0]) || !isxdigit((unsigned char)text[1]))
			return false;
		memcpy(digits, text, 2);
		ret[i] = (uint8_t)strtoul(digits, NULL, 16);
		text += 2;
		text += *text == ' ';
	}
	return true;
}

static enum event_field field_of(enum event_field field, const struct event_record *rec)
{
	const bool has_own = rec->type == EVENT_POISON || rec->type == EVENT_POISON_CLEARED;

	return field == FIELD_HDR_FLAGS && has_own ? FIELD_FLAGS : field;
}

static void read_rows(const char *line, enum trace_program program, struct event_record *rec)
{
	const bool is_port = rec->type == EVENT_PORT_AER_CORRECTABLE ||
			     rec->type == EVENT_PORT_AER_UNCORRECTABLE;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const enum event_field field = field_of(rows[i].field, rec);
		const char *value = find_value(line, rows[i].name);
		const bool is_hex = (rows[i].form != DECIMAL && program == TRACE_KERNEL) ||
				    (rows[i].form == HEX_ALL && program == TRACE_RASDAEMON);

		if (!value || event_number(rec, field).present ||
		    (is_port && field == FIELD_DEVICE))
			continue;
		if (rows[i].form == WORDS)
			read_words(value, field, rec);
		else
			read_number(value, is_hex, field, rec);
	}
	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++) {
		const char *value = find_value(line, arrays[i].name);
		uint8_t bytes[BYTES_MAX];

		if (value && read_bytes(value, bytes, arrays[i].len))
			set_bytes(rec, arrays[i].which, bytes, arrays[i].len);
	}
}

/* ras-mc-ctl prints a zero for what was not valid, too. */
static void forget_zeros(struct event_record *rec)
{
	static const enum event_field fields[] = {
		FIELD_CHANNEL, FIELD_RANK, FIELD_DEVICE, FIELD_NIBBLE_MASK, FIELD_BANK_GROUP,
		FIELD_BANK,    FIELD_ROW,  FIELD_COLUMN, FIELD_SUB_CHANNEL,
	};

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		if (rec->number[fields[i]] == 0)
			rec->present &= ~(UINT64_C(1) << fields[i]);
}

static void settle(struct event_record *rec)
{
	event_record_vouch(rec);
	if (rec->type == EVENT_POISON &&
	    opt_u64_is(event_number(rec, FIELD_TRACE_TYPE), POISON_TRACE_CLEAR))
		rec->type = EVENT_POISON_CLEARED;
}

void trace_details_read(const char *line, enum trace_program program, struct event_record *rec)
{
	read_rows(line, program, rec);
	if (program == TRACE_RAS_MC_CTL)
		forget_zeros(rec);
	if (program == TRACE_RAS_MC_CTL || program == TRACE_RASDAEMON)
		event_record_mark_valid(rec);
	settle(rec);
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

static bool is_address(enum event_field field)
{
	return field == FIELD_SERIAL ||
	       (field >= FIELD_DPA && field <= FIELD_HPA_ALIAS0 && field != FIELD_DPA_FLAGS);
}

static void take_number(const json_t *value, enum event_field field, struct event_record *rec)
{
	uint64_t number;

	if (json_is_integer(value))
		event_record_set(rec, field, (uint64_t)json_integer_value(value));
	else if (json_is_string(value) && parse_u64(json_string_value(value), &number) == 0)
		event_record_set(rec, field, number);
}

/* An array of numbers, which may be signed, or hexadecimal digits. */
static void take_array(const json_t *value, enum event_bytes which, size_t len,
		       struct event_record *rec)
{
	uint8_t bytes[BYTES_MAX];

	if (json_is_array(value) && json_array_size(value) == len) {
		for (size_t i = 0; i < len; i++)
			bytes[i] = (uint8_t)json_integer_value(json_array_get(value, i));
		set_bytes(rec, which, bytes, len);
	} else if (json_is_string(value) && json_string_length(value) == 2 * len &&
		   read_bytes(json_string_value(value), bytes, len)) {
		set_bytes(rec, which, bytes, len);
	}
}

void trace_details_json(json_t *object, struct event_record *rec)
{
	const json_t *fields = json_object_get(object, "fields");
	const json_t *from = json_is_object(fields) ? fields : object;

	for (unsigned int i = 0; i < EVENT_FIELDS; i++)
		if (!is_address(i) && !event_number(rec, i).present)
			take_number(json_object_get(from, event_field_name(i)), i, rec);
	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++)
		take_array(json_object_get(from, arrays[i].name), arrays[i].which, arrays[i].len,
			   rec);
	settle(rec);
}

/* ---- events without address -------------------------------------------------------------------
 */

/* Return: where the fields begin behind the event's name; NULL: no event that is known. */
static const char *find_event(const char *line, struct event_record *ret)
{
	for (const char *at = strstr(line, "cxl_"); at; at = strstr(at + 1, "cxl_")) {
		const size_t n = trace_name_length(at);
		char name[EVENT_NAME_MAX];

		if (n >= sizeof(name) || !at[n] || !strchr(": \t", at[n]) ||
		    (at > line && trace_is_name_char(at[-1])))
			continue;
		(void)snprintf(name, sizeof(name), "%.*s", (int)n, at);
		ret->type = event_type_of_event(name);
		if (ret->type != EVENT_OTHER)
			return at + n;
	}
	return NULL;
}

/* ras-mc-ctl has the name in the heading of several. */
static enum event_type type_by_fields(const char *fields)
{
	static const struct {
		const char *name;
		enum event_type type;
	} marks[] = {
		{"first_error", EVENT_AER_UNCORRECTABLE}, {"error_status", EVENT_AER_CORRECTABLE},
		{"event_type", EVENT_MEMORY_MODULE},	  {"res_avail", EVENT_MEMORY_SPARING},
		{"overflow_count", EVENT_OVERFLOW},	  {"first_ts", EVENT_OVERFLOW},
	};

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (find_value(fields, marks[i].name))
			return marks[i].type;
	return find_value(fields, "data") ? EVENT_GENERIC : EVENT_OTHER;
}

/* Return: whether a name of devices is there and can be read. */
static bool take_name(const char *fields, const char *const *names, char *ret, size_t size)
{
	for (; *names; names++) {
		const char *value = find_value(fields, *names);
		const size_t len = value ? strcspn(value, " \t,") : 0;

		if (!len || len >= size)
			continue;
		for (size_t i = 0; i < len; i++)
			if (!isalnum((unsigned char)value[i]) && !strchr("._:-", value[i]))
				return false;
		(void)snprintf(ret, size, "%.*s", (int)len, value);
		return true;
	}
	return false;
}

static const char *const device_names[] = {"memdev", "device", "name", NULL};
static const char *const host_names[] = {"host", "parent", NULL};

/* "43968:", "0xabc0,", or a number from 2^63 on as a negative one. */
static void take_serial(const char *fields, struct event_record *rec)
{
	const char *value = find_value(fields, "serial");
	char *end;
	uint64_t number;

	if (!value || !(isdigit((unsigned char)*value) || *value == '-'))
		return;
	errno = 0;
	number = *value == '-' ? (uint64_t)strtoll(value, &end, 10)
			       : strtoull(value, &end, value[1] == 'x' ? 16 : 10);
	if (errno == 0 && (!*end || strchr(" \t,:", *end)))
		event_record_set(rec, FIELD_SERIAL, number);
}

/* " : 7 records from 1 to 2" */
static void take_overflow(const char *fields, struct event_record *rec)
{
	static const char *const words[] = {" records from ", " errors from "};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const char *at = strstr(fields, words[i]), *to;
		const char *digits = at;

		if (!at)
			continue;
		while (digits > fields && isdigit((unsigned char)digits[-1]))
			digits--;
		read_number(digits, false, FIELD_COUNT, rec);
		at += strlen(words[i]);
		read_number(at, false, FIELD_FIRST_TS, rec);
		to = strstr(at, " to ");
		if (to)
			read_number(to + strlen(" to "), false, FIELD_LAST_TS, rec);
	}
}

static enum trace_program program_at(const char *memdev)
{
	const char *value = memdev + strcspn(memdev, "=:");
	const size_t len = strcspn(value, " \t");

	return *value == ':'		      ? TRACE_RASDAEMON
	       : len && value[len - 1] == ',' ? TRACE_RAS_MC_CTL
					      : TRACE_KERNEL;
}

bool trace_event_read(const char *line, struct event_record *ret)
{
	const char *fields, *device;

	*ret = (struct event_record){0};
	fields = find_event(line, ret);
	device = strstr(fields ? fields : line, "memdev");
	if (!fields) {
		if (!device || program_at(device) != TRACE_RAS_MC_CTL)
			return false;
		fields = device;
		ret->type = type_by_fields(fields);
	}
	if (ret->type == EVENT_OTHER || event_type_has_address(ret->type) ||
	    !take_name(fields, device_names, ret->memdev, sizeof(ret->memdev)) ||
	    !take_name(fields, host_names, ret->host, sizeof(ret->host)))
		return false;
	(void)snprintf(ret->event, sizeof(ret->event), "%s", event_of_type(ret->type));
	take_serial(fields, ret);
	if (ret->type == EVENT_OVERFLOW)
		take_overflow(fields, ret);
	trace_details_read(fields, device ? program_at(device) : TRACE_KERNEL, ret);
	return true;
}

static bool take_text(const json_t *object, const char *const *names, char *ret, size_t size)
{
	for (; *names; names++) {
		const char *text = json_string_value(json_object_get(object, *names));

		if (!text || !*text || strlen(text) >= size || !str_is_plain(text))
			continue;
		(void)snprintf(ret, size, "%s", text);
		return true;
	}
	return false;
}

bool trace_event_json(json_t *object, struct event_record *ret)
{
	const char *event = json_string_value(json_object_get(object, "event"));

	*ret = (struct event_record){.type = event ? event_type_of_event(event) : EVENT_OTHER};
	if (ret->type == EVENT_OTHER || event_type_has_address(ret->type) ||
	    !take_text(object, device_names, ret->memdev, sizeof(ret->memdev)) ||
	    !take_text(object, host_names, ret->host, sizeof(ret->host)))
		return false;
	(void)snprintf(ret->event, sizeof(ret->event), "%s", event);
	take_number(json_object_get(object, "serial"), FIELD_SERIAL, ret);
	trace_details_json(object, ret);
	return true;
}
