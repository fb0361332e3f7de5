// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Any text of triage, TranslateText and `translate --trace`: its reports can be shown, and are not
// more than the limits allow.
#include "events/report.h"
#include "tests/fuzz/fuzz_table.h"

static int is_printable(const char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			return 0;
	return 1;
}

static void check_record(const struct event_record *rec)
{
	size_t len;

	FUZZ_MUST(is_printable(rec->memdev) && is_printable(rec->host) &&
		  is_printable(rec->region));
	FUZZ_MUST((int)rec->type < EVENT_TYPES && rec->payload_len <= EVENT_PAYLOAD_MAX);
	for (unsigned int i = 0; i < EVENT_BYTES; i++)
		if (event_bytes(rec, i, &len))
			FUZZ_MUST(rec->bytes[i].at + len <= EVENT_PAYLOAD_MAX);
	if (event_number(rec, FIELD_DPA).present)
		FUZZ_MUST(event_number(rec, FIELD_DPA).value % 64 == 0);
}

static int check(const struct report *r, void *arg)
{
	size_t *n = arg;

	++*n;
	FUZZ_MUST(r->line > 0 && (int)r->form < REPORT_FORMS && report_form_name(r));
	if (r->wrong.text[0]) {
		FUZZ_MUST(is_printable(r->wrong.text));
		return 0;
	}
	FUZZ_MUST(is_printable(r->what) && is_printable(r->device));
	if (r->has_spa)
		FUZZ_MUST(r->spa <= r->spa_last && r->granule <= r->spa &&
			  r->granule_last >= r->spa_last);
	if (r->has_record)
		check_record(&r->text.record);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace_lines *lines = trace_lines_new_text((const char *)data, size);
	size_t n = 0;

	if (!lines)
		return 0;
	FUZZ_MUST(reports_read(lines, 4096, check, &n) == 0);
	FUZZ_MUST(n <= (size + 1) * REPORTS_OF_LINE_MAX);
	(void)trace_lines_free(lines);
	return 0;
}
