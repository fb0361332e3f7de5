// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The fields of a record that a program printed as text. A name that this program does not print,
// or not there, is what is left of a record of which something is missing, or a second record.
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "events/trace_names.h"
#include "events/trace_values.h"

enum { SHOWN_MAX = 40 };

static const struct {
	const char *name, *other, *third; /* the others: of some programs; NULL: none */
} slots[] = {
	[TRACE_MEMDEV] = {"memdev", NULL},
	[TRACE_HOST] = {"host", NULL},
	[TRACE_REGION] = {"region", "region_name"},
	[TRACE_REGION_UUID] = {"region_uuid", NULL},
	[TRACE_SERIAL] = {"serial", NULL},
	[TRACE_DPA] = {"dpa", NULL},
	[TRACE_HPA] = {"hpa", NULL},
	[TRACE_DPA_LENGTH] = {"dpa_length", NULL},
	[TRACE_DESCRIPTOR] = {"descriptor", "descriptor_flags"},
	[TRACE_TYPE_OF_TRACE] = {"trace_type", NULL},
	[TRACE_LOG] = {"log", "log type"},
	[TRACE_HDR_FLAGS] = {"flags", "hdr_flags"},
	[TRACE_TYPE] = {"type", "memory_event_type", "memory event type"},
	[TRACE_SUB_TYPE] = {"sub_type", "memory_event_sub_type", "memory event sub type"},
	[TRACE_THRESHOLD_FLAGS] = {"cme_threshold_ev_flags",
				   "Advanced Programmable CME threshold Event Flags"},
};

const char *trace_slot_name(enum trace_slot slot)
{
	return slots[slot].name;
}

static bool is_name(const char *name, const char *text, size_t len)
{
	return name && strlen(name) == len && memcmp(name, text, len) == 0;
}

enum trace_slot trace_slot_of(const char *name, size_t len)
{
	for (unsigned int i = 0; i < TRACE_SLOTS; i++)
		if (is_name(slots[i].name, name, len) || is_name(slots[i].other, name, len) ||
		    is_name(slots[i].third, name, len))
			return i;
	return TRACE_SLOTS;
}

bool trace_slot_has_address(enum trace_slot slot)
{
	return slot < TRACE_DESCRIPTOR;
}

bool trace_name_has_address(const char *name, size_t len)
{
	return trace_slot_has_address(trace_slot_of(name, len));
}

int trace_values_keep(struct trace_values *v, enum trace_slot slot, const char *text, size_t len,
		      struct error *e)
{
	const bool differs = v->has[slot] && !is_name(v->text[slot], text, len);
	const bool divided =
		trace_slot_has_address(slot) && (memchr(text, ' ', len) || memchr(text, '\t', len));

	v->has[slot] = true;
	if (!differs && !divided && len < TRACE_VALUE_MAX) {
		memcpy(v->text[slot], text, len);
		v->text[slot][len] = '\0';
		return 0;
	}
	(void)snprintf(v->text[slot], TRACE_VALUE_MAX, "?");
	return !trace_slot_has_address(slot)
		       ? 0
		       : error_set(e, EINVAL,
				   "its field %s is there twice, is divided, or is no valid value",
				   slots[slot].name);
}

int trace_no_address(const char *event, struct error *e)
{
	const char *name = str_after_prefix(event, "cxl_");

	if (!name || !event_type_has_address(event_type_of_name(name)))
		return 0;
	return error_set(e, EINVAL, "it has no field dpa: what follows is missing");
}

/* Return: where the event's name ends, whose copy is @ret; @line: it has none. */
static const char *event_name_end(const char *line, char ret[static EVENT_NAME_MAX])
{
	const char *end = line;

	*ret = '\0';
	for (const char *at = strstr(line, "cxl_"); at; at = strstr(at + 1, "cxl_")) {
		const size_t n = trace_name_length(at);
		const bool is_known = n < EVENT_NAME_MAX && at[n] && strchr(": \t", at[n]) &&
				      !(at > line && trace_is_name_char(at[-1]));

		/* The name of a task may look like one, too. */
		if (!is_known || (*ret && event_type_of_name(ret + strlen("cxl_")) != EVENT_OTHER))
			continue;
		memcpy(ret, at, n);
		ret[n] = '\0';
		end = at + n;
	}
	return end;
}

/* Return: where a field of that name begins, also one of another program; NULL: nowhere. */
static const char *find_field(const char *line, const char *name)
{
	const size_t len = strlen(name);

	for (const char *at = line; (at = strstr(at, name)); at++)
		if ((at == line || !trace_is_name_char(at[-1])) && at[len] && strchr("=:", at[len]))
			return at;
	return NULL;
}

/* Return: the length of a name with one of @separators behind it; 0: there is none. */
static size_t any_name_length(const char *at, const char *separators)
{
	size_t n = 0;

	while (isalnum((unsigned char)at[n]) || at[n] == '_')
		n++;
	return n && !isdigit((unsigned char)*at) && at[n] && strchr(separators, at[n]) ? n : 0;
}

/* Fields that only the format files have. */
static bool is_of_format(const char *fields)
{
	static const char *const names[] = {"hdr_uuid", "hdr_flags", "region_name", "overflow_ts"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (find_field(fields, names[i]))
			return true;
	return false;
}

static enum trace_program program_of(const char *memdev)
{
	const char *value = memdev + strlen("memdev=");
	const size_t len = strcspn(value, " \t");

	if (value[-1] == ':')
		return TRACE_RASDAEMON;
	if (len && value[len - 1] == ',')
		return TRACE_RAS_MC_CTL;
	return is_of_format(memdev) ? TRACE_FIELDS_ONLY : TRACE_KERNEL;
}

/* A field whose value has not ended. */
struct open_field {
	const char *name;
	size_t len;
	const char *value, *end;
	bool quoted;
};

static int refuse_name(const char *at, size_t len, const char *why, struct error *e)
{
	return error_set(e, EINVAL, "its field %.*s %s", len < SHOWN_MAX ? (int)len : SHOWN_MAX, at,
			 why);
}

/* rasdaemon prints that of poison as bytes, libtraceevent a zero: both are no text of a UUID. */
static bool has_uuid_text(const struct trace_grammar *g)
{
	return g->program != TRACE_FIELDS_ONLY &&
	       !(g->program == TRACE_RASDAEMON && str_equal(g->event, "cxl_poison"));
}

static int keep_field(const char *line, const struct open_field *f, struct trace_values *v,
		      struct error *e)
{
	enum trace_slot slot = trace_slot_of(f->name, f->len);
	size_t len = (size_t)(f->end - f->value);

	if (v->grammar->program == TRACE_RAS_MC_CTL) {
		if (trace_slot_has_address(slot) && !(len && f->value[len - 1] == ','))
			return refuse_name(f->name, f->len, "has no comma behind its value", e);
		while (len && strchr(", ", f->value[len - 1]))
			len--;
	}
	if (f->quoted && (len < 2 || f->value[0] != '\'' || f->value[len - 1] != '\''))
		return refuse_name(f->name, f->len, "has no value in quotes, or not all of it", e);
	if (slot == TRACE_REGION_UUID && !has_uuid_text(v->grammar))
		return 0;
	if (slot == TRACE_TYPE_OF_TRACE && v->grammar->program == TRACE_FIELDS_ONLY &&
	    !isdigit((unsigned char)*f->value))
		return refuse_name(f->name, f->len, "is no number", e);
	v->others |= !trace_slot_has_address(slot);
	if (slot == TRACE_SLOTS)
		return 0;
	if (trace_slot_has_address(slot)) {
		v->from = v->to ? v->from : (size_t)(f->name - line);
		v->to = (size_t)(f->value - line) + len;
		v->last = slot;
	}
	return trace_values_keep(v, slot, f->value, len, e);
}

/*
 * Whether fields are missing where an address may be of another record, or may lack digits. Behind
 * a dpa each program has a field, and before it all of them, unless a person gave the address
 * alone; libtraceevent's are never given like that, and some of their names are the kernel's.
 */
static bool is_gap(const struct trace_values *v, const struct open_field *open)
{
	const bool is_other = open->name && !trace_name_has_address(open->name, open->len);

	return !v->has[TRACE_DPA] &&
	       (v->others || is_other || v->grammar->program == TRACE_FIELDS_ONLY);
}

/* Return: 0, or -EINVAL for a word that is neither a field of the grammar nor of a value. */
static int read_word(const char *line, const char **at, const char **position,
		     struct open_field *open, struct trace_values *v, struct error *e)
{
	const char *ends = trace_separators(v->grammar->program);
	struct trace_name name;
	size_t len;
	int r = 0;

	switch (trace_grammar_field(v->grammar, position, *at, ends, &name)) {
	case TRACE_IN_ORDER:
		v->has_gap |= name.skips && is_gap(v, open);
		if (open->name)
			r = keep_field(line, open, v, e);
		*open = (struct open_field){*at, name.len, *at + name.len + 1, *at + name.len + 1,
					    name.quoted};
		*at = open->value;
		return r;
	case TRACE_OUT_OF_ORDER:
		return refuse_name(*at, strcspn(*at, "=:"),
				   "is there twice, or not where the program prints it", e);
	default:
		/* Between the parts of the kernel's records. */
		if (v->grammar->program == TRACE_KERNEL && at[0][0] == ':' &&
		    (!at[0][1] || strchr(" \t", at[0][1]))) {
			++*at;
			return 0;
		}
		len = any_name_length(*at, "=:");
		if (len)
			return refuse_name(*at, len,
					   "is none of the program's, or of another one's", e);
		*at += strcspn(*at, " \t");
		open->end = *at;
		return 0;
	}
}

/* @at: where the fields begin */
static int read_grammar(const char *line, const char *at, const struct trace_grammar *g,
			struct trace_values *v, struct error *e)
{
	const char *position = g->fields;
	struct open_field open = {0};
	int r = 0;

	v->grammar = g;
	while (r == 0 && *(at += strspn(at, " \t")))
		r = read_word(line, &at, &position, &open, v, e);
	if (r == 0)
		r = keep_field(line, &open, v, e);
	if (r == 0 && !v->has[TRACE_DPA])
		r = error_set(e, EINVAL, "its field dpa is not behind its field memdev");
	return r;
}

/* Whether what is before the fields is the program's, too: no other fields. */
static bool is_head(enum trace_program program, const char *event, const char *at,
		    const char *fields)
{
	const bool is_text = program == TRACE_KERNEL || program == TRACE_FIELDS_ONLY;

	if (is_text && *event)
		return at + strspn(at, ": \t") == fields;
	for (; at < fields; at += strspn(at, " \t")) {
		const size_t len = any_name_length(at, "=:");

		if (len && (trace_name_has_address(at, len) || (is_text && at[len] == '=')))
			return false;
		at += strcspn(at, " \t");
	}
	return true;
}

static int read_program(const char *line, const char *fields, enum trace_program program,
			struct trace_values *ret, struct error *e)
{
	const struct trace_grammar *g;
	struct trace_values v;
	struct error first = {0};
	int r = -EINVAL;

	for (size_t i = 0; r < 0 && (g = trace_grammar_next(program, ret->event, &i));) {
		struct error *why = first.text[0] ? e : &first;

		v = *ret;
		r = read_grammar(line, fields, g, &v, why);
	}
	if (r < 0)
		return error_set(e, EINVAL, "%s",
				 first.text[0] ? first.text
					       : "records of its event have no address");
	*ret = v;
	return 1;
}

int trace_fields_read(const char *line, struct trace_values *ret, struct error *e)
{
	static const char marker[] = "[FAILED TO PARSE]";
	const char *at = event_name_end(line, ret->event);
	const char *only = strstr(at, marker);
	const char *fields;
	enum trace_program program;

	/* rasdaemon prints what it could read before it, too. */
	at = only ? only + strlen(marker) : at;
	fields = find_field(at, "memdev");
	if (!fields)
		return 0;
	if (!find_field(at, "dpa"))
		return trace_no_address(ret->event, e);
	program = only ? TRACE_FIELDS_ONLY : program_of(fields);
	if (!is_head(program, ret->event, at, fields))
		return error_set(
			e, EINVAL,
			"its field memdev is not the first one: the words before it are of no program");
	return read_program(line, fields, program, ret, e);
}
