// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "events/event_words.h"
#include "events/report_json.h"
#include "events/report_private.h"
#include "events/trace_details.h"
#include "events/trace_perf.h"
#include "events/trace_values.h"

enum { TIME_TEXT_MAX = 64, TIME_LINE_MAX = 256, HOST_LINE_MAX = 2048 };

const char *report_form_name(const struct report *r)
{
	static const char *const programs[] = {
		[TRACE_KERNEL] = "kernel trace", [TRACE_FIELDS_ONLY] = "libtraceevent",
		[TRACE_RASDAEMON] = "rasdaemon", [TRACE_RAS_MC_CTL] = "ras-mc-ctl",
		[TRACE_MONITOR] = "cxl monitor", [TRACE_OWN] = "cxl-spa events",
	};
	static const char *const forms[REPORT_FORMS] = {
		[REPORT_POISON_LIST] = "cxl list -L",
		[REPORT_CPER] = "CPER section",
		[REPORT_MEMORY_FAILURE] = "memory failure",
		[REPORT_MEMORY_FAILURE_EVENT] = "memory_failure_event",
		[REPORT_SOFT_OFFLINE] = "soft offlining",
		[REPORT_EDAC] = "EDAC",
		[REPORT_MC_EVENT] = "mc_event",
		[REPORT_MACHINE_CHECK] = "machine check",
		[REPORT_GHES] = "GHES",
		[REPORT_PCIE] = "PCIe error",
	};

	if (r->form == REPORT_RECORD)
		return r->wrong.text[0] ? "CXL event" : programs[r->text.program];
	return forms[r->form];
}

const char *reports_looked_for(void)
{
	return "records of CXL events (kernel trace, trace-cmd, perf script, perf trace, rasdaemon, ras-mc-ctl --errors, cxl monitor, cxl-spa events --json), cxl list -L, CPER sections, \"Memory failure: 0x...\", soft offlining, memory_failure_event, EDAC with a page, mc_event, ADDR of machine checks, physical_address of GHES or BERT, AER and DPC of CXL devices";
}

/* ---- times ------------------------------------------------------------------------------------
 */

/* The text around a line knows its time, boot and host, too. */
static void add_when(const struct trace_when *around, struct trace_when *when)
{
	if (!when->since_boot_ns.present)
		when->since_boot_ns = around->since_boot_ns;
	if (around->wall_first_ns.present &&
	    (!when->wall_first_ns.present ||
	     around->wall_first_ns.value < when->wall_first_ns.value))
		when->wall_first_ns = around->wall_first_ns;
	if (around->wall_last_ns.present &&
	    (!when->wall_last_ns.present || around->wall_last_ns.value > when->wall_last_ns.value))
		when->wall_last_ns = around->wall_last_ns;
	if (!when->day.present)
		when->day = around->day;
	if (when->wall_first_ns.present)
		when->day.present = false;
	if (!when->boot_id[0])
		memcpy(when->boot_id, around->boot_id, sizeof(when->boot_id));
	if (!when->hostname[0])
		memcpy(when->hostname, around->hostname, sizeof(when->hostname));
	when->joined |= around->joined;
}

/* The members beside a text: "time" of dmesg -J, those of journalctl, the times of containers. */
static void read_around(json_t *object, const struct trace_when *outer, struct trace_when *ret)
{
	const json_t *time = json_object_get(object, "time");
	struct trace_when when;
	const char *key;
	json_t *value;

	*ret = (struct trace_when){0};
	if (json_is_real(time) && json_real_value(time) >= 0 && json_real_value(time) < 1e9)
		ret->since_boot_ns = OPT_U64((uint64_t)(json_real_value(time) * 1e9));
	json_object_foreach(object, key, value) {
		char text[TIME_TEXT_MAX + 80];

		if (!json_is_string(value) || json_string_length(value) > TIME_TEXT_MAX ||
		    strlen(key) > TIME_TEXT_MAX)
			continue;
		(void)snprintf(text, sizeof(text), key[0] == '_' ? "{\"%s\":\"%s\"}" : "%.0s%s",
			       key, json_string_value(value));
		trace_when_read(text, false, &when);
		add_when(&when, ret);
	}
	add_when(outer, ret);
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

static int read_text(struct report_reader *reader, const char *text, size_t len, size_t line,
		     const struct trace_when *around);
static int read_value(struct report_reader *reader, json_t *value, size_t line,
		      const struct trace_when *around);
static int read_lines(struct report_reader *reader, struct trace_lines *lines, size_t number,
		      const struct trace_when *around);

#define BAD_OFFSET                                                                                 \
	"an error of its media_errors has no offset that can be read, or one that is no multiple of 64"
#define BAD_LENGTH                                                                                 \
	"an error of its media_errors has a length that cannot be read, or is no multiple of 64"

/* A number, or its text. */
static bool take_integer(const json_t *value, uint64_t *ret)
{
	if (json_is_integer(value) && json_integer_value(value) >= 0)
		*ret = (uint64_t)json_integer_value(value);
	else if (!json_is_string(value) || parse_u64(json_string_value(value), ret) < 0)
		return false;
	return true;
}

/*
 * Linux prints the length as the event has it: 0 is one that is not known, and no reason to take it
 * for the shortest one. Return: false when it is there, but is none.
 */
static bool take_length(const json_t *error, struct opt_u64 *ret)
{
	const json_t *length = json_object_get(error, "length");
	uint64_t value;

	*ret = (struct opt_u64){0};
	if (!length)
		return true;
	if (!take_integer(length, &value) || value % 64)
		return false;
	*ret = OPT_U64(value);
	return true;
}

static int give_poison(struct report_reader *reader, json_t *memdev, json_t *error, size_t line,
		       const struct trace_when *around)
{
	struct report r = {.form = REPORT_POISON_LIST, .line = line, .has_record = true};
	struct event_record *rec = &r.text.record;
	const char *name = json_string_value(json_object_get(memdev, "memdev"));
	const char *host = json_string_value(json_object_get(memdev, "host"));
	const char *serial = json_string_value(json_object_get(memdev, "serial"));
	const char *source = json_string_value(json_object_get(error, "source"));
	struct opt_u64 length;
	uint64_t value;

	*rec = (struct event_record){.type = EVENT_POISON, .event = "cxl_poison"};
	r.text.when = *around;
	(void)snprintf(rec->memdev, sizeof(rec->memdev), "%s", name);
	if (host && str_is_plain(host))
		(void)snprintf(rec->host, sizeof(rec->host), "%s", host);
	if (!str_is_plain(name) || strlen(name) >= sizeof(rec->memdev))
		return report_wrong(reader, r.form, line, "its memdev is no name of a device");
	if (serial && parse_u64(serial, &value) == 0)
		event_record_set(rec, FIELD_SERIAL, value);
	if (!take_integer(json_object_get(error, "offset"), &value) || value % 64)
		return report_wrong(reader, r.form, line, BAD_OFFSET);
	event_record_set(rec, FIELD_DPA, value);
	event_record_set(rec, FIELD_TRACE_TYPE, POISON_TRACE_LIST);
	if (!take_length(error, &length))
		return report_wrong(reader, r.form, line, BAD_LENGTH);
	if (length.present)
		event_record_set(rec, FIELD_DPA_LENGTH, length.value);
	if (source && event_words_parse(EVENT_POISON, FIELD_SOURCE, source, &value))
		event_record_set(rec, FIELD_SOURCE, value);
	return report_give(reader, &r);
}

/* A region: its errors have offsets from its first address. */
static int give_region_poison(struct report_reader *reader, json_t *region, json_t *error,
			      size_t line, const struct trace_when *around)
{
	struct report r = {.form = REPORT_POISON_LIST, .line = line, .has_spa = true};
	struct opt_u64 length;
	uint64_t base, offset;

	if (!take_integer(json_object_get(region, "resource"), &base))
		return report_wrong(
			reader, r.form, line,
			"the region of its media_errors has no resource that can be read");
	if (!take_integer(json_object_get(error, "offset"), &offset) || offset % 64)
		return report_wrong(reader, r.form, line, BAD_OFFSET);
	if (!take_length(error, &length))
		return report_wrong(reader, r.form, line, BAD_LENGTH);
	if (__builtin_add_overflow(base, offset, &r.spa) ||
	    __builtin_add_overflow(r.spa, length.value ? length.value - 1 : 0, &r.spa_last))
		return report_wrong(reader, r.form, line, BAD_OFFSET);
	r.granule = r.spa;
	r.granule_last = r.spa_last;
	r.text.when = *around;
	report_set_severity(&r, EVENT_CRITICAL);
	report_set_what(&r, json_string_value(json_object_get(region, "region")));
	return report_give(reader, &r);
}

/* @object: the memdev or the region that has them */
static int read_poison(struct report_reader *reader, json_t *object, json_t *errors, size_t line,
		       const struct trace_when *around)
{
	const bool is_memdev = json_is_string(json_object_get(object, "memdev"));
	int r = 0;

	for (size_t i = 0; r == 0 && i < json_array_size(errors); i++)
		r = (is_memdev ? give_poison : give_region_poison)(
			reader, object, json_array_get(errors, i), line, around);
	return r;
}

/* Return: 1: it is no record; else as report_fn. */
static int read_record(struct report_reader *reader, json_t *object, size_t line,
		       const struct trace_when *around)
{
	struct report r = {.form = REPORT_RECORD, .line = line, .has_record = true};
	struct error why = {0};
	int found = trace_text_parse_json(object, &r.text, &why);

	if (found < 0)
		return report_wrong(reader, r.form, line, why.text);
	if (found == 0 && !trace_event_json(object, &r.text.record))
		return 1;
	if (found == 0)
		r.text.program = TRACE_MONITOR;
	r.text.when = *around;
	return report_give(reader, &r);
}

/* journalctl prints a message that is no text as its bytes. */
static int read_bytes(struct report_reader *reader, json_t *array, size_t line,
		      const struct trace_when *around)
{
	char text[HOST_LINE_MAX];
	size_t n = 0;

	for (; n < json_array_size(array) && n < sizeof(text) - 1; n++) {
		const json_t *byte = json_array_get(array, n);

		if (!json_is_integer(byte) || json_integer_value(byte) <= 0 ||
		    json_integer_value(byte) > 255)
			return 0;
		text[n] = (char)json_integer_value(byte);
	}
	text[n] = '\0';
	return trace_may_be_report(text, n) ? read_text(reader, text, n, line, around) : 0;
}

static int read_members(struct report_reader *reader, json_t *object, size_t line,
			const struct trace_when *around)
{
	struct trace_when when;
	const char *key;
	json_t *value;
	int r = 0;

	read_around(object, around, &when);
	json_object_foreach(object, key, value) {
		if (json_is_array(value) && str_equal(key, "MESSAGE"))
			r = read_bytes(reader, value, line, &when);
		else
			r = read_value(reader, value, line, &when);
		if (r)
			return r;
	}
	return 0;
}

static int read_object(struct report_reader *reader, json_t *object, size_t line,
		       const struct trace_when *around)
{
	json_t *errors = json_object_get(object, "media_errors");
	const json_t *memdev = json_object_get(object, "memdev");
	int r = 1;

	if (json_is_array(errors) &&
	    (json_is_string(memdev) || json_is_string(json_object_get(object, "region"))))
		return read_poison(reader, object, errors, line, around);
	if (json_is_string(json_object_get(object, "event")) ||
	    (memdev && json_object_get(object, "dpa")))
		r = read_record(reader, object, line, around);
	return r == 1 ? read_members(reader, object, line, around) : r;
}

static int read_value(struct report_reader *reader, json_t *value, size_t line,
		      const struct trace_when *around)
{
	int r = 0;

	if (reader->depth == REPORT_NESTING_MAX)
		return 0;
	reader->depth++;
	if (json_is_object(value)) {
		r = read_object(reader, value, line, around);
	} else if (json_is_array(value)) {
		for (size_t i = 0; r == 0 && i < json_array_size(value); i++)
			r = read_value(reader, json_array_get(value, i), line, around);
	} else if (json_is_string(value) &&
		   trace_may_be_report(json_string_value(value), json_string_length(value))) {
		r = read_text(reader, json_string_value(value), json_string_length(value), line,
			      around);
	}
	reader->depth--;
	return r;
}

/* ---- lines ------------------------------------------------------------------------------------
 */

/* Whether a line is a record as JSON alone, whose wraps trace_text_parse() knows. */
static bool is_record_json(json_t *value)
{
	return json_is_object(value) && json_object_get(value, "memdev") &&
	       json_object_get(value, "dpa");
}

/* Return: 1: it is no record; else as report_fn. */
static int read_record_line(struct report_reader *reader, const struct trace_line *line,
			    const struct trace_when *around)
{
	struct report r = {.form = REPORT_RECORD, .line = line->number, .has_record = true};
	char of_perf[TRACE_PERF_TEXT_MAX];
	struct error why = {0}, unused;
	int found = trace_text_parse(line, &r.text, &why);

	if (found < 0)
		return report_wrong(reader, r.form, line->number, why.text);
	if (found == 0) {
		const bool is_perf =
			trace_perf_read(line->text, line->n_breaks > 0, of_perf, &unused) == 1;

		if (!trace_event_read(is_perf ? of_perf : line->text, &r.text.record))
			return 1;
		r.text.program = is_perf				 ? TRACE_FIELDS_ONLY
				 : strstr(line->text, "memdev:")	 ? TRACE_RASDAEMON
				 : strstr(line->text, " error: memdev=") ? TRACE_RAS_MC_CTL
									 : TRACE_KERNEL;
		trace_when_read(line->text, line->n_breaks > 0, &r.text.when);
	}
	add_when(around, &r.text.when);
	return report_give(reader, &r);
}

/* The same with a blank where lines were joined. */
static void with_blanks(const struct trace_line *line, char ret[static HOST_LINE_MAX])
{
	size_t n = 0, from = 0;

	for (size_t i = 0; i <= line->n_breaks; i++) {
		const size_t to = i < line->n_breaks ? line->breaks[i] : strlen(line->text);

		n += (size_t)snprintf(ret + n, HOST_LINE_MAX - n, "%s%.*s", i ? " " : "",
				      (int)(to - from), line->text + from);
		from = to;
		if (n >= HOST_LINE_MAX)
			return;
	}
}

static int give_host_report(struct report_reader *reader, struct report *r, size_t line,
			    const struct trace_when *when)
{
	int e = r->part == REPORT_BEHIND ? report_section_end(reader)
					 : report_section_address(reader);

	if (e)
		return e;
	if (r->wrong.text[0])
		return report_wrong(reader, r->form, line, r->wrong.text);
	r->line = line;
	r->text.when = *when;
	return r->form == REPORT_PCIE ? report_pcie_give(reader, r) : report_give(reader, r);
}

static int read_host_line(struct report_reader *reader, const struct trace_line *line,
			  const struct trace_when *around)
{
	char blanks[HOST_LINE_MAX];
	const char *text = line->text;
	struct trace_when when;
	struct report r;
	bool found;

	if (strlen(text) + line->n_breaks >= HOST_LINE_MAX)
		return 0;
	with_blanks(line, blanks);
	trace_when_read(text, line->n_breaks > 0, &when);
	add_when(around, &when);
	if (report_row_words(blanks) > report_row_words(text))
		text = blanks;
	if (report_is_section_line(text))
		return report_section_line(reader, text, line->number, &when);
	found = report_host_read(text, reader->page_size, &r);
	if (line->n_breaks && (!found || r.wrong.text[0]))
		found = report_host_read(blanks, reader->page_size, &r) || found;
	return found ? give_host_report(reader, &r, line->number, &when) : 0;
}

static int read_plain_line(struct report_reader *reader, const struct trace_line *line,
			   const struct trace_when *around)
{
	int r = read_record_line(reader, line, around);

	return r == 1 ? read_host_line(reader, line, around) : r;
}

/* The text behind a value of several lines, or between the values of one. */
static int read_rest(struct report_reader *reader, const char *text, size_t len, size_t line,
		     const struct trace_when *around)
{
	return trace_may_be_report(text, len) ? read_text(reader, text, len, line, around) : 0;
}

static int read_values(struct report_reader *reader, const struct trace_line *line, json_t *first,
		       const char *end, const struct trace_when *around)
{
	const char *at = end;
	const size_t before = strcspn(line->text, "{["), n = reader->n;
	struct trace_when when;
	json_t *value;
	int r;

	trace_when_read(line->text, line->n_breaks > 0, &when);
	add_when(around, &when);
	r = read_value(reader, first, line->number, &when);
	while (r == 0 && (value = report_json_next(at, &end))) {
		r = read_value(reader, value, line->number, &when);
		json_decref(value);
		at = end;
	}
	if (r == 0)
		r = read_rest(reader, at, strlen(at), line->number, &when);
	/* The report may be before a value that is none. */
	if (r == 0 && reader->n == n && trace_may_be_report(line->text, before))
		r = read_plain_line(reader, line, around);
	return r;
}

static int read_line(struct report_reader *reader, const struct trace_line *line,
		     const struct trace_when *around)
{
	const char *end = NULL;
	json_t *string = report_json_string(line->text);
	json_t *value = string ? string : report_json_next(line->text, &end);
	int r;

	if (string)
		r = read_value(reader, string, line->number, around);
	else if (!value || (line->n_breaks && is_record_json(value)))
		r = read_plain_line(reader, line, around);
	else
		r = read_values(reader, line, value, end, around);
	json_decref(value);
	return r;
}

/* Lines of what is no JSON value after all, or not all of it, are read one by one. */
static int read_split(struct report_reader *reader, const struct trace_line *line,
		      const struct trace_when *around)
{
	struct trace_lines *lines = trace_lines_new_text(line->text, strlen(line->text));
	int r;

	if (!lines)
		return -ENOMEM;
	trace_lines_split(lines);
	r = read_lines(reader, lines, line->number, around);
	(void)trace_lines_free(lines);
	return r;
}

/* The first line may have what a program prints before each of its lines. */
static int read_document(struct report_reader *reader, const struct trace_line *line,
			 const struct trace_when *around)
{
	const char *end = NULL;
	json_t *value = report_json_document(line->text, &end);
	struct trace_when when;
	char first[TIME_LINE_MAX];
	int r;

	if (!value)
		return read_split(reader, line, around);
	(void)snprintf(first, sizeof(first), "%.*s", (int)strcspn(line->text, "\n"), line->text);
	trace_when_read(first, false, &when);
	add_when(around, &when);
	r = read_value(reader, value, line->number, &when);
	json_decref(value);
	return r ? r : read_rest(reader, end, strlen(end), line->number, around);
}

static int give_unreadable(struct report_reader *reader, size_t line, int why)
{
	char text[64];

	(void)snprintf(text, sizeof(text), "it is longer than %d bytes", TRACE_TEXT_LINE_MAX);
	return report_wrong(
		reader, REPORT_RECORD, line,
		why == -E2BIG ? text
			      : "it contains a NUL byte, as text in UTF-16 does: give it as UTF-8");
}

static int read_lines(struct report_reader *reader, struct trace_lines *lines, size_t number,
		      const struct trace_when *around)
{
	struct trace_line line;
	int r;

	while ((r = trace_lines_next(lines, &line)) != 0) {
		if (number)
			line.number = number;
		else
			reader->n = 0;
		if (r == -E2BIG || r == -EINVAL)
			r = give_unreadable(reader, line.number, r);
		else if (r > 0)
			r = strchr(line.text, '\n') ? read_document(reader, &line, around)
						    : read_line(reader, &line, around);
		if (r)
			return r;
	}
	return 0;
}

/* A text within a line; its lines have that one's number. */
static int read_text(struct report_reader *reader, const char *text, size_t len, size_t line,
		     const struct trace_when *around)
{
	struct trace_lines *lines;
	int r;

	if (reader->depth == REPORT_NESTING_MAX)
		return 0;
	lines = trace_lines_new_text(text, len);
	if (!lines)
		return len > TRACE_DOCUMENT_MAX ? 0 : -ENOMEM;
	reader->depth++;
	r = read_lines(reader, lines, line, around);
	reader->depth--;
	(void)trace_lines_free(lines);
	return r;
}

int reports_read(struct trace_lines *lines, uint64_t page_size, report_fn *f, void *arg)
{
	static const struct trace_when unknown;
	struct report_reader *reader = calloc(1, sizeof(*reader));
	int r;

	if (!reader)
		return -ENOMEM;
	*reader = (struct report_reader){
		.f = f, .arg = arg, .page_size = page_size, .sequence = -1, .other_sequence = -1};
	r = read_lines(reader, lines, 0, &unknown);
	if (r == 0)
		r = report_section_end(reader);
	if (r == 0)
		r = report_pcie_end(reader);
	free(reader);
	return r;
}
