// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/page_rule.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"
#include "events/event_advice.h"

/* Transaction types of general media and DRAM records: CXL 3.2 table 8-57. */
enum { TRANSACTION_HOST_WRITE = 2 }; /* 0 unknown, 1 read; those above are the device's own */

/* ---- configuration ----------------------------------------------------------------------------
 */

static int parse_up_to(const char *text, uint64_t max, unsigned int *ret)
{
	uint64_t n;

	if (parse_u64(text, &n) < 0 || n == 0 || n > max)
		return -EINVAL;
	*ret = (unsigned int)n;
	return 0;
}

static int parse_corrected(const char *text, struct page_rule *ret)
{
	const char *slash = strchr(text, '/');
	char n[8];

	if (!slash || (size_t)(slash - text) >= sizeof(n))
		return -EINVAL;
	(void)snprintf(n, sizeof(n), "%.*s", (int)(slash - text), text);
	if (parse_up_to(n, PAGE_CORRECTED_MAX, &ret->corrected) < 0)
		return -EINVAL;
	return parse_up_to(slash + 1, PAGE_CORRECTED_HOURS_MAX, &ret->hours);
}

int page_rule_parse(const char *mode, const char *corrected, struct page_rule *ret, struct error *e)
{
	*ret = (struct page_rule){0};
	if (mode && str_equal(mode, "observe"))
		ret->mode = PAGE_POLICY_OBSERVE;
	else if (mode && str_equal(mode, "soft"))
		ret->mode = PAGE_POLICY_SOFT;
	if (!corrected || parse_corrected(corrected, ret) == 0)
		return 0;
	ret->corrected = 0;
	return error_set(e, EINVAL,
			 "N/HOURS is required, N from 1 to %d and HOURS from 1 to %d, not '%.32s'",
			 PAGE_CORRECTED_MAX, PAGE_CORRECTED_HOURS_MAX, corrected);
}

int page_corrected_check(const char *corrected, struct error *e)
{
	struct page_rule rule;

	return page_rule_parse(NULL, corrected, &rule, e);
}

/* ---- one entry --------------------------------------------------------------------------------
 */

/* A record whose clock is another one may be of any time. */
static bool is_after(const struct stored_event *ev, const struct page_begin *begin)
{
	static const uint8_t unknown[EVENT_BOOT_ID_SIZE];

	return memcmp(begin->boot_id, unknown, sizeof(unknown)) != 0 &&
	       memcmp(begin->boot_id, ev->boot_id, sizeof(unknown)) == 0 &&
	       str_equal(ev->record.clock, "boot") && ev->record.time_ns >= begin->boottime_ns;
}

/* Two witnesses that contradict each other prove no address. */
static bool has_address(const struct stored_event *ev)
{
	const struct opt_u64 dpa = event_number(&ev->record, FIELD_DPA);

	return dpa.present && dpa.value <= INT64_MAX && ev->device[0] && !ev->answer.hpa_disagrees;
}

static enum page_weight weigh_media(const struct event_record *rec)
{
	const struct opt_u64 descriptor = event_number(rec, FIELD_DESCRIPTOR);
	const struct opt_u64 transaction = event_number(rec, FIELD_TRANSACTION_TYPE);

	if (!descriptor.present)
		return PAGE_WEIGHS_NOTHING;
	if (descriptor.value & EVENT_DESCRIPTOR_UNCORRECTABLE || event_is_recurring(rec))
		return PAGE_IS_CONDEMNED;
	if (!transaction.present || transaction.value > TRANSACTION_HOST_WRITE)
		return PAGE_WEIGHS_NOTHING;
	return PAGE_IS_COUNTED;
}

enum page_weight page_weigh(const struct stored_event *ev, const struct incident *i,
			    const struct page_begin *begin)
{
	const struct event_record *rec = &ev->record;

	if (ev->resolved || ev->pending || !is_after(ev, begin) || !has_address(ev))
		return PAGE_WEIGHS_NOTHING;
	if (i->id != ev->incident || !incident_is_open(i) || !str_equal(i->device, ev->device))
		return PAGE_WEIGHS_NOTHING;
	if (rec->type == EVENT_POISON)
		return i->kind == INCIDENT_POISON ? PAGE_IS_CONDEMNED : PAGE_WEIGHS_NOTHING;
	if (rec->type != EVENT_GENERAL_MEDIA && rec->type != EVENT_DRAM)
		return PAGE_WEIGHS_NOTHING;
	if (i->kind != INCIDENT_MEDIA_UNCORRECTABLE && i->kind != INCIDENT_MEDIA_CORRECTED)
		return PAGE_WEIGHS_NOTHING;
	return weigh_media(rec);
}

bool page_is_lost(const struct event_record *rec, const struct incident *i)
{
	return rec->type == EVENT_POISON || i->kind != INCIDENT_MEDIA_CORRECTED ||
	       event_number(rec, FIELD_DESCRIPTOR).value & EVENT_DESCRIPTOR_UNCORRECTABLE;
}

uint64_t page_range_of(const struct event_record *rec)
{
	const struct opt_u64 length = event_number(rec, FIELD_DPA_LENGTH);

	if (rec->type != EVENT_POISON || !length.present || length.value == 0)
		return 1;
	return length.value < PAGE_RANGE_MAX ? length.value : PAGE_RANGE_MAX;
}

/* ---- counts -----------------------------------------------------------------------------------
 */

struct place {
	char device[EVENT_DEVICE_MAX];
	uint64_t chunk, used; /* used: a number that grows; 0: free */
	unsigned int n;	      /* of times, the newest at (n - 1) % PAGE_CORRECTED_MAX */
	uint64_t times[PAGE_CORRECTED_MAX];
};

struct corrected_counts {
	uint64_t used;
	struct place places[CORRECTED_PLACES_MAX];
};

struct corrected_counts *corrected_counts_new(void)
{
	return calloc(1, sizeof(struct corrected_counts));
}

struct corrected_counts *corrected_counts_free(struct corrected_counts *c)
{
	free(c);
	return NULL;
}

void corrected_counts_clear(struct corrected_counts *c)
{
	memset(c, 0, sizeof(*c));
}

/* Return: the place of these bytes, or the one that was not seen for the longest time, free now. */
static struct place *find_place(struct corrected_counts *c, const char *device, uint64_t chunk)
{
	struct place *oldest = &c->places[0];

	for (size_t k = 0; k < CORRECTED_PLACES_MAX; k++) {
		struct place *p = &c->places[k];

		if (p->used && p->chunk == chunk && str_equal(p->device, device))
			return p;
		if (p->used < oldest->used)
			oldest = p;
	}
	*oldest = (struct place){.chunk = chunk};
	(void)snprintf(oldest->device, sizeof(oldest->device), "%s", device);
	return oldest;
}

void corrected_counts_add(struct corrected_counts *c, const char *device, uint64_t dpa,
			  uint64_t time_ns)
{
	struct place *p = find_place(c, device, dpa / PAGE_CHUNK);

	p->used = ++c->used;
	p->times[p->n % PAGE_CORRECTED_MAX] = time_ns;
	/* The remainder stays the same, and the number never runs over. */
	p->n = p->n + 1 < 2 * PAGE_CORRECTED_MAX ? p->n + 1 : PAGE_CORRECTED_MAX;
}

static unsigned int count_since(const struct place *p, uint64_t since_ns)
{
	const unsigned int n = p->n < PAGE_CORRECTED_MAX ? p->n : PAGE_CORRECTED_MAX;
	unsigned int sum = 0;

	for (unsigned int k = 0; k < n; k++)
		sum += p->times[k] >= since_ns;
	return sum;
}

unsigned int corrected_counts_sum(const struct corrected_counts *c, const char *device,
				  uint64_t dpa, uint64_t page_size, uint64_t since_ns,
				  bool (*is_in)(void *userdata, uint64_t dpa), void *userdata)
{
	const uint64_t chunk = dpa / PAGE_CHUNK, near = page_size / PAGE_CHUNK;
	unsigned int sum = 0;

	for (size_t k = 0; k < CORRECTED_PLACES_MAX; k++) {
		const struct place *p = &c->places[k];
		const uint64_t apart = p->chunk > chunk ? p->chunk - chunk : chunk - p->chunk;

		if (!p->used || apart >= near || !str_equal(p->device, device))
			continue;
		if (!is_in || is_in(userdata, p->chunk * PAGE_CHUNK))
			sum += count_since(p, since_ns);
	}
	return sum;
}
