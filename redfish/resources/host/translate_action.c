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

#include "common/clock.h"
#include "common/strutil.h"
#include "prm/firmware.h"
#include "prm/translate.h"
#include "redfish/service/exchange.h"
#include "redfish/core/odata.h"
#include "redfish/resources/enumerators.h"
#include "redfish/resources/mapping.h"
#include "redfish/resources/rows.h"
#include "redfish/service/service.h"
#include "redfish/core/uris.h"

/* Takes some ten milliseconds on an HTTP thread, during which others wait for it. */
enum { ADDRESSES_MAX = 10000 };

#define ADDRESS_PATTERN "^(0|0x[0-9a-fA-F]{1,16})$"

/* What differs between the two directions. */
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

/* What was requested, and how far it has come. */
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

void put_provenance(const struct answer *a, struct json_writer *w)
{
	put_bool(w, "Exact", a->exact);
	put_string(w, "TranslationSource", answer_source_name(a->source));
	if (a->reason[0])
		put_string(w, "Reason", a->reason);
	put_opt_int(w, "InterleavePosition", a->position);
	put_opt_int(w, "NUMANode", a->numa_node);
	put_chunks_link(w, "MemoryChunks", a->region);
}

static void put_memory_link(const struct view *v, const struct memdev *m, struct json_writer *w)
{
	put_link(w, "Memory", URI_MEMORY, view_memory_id(v, m));
}

static void put_from_dpa(const struct view *v, const struct answer *a, struct json_writer *w)
{
	put_hex(w, "DevicePhysicalAddress", a->dpa);
	if (a->has_spa) {
		put_hex(w, "SystemPhysicalAddress", a->spa);
		put_hex(w, "SystemPhysicalAddressLast", a->spa_last);
	}
	put_provenance(a, w);
	put_memory_link(v, a->memdev, w);
}

static void put_dpa_range(uint64_t first, uint64_t last, struct json_writer *w)
{
	put_hex(w, "DevicePhysicalAddress", first);
	put_hex(w, "DevicePhysicalAddressLast", last);
}

/* With more than one possible device no single one is named; the interval is that of them all. */
static void put_from_spa(const struct view *v, const struct answer *a, struct json_writer *w)
{
	put_hex(w, "SystemPhysicalAddress", a->spa);
	if (a->has_dpa)
		put_dpa_range(a->dpa, a->dpa_last, w);
	put_provenance(a, w);
	if (a->memdev)
		put_memory_link(v, a->memdev, w);
	if (a->memdev || a->n_candidates == 0)
		return;
	put_array(w, "Candidates");
	for (size_t i = 0; i < a->n_candidates; i++) {
		put_object(w, NULL);
		put_memory_link(v, a->candidates[i].memdev, w);
		put_dpa_range(a->candidates[i].dpa, a->candidates[i].dpa_last, w);
		put_end(w);
	}
	put_end(w);
}

static const struct direction by_dpa = {
	.one = "DevicePhysicalAddress",
	.many = "DevicePhysicalAddresses",
	.translate = dpa_translate,
	.query = dpa_query,
	.put = put_from_dpa,
	.batches = true,
};
static const struct direction by_spa = {
	.one = "SystemPhysicalAddress",
	.many = "SystemPhysicalAddresses",
	.translate = spa_translate,
	.query = spa_query,
	.put = put_from_spa,
};

/* ---- parameters -------------------------------------------------------------------------------
 */

/* The client's value for a message, cut to what a message holds. */
static void value_text(const json_t *value, char *ret, size_t size)
{
	char *dumped;

	if (json_is_string(value)) {
		(void)snprintf(ret, size, "%s", json_string_value(value));
		return;
	}
	if (json_is_array(value) || json_is_object(value)) {
		(void)snprintf(ret, size, json_is_array(value) ? "[...]" : "{...}");
		return;
	}
	dumped = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
	(void)snprintf(ret, size, "%s", dumped ? dumped : "");
	free(dumped);
}

static void set_property(struct exchange *x, const char *parameter)
{
	struct message *m = &x->message;

	(void)snprintf(m->property, sizeof(m->property), "#/%s", parameter);
}

static int refuse_value(struct exchange *x, enum message_id id, const json_t *value,
			const char *parameter)
{
	char text[MESSAGE_ARG_MAX], readings[NUMBER_READINGS_MAX];
	size_t len;

	value_text(value, text, sizeof(text));
	len = strlen(text);
	/* A number without base: what it may have meant. */
	if (number_readings(text, readings, sizeof(readings)))
		(void)snprintf(text + len, sizeof(text) - len, ": %s", readings);
	(void)exchange_refuse(x, id, text, parameter, x->resource->action->name);
	set_property(x, parameter);
	return -EINVAL;
}

static int parse_value(struct exchange *x, const json_t *value, const char *parameter,
		       uint64_t *ret)
{
	if (!json_is_string(value))
		return refuse_value(x, MESSAGE_ACTION_PARAMETER_VALUE_TYPE_ERROR, value, parameter);
	if (parse_address(json_string_value(value), ret) < 0)
		return refuse_value(x, MESSAGE_ACTION_PARAMETER_VALUE_FORMAT_ERROR, value,
				    parameter);
	return 0;
}

/* An item of the array is named by its index, "DevicePhysicalAddresses/3". */
static int parse_item(struct exchange *x, const struct direction *d, const json_t *values, size_t i,
		      uint64_t *ret)
{
	const json_t *value = json_array_get(values, i);
	char parameter[64];

	if (json_is_string(value) && parse_address(json_string_value(value), ret) >= 0)
		return 0;
	(void)snprintf(parameter, sizeof(parameter), "%s/%zu", d->many, i);
	return parse_value(x, value, parameter, ret);
}

static int check_array(struct exchange *x, const struct direction *d, const json_t *values)
{
	char limit[16];

	if (!json_is_array(values))
		return refuse_value(x, MESSAGE_ACTION_PARAMETER_VALUE_TYPE_ERROR, values, d->many);
	if (json_array_size(values) <= ADDRESSES_MAX)
		return 0;
	(void)snprintf(limit, sizeof(limit), "%d", ADDRESSES_MAX);
	return exchange_refuse(x, MESSAGE_ARRAY_SIZE_TOO_LONG, d->many, limit, NULL);
}

static int check_names(struct exchange *x, const struct direction *d)
{
	const char *action = x->resource->action->name, *key;
	json_t *value;

	json_object_foreach(x->body, key, value) {
		if (str_equal(key, d->one) || str_equal(key, d->many))
			continue;
		(void)exchange_refuse(x, MESSAGE_ACTION_PARAMETER_UNKNOWN, action, key, NULL);
		exchange_note(x);
	}
	return exchange_noted(x);
}

static int refuse_both(struct exchange *x, const struct direction *d, const json_t *one)
{
	char text[MESSAGE_ARG_MAX];

	value_text(one, text, sizeof(text));
	return exchange_refuse(x, MESSAGE_ACTION_PARAMETER_VALUE_CONFLICT, d->one, text, NULL);
}

static int parse_addresses(struct exchange *x, const json_t *values, struct translation *t)
{
	int r = 0;

	for (size_t i = 0; i < t->n && r >= 0; i++)
		r = t->many ? parse_item(x, t->d, values, i, &t->addresses[i])
			    : parse_value(x, values, t->d->one, &t->addresses[i]);
	return r;
}

/* Return: 0 with what was requested, for free(). */
static int parse_parameters(struct exchange *x, const struct direction *d, struct translation **ret)
{
	const json_t *one = json_object_get(x->body, d->one);
	const json_t *many = json_object_get(x->body, d->many);
	struct translation *t;
	int r = check_names(x, d);
	size_t n;

	if (r < 0)
		return r;
	if (one && many)
		return refuse_both(x, d, one);
	if (!one && !many)
		return exchange_refuse(x, MESSAGE_ACTION_PARAMETER_MISSING,
				       x->resource->action->name, d->one, NULL);
	r = many ? check_array(x, d, many) : 0;
	if (r < 0)
		return r;
	n = many ? json_array_size(many) : 1;
	t = calloc(1, sizeof(*t) + n * sizeof(t->addresses[0]));
	if (!t)
		return -ENOMEM;
	*t = (struct translation){.d = d, .many = many, .n = n};
	r = parse_addresses(x, many ? many : one, t);
	if (r < 0)
		free(t);
	else
		*ret = t;
	return r;
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

struct firmware_timeout translate_action_timeout(const struct exchange *x)
{
	uint64_t now = clock_monotonic_ms(), deadline = job_deadline_ms(x->job);
	uint64_t call = x->service->limits.firmware_call_ms;

	if (job_is_late(x->job) || job_is_cancelled(x->job) || now >= deadline)
		call = 0;
	else if (deadline - now < call)
		call = deadline - now;
	/* No wait at the rate limit: it would delay all jobs that are queued behind this one. */
	return (struct firmware_timeout){.call_ms = (unsigned int)call};
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
		job_set_progress(x->job, (unsigned int)(t->next * 100 / t->n));
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
	int r = parse_parameters(x, d, &t);

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

const struct action system_actions[2] = {
	{"CXLHostComputerSystem.TranslateSPA", "/Oem/CXLHost/TranslateSPAActionInfo",
	 .only_reads = true, .needs_body = true, .run = run_translate_spa},
	{"CXLHostComputerSystem.TranslateText", "/Oem/CXLHost/TranslateTextActionInfo",
	 .only_reads = true, .needs_body = true, .run = run_translate_text},
};

/* ---- ActionInfo -------------------------------------------------------------------------------
 */

static void put_parameters(const struct direction *d, struct json_writer *w)
{
	put_array(w, "Parameters");
	put_object(w, NULL);
	put_string(w, "Name", d->one);
	put_bool(w, "Required", false);
	put_string(w, "DataType", "String");
	put_string(w, "AllowablePattern", ADDRESS_PATTERN);
	put_end(w);
	put_object(w, NULL);
	put_string(w, "Name", d->many);
	put_bool(w, "Required", false);
	put_string(w, "DataType", "StringArray");
	put_number(w, "ArraySizeMaximum", ADDRESSES_MAX);
	put_string(w, "AllowablePattern", ADDRESS_PATTERN);
	put_end(w);
	put_end(w);
}

static void render_translate_dpa_info(const struct view *v, const struct resource *r,
				      struct json_writer *w)
{
	(void)v;
	(void)r;
	put_string(w, "Name", "TranslateDPA Action Info");
	put_string(w, "Description", "Exactly one of the parameters must be given");
	put_parameters(&by_dpa, w);
}

static void render_translate_spa_info(const struct view *v, const struct resource *r,
				      struct json_writer *w)
{
	(void)v;
	(void)r;
	put_string(w, "Name", "TranslateSPA Action Info");
	put_string(w, "Description", "Exactly one of the parameters must be given");
	put_parameters(&by_spa, w);
}

static const struct resource_type translate_info_types[] = {
	{.pattern = URI_SYSTEM "/Oem/CXLHost/TranslateSPAActionInfo",
	 SCHEMA("ActionInfo", "v1_5_0"),
	 .render = render_translate_spa_info},
	{.pattern = URI_SYSTEM "/Memory/{Memory}/Oem/CXLHost/TranslateDPAActionInfo",
	 SCHEMA("ActionInfo", "v1_5_0"),
	 .enumerate = enumerate_memdevs,
	 .render = render_translate_dpa_info},
};

const struct resource_rows translate_info_rows = RESOURCE_ROWS(translate_info_types);
