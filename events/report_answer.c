// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/report_answer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "events/event_fill_private.h"

enum report_address report_address_of(const struct report *r)
{
	if (r->has_record && event_number(&r->text.record, FIELD_DPA).present)
		return REPORT_BY_DPA;
	return r->has_spa ? REPORT_BY_SPA : REPORT_NO_ADDRESS;
}

/* A reason that comes before those of the engine. */
static void doubt(struct answer *a, const char *why)
{
	char before[ANSWER_REASON_MAX];
	size_t n;

	memcpy(before, a->reason, sizeof(before));
	(void)snprintf(a->reason, sizeof(a->reason), "%s", why);
	n = strlen(a->reason);
	if (before[0] && n + strlen("; ") + strlen(before) < sizeof(a->reason))
		(void)snprintf(a->reason + n, sizeof(a->reason) - n, "; %s", before);
	a->exact = false;
}

/* Several extents are all of a page, which no program names by its parts: the first one counts. */
static int ask(struct translator *translator, const struct report *r,
	       struct firmware_timeout *timeout, struct answer *ret)
{
	_cleanup_(answers_done) struct answers answers = {0};
	int e = timeout ? translate_spa_wait(translator, r->spa, r->spa_last, timeout, &answers)
			: translate_spa(translator, r->spa, r->spa_last, &answers);

	if (e < 0 || answers.n == 0)
		return -ENOMEM;
	*ret = answers.items[0];
	ret->has_spa = true;
	ret->spa = r->spa;
	if (answers.n > 1) {
		doubt(ret, "the page is not all in one region or window");
		ret->spa_last = r->spa_last;
	}
	return 0;
}

static void doubt_address(const struct report *r, struct answer *a)
{
	char why[ANSWER_REASON_MAX];

	if (r->granule != r->spa || r->granule_last != r->spa_last) {
		(void)snprintf(why, sizeof(why),
			       "the report vouches for 0x%" PRIx64 "-0x%" PRIx64
			       " only, and this is the address that it shows",
			       r->granule, r->granule_last);
		doubt(a, why);
	}
	if (r->doubt)
		doubt(a, r->doubt);
}

static void doubt_then(const struct provenance *from, struct answer *a)
{
	if (from->boot == PROVENANCE_THIS)
		return;
	if (from->boot == PROVENANCE_ANOTHER) {
		*a = (struct answer){.has_spa = true, .spa = a->spa, .spa_last = a->spa_last};
		doubt(a,
		      "the report is of another boot, and what had its address then is not known");
		return;
	}
	doubt(a, "whether the report is of this host and its present boot is not known");
}

static int answer_spa(const struct event_mapping *m, struct translator *translator,
		      const struct report *r, bool this_boot, struct firmware_timeout *timeout,
		      struct report_answer *ret)
{
	struct trace_answer *t = &ret->trace;
	int e = ask(translator, r, timeout, &t->now.answer);

	if (e < 0)
		return e;
	ret->memdev = t->now.answer.memdev;
	t->from = provenance_of_text(m->host, &r->text.record, &r->text.when, this_boot);
	if (r->previous_boot) {
		t->from.boot = PROVENANCE_ANOTHER;
		t->from.kernel = PROVENANCE_UNKNOWN;
	}
	doubt_address(r, &t->now.answer);
	t->then.answer = t->now.answer;
	doubt_then(&t->from, &t->then.answer);
	if (t->from.host != PROVENANCE_THIS)
		doubt(&t->now.answer, "whether the report is of this host is not known");
	return t->now.answer.not_queried;
}

static const struct memdev *device_of(const struct host *host, const struct report *r)
{
	struct event_record rec = {0};

	if (r->has_record)
		return event_memdev(host, &r->text.record);
	(void)snprintf(rec.host, sizeof(rec.host), "%s", r->device);
	return event_memdev(host, &rec);
}

int report_answer(const struct event_mapping *m, struct translator *translator,
		  const struct report *r, bool this_boot, struct firmware_timeout *timeout,
		  struct report_answer *ret)
{
	int e = 0;

	memset(ret, 0, sizeof(*ret));
	ret->by = report_address_of(r);
	switch (ret->by) {
	case REPORT_BY_DPA:
		e = trace_answer(m, translator, &r->text, this_boot, timeout, &ret->trace);
		ret->memdev = ret->trace.then.answer.memdev;
		break;
	case REPORT_BY_SPA:
		e = answer_spa(m, translator, r, this_boot, timeout, ret);
		break;
	case REPORT_NO_ADDRESS:
		ret->memdev = device_of(m->host, r);
		ret->trace.from =
			provenance_of_text(m->host, &r->text.record, &r->text.when, this_boot);
		break;
	}
	return e;
}
