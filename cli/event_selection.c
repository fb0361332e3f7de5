// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The options --since, --memdev and --spa of events.
#include <errno.h>
#include <string.h>
#include <time.h>

#include "cli/event_list.h"
#include "cli/operands.h"
#include "common/strutil.h"
#include "events/event_extents.h"

#define NANO UINT64_C(1000000000)

/* A number and a unit: a time before now. */
static bool parse_age(const char *s, uint64_t now_ns, uint64_t *ret)
{
	static const char units[] = "smhd";
	static const uint64_t seconds[] = {1, 60, 3600, 86400};
	const size_t len = strlen(s);
	const char *unit = len ? strchr(units, s[len - 1]) : NULL;
	char digits[12];
	uint64_t n;

	if (!unit || len < 2 || len > sizeof(digits) || s[1] == 'x')
		return false;
	memcpy(digits, s, len - 1);
	digits[len - 1] = '\0';
	if (parse_u64(digits, &n) < 0 || n > now_ns / NANO / seconds[unit - units])
		return false;
	*ret = now_ns - n * seconds[unit - units] * NANO;
	return true;
}

/* 2026-11-21, 2026-11-21T21:44 or 2026-11-21T21:44:13, with or without a Z: UTC. */
static bool parse_date(const char *s, uint64_t *ret)
{
	static const char *const forms[] = {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d"};

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct tm tm = {0};
		const char *end = strptime(s, forms[i], &tm);
		time_t t;

		if (!end || (*end && !str_equal(end, "Z")))
			continue;
		t = timegm(&tm);
		if (t < 0)
			return false;
		*ret = (uint64_t)t * NANO;
		return true;
	}
	return false;
}

static int read_since(const char *s, uint64_t now_ns, struct opt_u64 *ret, struct error *e)
{
	uint64_t ns;

	if (!parse_age(s, now_ns, &ns) && !parse_date(s, &ns))
		return error_set(
			e, EINVAL,
			"--since '%.64s' is not a time: write a date (2026-11-21), a date and "
			"time in UTC (2026-11-21T21:44:13), or a time ago (90s, 10m, 2h, 7d)",
			s);
	*ret = OPT_U64(ns);
	return 0;
}

static int read_memdev(const char *s, struct event_selection *ret, struct error *e)
{
	uint64_t value;
	int r;

	ret->memdev = s;
	if (!operand_is_memdev(s))
		return error_set(
			e, EINVAL,
			"--memdev '%.64s' is not a memory device: write memN, dddd:bb:dd.f, "
			"serial:NUMBER, or its Redfish Id cxl-...",
			s);
	r = operand_check_memdev(s, e);
	if (r == 0 && operand_serial(s, &value) == 0)
		ret->serial = OPT_U64(value);
	return r;
}

int event_selection_read(const struct event_options *o, uint64_t now_ns,
			 struct event_selection *ret, struct error *e)
{
	struct address_range range;
	int r = 0;

	*ret = (struct event_selection){0};
	if (o->since)
		r = read_since(o->since, now_ns, &ret->since, e);
	if (r == 0 && o->memdev)
		r = read_memdev(o->memdev, ret, e);
	if (r == 0 && o->spa) {
		r = operand_address(o->spa, &range, e);
		ret->has_spa = true;
		ret->spa_first = range.first;
		ret->spa_last = range.last;
	}
	return r;
}

/* memN and PCI addresses are those of the record, which may have changed since. */
static bool event_is_of_memdev(const struct event_selection *c, const struct stored_event *ev)
{
	const struct event_record *rec = &ev->record;
	const struct opt_u64 serial = event_number(rec, FIELD_SERIAL);

	if (c->serial.present)
		return opt_u64_is(serial, c->serial.value);
	return str_equal(c->memdev, ev->device) || str_equal(c->memdev, rec->memdev) ||
	       str_equal(c->memdev, rec->host);
}

bool event_is_selected(const struct event_selection *c, const struct stored_event *ev)
{
	if (c->since.present &&
	    (!ev->record.wall_ns.present || ev->record.wall_ns.value < c->since.value))
		return false;
	if (c->has_spa && !event_touches(ev, c->spa_first, c->spa_last))
		return false;
	return !c->memdev || event_is_of_memdev(c, ev);
}
