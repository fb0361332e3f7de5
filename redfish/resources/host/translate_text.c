// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The action TranslateText: reports of errors in a text that other programs have printed, answered
// as `cxl-spa translate --trace` answers them. They are read here and not by the client, because a
// record can be of another mapping than the present one, and only this side knows.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "events/report_answer.h"
#include "redfish/service/exchange.h"
#include "redfish/core/odata.h"
#include "redfish/service/body_check.h"
#include "redfish/resources/log/log_entry_oem.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/host/spa_answer.h"
#include "redfish/resources/host/translate_text.h"
#include "redfish/resources/host/translate_timeout.h"
#include "redfish/resources/mapping.h"
#include "redfish/core/uris.h"

/* More would take too long on an HTTP thread. */
enum { TEXT_BYTES_MAX = 65536, RECORDS_MAX = 64 };

#define PARAMETER "Text"
#define THIS_BOOT "ThisBoot"

struct text_translation {
	struct event_mapping *mapping;
	size_t n, next;
	bool truncated; /* there are more than RECORDS_MAX */
	bool this_boot; /* as for provenance_of_text() */
	struct report found[RECORDS_MAX];
};

static void text_translation_free(void *state)
{
	struct text_translation *t = state;

	if (t)
		t->mapping = event_mapping_unref(t->mapping);
	free(t);
}

/* ---- the text ---------------------------------------------------------------------------------
 */

/* Return: as report_fn; 1: there are more than are answered. */
static int keep_report(const struct report *r, void *arg)
{
	struct text_translation *t = arg;

	t->truncated = t->n == RECORDS_MAX;
	if (!t->truncated)
		t->found[t->n++] = *r;
	return t->truncated;
}

static int prepare(const struct view *v, const char *text, size_t len,
		   struct text_translation **ret)
{
	struct text_translation *t = calloc(1, sizeof(*t));
	struct trace_lines *lines = trace_lines_new_text(text, len);
	struct error e;
	int r = t && lines ? reports_read(lines, v->host->page_size, keep_report, t) : -ENOMEM;

	(void)trace_lines_free(lines);
	if (r >= 0)
		r = event_mapping_new(v->host, v->translator, &t->mapping, &e);
	if (r == 0)
		*ret = t;
	else
		text_translation_free(t);
	return r;
}

static const struct parameter text_rows[] = {
	/* Not repeated in a message: it may be long. */
	{.name = PARAMETER,
	 .type = PARAMETER_TEXT,
	 .required = true,
	 .secret = true,
	 .max = TEXT_BYTES_MAX,
	 .description = "reports of errors as the kernel and other programs print them"},
	{.name = THIS_BOOT,
	 .type = PARAMETER_BOOLEAN,
	 .description =
		 "they are of this host and its present boot, unless serial numbers or times prove the contrary; false without it"},
};

const struct parameters translate_text_parameters = {PARAMETER_ROWS(text_rows)};

/* ---- the answers ------------------------------------------------------------------------------
 */

/* The address at one of both times. */
static void put_moment(const struct exchange *x, const struct trace_moment *moment,
		       struct json_writer *w)
{
	const struct answer *a = &moment->answer;

	if (a->has_spa) {
		put_hex(w, "SystemPhysicalAddress", a->spa);
		put_hex(w, "SystemPhysicalAddressLast", a->spa_last);
		put_event_extents(&moment->event, x->view->host->page_size, w);
	}
	put_provenance(a, w);
}

static void put_now(const struct exchange *x, const struct trace_moment *now, struct json_writer *w)
{
	if (!now->answer.has_spa) {
		put_null(w, "Now");
		return;
	}
	put_object(w, "Now");
	put_moment(x, now, w);
	put_end(w);
}

static void put_answer(const struct exchange *x, const struct trace_answer *trace,
		       struct json_writer *w)
{
	const struct answer *then = &trace->then.answer;

	put_string(w, "DeviceName", trace->then.event.record.memdev);
	put_hex(w, "DevicePhysicalAddress", then->dpa);
	put_hex(w, "DevicePhysicalAddressLast", then->dpa_last);
	put_moment(x, &trace->then, w);
	if (then->memdev)
		put_link(w, "Memory", URI_MEMORY, view_memory_id(x->view, then->memdev));
	put_now(x, &trace->now, w);
}

/* A system address, and the device that has it. */
static void put_spa(const struct exchange *x, const struct answer *a, struct json_writer *w)
{
	put_hex(w, "SystemPhysicalAddressLast", a->spa_last);
	put_spa_answer(x->view, a, w);
}

static void put_spa_moments(const struct exchange *x, const struct trace_answer *trace,
			    struct json_writer *w)
{
	put_spa(x, &trace->then.answer, w);
	put_object(w, "Now");
	put_spa(x, &trace->now.answer, w);
	put_end(w);
}

/* An error of a link, or of the device as a whole. */
static void put_device(const struct exchange *x, const struct report *report,
		       const struct report_answer *answer, struct json_writer *w)
{
	const char *name = answer->memdev ? answer->memdev->name : report->text.record.memdev;

	if (name[0])
		put_string(w, "DeviceName", name);
	put_bool(w, "Exact", false);
	if (answer->no_cxl)
		put_format(w, "Reason", "%s %s", report->device, report_no_cxl);
	else
		put_string(w, "Reason", "a report of this kind has no address");
	if (answer->memdev)
		put_link(w, "Memory", URI_MEMORY, view_memory_id(x->view, answer->memdev));
}

static void put_report(const struct exchange *x, const struct report *report,
		       const struct report_answer *answer, struct json_writer *w)
{
	const struct provenance *from = &answer->trace.from;

	if (answer->by == REPORT_BY_DPA)
		put_answer(x, &answer->trace, w);
	else if (answer->by == REPORT_BY_SPA)
		put_spa_moments(x, &answer->trace, w);
	else
		put_device(x, report, answer, w);
	put_object(w, "Provenance");
	put_string(w, "Host", provenance_name(from->host));
	put_string(w, "Boot", provenance_name(from->boot));
	put_string(w, "Kernel", provenance_name(from->kernel));
	if (from->why)
		put_string(w, "Reason", from->why);
	put_end(w);
}

/* @timeout: NULL: firmware is not queried */
static int put_next(struct exchange *x, struct text_translation *t,
		    struct firmware_timeout *timeout)
{
	const struct report *f = &t->found[t->next++];
	struct report_answer answer;
	int r = 0;

	if (!f->wrong.text[0])
		r = report_answer(t->mapping, x->view->translator, f, t->this_boot, timeout,
				  &answer);
	if (r < 0)
		return r;
	put_object(&x->w, NULL);
	put_number(&x->w, "Line", f->line);
	put_string(&x->w, "Form", report_form_name(f));
	if (f->wrong.text[0]) {
		put_bool(&x->w, "Exact", false);
		put_string(&x->w, "Reason", f->wrong.text);
	} else {
		put_report(x, f, &answer, &x->w);
	}
	put_end(&x->w);
	return 0;
}

static void put_begin(struct exchange *x)
{
	put_object(&x->w, NULL);
	put_array(&x->w, "Translations");
}

static void put_finish(struct exchange *x, const struct text_translation *t)
{
	put_end(&x->w);
	put_bool(&x->w, "Truncated", t->truncated);
	put_number(&x->w, "TopologyGeneration", x->view->host->generation);
	put_end(&x->w);
}

static int translate_text_run(struct exchange *x, void *state)
{
	struct text_translation *t = state;
	int r = 0;

	while (t->next < t->n && r >= 0) {
		struct firmware_timeout timeout = translate_action_timeout(x);

		r = put_next(x, t, &timeout);
	}
	if (r >= 0)
		put_finish(x, t);
	return r;
}

static const struct continuation in_firmware = {
	.class = JOB_FIRMWARE,
	.runs_late = true, /* with what is known */
	.run = translate_text_run,
	.free = text_translation_free,
};

int run_translate_text(struct exchange *x)
{
	const char *text = body_text(x, PARAMETER);
	struct text_translation *t;
	int r = prepare(x->view, text, strlen(text), &t);

	if (r < 0)
		return r;
	t->this_boot = body_boolean(x, THIS_BOOT).value;
	put_begin(x);
	if (x->view->needs_firmware && t->n > 0)
		return exchange_continue(x, &in_firmware, t);
	while (t->next < t->n && r >= 0)
		r = put_next(x, t, NULL);
	if (r >= 0)
		put_finish(x, t);
	text_translation_free(t);
	return r;
}
