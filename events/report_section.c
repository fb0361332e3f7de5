// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Errors that the kernel's log has in several lines, "[Hardware Error]: ...": what firmware hands
// over by GHES and BERT (CPER sections), and machine checks of x86.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "events/event_uuid.h"
#include "events/report_private.h"

#define MARK "[Hardware Error]:"

/* Base class and subclass, as of PCI_CLASS_CXL_MEMORY. */
#define CLASS_CXL_MEMORY "0502"

enum { ROW_BYTES = 16, WORD_DIGITS = 8, AGENT_PORTS = 5, AGENT_RCH_PORT = 1 };

/* ---- ends -------------------------------------------------------------------------------------
 */

static void start_report(const struct report_reader *reader, enum report_form form,
			 struct report *r)
{
	const struct report_section *s = &reader->section;

	*r = (struct report){.form = form, .line = s->line, .previous_boot = reader->previous_boot};
	r->has_severity = s->has_severity;
	r->severity = s->severity;
	r->text.when = s->when;
}

/* The last rows may be missing: fields that are not there are absent. */
static int end_cxl(struct report_reader *reader)
{
	const struct report_section *s = &reader->section;
	struct report r;

	if (s->gap || s->have == 0)
		return report_wrong(
			reader, REPORT_CPER, s->line,
			"bytes of the section are missing: give all lines of the error");
	start_report(reader, REPORT_CPER, &r);
	if (!cper_decode(s->uuid, s->bytes, s->have, &r.text.record))
		return report_wrong(
			reader, REPORT_CPER, s->line,
			"the section has no device, or no whole record of an error: give all its lines");
	r.has_record = true;
	return report_give(reader, &r);
}

static int end_memory(struct report_reader *reader)
{
	const struct report_section *s = &reader->section;
	struct report r;

	if (!s->address.present)
		return 0;
	start_report(reader, REPORT_GHES, &r);
	/* The lowest bit of the mask is the grain of the address. */
	report_set_address(&r, s->address.value,
			   s->mask.present ? s->mask.value & -s->mask.value : 1);
	report_set_what(&r, s->what);
	return report_give(reader, &r);
}

static int end_pcie(struct report_reader *reader)
{
	const struct report_section *s = &reader->section;
	struct report r;

	if (!s->device[0])
		return 0;
	start_report(reader, REPORT_PCIE, &r);
	(void)snprintf(r.device, sizeof(r.device), "%s", s->device);
	r.names_cxl = s->is_cxl;
	report_set_what(&r, s->what);
	return report_give(reader, &r);
}

static void set(struct event_record *rec, enum event_field field, struct opt_u64 value)
{
	if (!value.present)
		return;
	rec->number[field] = value.value;
	rec->present |= UINT64_C(1) << field;
}

static struct opt_u64 unmasked(struct opt_u64 status, struct opt_u64 mask)
{
	status.value &= ~mask.value;
	return status;
}

static int end_protocol(struct report_reader *reader)
{
	const struct report_section *s = &reader->section;
	const struct opt_u64 bad = unmasked(s->uncorrectable, s->uncorrectable_mask);
	const struct opt_u64 good = unmasked(s->correctable, s->correctable_mask);
	const bool is_port = s->agent.present && s->agent.value >= AGENT_PORTS;
	const bool is_corrected = bad.value == 0 && good.value != 0;
	struct event_record *rec;
	struct report r;

	if (!s->device[0])
		return 0;
	start_report(reader, REPORT_CPER, &r);
	rec = &r.text.record;
	rec->type =
		is_port ? is_corrected ? EVENT_PORT_AER_CORRECTABLE : EVENT_PORT_AER_UNCORRECTABLE
		: is_corrected ? EVENT_AER_CORRECTABLE
			       : EVENT_AER_UNCORRECTABLE;
	(void)snprintf(rec->event, sizeof(rec->event), "%s", event_of_type(rec->type));
	(void)snprintf(rec->host, sizeof(rec->host), "%s", s->device);
	if (is_port)
		(void)snprintf(rec->memdev, sizeof(rec->memdev), "%.*s", EVENT_MEMDEV_MAX - 1,
			       s->device);
	set(rec, FIELD_SERIAL, s->serial);
	set(rec, FIELD_STATUS, is_corrected ? good : bad);
	r.has_record = true;
	return report_give(reader, &r);
}

static int end_check(struct report_reader *reader)
{
	const struct report_section *s = &reader->section;
	struct report r;

	if (!s->address.present)
		return 0;
	start_report(reader, REPORT_MACHINE_CHECK, &r);
	if (!report_set_check(&r, s->status, s->misc, s->vendor, s->address.value))
		return 0;
	report_set_what(&r, s->what);
	return report_give(reader, &r);
}

static int end_section(struct report_reader *reader)
{
	int r = 0;

	switch (reader->section.kind) {
	case SECTION_CXL:
		r = end_cxl(reader);
		break;
	case SECTION_MEMORY:
		r = end_memory(reader);
		break;
	case SECTION_PCIE:
		r = end_pcie(reader);
		break;
	case SECTION_PROTOCOL:
		r = end_protocol(reader);
		break;
	case SECTION_CHECK:
		r = end_check(reader);
		break;
	case SECTION_NONE:
		break;
	}
	reader->section.kind = SECTION_NONE;
	return r;
}

static void change_places(struct report_reader *reader)
{
	const struct report_section section = reader->section;
	const long sequence = reader->sequence;

	reader->section = reader->other;
	reader->sequence = reader->other_sequence;
	reader->other = section;
	reader->other_sequence = sequence;
}

int report_section_end(struct report_reader *reader)
{
	int r;

	change_places(reader);
	r = end_section(reader);
	change_places(reader);
	return r ? r : end_section(reader);
}

int report_section_address(struct report_reader *reader)
{
	return reader->section.address.present ? report_section_end(reader) : 0;
}

/*
 * Processors print at the same time, and the kernel numbers the lines of each error, so that two
 * of them can be told apart; of a third one, the first has ended.
 */
static int turn_to(struct report_reader *reader, long sequence)
{
	int r = 0;

	if (sequence == reader->sequence)
		return 0;
	if (sequence < 0 || reader->sequence < 0)
		r = report_section_end(reader);
	else
		change_places(reader);
	if (r == 0 && sequence != reader->sequence) {
		r = end_section(reader);
		reader->section.has_severity = false;
		reader->sequence = sequence;
	}
	return r;
}

/* ---- lines ------------------------------------------------------------------------------------
 */

static int begin(struct report_reader *reader, enum report_section_kind kind, size_t line,
		 const struct trace_when *when)
{
	struct report_section *s = &reader->section;
	const bool has_severity = s->has_severity && kind != SECTION_CHECK;
	const enum event_severity severity = s->severity;
	int r = end_section(reader);

	*s = (struct report_section){.kind = kind, .line = line, .when = *when};
	s->has_severity = has_severity;
	s->severity = severity;
	return r;
}

/* Return: what follows a name at the beginning; NULL. */
static const char *value_of(const char *text, const char *name)
{
	const char *value = str_after_prefix(text, name);

	return value ? value + strspn(value, " ") : NULL;
}

/* @digits: how many it has always; 0: any number of them, with something behind */
static bool take_hex(const char *value, size_t digits, struct opt_u64 *ret)
{
	const char *at = str_after_prefix(value, "0x");
	const size_t n = strspn(at ? at : value, "0123456789abcdefABCDEF");

	if (n == 0 || n > 16 || (digits && n != digits))
		return false;
	*ret = OPT_U64(strtoull(at ? at : value, NULL, 16));
	return true;
}

/*
 * "0x0000000110008100": an address is believed with all its digits only. People give that line
 * alone, too.
 */
static int take_address(struct report_reader *reader, const char *value, size_t line,
			const struct trace_when *when)
{
	const struct report_section *s = &reader->section;
	const bool goes_on = s->kind == SECTION_MEMORY && !s->address.present;
	int r = goes_on ? 0 : begin(reader, SECTION_MEMORY, line, when);

	if (r || take_hex(value, 16, &reader->section.address))
		return r;
	return report_wrong(reader, REPORT_GHES, reader->section.line,
			    "its address has not 16 digits: some are missing");
}

/* "corrected", "recoverable", "fatal" */
static bool take_severity(struct report_section *s, const char *value)
{
	s->has_severity = true;
	if (str_after_prefix(value, "corrected") || str_after_prefix(value, "info"))
		s->severity = str_after_prefix(value, "info") ? EVENT_OK : EVENT_WARNING;
	else if (str_after_prefix(value, "recoverable") || str_after_prefix(value, "fatal"))
		s->severity = EVENT_CRITICAL;
	else
		s->has_severity = false;
	return s->has_severity;
}

/* A word of a row, in this machine's byte order. Return: whether there is one; @at moves behind it.
 */
static bool row_word(const char **at, uint32_t *ret)
{
	const char *word = *at + 1;

	if (**at != ' ' || strspn(word, "0123456789abcdef") != WORD_DIGITS ||
	    !strchr(" ", word[WORD_DIGITS]))
		return false;
	*ret = (uint32_t)strtoul(word, NULL, 16);
	*at = word + WORD_DIGITS;
	return true;
}

/* "00000010: 000e0000 00000000 00000005 00000000  ..." Return: its words; NULL: it is no row. */
static const char *row_words(const char *text)
{
	return strspn(text, "0123456789abcdef") == WORD_DIGITS && text[WORD_DIGITS] == ':'
		       ? text + WORD_DIGITS + 1
		       : NULL;
}

/* Return: whether it is one. */
static bool take_row(struct report_section *s, const char *text)
{
	const char *at = row_words(text);
	const size_t offset = at ? strtoul(text, NULL, 16) : 0;
	uint32_t word;

	if (!at)
		return false;
	for (size_t n = 0; s->kind == SECTION_CXL && n < ROW_BYTES && row_word(&at, &word);
	     n += sizeof(word)) {
		if (offset + n + sizeof(word) > sizeof(s->bytes) || s->have != offset + n) {
			s->gap = true;
			return true;
		}
		memcpy(s->bytes + offset + n, &word, sizeof(word));
		s->have += sizeof(word);
	}
	return true;
}

size_t report_row_words(const char *text)
{
	const char *at = strstr(text, MARK);
	uint32_t word;
	size_t n = 0;

	if (!at)
		return 0;
	at += strlen(MARK);
	at = row_words(at + strspn(at, " "));
	while (at && row_word(&at, &word))
		n++;
	return n;
}

/* Upper case is no UUID for event_uuid_parse(). */
static int begin_unknown(struct report_reader *reader, const char *value, size_t line,
			 const struct trace_when *when)
{
	const char *uuid = strchr(value, ',');
	char text[37];
	uint8_t id[16];
	int r;

	(void)snprintf(text, sizeof(text), "%s", uuid ? uuid + 1 + strspn(uuid + 1, " ") : value);
	for (size_t i = 0; text[i]; i++)
		text[i] = (char)tolower((unsigned char)text[i]);
	if (!event_uuid_parse(text, id) || !cper_is_cxl(id))
		return begin(reader, SECTION_NONE, line, when);
	r = begin(reader, SECTION_CXL, line, when);
	memcpy(reader->section.uuid, id, sizeof(id));
	return r;
}

/* Return: 1: it is no line that begins a section; else as report_fn. */
static int begin_section(struct report_reader *reader, const char *text, size_t line,
			 const struct trace_when *when)
{
	static const struct {
		const char *name;
		enum report_section_kind kind;
	} names[] = {
		{"memory error", SECTION_MEMORY},
		{"PCIe error", SECTION_PCIE},
		{"CXL Protocol Error", SECTION_PROTOCOL},
	};
	const char *value = value_of(text, "section_type:");

	if (!value)
		value = value_of(text, "section type:");
	if (!value)
		return 1;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (str_after_prefix(value, names[i].name))
			return begin(reader, names[i].kind, line, when);
	return begin_unknown(reader, value, line, when);
}

/* A number of a section, by its name in the kernel's log. */
static bool take_number(struct report_section *s, const char *text)
{
	const struct {
		const char *name;
		struct opt_u64 *to;
	} rows[] = {
		{"physical_address_mask:", &s->mask},
		{"cxl_ras_uncor_status:", &s->uncorrectable},
		{"cxl_ras_uncor_mask:", &s->uncorrectable_mask},
		{"cxl_ras_cor_status:", &s->correctable},
		{"cxl_ras_cor_mask:", &s->correctable_mask},
	};
	const char *value;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		value = value_of(text, rows[i].name);
		if (value && s->kind != SECTION_NONE)
			return take_hex(value, 0, rows[i].to);
	}
	value = value_of(text, "agent_type:");
	if (value && isdigit((unsigned char)*value))
		s->agent = OPT_U64((uint64_t)(*value - '0'));
	return value;
}

/* Return: whether the line is a field of the section. */
static bool take_field(struct report_section *s, const char *text)
{
	const char *value;
	struct opt_u64 length, low, high;

	value = value_of(text, "section length:");
	if (value && take_hex(value, 0, &length)) {
		s->length = length.value <= sizeof(s->bytes) ? length.value : 0;
		return true;
	}
	value = value_of(text, "error_type:");
	if (value) {
		(void)snprintf(s->what, sizeof(s->what), "%s", value);
		return true;
	}
	value = value_of(text, "agent_address:");
	if (!value && s->kind == SECTION_PCIE)
		value = value_of(text, "device_id:");
	if (value && strspn(value, "0123456789abcdef:.") == strlen("0000:0d:00.0")) {
		(void)snprintf(s->device, sizeof(s->device), "%.12s", value);
		return true;
	}
	value = s->kind == SECTION_PCIE ? value_of(text, "class_code:") : NULL;
	if (value) {
		s->is_cxl = str_after_prefix(value, CLASS_CXL_MEMORY);
		return true;
	}
	value = value_of(text, "lower_dw:");
	if (value && strstr(value, "upper_dw: ") && take_hex(value, 8, &low) &&
	    take_hex(strstr(value, "upper_dw: ") + strlen("upper_dw: "), 8, &high)) {
		s->serial = OPT_U64(high.value << 32 | low.value);
		return true;
	}
	return take_number(s, text);
}

/* ---- machine checks ---------------------------------------------------------------------------
 */

/* "ADDR 110008100 MISC 86": a number with something behind it, or the end of the line. */
static void take_check_address(struct report_section *s, const char *text)
{
	const char *at = strstr(text, "ADDR "), *end;
	struct opt_u64 address;

	if (!at)
		at = strstr(text, "Error Addr: ");
	if (!at)
		return;
	at = strpbrk(at, " ") + 1;
	if (str_after_prefix(at, "Addr: "))
		at += strlen("Addr: ");
	end = at + (str_after_prefix(at, "0x") ? 2 : 0);
	end += strspn(end, "0123456789abcdef");
	if ((!*end || *end == ' ') && take_hex(at, 0, &address))
		s->address = address;
	at = strstr(text, " MISC ");
	if (at)
		(void)take_hex(at + strlen(" MISC "), 0, &s->misc);
}

/* "CPU 1: Machine Check: 0 Bank 12: bc80000000100134", "CPU:2 (19:1:1) MC17_STATUS[...]: 0x..." */
static const char *check_status(const char *text, bool *ret_amd)
{
	const char *at = strstr(text, "Machine Check");

	*ret_amd = false;
	if (at) {
		at = strstr(at, " Bank ");
		at = at ? strchr(at, ':') : NULL;
		return at ? at + 1 + strspn(at + 1, " ") : NULL;
	}
	at = strstr(text, "_STATUS[");
	at = at ? strstr(at, "]: 0x") : NULL;
	*ret_amd = at;
	return at ? at + strlen("]: ") : NULL;
}

/* Return: 1: it is no line of a machine check; else as report_fn. */
static int take_check(struct report_reader *reader, const char *text, size_t line,
		      const struct trace_when *when)
{
	struct report_section *s = &reader->section;
	const char *vendor = value_of(text, "PROCESSOR");
	bool is_amd;
	const char *status = check_status(text, &is_amd);
	int r;

	if (status) {
		r = begin(reader, SECTION_CHECK, line, when);
		(void)take_hex(status, 16, &s->status);
		if (is_amd)
			s->vendor = OPT_INT(2);
		(void)snprintf(s->what, sizeof(s->what), "%s", text);
		take_check_address(s, text);
		return r;
	}
	if (s->kind == SECTION_CHECK && value_of(text, "MISC "))
		return take_hex(value_of(text, "MISC "), 0, &s->misc) ? 0 : 1;
	if (!strstr(text, "ADDR ") && !strstr(text, "Error Addr: ") && !vendor)
		return 1;
	r = s->kind == SECTION_CHECK ? 0 : begin(reader, SECTION_CHECK, line, when);
	if (strstr(text, "Error Addr: "))
		s->vendor = OPT_INT(2);
	take_check_address(s, text);
	if (vendor && isdigit((unsigned char)*vendor) && vendor[1] == ':') {
		s->vendor = OPT_INT(*vendor - '0');
		return r ? r : end_section(reader);
	}
	return r;
}

/* "{1}[Hardware Error]: ..." */
static long sequence_of(const char *text, const char *mark)
{
	const char *at = mark;

	if (at == text || at[-1] != '}')
		return -1;
	while (at > text && *at != '{')
		at--;
	return *at == '{' && isdigit((unsigned char)at[1]) ? strtol(at + 1, NULL, 10) : -1;
}

/*
 * "EDAC skx MC0: ADDR 0x110008100", of drivers that decode machine checks themselves.
 *
 * Return: what is behind the prefix; NULL: it is another line.
 */
static const char *driver_line(const char *text)
{
	static const char *const begins[] = {"CPU ", "TSC ", "ADDR ", "MISC ", "PROCESSOR "};
	const char *at = strstr(text, "EDAC ");

	at = at ? strstr(at, " MC") : NULL;
	at = at ? strstr(at, ": ") : NULL;
	for (size_t i = 0; at && i < ARRAY_SIZE(begins); i++)
		if (str_after_prefix(at + 2, begins[i]))
			return at + 2;
	return NULL;
}

bool report_is_section_line(const char *text)
{
	return strstr(text, MARK) || strstr(text, "BERT: ") || driver_line(text);
}

static int section_field(struct report_reader *reader, const char *text, size_t line,
			 const struct trace_when *when)
{
	struct report_section *s = &reader->section;
	static const char *const addresses[] = {
		"physical_address:", "physical address:", "physical fault address:"};
	const char *value = NULL;

	for (size_t i = 0; !value && i < ARRAY_SIZE(addresses); i++)
		value = value_of(text, addresses[i]);
	if (value)
		return take_address(reader, value, line, when);
	if (take_row(s, text)) {
		return s->kind == SECTION_CXL && s->length && s->have >= s->length
			       ? end_section(reader)
			       : 0;
	}
	(void)take_field(s, text);
	return 0;
}

int report_section_line(struct report_reader *reader, const char *text, size_t line,
			const struct trace_when *when)
{
	const char *mark = strstr(text, MARK), *body, *severity;
	long sequence;
	int r = 0;

	if (!mark && driver_line(text)) {
		r = take_check(reader, driver_line(text), line, when);
		return r == 1 ? 0 : r;
	}
	if (!mark) {
		if (strstr(text, "BERT: Error records from previous boot"))
			reader->previous_boot = true;
		return 0;
	}
	sequence = sequence_of(text, mark);
	r = turn_to(reader, sequence);
	reader->previous_boot &= sequence < 0;
	body = mark + strlen(MARK);
	body += strspn(body, " ");
	if (r == 0 && str_after_prefix(body, "Hardware error from")) {
		r = end_section(reader);
		reader->section.has_severity = false;
	}
	severity = value_of(body, "event severity:");
	if (!severity && str_after_prefix(body, "Error "))
		severity = strstr(body, "type:");
	if (r == 0 && severity) {
		r = end_section(reader);
		(void)take_severity(&reader->section,
				    severity + (str_after_prefix(severity, "type:")
							? strspn(severity + 5, " ") + 5
							: 0));
		return r;
	}
	if (r)
		return r;
	r = begin_section(reader, body, line, when);
	if (r == 1)
		r = take_check(reader, body, line, when);
	return r == 1 ? section_field(reader, body, line, when) : r;
}
