// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Where an event's address was: the kernel's hpa compared with the decoders and with firmware.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "events/event_fill_private.h"
#include "prm/firmware.h"

typedef unsigned long long ull;

__attribute__((format(printf, 2, 3))) static void add_reason(struct event_answer *a,
							     const char *fmt, ...)
{
	size_t used = strlen(a->reason);
	va_list ap;

	if (used > 0 && used + 2 < sizeof(a->reason)) {
		memcpy(a->reason + used, "; ", 3);
		used += 2;
	}
	va_start(ap, fmt);
	(void)vsnprintf(a->reason + used, sizeof(a->reason) - used, fmt, ap);
	va_end(ap);
}

static void set_uuid(struct event_answer *ret, const uint8_t uuid[static EVENT_UUID_SIZE])
{
	ret->has_region_uuid = true;
	memcpy(ret->region_uuid, uuid, EVENT_UUID_SIZE);
}

static void take_region(const struct region *region, struct event_answer *ret)
{
	uint8_t uuid[EVENT_UUID_SIZE];

	if (!region)
		return;
	(void)snprintf(ret->region, sizeof(ret->region), "%s", region->name);
	ret->region_resource = region->resource;
	if (region->uuid && event_uuid_parse(region->uuid, uuid))
		set_uuid(ret, uuid);
}

static void event_answer_take(const struct answer *a, struct event_answer *ret)
{
	ret->source = a->has_spa ? a->source : SOURCE_NONE;
	ret->has_spa = a->has_spa;
	ret->exact = a->exact;
	ret->spa = a->has_spa ? a->spa : 0;
	ret->spa_last = a->has_spa ? a->spa_last : 0;
	(void)snprintf(ret->reason, sizeof(ret->reason), "%s", a->reason);
	take_region(a->region, ret);
	ret->numa_node = a->numa_node;
	if (a->dax)
		(void)snprintf(ret->dax, sizeof(ret->dax), "%s", a->dax->name);
}

/* What is mapped at an interval, when it is the same for all of it. */
static void take_surroundings(const struct event_mapping *m, uint64_t spa, uint64_t spa_last,
			      struct event_answer *ret)
{
	_cleanup_(answers_done) struct answers there = {0};

	ret->numa_node = (struct opt_int){0};
	ret->dax[0] = '\0';
	if (translate_spa(m->translator, spa, spa_last, &there) < 0 || there.n != 1)
		return;
	ret->numa_node = there.items[0].numa_node;
	if (there.items[0].dax)
		(void)snprintf(ret->dax, sizeof(ret->dax), "%s", there.items[0].dax->name);
}

static void accept_kernel(uint64_t hpa, struct event_answer *ret)
{
	ret->source = SOURCE_KERNEL;
	ret->has_spa = ret->exact = true;
	ret->spa = ret->spa_last = hpa;
}

/*
 * The current mapping is not that of the event, or does not cover the address: only the kernel's
 * hpa is left, if there is one.
 */
static void answer_without_mapping(const struct event_mapping *m, const struct event_question *q,
				   const char *why, struct event_answer *ret)
{
	(void)snprintf(ret->reason, sizeof(ret->reason), "%s", why);
	(void)snprintf(ret->region, sizeof(ret->region), "%s", q->region);
	if (q->has_uuid)
		set_uuid(ret, q->uuid);
	if (!q->hpa.present)
		return;
	if (m->trust == TRUST_ALL)
		accept_kernel(q->hpa.value, ret);
	else
		add_reason(ret,
			   "the kernel's hpa 0x%llx cannot be confirmed, and may be wrong on "
			   "kernels before 7.0",
			   (ull)q->hpa.value);
}

static bool is_firmware(enum answer_source source)
{
	return source == SOURCE_PRM || source == SOURCE_RECORDED || source == SOURCE_EMULATED;
}

static bool is_multiple_of_three(struct opt_u64 ways)
{
	return !ways.present || ways.value % 3 == 0;
}

/*
 * Whether this kernel is known to be wrong for the region: all are where translator_kernel_errs(),
 * and before 7.0 where a window of 3, 6 or 12 ways has a region whose base is no multiple of as
 * many times 256 MiB.
 */
static bool kernel_errs(const struct event_mapping *m, const struct answer *a)
{
	const uint64_t unit = 256 << 20;
	const struct decoder *window = a->window;

	if (translator_kernel_errs(m->translator, a->region))
		return true;
	if (m->trust == TRUST_ALL || !a->region || !window || !window->ways.present)
		return false;
	return window->ways.value && window->ways.value % 3 == 0 && a->region->resource.present &&
	       a->region->resource.value % (window->ways.value * unit) != 0;
}

/* The kernel and another exact source disagree. */
static void answer_disputed(const struct event_mapping *m, const struct event_question *q,
			    const struct answer *a, struct event_answer *ret)
{
	const uint64_t hpa = q->hpa.value;

	event_answer_take(a, ret);
	ret->hpa_disagrees = true;
	ret->reason[0] = '\0';
	if (is_firmware(a->source) || kernel_errs(m, a)) {
		add_reason(ret, "the kernel's hpa 0x%llx contradicts %s", (ull)hpa,
			   is_firmware(a->source) ? "firmware" : "the decoders");
		if (a->reason[0])
			add_reason(ret, "%s", a->reason);
		return;
	}
	if (a->exact)
		add_reason(ret, "the kernel's hpa 0x%llx contradicts the decoders' address 0x%llx",
			   (ull)hpa, (ull)a->spa);
	else
		add_reason(ret,
			   "the kernel's hpa 0x%llx is outside the decoders' interval "
			   "0x%llx-0x%llx",
			   (ull)hpa, (ull)a->spa, (ull)a->spa_last);
	ret->source = SOURCE_ESTIMATE;
	ret->exact = false;
	ret->spa = hpa < a->spa ? hpa : a->spa;
	ret->spa_last = hpa > a->spa_last ? hpa : a->spa_last;
	take_surroundings(m, ret->spa, ret->spa_last, ret);
}

/* No source contradicts the kernel, and no exact one confirms it. */
static void answer_unconfirmed(const struct event_mapping *m, const struct event_question *q,
			       const struct answer *a, struct event_answer *ret)
{
	const bool trusted =
		m->trust == TRUST_ALL || (m->trust == TRUST_POWER_OF_TWO && a->region &&
					  !is_multiple_of_three(a->region->ways));

	event_answer_take(a, ret);
	if (!a->decoder || decoder_mapping(a->decoder) == MAPPING_NORMALIZED) {
		add_reason(ret, "the kernel's hpa 0x%llx is not confirmed by firmware",
			   (ull)q->hpa.value);
	} else if (!trusted) {
		add_reason(ret,
			   "the kernel's hpa 0x%llx is not confirmed, and may be wrong on kernels "
			   "before 7.0",
			   (ull)q->hpa.value);
	} else {
		accept_kernel(q->hpa.value, ret);
		(void)snprintf(ret->reason, sizeof(ret->reason),
			       "the kernel's hpa, which no other source confirms: %.200s",
			       a->reason);
		take_surroundings(m, ret->spa, ret->spa_last, ret);
	}
}

static void answer_with_hpa(const struct event_mapping *m, const struct event_question *q,
			    const struct answer *a, struct event_answer *ret)
{
	const uint64_t hpa = q->hpa.value;

	if (a->has_spa && (hpa < a->spa || hpa > a->spa_last)) {
		answer_disputed(m, q, a, ret);
	} else if (a->has_spa && a->exact) {
		event_answer_take(a, ret);
		ret->source = SOURCE_KERNEL;
	} else {
		answer_unconfirmed(m, q, a, ret);
	}
}

/* Return: whether the record was made under a mapping of its address that is not this one. */
static bool is_of_another_mapping(const struct event_question *q, const struct answer *a,
				  char why[static ANSWER_REASON_MAX])
{
	uint8_t uuid[EVENT_UUID_SIZE];

	if (q->region[0] && (!a->region || !str_equal(a->region->name, q->region)))
		(void)snprintf(why, ANSWER_REASON_MAX,
			       "the record names %s, which does not map DPA 0x%llx of %s now",
			       q->region, (ull)q->dpa.value, a->memdev->name);
	else if (q->has_uuid && a->region && a->region->uuid &&
		 event_uuid_parse(a->region->uuid, uuid) &&
		 memcmp(uuid, q->uuid, EVENT_UUID_SIZE) != 0)
		(void)snprintf(
			why, ANSWER_REASON_MAX,
			"the record names another %s than the present one (its UUID differs)",
			q->region);
	else
		return false;
	return true;
}

static bool answer_by_mapping(const struct event_mapping *m, const struct event_question *q,
			      const struct answer *a, struct event_answer *ret)
{
	char why[ANSWER_REASON_MAX];

	if (is_of_another_mapping(q, a, why)) {
		answer_without_mapping(m, q, why, ret);
		return false;
	}
	if (q->hpa.present) {
		answer_with_hpa(m, q, a, ret);
		return a->not_queried;
	}
	event_answer_take(a, ret);
	if (a->region && !q->region[0])
		add_reason(ret, "the record names no region; the address was translated by the "
				"mapping at the time when the record was read");
	return a->not_queried;
}

bool event_answer(const struct event_mapping *m, const struct event_question *q,
		  struct firmware_timeout *timeout, struct event_answer *ret)
{
	_cleanup_(answers_done) struct answers answers = {0};
	char why[ANSWER_REASON_MAX];
	int r;

	*ret = (struct event_answer){0};
	if (!q->dpa.present)
		return false;
	if (!q->memdev || q->renamed) {
		(void)snprintf(why, sizeof(why), "%s is no longer a device of this host", q->name);
		answer_without_mapping(m, q, why, ret);
		return false;
	}
	r = timeout ? translate_dpa_wait(m->translator, q->memdev, q->dpa.value, q->dpa.value,
					 timeout, &answers)
		    : translate_dpa(m->translator, q->memdev, q->dpa.value, q->dpa.value, &answers);
	if (r < 0) {
		answer_without_mapping(m, q, "out of memory", ret);
		return false;
	}
	return answer_by_mapping(m, q, &answers.items[0], ret);
}

void event_ask_ahead(const struct event_mapping *m, const struct event_question *const *questions,
		     size_t n, struct firmware_timeout *timeout)
{
	uint64_t dpas[FIRMWARE_BATCH_MAX];

	if (n > FIRMWARE_BATCH_MAX)
		n = FIRMWARE_BATCH_MAX;
	for (size_t i = 0; i < n; i++)
		dpas[i] = questions[i]->dpa.value;
	translate_prefetch(m->translator, questions[0]->memdev, dpas, n, timeout);
}
