// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/trace_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/array.h"
#include "common/strutil.h"
#include "events/event_uuid.h"
#include "events/event_words.h"
#include "events/trace_details.h"
#include "events/trace_perf.h"
#include "events/trace_values.h"
#include "prm/firmware.h"
#include "sysfs/attr.h"

enum {
	SHOWN_MAX = 40,
	DPA_UNIT = 64,	 /* CXL_DPA_MASK of the kernel */
	HPA_CHUNK = 256, /* the smallest granularity */
};

/* ---- numbers ----------------------------------------------------------------------------------
 */

static const enum event_field number_fields[] = {
	[TRACE_SERIAL] = FIELD_SERIAL,
	[TRACE_DPA] = FIELD_DPA,
	[TRACE_HPA] = FIELD_HPA,
	[TRACE_DPA_LENGTH] = FIELD_DPA_LENGTH,
};

enum base { BASE_DECIMAL, BASE_HEX, BASE_0X };

/*
 * The base in which the program prints that field. Linux prints poison with 0x, and has been
 * proposed to do so for all records; without the event's name only that says which base it is.
 */
static enum base base_of(const struct trace_values *v, enum trace_slot slot)
{
	const enum trace_program program = v->grammar->program;

	if (program == TRACE_FIELDS_ONLY || (program == TRACE_KERNEL && slot == TRACE_SERIAL))
		return BASE_DECIMAL;
	if (program == TRACE_KERNEL && slot != TRACE_DPA_LENGTH && *v->event &&
	    !str_equal(v->event, "cxl_poison") && !str_after_prefix(v->text[TRACE_DPA], "0x"))
		return BASE_HEX;
	return BASE_0X;
}

/* Return: 0, or -EINVAL. */
static int read_number(enum base base, const char *text, uint64_t *ret)
{
	const char *digits = base == BASE_0X ? str_after_prefix(text, "0x") : text;
	const bool negative = base == BASE_DECIMAL && *text == '-';
	char *end;

	if (!digits)
		return -EINVAL;
	digits += negative;
	/* A zero before other digits is what is left of a number. */
	if (!isxdigit((unsigned char)*digits) || (digits[0] == '0' && digits[1]))
		return -EINVAL;
	errno = 0;
	*ret = strtoull(digits, &end, base == BASE_DECIMAL ? 10 : 16);
	if (errno || *end)
		return -EINVAL;
	/* %lld of a number from 2^63 on. */
	if (negative)
		*ret = -*ret;
	return 0;
}

/* Return: whether it can be read. */
static bool set_number_field(const struct trace_values *v, enum trace_slot slot,
			     struct event_record *rec)
{
	uint64_t value;

	if (read_number(base_of(v, slot), v->text[slot], &value) < 0)
		return false;
	/* As in events/record.h. */
	if (slot != TRACE_HPA || value != UINT64_MAX)
		event_record_set(rec, number_fields[slot], value);
	return true;
}

/* ---- names, flags -----------------------------------------------------------------------------
 */

static bool is_plain_name(const char *text)
{
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && !strchr("._:-", *text))
			return false;
	return true;
}

/* A name that Linux gives: "mem2", "region0". */
static bool is_numbered(const char *text, const char *word)
{
	const char *digits = str_after_prefix(text, word);

	return digits && *digits && !digits[strspn(digits, "0123456789")];
}

/* The PCI address of a device, or the name of one without, as that of the kernel's own tests. */
static bool is_host(const char *text)
{
	struct firmware_query query;

	return firmware_query_parse(text, &query) == 0 ||
	       (!isdigit((unsigned char)*text) && !strchr(text, ':'));
}

static bool keep_name(char *name, size_t size, const char *text)
{
	if (strlen(text) >= size || !is_plain_name(text))
		return false;
	(void)snprintf(name, size, "%s", text);
	return true;
}

/*
 * Fields that no address depends on: absent, where a word of it is not known. The kernel has '|'
 * between flags, rasdaemon quotes each; flags of poison are others.
 */
static void set_words(const struct trace_values *v, enum trace_slot slot, struct event_record *rec)
{
	static const enum event_field fields[TRACE_SLOTS] = {
		[TRACE_DESCRIPTOR] = FIELD_DESCRIPTOR,
		[TRACE_TYPE_OF_TRACE] = FIELD_TRACE_TYPE,
		[TRACE_LOG] = FIELD_LOG,
		[TRACE_HDR_FLAGS] = FIELD_HDR_FLAGS,
		[TRACE_TYPE] = FIELD_TYPE,
		[TRACE_SUB_TYPE] = FIELD_SUB_TYPE,
		[TRACE_THRESHOLD_FLAGS] = FIELD_CME_THRESHOLD_EV_FLAGS,
	};
	enum event_type type = rec->type;
	uint64_t value;

	/* Where the event is not named. The descriptors of both are the same. */
	if (type == EVENT_OTHER && slot == TRACE_DESCRIPTOR)
		type = EVENT_DRAM;
	else if (type == EVENT_OTHER && slot == TRACE_TYPE_OF_TRACE)
		type = EVENT_POISON;
	if ((type != EVENT_POISON || slot == TRACE_TYPE_OF_TRACE) &&
	    event_words_parse(type, fields[slot], v->text[slot], &value))
		event_record_set(rec, fields[slot], value);
}

/* All zeros is none. Return: whether it can be read. */
static bool set_uuid(const char *text, struct event_record *rec)
{
	if (event_uuid_parse(text, rec->payload)) {
		rec->bytes[BYTES_REGION_UUID].len = EVENT_UUID_SIZE;
		rec->payload_len = rec->payload_whole = EVENT_UUID_SIZE;
		return true;
	}
	return attr_uuid_is_valid(text) || !text[strspn(text, "0")];
}

/* Return: whether it can be read. */
static bool set_field(const struct trace_values *v, enum trace_slot slot, struct event_record *rec)
{
	const char *text = v->text[slot];

	switch (slot) {
	case TRACE_MEMDEV:
		return is_numbered(text, "mem") &&
		       keep_name(rec->memdev, sizeof(rec->memdev), text);
	case TRACE_HOST:
		return is_host(text) && keep_name(rec->host, sizeof(rec->host), text);
	case TRACE_REGION:
		return (!*text || is_numbered(text, "region")) &&
		       keep_name(rec->region, sizeof(rec->region), text);
	case TRACE_REGION_UUID:
		return set_uuid(text, rec);
	default:
		if (trace_slot_has_address(slot))
			return set_number_field(v, slot, rec);
		set_words(v, slot, rec);
		return true;
	}
}

/* ---- records ----------------------------------------------------------------------------------
 */

/* Control bytes of a line that is not trusted do not reach a terminal. */
static void make_printable(const char *text, char ret[static SHOWN_MAX + 1])
{
	size_t n = 0;

	for (; n < SHOWN_MAX && text[n]; n++)
		ret[n] = isprint((unsigned char)text[n]) ? text[n] : '?';
	ret[n] = '\0';
}

static int refuse_value(const struct trace_values *v, enum trace_slot slot, struct error *e)
{
	char shown[SHOWN_MAX + 1];

	make_printable(v->text[slot], shown);
	return error_set(
		e, EINVAL, "its field %s, '%s', cannot be read%s", trace_slot_name(slot), shown,
		slot >= TRACE_SERIAL
			? ": the program prints it in another base, or it is no whole number"
			: "");
}

static int check_units(const struct event_record *rec, struct error *e)
{
	static const enum event_field fields[] = {FIELD_DPA, FIELD_DPA_LENGTH};

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		if (event_number(rec, fields[i]).value % DPA_UNIT)
			return error_set(
				e, EINVAL,
				"its field %s, 0x%llx, is no multiple of %d, as it is in all records: digits are missing, or the base is another one",
				event_field_name(fields[i]),
				(unsigned long long)event_number(rec, fields[i]).value, DPA_UNIT);
	return 0;
}

/* No interleaving changes the bits below the smallest granularity, and no base or cache has some.
 */
static int check_hpa(const struct event_record *rec, struct error *e)
{
	const struct opt_u64 dpa = event_number(rec, FIELD_DPA), hpa = event_number(rec, FIELD_HPA);

	if (!hpa.present || dpa.value % HPA_CHUNK == hpa.value % HPA_CHUNK)
		return 0;
	return error_set(
		e, EINVAL,
		"its fields dpa, 0x%llx, and hpa, 0x%llx, differ in their low 8 bits, which all mappings leave as they are: digits are missing or wrong",
		(unsigned long long)dpa.value, (unsigned long long)hpa.value);
}

/*
 * No program ends a whole record of text with an address or a name, but libtraceevent with that of
 * the region: a line of other fields was cut.
 */
static bool is_cut(const struct trace_values *v, const struct trace_line *line)
{
	const enum trace_program program = v->grammar->program;

	return v->others && v->to == strlen(line->text) && v->last != TRACE_REGION_UUID &&
	       program != TRACE_MONITOR && program != TRACE_OWN &&
	       !(program == TRACE_FIELDS_ONLY && v->last == TRACE_REGION);
}

/* Whether a line ends within the fields that the address depends on, or directly behind them. */
static bool is_divided(const struct trace_values *v, const struct trace_line *line)
{
	const size_t to = v->to + (v->last != TRACE_REGION_UUID);

	for (size_t i = 0; i < line->n_breaks; i++)
		if (line->breaks[i] > v->from && line->breaks[i] <= to)
			return true;
	return false;
}

/* Whether one ends within the length of the record, or directly behind it: no hpa confirms that. */
static bool has_divided_length(const struct trace_values *v, const struct trace_line *line)
{
	const bool is_json = v->grammar->program == TRACE_MONITOR;
	const char *at = strstr(line->text, trace_slot_name(TRACE_DPA_LENGTH));
	size_t from, to;

	if (!at)
		return false;
	from = (size_t)(at - line->text);
	to = from + strcspn(at, is_json ? ",}" : " \t") + 1;
	for (size_t i = 0; i < line->n_breaks; i++)
		if (line->breaks[i] > from && line->breaks[i] <= to)
			return true;
	return false;
}

static int values_to_record(const struct trace_values *v, const struct trace_line *line,
			    struct trace_text *ret, struct error *e)
{
	const char *name = str_after_prefix(v->event, "cxl_");

	*ret = (struct trace_text){.record.type = name ? event_type_of_name(name) : EVENT_OTHER};
	(void)snprintf(ret->record.event, sizeof(ret->record.event), "%s", v->event);
	for (unsigned int i = 0; i < TRACE_SLOTS; i++)
		if (v->has[i] && !set_field(v, i, &ret->record))
			return refuse_value(v, i, e);
	if (is_cut(v, line))
		return error_set(
			e, EINVAL,
			"it ends in its field %s: what follows is missing, and perhaps the end of the value",
			trace_slot_name(v->last));
	ret->has_region = v->has[TRACE_REGION];
	ret->divided = v->has_gap || is_divided(v, line);
	if ((ret->divided && !event_number(&ret->record, FIELD_HPA).present) ||
	    has_divided_length(v, line))
		return error_set(e, EINVAL, "%s", TRACE_DIVIDED);
	return check_units(&ret->record, e) < 0 || check_hpa(&ret->record, e) < 0 ? -EINVAL : 1;
}

/* The form of a mail that was not decoded: lines end within words, and '=' is "=3D". */
static bool is_quoted_printable(const char *text)
{
	return strstr(text, "=3D") && (strstr(text, "dpa=3D") || strstr(text, "host=3D"));
}

/* ras-mc-ctl has the name in the heading of several. */
static void name_event(const char *line, struct event_record *rec)
{
	rec->type = strstr(line, "trace_type=")	   ? EVENT_POISON
		    : strstr(line, "nibble_mask=") ? EVENT_DRAM
		    : strstr(line, "device=")	   ? EVENT_GENERAL_MEDIA
						   : EVENT_OTHER;
	(void)snprintf(rec->event, sizeof(rec->event), "%s", event_of_type(rec->type));
}

static int parse_fields(const struct trace_line *line, struct trace_text *ret, struct error *e)
{
	struct trace_values v = {0};
	int r = trace_fields_read(line->text, &v, e);

	if (r == 1)
		r = values_to_record(&v, line, ret, e);
	if (r < 1)
		return r;
	if (!*v.event && v.grammar->program == TRACE_RAS_MC_CTL)
		name_event(line->text, &ret->record);
	ret->program = v.grammar->program;
	trace_details_read(line->text + v.from, ret->program, &ret->record);
	return 1;
}

static int parse_object(json_t *object, const struct trace_line *line, struct trace_text *ret,
			struct error *e)
{
	struct trace_values v = {.to = strlen(line->text)};
	int r = trace_json_read(object, &v, e);

	if (r == 1)
		r = values_to_record(&v, line, ret, e);
	if (r < 1)
		return r;
	ret->program = v.grammar->program;
	trace_details_json(object, &ret->record);
	return 1;
}

/* @text: from its first brace on */
static int parse_json(const char *text, const struct trace_line *line, struct trace_text *ret,
		      struct error *e)
{
	json_t *object = trace_json_load(text);
	int r = 0;

	if (json_is_object(object))
		r = parse_object(object, line, ret, e);
	else if (strstr(text, "\"dpa\""))
		r = error_set(e, EINVAL, "it is no valid JSON object");
	json_decref(object);
	return r;
}

int trace_text_parse_json(json_t *object, struct trace_text *ret, struct error *e)
{
	return parse_object(object, &(struct trace_line){.text = ""}, ret, e);
}

int trace_text_parse(const struct trace_line *line, struct trace_text *ret, struct error *e)
{
	static const char hint[] =
		"; it is in several lines: give the record as one line, and other words apart from it";
	const char *brace = strchr(line->text, '{');
	char of_perf[TRACE_PERF_TEXT_MAX];
	struct error why = {0};
	int r = trace_perf_read(line->text, line->n_breaks > 0, of_perf, &why);

	if (is_quoted_printable(line->text))
		return error_set(
			e, EINVAL,
			"it is in the quoted-printable form of mails, in which =3D is '=': decode it first, as the mail program does when it shows or saves the message");
	if (r == 1)
		r = parse_fields(&(struct trace_line){.text = of_perf}, ret, &why);
	else if (r < 0)
		return error_set(e, EINVAL, "%s", why.text);
	else if (brace && strstr(brace, "\"memdev\""))
		r = parse_json(brace, line, ret, &why);
	else
		r = parse_fields(line, ret, &why);
	if (r == 1)
		trace_when_read(line->text, line->n_breaks > 0, &ret->when);
	if (r >= 0)
		return r;
	return error_set(e, EINVAL, "%s%s", why.text,
			 line->n_breaks && !str_equal(why.text, TRACE_DIVIDED) ? hint : "");
}
