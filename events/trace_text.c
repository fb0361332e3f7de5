// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/trace_text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "events/event_uuid.h"
#include "events/trace_names.h"

enum { VALUE_MAX = 128, SHOWN_MAX = 40 };

/* How a program writes its fields. */
enum form { FORM_FTRACE, FORM_RASDAEMON, FORM_JSON };

enum base { BASE_UNKNOWN, BASE_10 = 10, BASE_16 = 16 };

enum slot {
	SLOT_MEMDEV,
	SLOT_HOST,
	SLOT_REGION,
	SLOT_UUID,
	SLOT_NUMBER,
	/* which no address depends on */
	SLOT_DESCRIPTOR,
	SLOT_TRACE_TYPE,
};

static const struct field {
	const char *name;
	const char *json_name; /* NULL: the same */
	enum slot slot;
	enum event_field number; /* of SLOT_NUMBER */
	enum base ftrace_base;	 /* of a number without 0x */
} trace_fields[] = {
	{"memdev", NULL, SLOT_MEMDEV, 0, BASE_UNKNOWN},
	{"host", NULL, SLOT_HOST, 0, BASE_UNKNOWN},
	{"region", "region_name", SLOT_REGION, 0, BASE_UNKNOWN},
	{"region_uuid", NULL, SLOT_UUID, 0, BASE_UNKNOWN},
	{"serial", NULL, SLOT_NUMBER, FIELD_SERIAL, BASE_10},
	{"dpa", NULL, SLOT_NUMBER, FIELD_DPA, BASE_16},
	{"hpa", NULL, SLOT_NUMBER, FIELD_HPA, BASE_16},
	{"dpa_length", NULL, SLOT_NUMBER, FIELD_DPA_LENGTH, BASE_UNKNOWN},
	{"descriptor", NULL, SLOT_DESCRIPTOR, FIELD_DESCRIPTOR, BASE_UNKNOWN},
	{"trace_type", NULL, SLOT_TRACE_TYPE, FIELD_TRACE_TYPE, BASE_UNKNOWN},
};
enum { TRACE_FIELDS = ARRAY_SIZE(trace_fields) };

/* The values of one line, as text. */
struct values {
	enum form form;
	bool has[TRACE_FIELDS];
	char text[TRACE_FIELDS][VALUE_MAX];
	const char *wrong;   /* a field that is there twice, or is too long; NULL */
	const char *divided; /* a field that may go on in the next line; NULL */
	bool others;	     /* there are fields beside trace_fields */
	const char *last;    /* the one whose value ends with the line; NULL */
};

static bool has_address(const struct field *f)
{
	return f->slot <= SLOT_NUMBER;
}

static void keep_value(struct values *v, size_t i, const char *text, size_t len)
{
	const bool differs =
		v->has[i] && (strlen(v->text[i]) != len || memcmp(v->text[i], text, len) != 0);

	if (memchr(text, '\n', len))
		v->divided = trace_fields[i].name;
	v->has[i] = true;
	if (!differs && len < VALUE_MAX) {
		memcpy(v->text[i], text, len);
		v->text[i][len] = '\0';
	} else if (has_address(&trace_fields[i])) {
		v->wrong = trace_fields[i].name;
	} else {
		(void)snprintf(v->text[i], VALUE_MAX, "?"); /* not known, then */
	}
}

/* ---- text -------------------------------------------------------------------------------------
 */

static const struct field *find_field(const char *name, size_t len)
{
	for (size_t i = 0; i < TRACE_FIELDS; i++)
		if (strlen(trace_fields[i].name) == len &&
		    memcmp(trace_fields[i].name, name, len) == 0)
			return &trace_fields[i];
	return NULL;
}

bool trace_text_reads(const char *name, size_t len)
{
	const struct field *f = find_field(name, len);

	return f && has_address(f);
}

/* Return: where the fields begin: behind the event's name, whose copy is @ret. */
static const char *skip_event_name(const char *line, char ret[static EVENT_NAME_MAX])
{
	for (const char *at = strstr(line, "cxl_"); at; at = strstr(at + 1, "cxl_")) {
		const size_t n = trace_name_length(at);

		if (n >= EVENT_NAME_MAX || (at > line && trace_is_name_char(at[-1])) || !at[n] ||
		    !strchr(": \t", at[n]))
			continue;
		memcpy(ret, at, n);
		ret[n] = '\0';
		return at + n + 1;
	}
	ret[0] = '\0';
	return line;
}

static bool is_name(const struct field *f)
{
	return f->slot == SLOT_MEMDEV || f->slot == SLOT_HOST || f->slot == SLOT_REGION;
}

/*
 * Whether digits follow a value as a word of their own, also behind the marks of a frame or of a
 * line that goes on: of a line that was wrapped within the value. So may nothing but such marks.
 */
static bool continues_value(const struct field *f, const char *at)
{
	const char *digits = is_name(f) ? "0123456789" : "0123456789abcdefABCDEFxX";
	size_t n;

	at += strspn(at, " \t");
	if (!*at)
		return false;
	for (; *at && !isalnum((unsigned char)*at); at++)
		if (*at == '(')
			return false;
	n = strspn(at, digits);
	/* strchr() finds the NUL, too. */
	return !*at || (n && (!at[n] || !(isalnum((unsigned char)at[n]) || strchr("_=:", at[n]))));
}

/* A field at @at, with "=" or ":" behind its name. Return: its end. */
static const char *take_field(struct values *v, const char *at)
{
	const size_t name = trace_name_length(at);
	const struct field *f;
	size_t len;

	if (name == 0 || (at[name] != '=' && at[name] != ':'))
		return at + strcspn(at, " \t");
	f = find_field(at, name);
	/* Times and words of other languages may look like fields. */
	if (f)
		v->form = at[name] == '=' ? FORM_FTRACE : FORM_RASDAEMON;
	if (!f || !has_address(f))
		v->others |= at[name] == '=' || !isdigit((unsigned char)*at);
	at += name + 1;
	/* rasdaemon has no blank behind flags that are not set. */
	len = trace_name_length(at);
	if (!f && at[len] == ':' && find_field(at, len))
		return at;
	if (*at == '\'') { /* flags, with blanks */
		const char *end = strchr(at + 1, '\'');

		if (f && end && !has_address(f))
			keep_value(v, (size_t)(f - trace_fields), at + 1, (size_t)(end - at - 1));
		return end ? end + 1 : at + strlen(at);
	}
	len = strcspn(at, " \t");
	if (f)
		keep_value(v, (size_t)(f - trace_fields), at, len);
	if (f && has_address(f) && f->slot != SLOT_UUID && continues_value(f, at + len))
		v->wrong = f->name;
	if (f && f->slot == SLOT_NUMBER && !at[len])
		v->last = f->name;
	return at + len;
}

static void read_text(const char *at, struct values *v)
{
	while (*(at += strspn(at, " \t")))
		at = take_field(v, at);
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

/*
 * jansson's integers are signed, and all ones is what the kernel writes for an hpa that is not
 * known: numbers from 2^63 on become the negative ones with the same bits.
 *
 * @to: twice as long as @from
 */
static void sign_numbers(const char *from, char *to)
{
	bool in_string = false;
	char before = ' ';

	while (*from) {
		char digits[32];
		size_t n = in_string || strchr("-.", before) ? 0 : strspn(from, "0123456789");

		if (n >= 19 && n < sizeof(digits)) {
			uint64_t value;

			memcpy(digits, from, n);
			digits[n] = '\0';
			if (parse_u64(digits, &value) == 0) {
				to += snprintf(to, sizeof("-9223372036854775808"), "%" PRId64,
					       (int64_t)value);
				from += n;
				before = '0';
				continue;
			}
		}
		before = *from;
		if (*from == '"')
			in_string = !in_string;
		if (in_string && *from == '\\' && from[1])
			*to++ = *from++;
		*to++ = *from++;
	}
	*to = '\0';
}

/* "uuid" of poison is an array of 16 numbers, which are signed. */
static void keep_uuid(struct values *v, size_t i, const json_t *array)
{
	char text[2 * EVENT_UUID_SIZE + 1];

	if (json_array_size(array) != EVENT_UUID_SIZE)
		return;
	for (size_t k = 0; k < EVENT_UUID_SIZE; k++)
		(void)snprintf(text + 2 * k, 3, "%02x",
			       (unsigned int)json_integer_value(json_array_get(array, k)) & 0xff);
	keep_value(v, i, text, strlen(text));
}

static void keep_json(struct values *v, size_t i, const json_t *value)
{
	char text[24];

	if (json_is_string(value)) {
		keep_value(v, i, json_string_value(value), json_string_length(value));
	} else if (json_is_integer(value)) {
		(void)snprintf(text, sizeof(text), "0x%" PRIx64,
			       (uint64_t)json_integer_value(value));
		keep_value(v, i, text, strlen(text));
	} else if (json_is_array(value) && trace_fields[i].slot == SLOT_UUID) {
		keep_uuid(v, i, value);
	} else if (value && !json_is_null(value) && has_address(&trace_fields[i])) {
		v->wrong = trace_fields[i].name;
		v->has[i] = true;
	}
}

/* Return: whether it is a JSON object. */
static bool read_json(const char *line, struct values *v, char ret_event[static EVENT_NAME_MAX])
{
	_cleanup_free_ char *text = malloc(2 * strlen(line) + 1);
	json_t *object = NULL;
	const char *event;

	if (text) {
		sign_numbers(line, text);
		object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	}
	if (!json_is_object(object)) {
		json_decref(object);
		return false;
	}
	v->form = FORM_JSON;
	event = json_string_value(json_object_get(object, "event"));
	(void)snprintf(ret_event, EVENT_NAME_MAX, "%s", event ? event : "");
	for (size_t i = 0; i < TRACE_FIELDS; i++) {
		const struct field *f = &trace_fields[i];

		keep_json(v, i, json_object_get(object, f->name));
		if (f->json_name)
			keep_json(v, i, json_object_get(object, f->json_name));
		if (f->slot == SLOT_UUID && !v->has[i] && str_equal(ret_event, "cxl_poison"))
			keep_json(v, i, json_object_get(object, "uuid"));
	}
	json_decref(object);
	return true;
}

/* ---- values -----------------------------------------------------------------------------------
 */

/* Return: 0, or -EINVAL. */
static int read_number(const struct field *f, enum form form, const char *text, uint64_t *ret)
{
	const char *hex = str_after_prefix(text, "0x");
	enum base base = hex ? BASE_16 : form == FORM_FTRACE ? f->ftrace_base : BASE_UNKNOWN;
	const char *digits = hex ? hex : text;
	bool negative = base == BASE_10 && *digits == '-';
	char *end;

	digits += negative;
	if (base == BASE_UNKNOWN || !isxdigit((unsigned char)*digits))
		return -EINVAL;
	errno = 0;
	*ret = strtoull(digits, &end, (int)base);
	if (errno || *end || strspn(digits, "xX") ||
	    (digits[0] == '0' && tolower(digits[1]) == 'x'))
		return -EINVAL;
	/* %lld of a number from 2^63 on. */
	if (negative)
		*ret = -*ret;
	return 0;
}

static bool is_plain_name(const char *text)
{
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && !strchr("._:-", *text))
			return false;
	return true;
}

static bool keep_name(char *name, size_t size, const char *text)
{
	if (strlen(text) >= size || !is_plain_name(text))
		return false;
	(void)snprintf(name, size, "%s", text);
	return true;
}

static void set_number(struct event_record *rec, enum event_field field, uint64_t value)
{
	rec->number[field] = value;
	rec->present |= UINT64_C(1) << field;
}

/* 'UNCORRECTABLE_EVENT', of rasdaemon with blanks. Return: whether the word is that flag. */
static bool is_flag(const char *word, size_t len, const char *flag)
{
	if (strlen(flag) != len)
		return false;
	for (size_t i = 0; i < len; i++)
		if (toupper((unsigned char)word[i]) != flag[i] &&
		    !(word[i] == ' ' && flag[i] == '_'))
			return false;
	return true;
}

/* Return: whether a flag, or a number of flags, is known; its bits are added to *bits. */
static bool add_flag(const char *word, size_t len, uint64_t *bits)
{
	static const char *const flags[] = {"UNCORRECTABLE_EVENT", "THRESHOLD_EVENT",
					    "POISON_LIST_OVERFLOW_EVENT"};
	char number[24];
	uint64_t value;

	for (unsigned int i = 0; i < ARRAY_SIZE(flags); i++)
		if (is_flag(word, len, flags[i])) {
			*bits |= UINT64_C(1) << i;
			return true;
		}
	if (len == 0 || len >= sizeof(number) || !isdigit((unsigned char)*word))
		return false;
	(void)snprintf(number, sizeof(number), "%.*s", (int)len, word);
	if (parse_u64(number, &value) < 0)
		return false;
	*bits |= value;
	return true;
}

/* Absent, where a flag is not known. */
static void set_descriptor(const char *text, struct event_record *rec)
{
	uint64_t bits = 0;

	while (*text) {
		const size_t len = strcspn(text, "|");

		if (!add_flag(text, len, &bits))
			return;
		text += len + (text[len] == '|');
	}
	set_number(rec, FIELD_DESCRIPTOR, bits & EVENT_DESCRIPTOR_UNCORRECTABLE);
}

static void set_trace_type(const char *text, struct event_record *rec)
{
	static const char *const types[] = {
		[POISON_TRACE_LIST] = "list",
		[POISON_TRACE_INJECT] = "inject",
		[POISON_TRACE_CLEAR] = "clear",
	};
	uint64_t value;

	for (unsigned int i = 0; i < ARRAY_SIZE(types); i++)
		if (strcasecmp(text, types[i]) == 0 || (parse_u64(text, &value) == 0 && value == i))
			set_number(rec, FIELD_TRACE_TYPE, i);
}

/* Return: whether it can be read. */
static bool set_field(const struct field *f, enum form form, const char *text,
		      struct event_record *rec)
{
	uint64_t value;

	switch (f->slot) {
	case SLOT_MEMDEV:
		return *text && keep_name(rec->memdev, sizeof(rec->memdev), text);
	case SLOT_HOST:
		return keep_name(rec->host, sizeof(rec->host), text);
	case SLOT_REGION:
		return keep_name(rec->region, sizeof(rec->region), text);
	case SLOT_UUID:
		/* All zeros is none; rasdaemon prints that of poison as bytes, which are no text.
		 */
		if (event_uuid_parse(text, rec->payload))
			rec->bytes[BYTES_REGION_UUID].len = EVENT_UUID_SIZE;
		return true;
	case SLOT_DESCRIPTOR:
		set_descriptor(text, rec);
		return true;
	case SLOT_TRACE_TYPE:
		set_trace_type(text, rec);
		return true;
	default:
		if (read_number(f, form, text, &value) < 0)
			return false;
		/* As in events/record.h. */
		if (f->number == FIELD_HPA && value == UINT64_MAX)
			return true;
		set_number(rec, f->number, value);
		return true;
	}
}

static enum event_type type_of_event(const char *event)
{
	const char *name = str_after_prefix(event, "cxl_");

	return name ? event_type_of_name(name) : EVENT_OTHER;
}

static size_t field_index(const char *name)
{
	return (size_t)(find_field(name, strlen(name)) - trace_fields);
}

/* Control bytes of a line that is not trusted do not reach a terminal. */
static void make_printable(const char *text, char ret[static SHOWN_MAX + 1])
{
	size_t n = 0;

	for (; n < SHOWN_MAX && text[n]; n++)
		ret[n] = isprint((unsigned char)text[n]) ? text[n] : '?';
	ret[n] = '\0';
}

static int values_to_record(const struct values *v, const char *event, struct trace_text *ret,
			    struct error *e)
{
	char shown[SHOWN_MAX + 1];

	if (v->divided)
		return error_set(
			e, EINVAL,
			"its field %s may end with the line or go on in the next one: give the record as one line, and other words apart from it",
			v->divided);
	if (v->wrong)
		return error_set(e, EINVAL,
				 "its field %s is there twice, is divided, or is no valid value",
				 v->wrong);
	/* No program ends a whole record with an address: a line of other fields was cut. */
	if (v->last && v->others)
		return error_set(
			e, EINVAL,
			"it ends in its field %s: what follows is missing, and perhaps digits of the number",
			v->last);
	*ret = (struct trace_text){.record = {.type = type_of_event(event)}};
	(void)snprintf(ret->record.event, sizeof(ret->record.event), "%s", event);
	for (size_t i = 0; i < TRACE_FIELDS; i++) {
		if (!v->has[i] || set_field(&trace_fields[i], v->form, v->text[i], &ret->record))
			continue;
		make_printable(v->text[i], shown);
		return error_set(e, EINVAL, "its field %s, '%s', cannot be read%s",
				 trace_fields[i].name, shown,
				 trace_fields[i].slot == SLOT_NUMBER
					 ? ": the base of the number is not known, or it is none"
					 : "");
	}
	ret->has_region = v->has[field_index("region")];
	return 1;
}

int trace_text_parse(const char *line, struct trace_text *ret, struct error *e)
{
	const char *brace = strchr(line, '{');
	char event[EVENT_NAME_MAX] = "";
	struct values v = {0};

	if (brace && !read_json(brace, &v, event)) {
		if (strstr(brace, "\"memdev\"") && strstr(brace, "\"dpa\""))
			return error_set(e, EINVAL, "it is no valid JSON object");
		brace = NULL;
	}
	if (!brace)
		read_text(skip_event_name(line, event), &v);
	if (!v.has[field_index("memdev")])
		return 0;
	if (!v.has[field_index("dpa")])
		return event_type_has_address(type_of_event(event))
			       ? error_set(
					 e, EINVAL,
					 "it has no field dpa: what follows is missing, or in another line; give the record as one line")
			       : 0;
	return values_to_record(&v, event, ret, e);
}
