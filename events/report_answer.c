// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/report_answer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
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
		(void)snprintf(a->reason + n, sizeof(a->reason) - n, "; %.*s",
			       (int)(sizeof(a->reason) - n - strlen("; ") - 1), before);
	a->exact = false;
}

static bool has_grain(const struct report *r)
{
	return r->granule != r->spa || r->granule_last != r->spa_last;
}

static int translate(struct translator *translator, uint64_t first, uint64_t last,
		     struct firmware_timeout *timeout, struct answers *ret)
{
	int e = timeout ? translate_spa_wait(translator, first, last, timeout, ret)
			: translate_spa(translator, first, last, ret);

	return e < 0 || ret->n == 0 ? -ENOMEM : 0;
}

/* Several extents are of several mappings, and no device alone has them. */
static void take_answer(const struct answers *answers, uint64_t first, uint64_t last,
			struct answer *ret)
{
	if (answers->n == 1) {
		*ret = answers->items[0];
		return;
	}
	*ret = (struct answer){.has_spa = true, .spa = first, .spa_last = last};
	doubt(ret, "the addresses are not all in one region or window");
}

/*
 * Where the report does not vouch for all bits of its address, the device is named that has all
 * addresses that it may be; the address that it shows is answered only if one device has them all.
 */
static int ask(struct translator *translator, const struct report *r,
	       struct firmware_timeout *timeout, struct answer *ret)
{
	_cleanup_(answers_done) struct answers all = {0};
	_cleanup_(answers_done) struct answers shown = {0};
	char why[ANSWER_REASON_MAX];
	int e = translate(translator, r->granule, r->granule_last, timeout, &all);

	if (e < 0)
		return e;
	take_answer(&all, r->granule, r->granule_last, ret);
	if (!has_grain(r))
		return 0;
	if (ret->memdev) {
		e = translate(translator, r->spa, r->spa_last, timeout, &shown);
		if (e < 0)
			return e;
		take_answer(&shown, r->spa, r->spa_last, ret);
	}
	(void)snprintf(why, sizeof(why),
		       "the report vouches for 0x%" PRIx64 "-0x%" PRIx64 " only%s", r->granule,
		       r->granule_last,
		       ret->memdev ? ", and this is the address that it shows" : "");
	doubt(ret, why);
	return 0;
}

/* ---- memory -----------------------------------------------------------------------------------
 */

static bool is_memory(const struct iomem_range *range)
{
	static const char *const names[] = {"System RAM", "Persistent Memory", "Soft Reserved",
					    "namespace", "dax"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (str_after_prefix(range->name, names[i]))
			return true;
	return false;
}

static bool is_of_cxl(const struct answer *a)
{
	return a->has_dpa || a->n_candidates || a->mapping;
}

/* Return: why memory of this host at the addresses is not proven; NULL when it is. */
static const char *find_no_memory(const struct host *host, const struct report *r,
				  const struct answer *a)
{
	if (is_of_cxl(a))
		return NULL;
	for (size_t i = 0; i < host->n_iomem; i++)
		if (is_memory(&host->iomem[i]) && host->iomem[i].start <= r->granule_last &&
		    r->granule <= host->iomem[i].last)
			return NULL;
	if (host->n_iomem == 0 || host->iomem_unread.name)
		return "whether this host has memory at the address is not known, because /proc/iomem cannot be read in full";
	return "this host has no memory at the address";
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
	if (from->why)
		doubt(a, from->why);
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
	if (r->doubt)
		doubt(&t->now.answer, r->doubt);
	ret->no_memory = find_no_memory(m->host, r, &t->now.answer);
	ret->is_other_memory = !ret->no_memory && !is_of_cxl(&t->now.answer);
	if (ret->no_memory)
		doubt(&t->now.answer, ret->no_memory);
	t->then.answer = t->now.answer;
	doubt_then(&t->from, &t->then.answer);
	if (t->from.host != PROVENANCE_THIS)
		doubt(&t->now.answer, "whether the report is of this host is not known");
	return t->now.answer.not_queried;
}

/* ---- PCIe functions ---------------------------------------------------------------------------
 */

const char report_no_cxl[] = "is no CXL device of this host, and the text does not call it one";

/* Whether @bdf is a directory of @path: "pci0000:0c/0000:0c:00.0/0000:0d:00.0" */
static bool is_on_path(const char *path, const char *bdf)
{
	const size_t n = strlen(bdf);

	for (const char *at = path; at && n && (at = strstr(at, bdf)); at += n)
		if ((at == path || at[-1] == '/') && (!at[n] || at[n] == '/'))
			return true;
	return false;
}

static bool is_unclaimed(const struct host *host, const char *bdf)
{
	for (size_t i = 0; i < host->n_unclaimed; i++)
		if (str_equal(host->unclaimed[i].pci->bdf, bdf))
			return true;
	return false;
}

static void place_function(const struct host *host, const struct report *r,
			   struct report_answer *ret)
{
	if (r->form != REPORT_PCIE || ret->memdev)
		return;
	for (size_t i = 0; i < host->n_memdevs && !ret->below; i++)
		if (is_on_path(host->memdevs[i]->path, r->device))
			ret->below = host->memdevs[i];
	ret->no_cxl = !ret->below && !r->names_cxl && !is_unclaimed(host, r->device);
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
		place_function(m->host, r, ret);
		ret->trace.from =
			provenance_of_text(m->host, &r->text.record, &r->text.when, this_boot);
		break;
	}
	return e;
}
