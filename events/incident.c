// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/incident.h"

#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "events/event_advice.h"
#include "events/event_fill.h"
#include "events/module_severity.h"

#define BLOCK_BYTES (UINT64_C(2) << 20)
#define LINE_BYTES  UINT64_C(64)
#define PAGE_BYTES  UINT64_C(4096)

/* Device Event Type of a memory module record: CXL 3.2 table 8-59. */
enum { MODULE_HEALTH, MODULE_MEDIA, MODULE_LIFE, MODULE_TEMPERATURE, MODULE_DATA_PATH };

const char *incident_kind_name(enum incident_kind kind)
{
	static const char *const names[INCIDENT_KINDS] = {"media-uncorrectable",
							  "media-corrected",
							  "poison",
							  "link",
							  "temperature",
							  "wear",
							  "capacity",
							  "maintenance",
							  "configuration"};

	return names[kind];
}

const char *incident_state_name(enum incident_state state)
{
	static const char *const names[INCIDENT_STATES] = {"open", "acknowledged", "resolved",
							   "closed"};

	return names[state];
}

const char *incident_end_text(enum incident_end end)
{
	static const char *const texts[INCIDENT_ENDS] = {
		[INCIDENT_END_QUIET] = "did not recur for 24 hours",
		[INCIDENT_END_CLEARED] = "log cleared",
		[INCIDENT_END_REPLACED] = "device replaced",
		[INCIDENT_END_GONE] = "not found any more",
	};

	return texts[end];
}

/* ---- identity ---------------------------------------------------------------------------------
 */

static enum incident_kind kind_of_media(const struct event_record *rec)
{
	const struct opt_u64 descriptor = event_number(rec, FIELD_DESCRIPTOR);
	bool uncorrectable = descriptor.value & EVENT_DESCRIPTOR_UNCORRECTABLE;

	switch (event_cause_of(rec)) {
	case EVENT_CAUSE_PATH:
		return INCIDENT_LINK;
	case EVENT_CAUSE_ADDRESS:
	case EVENT_CAUSE_PROTECTION:
		return INCIDENT_CONFIGURATION;
	default:
		/* A failure is not called corrected where the record does not say so, nor is an
		 * error of which nothing says how bad it is. */
		if (!descriptor.present)
			uncorrectable = event_record_severity(rec) >= EVENT_LOG_FAILURE ||
					!event_severity_is_known(rec);
		return uncorrectable ? INCIDENT_MEDIA_UNCORRECTABLE : INCIDENT_MEDIA_CORRECTED;
	}
}

static enum incident_kind kind_of_module(const struct event_record *rec)
{
	const struct opt_u64 type = event_number(rec, FIELD_EVENT_TYPE);

	switch (type.present ? type.value : UINT64_MAX) {
	case MODULE_MEDIA:
		return INCIDENT_CAPACITY;
	case MODULE_LIFE:
		return INCIDENT_WEAR;
	case MODULE_TEMPERATURE:
		return INCIDENT_TEMPERATURE;
	case MODULE_DATA_PATH:
		return INCIDENT_LINK;
	default:
		return INCIDENT_MAINTENANCE;
	}
}

bool incident_has_type(enum event_type type)
{
	switch (type) {
	case EVENT_GENERAL_MEDIA:
	case EVENT_DRAM:
	case EVENT_POISON:
	case EVENT_AER_CORRECTABLE:
	case EVENT_AER_UNCORRECTABLE:
	case EVENT_PORT_AER_CORRECTABLE:
	case EVENT_PORT_AER_UNCORRECTABLE:
	case EVENT_MEMORY_MODULE:
	case EVENT_GENERIC:
	case EVENT_OTHER:
		return true;
	default: /* repairs that were made, losses, which are no fault of a device */
		return false;
	}
}

/* Return: false for what is no incident. */
static bool find_kind(const struct stored_event *ev, enum incident_kind *ret)
{
	const struct event_record *rec = &ev->record;

	switch (event_type_now(rec)) {
	case EVENT_GENERAL_MEDIA:
	case EVENT_DRAM:
		*ret = kind_of_media(rec);
		return true;
	case EVENT_POISON:
		*ret = INCIDENT_POISON;
		return true;
	case EVENT_AER_CORRECTABLE:
	case EVENT_AER_UNCORRECTABLE:
	case EVENT_PORT_AER_CORRECTABLE:
	case EVENT_PORT_AER_UNCORRECTABLE:
		*ret = INCIDENT_LINK;
		return true;
	case EVENT_MEMORY_MODULE:
		*ret = kind_of_module(rec);
		return ev->severity > EVENT_OK;
	default:
		*ret = INCIDENT_MAINTENANCE;
		return incident_has_type(event_type_now(rec)) && ev->severity > EVENT_OK;
	}
}

static struct incident_anchor location_of(const struct event_record *rec)
{
	static const enum event_field fields[LOCATION_PARTS] = {FIELD_CHANNEL, FIELD_RANK,
								FIELD_BANK_GROUP, FIELD_BANK};
	struct incident_anchor a = {.type = ANCHOR_LOCATION};

	for (unsigned int i = 0; i < LOCATION_PARTS; i++) {
		const struct opt_u64 part = event_number(rec, fields[i]);

		if (!part.present || part.value >> LOCATION_PART_BITS)
			continue;
		a.known |= (uint8_t)(1u << i);
		a.value |= part.value << (i * LOCATION_PART_BITS);
	}
	return a;
}

static struct incident_anchor anchor_of(const struct event_record *rec, enum incident_kind kind)
{
	const struct opt_u64 dpa = event_number(rec, FIELD_DPA);
	struct incident_anchor a = {.type = ANCHOR_DEVICE};

	if (kind == INCIDENT_POISON && dpa.present)
		return (struct incident_anchor){.type = ANCHOR_LINE,
						.value = dpa.value & ~(LINE_BYTES - 1)};
	if (kind != INCIDENT_MEDIA_UNCORRECTABLE && kind != INCIDENT_MEDIA_CORRECTED)
		return a;
	a = location_of(rec);
	if (a.known)
		return a;
	if (dpa.present)
		return (struct incident_anchor){.type = ANCHOR_BLOCK,
						.value = dpa.value & ~(BLOCK_BYTES - 1)};
	return (struct incident_anchor){.type = ANCHOR_DEVICE};
}

bool incident_identify(const struct stored_event *ev, struct incident *ret)
{
	*ret = (struct incident){0};
	if (!ev->device[0] || !find_kind(ev, &ret->kind))
		return false;
	ret->anchor = anchor_of(&ev->record, ret->kind);
	memcpy(ret->device, ev->device, sizeof(ret->device) - 1);
	memcpy(ret->host, ev->record.host, sizeof(ret->host) - 1);
	ret->serial = event_number(&ev->record, FIELD_SERIAL).value;
	return true;
}

struct incident_anchor incident_found_anchor(const char *code, const char *thing)
{
	char name[INCIDENT_CODE_MAX + INCIDENT_OBJECT_MAX];

	(void)snprintf(name, sizeof(name), "%.47s %.63s", code, thing);
	return (struct incident_anchor){.type = ANCHOR_FINDING,
					.value = hash_bytes(name, strlen(name))};
}

void incident_found_identify(const struct incident_found *f, struct incident *ret)
{
	*ret = (struct incident){
		.kind = f->kind, .anchor = f->anchor, .serial = f->serial, .found = true};
	(void)snprintf(ret->device, sizeof(ret->device), "%s", f->device);
	(void)snprintf(ret->host, sizeof(ret->host), "%s", f->host);
	ret->advised = f->advised;
}

int incident_identity_compare(const char *device, enum incident_kind kind,
			      const struct incident_anchor *anchor, const char *device2,
			      enum incident_kind kind2, const struct incident_anchor *anchor2)
{
	int order = (int)kind - (int)kind2;

	if (order == 0)
		order = (int)anchor->type - (int)anchor2->type;
	if (order == 0)
		order = (int)anchor->known - (int)anchor2->known;
	if (order == 0)
		order = (anchor->value > anchor2->value) - (anchor->value < anchor2->value);
	return order ? order : strcmp(device, device2);
}

int incident_compare(const struct incident *a, const struct incident *b)
{
	return incident_identity_compare(a->device, a->kind, &a->anchor, b->device, b->kind,
					 &b->anchor);
}

bool incident_is_loss_known(const struct incident *i)
{
	return i->kind != INCIDENT_MEDIA_UNCORRECTABLE || i->severity == EVENT_CRITICAL;
}

void incident_combine(struct incident *i, const struct incident *other)
{
	if (i->kind == INCIDENT_MEDIA_CORRECTED && other->kind == INCIDENT_MEDIA_UNCORRECTABLE)
		i->kind = other->kind;
	if (other->severity > i->severity)
		i->severity = other->severity;
	i->flags |= other->flags;
	i->fatal |= other->fatal;
	i->recurring |= other->recurring;
	incident_facts_combine(&i->place, &other->place);
}

/* ---- rates ------------------------------------------------------------------------------------
 */

/* Adds to the part of a ring at @age, of parts of @width, whose newest is at @newest. */
static void ring_add(uint32_t *ring, size_t n, uint64_t width, uint64_t newest, uint64_t age)
{
	const uint64_t at = age / width, last = newest / width;

	for (uint64_t i = 1; age > newest && i <= at - last && i <= n; i++)
		ring[(at - i + 1) % n] = 0;
	if (at + n > last && ring[at % n] < UINT32_MAX)
		ring[at % n]++;
}

static uint64_t ring_sum(const uint32_t *ring, size_t n, uint64_t width, uint64_t newest,
			 uint64_t age)
{
	const uint64_t now = age / width, last = newest / width;
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n && i <= last; i++)
		if (last - i + n > now)
			sum += ring[(last - i) % n];
	return sum;
}

#define RING(rates, part, width) (rates)->part, ARRAY_SIZE((rates)->part), (width), (rates)->age

static void rates_add(struct incident_rates *r, uint64_t age)
{
	ring_add(RING(r, hour, INCIDENT_HOUR_NS / 12), age);
	ring_add(RING(r, day, INCIDENT_HOUR_NS), age);
	ring_add(RING(r, week, 24 * INCIDENT_HOUR_NS), age);
	if (age > r->age)
		r->age = age;
}

struct incident_rate incident_rate(const struct incident *i, uint64_t age)
{
	const struct incident_rates *r = &i->rates;

	return (struct incident_rate){
		.h1 = ring_sum(RING(r, hour, INCIDENT_HOUR_NS / 12), age),
		.h24 = ring_sum(RING(r, day, INCIDENT_HOUR_NS), age),
		.d7 = ring_sum(RING(r, week, 24 * INCIDENT_HOUR_NS), age),
	};
}

bool incident_is_over(const struct incident *i, uint64_t age)
{
	return incident_is_open(i) && i->kind == INCIDENT_MEDIA_CORRECTED && !i->found &&
	       i->severity < EVENT_CRITICAL && age >= i->last_age &&
	       age - i->last_age >= INCIDENT_QUIET_NS;
}

uint64_t incident_age_at(const struct incident_age *then, const uint8_t *boot_id, uint64_t boottime)
{
	if (memcmp(then->boot_id, boot_id, sizeof(then->boot_id)) != 0 || boottime < then->boottime)
		return then->age;
	return then->age + (boottime - then->boottime);
}

/* ---- events -----------------------------------------------------------------------------------
 */

static void add_times(struct incident *i, const struct event_record *rec, struct opt_u64 age)
{
	const struct opt_u64 created = event_created(rec);

	if (!age.present)
		return;
	rates_add(&i->rates, age.value);
	if (age.value > i->last_age)
		i->last_age = age.value;
	if (!created.present)
		return;
	if (!i->first_ns || created.value < i->first_ns)
		i->first_ns = created.value;
	if (created.value > i->last_ns)
		i->last_ns = created.value;
}

/* Addresses of one page of this host are one; a page of the device may be in several of them. */
static void add_page(struct incident *i, uint64_t dpa, uint64_t spa)
{
	for (size_t k = 0; k < i->n_pages; k++) {
		struct incident_page *page = &i->pages[k];

		if (page->dpa == dpa && page->spa == UINT64_MAX)
			page->spa = spa;
		if (page->dpa == dpa || (spa != UINT64_MAX && page->spa == spa))
			return;
	}
	if (i->n_pages == INCIDENT_PAGES_MAX) {
		i->more_pages = true;
		return;
	}
	i->pages[i->n_pages++] = (struct incident_page){dpa, spa};
}

/* The first line of the record; a range of several pages is known by its entry. */
static void add_pages(struct incident *i, const struct stored_event *ev)
{
	const struct opt_u64 dpa = event_number(&ev->record, FIELD_DPA);
	const struct event_answer *a = &ev->answer;
	const bool exact = a->has_spa && a->exact;

	if (!dpa.present)
		return;
	i->source = a->source;
	add_page(i, dpa.value & ~(LINE_BYTES - 1), exact ? a->spa & ~(PAGE_BYTES - 1) : UINT64_MAX);
}

void incident_add(struct incident *i, const struct stored_event *ev, struct opt_u64 age)
{
	const struct event_record *rec = &ev->record;

	i->count++;
	if (ev->severity > i->severity)
		i->severity = ev->severity;
	i->flags |= event_flags_of(rec) | module_flags_of(rec);
	i->fatal |= event_record_severity(rec) >= EVENT_LOG_FATAL;
	i->recurring |= event_is_recurring(rec);
	i->any_live |= age.present;
	add_times(i, rec, age);
	add_pages(i, ev);
	incident_facts_add(&i->place, rec);
}

void incident_add_found(struct incident *i, uint64_t age, uint64_t now_ns)
{
	i->count++;
	i->found = i->any_live = true;
	rates_add(&i->rates, age);
	if (age > i->last_age)
		i->last_age = age;
	if (!i->first_ns)
		i->first_ns = now_ns;
	if (now_ns > i->last_ns)
		i->last_ns = now_ns;
}
