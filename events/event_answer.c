// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Where an event's address was: the kernel's hpa compared with the decoders and with firmware.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "events/event_fill_private.h"
#include "events/kernel_hpa.h"
#include "events/event_uuid.h"
#include "prm/firmware.h"

typedef unsigned long long ull;

enum { HPA_CHUNK = 256 }; /* bytes: the smallest granularity */

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

const char *event_answer_mapping(const struct event_answer *a)
{
	if (a->region[0])
		return "region";
	return a->exact && a->source == SOURCE_DECODER ? "decoders" : NULL;
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

/* Takes the mapping at an interval, when it is the same for all of it. */
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
 * The current mapping is not that of the event, may not be, or does not cover the address: only the
 * kernel's hpa is left, if there is one.
 */
static void answer_without_mapping(const struct event_mapping *m, const struct event_question *q,
				   const char *why, struct event_answer *ret)
{
	char doubt[ANSWER_REASON_MAX];

	*ret = (struct event_answer){0};
	(void)snprintf(ret->reason, sizeof(ret->reason), "%s", why);
	(void)snprintf(ret->region, sizeof(ret->region), "%s", q->region);
	if (q->has_uuid)
		set_uuid(ret, q->uuid);
	if (!q->hpa.present)
		return;
	if (kernel_hpa_stands_alone(m, event_kernel(m, q), q->hpa.value, doubt))
		accept_kernel(q->hpa.value, ret);
	else
		add_reason(ret, "%s", doubt);
}

static bool is_firmware(enum answer_source source)
{
	return source == SOURCE_PRM || source == SOURCE_RECORDED || source == SOURCE_EMULATED;
}

static void give_interval(const struct event_mapping *m, uint64_t first, uint64_t last,
			  struct event_answer *ret)
{
	ret->source = SOURCE_ESTIMATE;
	ret->has_spa = true;
	ret->exact = false;
	ret->spa = first;
	ret->spa_last = last;
	take_surroundings(m, first, last, ret);
}

static uint64_t below(uint64_t address, uint64_t distance)
{
	return address > distance ? address - distance : 0;
}

static uint64_t above(uint64_t address, uint64_t distance)
{
	return address < UINT64_MAX - distance ? address + distance : UINT64_MAX;
}

static bool is_in_window(const struct decoder *w, uint64_t hpa)
{
	return w && w->start.present && w->size.present && hpa >= w->start.value &&
	       hpa - w->start.value < w->size.value;
}

/*
 * The record may be of another mapping than the answer, or contradicts itself. It is not known
 * whether the kernel's hpa is right or the present mapping, so that the answer is an interval of
 * both; of an hpa alone it is the smallest chunk. Where kernels are wrong, it is as far as they can
 * be.
 */
static void answer_uncertain(const struct event_mapping *m, const struct event_question *q,
			     const struct answer *a, const char *why, struct event_answer *ret)
{
	const struct opt_u64 error = kernel_hpa_error_max(event_kernel(m, q));
	const uint64_t hpa = q->hpa.value;
	const uint64_t chunk = hpa / HPA_CHUNK * HPA_CHUNK, chunk_last = chunk + HPA_CHUNK - 1;

	answer_without_mapping(m, q, why, ret);
	if (!q->hpa.present)
		return;
	if (ret->has_spa)
		give_interval(m, a->has_spa && a->spa < chunk ? a->spa : chunk,
			      a->has_spa && a->spa_last > chunk_last ? a->spa_last : chunk_last,
			      ret);
	else if (error.present && is_in_window(a->window, hpa))
		give_interval(m, below(hpa, error.value), above(hpa, error.value), ret);
	ret->hpa_disagrees = ret->has_spa && a->has_spa && (hpa < a->spa || hpa > a->spa_last);
}

/* The kernel and another source disagree, and it is not known which one is right. */
static void answer_disputed(const struct event_mapping *m, const struct event_question *q,
			    const struct answer *a, struct event_answer *ret)
{
	const uint64_t hpa = q->hpa.value;

	event_answer_take(a, ret);
	ret->reason[0] = '\0';
	if (a->exact)
		add_reason(ret, "the kernel's hpa 0x%llx contradicts the decoders' address 0x%llx",
			   (ull)hpa, (ull)a->spa);
	else
		add_reason(
			ret,
			"the kernel's hpa 0x%llx is outside the decoders' interval 0x%llx-0x%llx",
			(ull)hpa, (ull)a->spa, (ull)a->spa_last);
	give_interval(m, hpa < a->spa ? hpa : a->spa, hpa > a->spa_last ? hpa : a->spa_last, ret);
	ret->hpa_disagrees = true;
}

/* The other source is known to be right, the kernel to be wrong. */
static void answer_overruled(const struct event_question *q, const struct answer *a,
			     struct event_answer *ret)
{
	event_answer_take(a, ret);
	ret->hpa_disagrees = true;
	ret->reason[0] = '\0';
	add_reason(ret, "the kernel's hpa 0x%llx contradicts %s", (ull)q->hpa.value,
		   is_firmware(a->source) ? "firmware" : "the decoders");
	if (a->reason[0])
		add_reason(ret, "%s", a->reason);
}

/* No exact source confirms or contradicts the kernel. */
static void answer_unconfirmed(const struct event_mapping *m, const struct event_question *q,
			       const struct answer *a, struct event_answer *ret)
{
	event_answer_take(a, ret);
	if (!a->decoder || decoder_mapping(a->decoder) == MAPPING_NORMALIZED) {
		add_reason(ret, "the kernel's hpa 0x%llx is not confirmed by firmware",
			   (ull)q->hpa.value);
	} else if (!kernel_may_know_better(m, event_kernel(m, q), a)) {
		add_reason(
			ret,
			"the kernel's hpa 0x%llx is not confirmed, and this kernel's arithmetic may be wrong here",
			(ull)q->hpa.value);
	} else {
		accept_kernel(q->hpa.value, ret);
		(void)snprintf(ret->reason, sizeof(ret->reason),
			       "the kernel's hpa, which no other source confirms: %.200s",
			       a->reason);
		take_surroundings(m, ret->spa, ret->spa_last, ret);
	}
}

/* Whether the record's hpa is what its kernel computes under the mapping of the answer. */
static bool is_hpa_of_mapping(const struct event_mapping *m, const struct event_question *q,
			      const struct answer *a)
{
	const unsigned int kernel = event_kernel(m, q);
	uint64_t expected;

	if (!a->exact)
		return false;
	if (kernel_hpa(m, kernel, a, &expected))
		return q->hpa.value == expected;
	return q->hpa.value == a->spa && kernel_hpa_is_right(m, kernel, a);
}

static void answer_with_hpa(const struct event_mapping *m, const struct event_question *q,
			    const struct answer *a, struct event_answer *ret)
{
	const uint64_t hpa = q->hpa.value;

	if (a->has_spa && a->exact && hpa == a->spa) {
		event_answer_take(a, ret);
		ret->source = SOURCE_KERNEL;
	} else if (a->has_spa && a->exact &&
		   (is_firmware(a->source) || is_hpa_of_mapping(m, q, a))) {
		answer_overruled(q, a, ret);
	} else if (a->has_spa && (hpa < a->spa || hpa > a->spa_last)) {
		answer_disputed(m, q, a, ret);
	} else {
		answer_unconfirmed(m, q, a, ret);
	}
}

/* ---- whose mapping it is ----------------------------------------------------------------------
 */

/* Return: 0: the regions' UUIDs are not known or both have none; 1: the same; -1: different. */
static int compare_uuids(const struct event_question *q, const struct region *r)
{
	uint8_t uuid[EVENT_UUID_SIZE];
	const bool has_uuid = r->uuid && event_uuid_parse(r->uuid, uuid);

	if (!has_uuid && !q->has_uuid)
		return 0;
	return has_uuid && q->has_uuid && memcmp(uuid, q->uuid, sizeof(uuid)) == 0 ? 1 : -1;
}

/* Return: whether the record was made under a mapping of its address that is not this one. */
static bool is_of_another_mapping(const struct event_question *q, const struct answer *a,
				  char why[static ANSWER_REASON_MAX])
{
	if (q->region[0] && (!a->region || !str_equal(a->region->name, q->region)))
		(void)snprintf(why, ANSWER_REASON_MAX,
			       "the record names %s, which does not map DPA 0x%llx of %s now",
			       q->region, (ull)q->dpa.value, a->memdev->name);
	else if (q->region[0] && compare_uuids(q, a->region) < 0)
		(void)snprintf(
			why, ANSWER_REASON_MAX,
			"the record names another %s than the present one (its UUID differs)",
			q->region);
	else if (!q->region[0] && a->region && q->region_is_named)
		(void)snprintf(
			why, ANSWER_REASON_MAX,
			"the record names no region, so none mapped DPA 0x%llx of %s when it was made; %s does now",
			(ull)q->dpa.value, a->memdev->name, a->region->name);
	else
		return false;
	return true;
}

enum { NOW_MAX = 64 };

/* Names the address by the present mapping, for a reason. */
static void say_now(const struct answer *a, char ret[static NOW_MAX])
{
	ret[0] = '\0';
	if (a->has_spa && a->exact)
		(void)snprintf(ret, NOW_MAX, " (now it would be SPA 0x%llx)", (ull)a->spa);
	else if (a->has_spa)
		(void)snprintf(ret, NOW_MAX, " (now it would be in SPA 0x%llx-0x%llx)", (ull)a->spa,
			       (ull)a->spa_last);
}

/* How the mapping of an answer is known to be the record's. */
enum certainty {
	UNCERTAIN,
	CERTAIN_ADDRESS, /* by the record's hpa: at least for this one address */
	CERTAIN_MAPPING,
};

static enum certainty find_certainty(const struct event_mapping *m, const struct event_question *q,
				     const struct answer *a)
{
	if (event_mapping_held(m, q, a) ||
	    (q->from.boot == PROVENANCE_THIS &&
	     (!a->region || (q->region[0] && compare_uuids(q, a->region) > 0))))
		return CERTAIN_MAPPING;
	if (q->from.host == PROVENANCE_THIS && q->hpa.present && is_hpa_of_mapping(m, q, a) &&
	    kernel_hpa_identifies(m, event_kernel(m, q), a))
		return CERTAIN_ADDRESS;
	return UNCERTAIN;
}

/* A sentence: why the present mapping may not be the record's. */
static void say_uncertain(const struct event_question *q, const struct answer *a,
			  char why[static ANSWER_REASON_MAX])
{
	const char *region = a->region ? a->region->name : "mapping";
	const char *device = a->memdev->name;
	const ull dpa = q->dpa.value;
	char now[NOW_MAX];

	say_now(a, now);
	if (q->from.host != PROVENANCE_THIS)
		(void)snprintf(why, ANSWER_REASON_MAX,
			       "whether the record is of this host is not known%s", now);
	else if (q->from.boot == PROVENANCE_ANOTHER)
		(void)snprintf(
			why, ANSWER_REASON_MAX,
			"the record is of another boot, in which DPA 0x%llx of %s may have been mapped elsewhere%s",
			dpa, device, now);
	else
		(void)snprintf(
			why, ANSWER_REASON_MAX,
			"the record may be older than the present %s, which may have mapped DPA 0x%llx of %s elsewhere%s",
			region, dpa, device, now);
}

/* Return: whether the answer is that of the mapping. */
static bool answer_by_mapping(const struct event_mapping *m, const struct event_question *q,
			      const struct answer *a, struct event_answer *ret)
{
	char why[ANSWER_REASON_MAX];
	enum certainty certainty;

	/* The record contradicts the device that it names; its hpa is no better. */
	if (answer_has_reason(a, REASON_BEYOND_DEVICE)) {
		event_answer_take(a, ret);
		return false;
	}
	if (is_of_another_mapping(q, a, why)) {
		/* A kernel that names no region has no hpa either. */
		if (q->region[0])
			answer_without_mapping(m, q, why, ret);
		else
			answer_uncertain(m, q, a, why, ret);
		return false;
	}
	certainty = find_certainty(m, q, a);
	if (certainty == UNCERTAIN) {
		say_uncertain(q, a, why);
		answer_uncertain(m, q, a, why, ret);
		return false;
	}
	if (q->hpa.present) {
		answer_with_hpa(m, q, a, ret);
		return certainty == CERTAIN_MAPPING;
	}
	event_answer_take(a, ret);
	if (a->region && !q->region[0] && !q->asks_now)
		add_reason(
			ret,
			"the record names no region; the address was translated by the mapping at the time when the record was read");
	return true;
}

/*
 * The device of the record has another name now: its driver was bound again, or the host was
 * restarted, and what maps its addresses may have been changed before that.
 */
static void answer_renamed(const struct event_mapping *m, const struct event_question *q,
			   const struct answer *a, struct event_answer *ret)
{
	char why[ANSWER_REASON_MAX], now[NOW_MAX];

	say_now(a, now);
	(void)snprintf(
		why, sizeof(why),
		"%s of the record is %s now, so that the record is older than the present mapping%s",
		q->name, q->memdev->name, now);
	answer_without_mapping(m, q, why, ret);
}

static void say_no_device(const struct event_mapping *m, const struct event_question *q,
			  char why[static ANSWER_REASON_MAX])
{
	(void)snprintf(
		why, ANSWER_REASON_MAX,
		event_memdev_named(m->host, q->name)
			? "%s of the record is no longer a device of this host: what has the name now has another serial number or PCI address%s"
			: "%s is no longer a device of this host%s",
		q->name,
		q->from.host == PROVENANCE_ANOTHER
			? "; no device here has its serial number: translate the record on its own host, or with a capture of that"
			: "");
}

bool event_answer(const struct event_mapping *m, const struct event_question *q,
		  struct firmware_timeout *timeout, struct event_answer *ret)
{
	_cleanup_(answers_done) struct answers answers = {0};
	char why[ANSWER_REASON_MAX];
	bool is_mapped;
	int r;

	*ret = (struct event_answer){0};
	if (!q->dpa.present)
		return false;
	if (!q->memdev) {
		say_no_device(m, q, why);
		answer_without_mapping(m, q, why, ret);
		return event_translate_rest(m, q, timeout, NULL, false, ret);
	}
	r = timeout ? translate_dpa_wait(m->translator, q->memdev, q->dpa.value, q->dpa.value,
					 timeout, &answers)
		    : translate_dpa(m->translator, q->memdev, q->dpa.value, q->dpa.value, &answers);
	if (r < 0) {
		answer_without_mapping(m, q, "out of memory", ret);
		return event_translate_rest(m, q, timeout, NULL, false, ret);
	}
	is_mapped = !q->renamed && answer_by_mapping(m, q, &answers.items[0], ret);
	if (q->renamed)
		answer_renamed(m, q, &answers.items[0], ret);
	return event_translate_rest(m, q, timeout, &answers.items[0], is_mapped, ret) ||
	       (is_mapped && answers.items[0].not_queried);
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
