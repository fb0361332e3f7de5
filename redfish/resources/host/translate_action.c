// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The actions TranslateDPA and TranslateSPA: one address or up to 10,000, each translated by the
// translator of the view. Addresses that need no firmware call are translated at once; from the
// first address that needs one, the action continues as a job.
#include "redfish/resources/host/translate_action.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"
#include "prm/firmware.h"
#include "prm/translate.h"
#include "redfish/service/body_check.h"
#include "redfish/core/odata.h"
#include "redfish/resources/host/describe_page.h"
#include "redfish/resources/host/spa_answer.h"
#include "redfish/resources/host/translate_text.h"
#include "redfish/resources/host/translate_timeout.h"
#include "redfish/service/service.h"

/* Takes some ten milliseconds on an HTTP thread, during which others wait for it. */
enum { ADDRESSES_MAX = 10000 };

/* The differences between the two directions. */
struct direction {
	const char *one, *many; /* names of the parameters */
	/* Without firmware. */
	int (*translate)(const struct view *v, const struct memdev *m, uint64_t address,
			 struct answers *out);
	/* With firmware, for as long as @timeout says. */
	int (*query)(const struct view *v, const struct memdev *m, uint64_t address,
		     struct firmware_timeout *timeout, struct answers *out);
	void (*put)(const struct view *v, const struct answer *a, struct json_writer *w);
	bool batches; /* firmware can be queried about many addresses in one call */
};

/* A request, and its progress. */
struct translation {
	const struct direction *d;
	bool many; /* the answer is an array */
	size_t n, next;
	uint64_t addresses[];
};

static int dpa_translate(const struct view *v, const struct memdev *m, uint64_t address,
			 struct answers *out)
{
	return translate_dpa(v->translator, m, address, address, out);
}

static int dpa_query(const struct view *v, const struct memdev *m, uint64_t address,
		     struct firmware_timeout *timeout, struct answers *out)
{
	return translate_dpa_wait(v->translator, m, address, address, timeout, out);
}

static int spa_translate(const struct view *v, const struct memdev *m, uint64_t address,
			 struct answers *out)
{
	(void)m;
	return translate_spa(v->translator, address, address, out);
}

static int spa_query(const struct view *v, const struct memdev *m, uint64_t address,
		     struct firmware_timeout *timeout, struct answers *out)
{
	(void)m;
	return translate_spa_wait(v->translator, address, address, timeout, out);
}

static const struct direction by_dpa = {
	.one = "DevicePhysicalAddress",
	.many = "DevicePhysicalAddresses",
	.translate = dpa_translate,
	.query = dpa_query,
	.put = put_dpa_answer,
	.batches = true,
};
static const struct direction by_spa = {
	.one = "SystemPhysicalAddress",
	.many = "SystemPhysicalAddresses",
	.translate = spa_translate,
	.query = spa_query,
	.put = put_spa_answer,
};

/* ---- parameters -------------------------------------------------------------------------------
 */

#define ADDRESS_ROWS(of)                                                                           \
	{                                                                                          \
		{.name = of "Address",                                                             \
		 .type = PARAMETER_TEXT,                                                           \
		 PARAMETER_ADDRESS,                                                                \
		 .description = "the address"},                                                    \
			{.name = of "Addresses",                                                   \
			 .type = PARAMETER_TEXTS,                                                  \
			 .max_items = ADDRESSES_MAX,                                               \
			 PARAMETER_ADDRESS,                                                        \
			 .description = "several; the answer then has an array"},                  \
	}
#define ONE_OF_TWO "Exactly one of the parameters must be given"

static const struct parameter dpa_rows[] = ADDRESS_ROWS("DevicePhysical");
static const struct parameter spa_rows[] = ADDRESS_ROWS("SystemPhysical");

const struct parameters translate_dpa_parameters = {PARAMETER_ROWS(dpa_rows),
						    .description = ONE_OF_TWO};
static const struct parameters translate_spa_parameters = {PARAMETER_ROWS(spa_rows),
							   .description = ONE_OF_TWO};

/* Return: 0 with what was requested, for free(). */
static int read_addresses(struct exchange *x, const struct direction *d, struct translation **ret)
{
	const bool one = body_has(x, d->one), many = body_has(x, d->many);
	const size_t n = many ? body_size(x, d->many) : 1;
	struct translation *t;

	if (one && many)
		body_note(x, MESSAGE_ACTION_PARAMETER_VALUE_CONFLICT, d->one);
	else if (!one && !many)
		body_note(x, MESSAGE_ACTION_PARAMETER_MISSING, d->one);
	if (exchange_noted(x) < 0)
		return -EINVAL;
	t = calloc(1, sizeof(*t) + n * sizeof(t->addresses[0]));
	if (!t)
		return -ENOMEM;
	*t = (struct translation){.d = d, .many = many, .n = n};
	for (size_t i = 0; i < n; i++)
		(void)parse_address(many ? body_item(x, d->many, i) : body_text(x, d->one),
				    &t->addresses[i]);
	*ret = t;
	return 0;
}

/* ---- translations -----------------------------------------------------------------------------
 */

/*
 * The reading of the topology by which the addresses were translated: while a change is being read,
 * an answer is still that of the reading before.
 */
static void put_generation(const struct exchange *x, struct json_writer *w)
{
	put_number(w, "TopologyGeneration", x->view->host->generation);
}

static void put_translation(struct exchange *x, const struct translation *t, const struct answer *a)
{
	put_object(&x->w, NULL);
	t->d->put(x->view, a, &x->w);
	if (!t->many)
		put_generation(x, &x->w);
	put_end(&x->w);
}

static void put_end_of_answer(struct exchange *x, const struct translation *t)
{
	if (!t->many)
		return;
	put_end(&x->w);
	put_generation(x, &x->w);
	put_end(&x->w);
}

/* Stops at the first address that needs a firmware call. Return: 0; the translation is complete
 * when next is n. */
static int translate_known(struct exchange *x, struct translation *t)
{
	struct answers out = {0};
	int r = 0;

	for (; t->next < t->n; t->next++) {
		out.n = 0;
		r = t->d->translate(x->view, x->resource->object, t->addresses[t->next], &out);
		/* A single address has exactly one answer. */
		if (r == 0 && out.n != 1)
			r = -EIO;
		if (r < 0 || out.items[0].not_queried)
			break;
		put_translation(x, t, &out.items[0]);
	}
	answers_done(&out);
	return r;
}

/* One call of firmware for the next addresses instead of one for each. */
static void query_batch(struct exchange *x, const struct translation *t)
{
	struct firmware_timeout timeout = translate_action_timeout(x);
	size_t n = t->n - t->next;

	if (n > FIRMWARE_BATCH_MAX)
		n = FIRMWARE_BATCH_MAX;
	translate_prefetch(x->view->translator, x->resource->object, &t->addresses[t->next], n,
			   &timeout);
}

static int query_next(struct exchange *x, struct translation *t, struct answers *out)
{
	struct firmware_timeout timeout = translate_action_timeout(x);
	int r;

	out->n = 0;
	r = t->d->query(x->view, x->resource->object, t->addresses[t->next], &timeout, out);
	if (r == 0 && out->n != 1)
		r = -EIO;
	if (r < 0)
		return r;
	put_translation(x, t, &out->items[0]);
	t->next++;
	return 0;
}

static int translate_run(struct exchange *x, void *state)
{
	struct translation *t = state;
	struct answers out = {0};
	size_t begun = t->next;
	int r = 0;

	while (t->next < t->n && r >= 0) {
		if (t->many && t->d->batches && (t->next - begun) % FIRMWARE_BATCH_MAX == 0)
			query_batch(x, t);
		r = query_next(x, t, &out);
	}
	answers_done(&out);
	if (r >= 0)
		put_end_of_answer(x, t);
	return r;
}

static const struct continuation in_firmware = {
	.class = JOB_FIRMWARE,
	.runs_late = true, /* with what is known */
	.run = translate_run,
	.free = free,
};

static int translate_action(struct exchange *x, const struct direction *d)
{
	struct translation *t = NULL;
	int r = read_addresses(x, d, &t);

	if (r < 0)
		return r;
	if (t->many) {
		put_object(&x->w, NULL);
		put_array(&x->w, "Translations");
	}
	r = translate_known(x, t);
	if (r == 0 && t->next < t->n)
		return exchange_continue(x, &in_firmware, t);
	if (r == 0)
		put_end_of_answer(x, t);
	free(t);
	return r;
}

int run_translate_dpa(struct exchange *x)
{
	return translate_action(x, &by_dpa);
}

static int run_translate_spa(struct exchange *x)
{
	return translate_action(x, &by_spa);
}

const struct action system_actions[3] = {
	{"CXLHostComputerSystem.TranslateSPA", &translate_spa_parameters, .only_reads = true,
	 .needs_body = true, .run = run_translate_spa},
	{"CXLHostComputerSystem.TranslateText", &translate_text_parameters, .only_reads = true,
	 .needs_body = true, .run = run_translate_text},
	{"CXLHostComputerSystem.DescribePage", &describe_spa_page_parameters, .only_reads = true,
	 .needs_body = true, .run = run_describe_spa_page},
};
