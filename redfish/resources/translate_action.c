// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The actions TranslateDPA and TranslateSPA: one address or up to 10,000, each answered by the
// translator of the view. Only firmware has to be waited for, and only with a timeout.
#include "redfish/resources.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "common/strutil.h"
#include "prm/firmware.h"
#include "prm/translate.h"
#include "redfish/resources/mapping.h"
#include "redfish/view.h"

/* A request of this size is answered in some ten milliseconds, which nobody else has to wait for.
 */
enum { ADDRESSES_MAX = 10000 };

/* For so long one request asks firmware; what is not known then is answered without. */
enum { ASKING_MS = 5000 };

#define ADDRESS_PATTERN "^(0|0x[0-9a-fA-F]{1,16})$"

/* What differs between the two directions. */
struct direction {
	const char *one, *many; /* names of the parameters */
	int (*translate)(const struct view *v, const struct memdev *m, uint64_t address,
			 struct firmware_timeout *timeout, struct answers *out);
	void (*put)(const struct view *v, const struct answer *a, struct json_writer *w);
};

/* A request under way. */
struct asking {
	const struct view *v;
	const struct direction *d;
	const struct resource *target;
	struct firmware_timeout *timeout; /* see struct action */
	uint64_t until_ms;		  /* when asking ends */
	struct answers scratch;
};

static int from_dpa(const struct view *v, const struct memdev *m, uint64_t address,
		    struct firmware_timeout *timeout, struct answers *out)
{
	return translate_dpa_wait(v->translator, m, address, address, timeout, out);
}

static int from_spa(const struct view *v, const struct memdev *m, uint64_t address,
		    struct firmware_timeout *timeout, struct answers *out)
{
	(void)m;
	return translate_spa_wait(v->translator, address, address, timeout, out);
}

/* Return: the timeout for the next address; NULL on the threads that may not wait. */
static struct firmware_timeout *timeout_left(struct asking *a)
{
	uint64_t now;

	if (!a->timeout)
		return NULL;
	now = clock_monotonic_ms();
	if (now >= a->until_ms)
		a->timeout->call_ms = 0;
	else if (a->until_ms - now < a->timeout->call_ms)
		a->timeout->call_ms = (unsigned int)(a->until_ms - now);
	return a->timeout;
}

static void put_provenance(const struct answer *a, struct json_writer *w)
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
	put_object(w, NULL);
	put_hex(w, "DevicePhysicalAddress", a->dpa);
	if (a->has_spa) {
		put_hex(w, "SystemPhysicalAddress", a->spa);
		put_hex(w, "SystemPhysicalAddressLast", a->spa_last);
	}
	put_provenance(a, w);
	put_memory_link(v, a->memdev, w);
	put_end(w);
}

static void put_dpa_range(uint64_t first, uint64_t last, struct json_writer *w)
{
	put_hex(w, "DevicePhysicalAddress", first);
	put_hex(w, "DevicePhysicalAddressLast", last);
}

/* With more than one possible device no single one is named; the interval is that of them all. */
static void put_from_spa(const struct view *v, const struct answer *a, struct json_writer *w)
{
	put_object(w, NULL);
	put_hex(w, "SystemPhysicalAddress", a->spa);
	if (a->has_dpa)
		put_dpa_range(a->dpa, a->dpa_last, w);
	put_provenance(a, w);
	if (a->memdev)
		put_memory_link(v, a->memdev, w);
	if (!a->memdev && a->n_candidates > 0) {
		put_array(w, "Candidates");
		for (size_t i = 0; i < a->n_candidates; i++) {
			put_object(w, NULL);
			put_memory_link(v, a->candidates[i].memdev, w);
			put_dpa_range(a->candidates[i].dpa, a->candidates[i].dpa_last, w);
			put_end(w);
		}
		put_end(w);
	}
	put_end(w);
}

static const struct direction by_dpa = {"DevicePhysicalAddress", "DevicePhysicalAddresses",
					from_dpa, put_from_dpa};
static const struct direction by_spa = {"SystemPhysicalAddress", "SystemPhysicalAddresses",
					from_spa, put_from_spa};

/* The client's value as it is shown in a refusal, cut to what a message holds. */
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

static int refuse_value(struct message *m, enum message_id id, const json_t *value,
			const char *parameter, const char *action)
{
	char text[MESSAGE_ARG_MAX];

	value_text(value, text, sizeof(text));
	message_set(m, id, text, parameter, action);
	(void)snprintf(m->property, sizeof(m->property), "#/%s", parameter);
	return -EINVAL;
}

/* Return: 0, or -EINVAL and what to say about it. */
static int parse_value(const json_t *value, uint64_t *ret, enum message_id *ret_why)
{
	if (!json_is_string(value)) {
		*ret_why = MESSAGE_ACTION_PARAMETER_VALUE_TYPE_ERROR;
		return -EINVAL;
	}
	if (parse_address(json_string_value(value), ret) < 0) {
		*ret_why = MESSAGE_ACTION_PARAMETER_VALUE_FORMAT_ERROR;
		return -EINVAL;
	}
	return 0;
}

static int translate_one(struct asking *a, uint64_t address, struct json_writer *w)
{
	struct answers *out = &a->scratch;
	int r;

	out->n = 0;
	r = a->d->translate(a->v, a->target->object, address, timeout_left(a), out);
	if (r < 0)
		return r;
	/* One address is answered by exactly one answer. */
	if (out->n != 1)
		return -EIO;
	if (out->items[0].not_queried && !a->timeout)
		return -EINPROGRESS;
	a->d->put(a->v, &out->items[0], w);
	return 0;
}

static int run_one(struct asking *a, const json_t *value, struct json_writer *w, struct message *m)
{
	enum message_id why;
	uint64_t address;

	if (parse_value(value, &address, &why) < 0)
		return refuse_value(m, why, value, a->d->one, a->target->action->name);
	return translate_one(a, address, w);
}

/* Names the culprit of an array by its place, "DevicePhysicalAddresses/3". */
static int refuse_item(const struct asking *a, struct message *m, enum message_id why,
		       const json_t *values, size_t i)
{
	char parameter[64];

	(void)snprintf(parameter, sizeof(parameter), "%s/%zu", a->d->many, i);
	return refuse_value(m, why, json_array_get(values, i), parameter, a->target->action->name);
}

/* Lets firmware be asked once for the next FIRMWARE_BATCH_MAX addresses, not for each of them. */
static void ask_ahead(struct asking *a, const json_t *values, size_t from)
{
	uint64_t addresses[FIRMWARE_BATCH_MAX];
	enum message_id why;
	size_t n = 0;

	for (size_t i = from; i < json_array_size(values) && i - from < FIRMWARE_BATCH_MAX; i++)
		if (parse_value(json_array_get(values, i), &addresses[n], &why) == 0)
			n++;
	translate_prefetch(a->v->translator, a->target->object, addresses, n, timeout_left(a));
}

static int translate_all(struct asking *a, const json_t *values, struct json_writer *w,
			 struct message *m)
{
	enum message_id why;
	uint64_t address;
	int r = 0;

	for (size_t i = 0; i < json_array_size(values) && r >= 0; i++) {
		if (a->timeout && a->d == &by_dpa && i % FIRMWARE_BATCH_MAX == 0)
			ask_ahead(a, values, i);
		if (parse_value(json_array_get(values, i), &address, &why) < 0)
			r = refuse_item(a, m, why, values, i);
		else
			r = translate_one(a, address, w);
	}
	return r;
}

static int run_many(struct asking *a, const json_t *values, struct json_writer *w,
		    struct message *m)
{
	const char *many = a->d->many;
	char limit[16];
	int r;

	if (!json_is_array(values))
		return refuse_value(m, MESSAGE_ACTION_PARAMETER_VALUE_TYPE_ERROR, values, many,
				    a->target->action->name);
	if (json_array_size(values) > ADDRESSES_MAX) {
		(void)snprintf(limit, sizeof(limit), "%d", ADDRESSES_MAX);
		message_set(m, MESSAGE_ARRAY_SIZE_TOO_LONG, many, limit, NULL);
		(void)snprintf(m->property, sizeof(m->property), "#/%s", many);
		return -EINVAL;
	}
	put_object(w, NULL);
	put_array(w, "Translations");
	r = translate_all(a, values, w, m);
	if (r < 0)
		return r;
	put_end(w);
	put_end(w);
	return 0;
}

static int check_names(const struct direction *d, json_t *parameters, const char *action,
		       struct message *m)
{
	const char *key;
	json_t *value;

	json_object_foreach(parameters, key, value) {
		if (str_equal(key, d->one) || str_equal(key, d->many))
			continue;
		message_set(m, MESSAGE_ACTION_PARAMETER_UNKNOWN, action, key, NULL);
		(void)snprintf(m->property, sizeof(m->property), "#/%s", key);
		return -EINVAL;
	}
	return 0;
}

static int run_either(struct asking *a, json_t *parameters, struct json_writer *w,
		      struct message *m)
{
	const struct direction *d = a->d;
	const json_t *one = json_object_get(parameters, d->one);
	const json_t *many = json_object_get(parameters, d->many);
	const char *action = a->target->action->name;
	int r;

	r = check_names(d, parameters, action, m);
	if (r < 0)
		return r;
	if (one && many) {
		char text[MESSAGE_ARG_MAX];

		value_text(one, text, sizeof(text));
		message_set(m, MESSAGE_ACTION_PARAMETER_VALUE_CONFLICT, d->one, text, NULL);
		(void)snprintf(m->property, sizeof(m->property), "#/%s", d->one);
		return -EINVAL;
	}
	if (one)
		return run_one(a, one, w, m);
	if (many)
		return run_many(a, many, w, m);
	message_set(m, MESSAGE_ACTION_PARAMETER_MISSING, action, d->one, NULL);
	return -EINVAL;
}

static int run(struct asking *a, json_t *parameters, struct json_writer *w, struct message *m)
{
	int r;

	a->until_ms = a->timeout ? clock_monotonic_ms() + ASKING_MS : 0;
	r = run_either(a, parameters, w, m);
	answers_done(&a->scratch);
	return r;
}

int run_translate_dpa(const struct view *v, const struct resource *target, json_t *parameters,
		      struct firmware_timeout *timeout, struct json_writer *w,
		      struct message *ret_message)
{
	struct asking a = {.v = v, .d = &by_dpa, .target = target, .timeout = timeout};

	return run(&a, parameters, w, ret_message);
}

int run_translate_spa(const struct view *v, const struct resource *target, json_t *parameters,
		      struct firmware_timeout *timeout, struct json_writer *w,
		      struct message *ret_message)
{
	struct asking a = {.v = v, .d = &by_spa, .target = target, .timeout = timeout};

	return run(&a, parameters, w, ret_message);
}

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

void render_translate_dpa_info(const struct view *v, const struct resource *r,
			       struct json_writer *w)
{
	(void)v;
	(void)r;
	put_string(w, "Name", "TranslateDPA Action Info");
	put_string(w, "Description", "Exactly one of the parameters must be given");
	put_parameters(&by_dpa, w);
}

void render_translate_spa_info(const struct view *v, const struct resource *r,
			       struct json_writer *w)
{
	(void)v;
	(void)r;
	put_string(w, "Name", "TranslateSPA Action Info");
	put_string(w, "Description", "Exactly one of the parameters must be given");
	put_parameters(&by_spa, w);
}
