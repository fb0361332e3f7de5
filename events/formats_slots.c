// SPDX-License-Identifier: LGPL-2.1-or-later
/* One format file: which of its fields are known, and where they are. */
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include <event-parse.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "events/formats_private.h"

DEFINE_CLEANUP(struct tep_handle, tep_free);

enum { UUID_BYTES = 16, FIELD_LINE_MAX = 256 };

/* Around the lines of fields that the library reads; it need not know the event's name. */
#define HEAD "name: event\nID: 1\nformat:\n"
#define TAIL "\nprint fmt: \"\"\n"

static bool is_number(const struct tep_format_field *field)
{
	return !(field->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC)) &&
	       (field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8);
}

/* Return: whether the field is of characters; the library calls arrays of u8 strings, too. */
static bool is_text(const struct tep_format_field *field)
{
	return (field->flags & TEP_FIELD_IS_STRING) && strstr(field->type, "char");
}

static bool find_text(const struct tep_format_field *field, struct slot *slot)
{
	static const struct {
		const char *name;
		enum slot_kind kind;
	} texts[] = {
		{"memdev", SLOT_MEMDEV},      {"device", SLOT_MEMDEV}, /* of a port */
		{"host", SLOT_HOST},	      {"region", SLOT_REGION}, /* in cxl_poison */
		{"region_name", SLOT_REGION},
	};

	for (size_t i = 0; is_text(field) && i < ARRAY_SIZE(texts); i++)
		if (str_equal(field->name, texts[i].name)) {
			slot->kind = texts[i].kind;
			return true;
		}
	return false;
}

static bool find_number(const struct tep_format_field *field, struct slot *slot)
{
	for (unsigned i = 0; is_number(field) && i < EVENT_FIELDS; i++)
		if (str_equal(field->name, event_field_name(i))) {
			slot->kind = SLOT_NUMBER;
			slot->index = i;
			return true;
		}
	return false;
}

static bool find_bytes(const struct tep_format_field *field, struct slot *slot)
{
	const char *name = field->name;

	if (str_equal(name, "uuid"))
		name = event_bytes_name(BYTES_REGION_UUID);
	for (unsigned i = 0; i < EVENT_BYTES; i++) {
		const bool is_uuid = i == BYTES_HDR_UUID || i == BYTES_REGION_UUID;

		if (!str_equal(name, event_bytes_name(i)) || is_number(field) ||
		    (is_uuid && field->size != UUID_BYTES))
			continue;
		slot->kind = SLOT_BYTES;
		slot->index = i;
		return true;
	}
	return false;
}

/* A format may have a field twice; the first known one counts. */
static bool is_taken(const struct slots *slots, const struct slot *slot)
{
	for (size_t i = 0; i < slots->n; i++)
		if (slots->items[i].kind == slot->kind && slots->items[i].index == slot->index)
			return true;
	return false;
}

static int add_slot(const struct tep_format_field *field, struct slots *slots)
{
	struct slot slot = {
		.place = !(field->flags & TEP_FIELD_IS_DYNAMIC)	   ? PLACE_FIXED
			 : !(field->flags & TEP_FIELD_IS_RELATIVE) ? PLACE_DATA_LOC
								   : PLACE_REL_LOC,
		.offset = (uint16_t)field->offset,
		.size = (uint16_t)field->size,
		.is_signed = field->flags & TEP_FIELD_IS_SIGNED,
		.is_text = is_text(field),
	};
	struct slot *place;

	if (field->offset < 0 || field->offset > UINT16_MAX || field->size <= 0 ||
	    field->size > UINT16_MAX || strlen(field->name) >= SLOT_NAME_MAX)
		return 0;
	if ((!find_text(field, &slot) && !find_bytes(field, &slot) && !find_number(field, &slot)) ||
	    is_taken(slots, &slot)) {
		slot.kind = SLOT_OTHER;
		slot.index = 0;
	}
	(void)snprintf(slot.name, sizeof(slot.name), "%s", field->name);
	place = slots_add(slots);
	if (!place)
		return -ENOMEM;
	*place = slot;
	return 0;
}

/* common_type identifies an event before its format is known. */
static bool type_is_where_it_always_is(const struct tep_event *event)
{
	for (const struct tep_format_field *f = event->format.common_fields; f; f = f->next)
		if (str_equal(f->name, "common_type"))
			return f->offset == 0 && f->size == 2;
	return false;
}

/*
 * "\tfield:__data_loc char[] memdev;\toffset:8;\tsize:4;\tsigned:0;\n". Numbers have five digits
 * at most, because the library keeps them in an int.
 */
#define WORD "[A-Za-z_][A-Za-z0-9_]*"
static const char field_line[] =
	"^\tfield:(" WORD " )+(\\* ?)*" WORD "(\\[\\] " WORD
	"|\\[[A-Za-z0-9_]+\\])?;\toffset:[0-9]{1,5};\tsize:[0-9]{1,5};\tsigned:[0-9];$";

/*
 * Lines that the library reads without leaking memory: well-formed ones without the names of
 * mac80211's macros, which it replaces.
 */
static bool is_field_line(const char *line, size_t len, const regex_t *pattern)
{
	char copy[FIELD_LINE_MAX];

	if (len >= sizeof(copy))
		return false;
	memcpy(copy, line, len);
	copy[len] = '\0';
	return regexec(pattern, copy, 0, NULL, 0) == 0 && !strstr(copy, "_PR_FMT");
}

/*
 * The lines for the library: those of fields, and the empty one after the common fields. The "print
 * fmt" is left out: it is a C expression that differs between kernel releases and is not used.
 *
 * Return: how many other lines there are.
 */
static int keep_field_lines(const char *text, const regex_t *pattern, char *out, size_t *ret_len)
{
	const char *line = strstr(text, "\nformat:\n");
	char *const begin = out;
	int n_others = 0;

	out = stpcpy(out, HEAD);
	line = line ? line + strlen("\nformat:\n") : "";
	for (const char *end; *line && !str_after_prefix(line, "print fmt:"); line = end) {
		const size_t len = strcspn(line, "\n");

		end = line + len + (line[len] == '\n');
		if (len == 0 || is_field_line(line, len, pattern))
			out = mempcpy(out, line, (size_t)(end - line));
		else
			n_others++;
	}
	out = stpcpy(out, TAIL);
	*ret_len = (size_t)(out - begin);
	return n_others;
}

static int read_slots(const char *text, const regex_t *pattern, char *lines, struct slots *ret,
		      struct error *e)
{
	_cleanup_(tep_freep) struct tep_handle *tep = tep_alloc();
	struct tep_event *event = NULL;
	int n_others, r = 0;
	size_t len;

	if (!tep)
		return error_set(e, ENOMEM, "out of memory");
	n_others = keep_field_lines(text, pattern, lines, &len);
	if (tep_parse_format(tep, &event, lines, len, "cxl") != 0 || !event ||
	    !type_is_where_it_always_is(event))
		return error_set(e, EINVAL, "its fields cannot be read");
	for (const struct tep_format_field *f = event->format.fields; f && r == 0; f = f->next)
		r = add_slot(f, ret);
	if (r < 0)
		return error_set(e, r, "out of memory");
	return n_others ? error_set(e, EINVAL, "%d of its fields cannot be read", n_others) : 0;
}

int format_read_slots(const char *text, size_t len, struct slots *ret, struct error *e)
{
	_cleanup_free_ char *lines = malloc(strlen(HEAD) + len + sizeof(TAIL));
	regex_t pattern;
	int r;

	tep_set_loglevel(TEP_LOG_NONE);
	if (!lines || regcomp(&pattern, field_line, REG_EXTENDED | REG_NOSUB) != 0)
		return error_set(e, ENOMEM, "out of memory");
	r = read_slots(text, &pattern, lines, ret, e);
	regfree(&pattern);
	return r;
}
