// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/provenance.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "common/clock.h"
#include "common/strutil.h"
#include "events/trace_when.h"

#define SECOND_NS UINT64_C(1000000000)

enum {
	SECONDS_MAX = INT32_MAX, /* of an uptime, or from 1970 on: beyond it nothing is believed */
	YEARS_MAX = 9,
	SLACK_S = 2, /* of clocks that show whole seconds */
};

const struct provenance provenance_live = {PROVENANCE_THIS, PROVENANCE_THIS, PROVENANCE_THIS, NULL};

const char *provenance_name(enum provenance_of of)
{
	static const char *const names[] = {"unknown", "this", "another"};

	return names[of];
}

/* ---- host -------------------------------------------------------------------------------------
 */

/* The meaning of some evidence; contradicted: other evidence means the contrary. */
struct verdict {
	enum provenance_of of;
	bool contradicted;
	const char *why; /* it is unknown; NULL, static */
};

/* Whether one of the host's devices may have that serial number, which nobody can read. */
static bool has_unread_serial(const struct host *host)
{
	for (size_t i = 0; i < host->n_memdevs; i++)
		if (!host->memdevs[i]->serial.present)
			return true;
	return host->n_memdevs == 0;
}

static bool is_at(const struct memdev *m, const char *address)
{
	return str_equal(m->bdf, address) || str_equal(m->host, address);
}

static struct verdict host_by_device(const struct host *host, const struct event_record *rec)
{
	const struct opt_u64 serial = event_number(rec, FIELD_SERIAL);
	const struct memdev *found = NULL;
	size_t n = 0;

	if (!serial.present || serial.value == 0)
		return (struct verdict){0};
	for (size_t i = 0; i < host->n_memdevs; i++)
		if (opt_u64_is(host->memdevs[i]->serial, serial.value)) {
			found = host->memdevs[i];
			n++;
		}
	if (n == 0)
		return (struct verdict){.of = has_unread_serial(host) ? PROVENANCE_UNKNOWN
								      : PROVENANCE_ANOTHER};
	if (n > 1 || !rec->host[0])
		return (struct verdict){0};
	if (!is_at(found, rec->host))
		return (struct verdict){.contradicted = true};
	return (struct verdict){.of = PROVENANCE_THIS};
}

static bool is_one_of(const char *name, const char *const *names)
{
	const size_t len = strcspn(name, ".");

	for (; *names; names++)
		if (strncasecmp(name, *names, len) == 0 && !(*names)[len])
			return true;
	return false;
}

/* "node17" and "node17.example.com" may be the same host. */
static enum provenance_of host_by_name(const char *a, const char *b)
{
	static const char *const anybody[] = {"localhost", "(none)", NULL};
	/* The names that installers suggest prove nothing when they are the same. */
	static const char *const many[] = {"debian", "ubuntu", "fedora", "rocky", "linux", NULL};
	const size_t len = strcspn(a, ".");

	if (!a[0] || !b || !b[0] || is_one_of(a, anybody) || is_one_of(b, anybody))
		return PROVENANCE_UNKNOWN;
	if (len != strcspn(b, ".") || strncasecmp(a, b, len) != 0)
		return PROVENANCE_ANOTHER;
	if (is_one_of(a, many) || (a[len] && b[len] && strcasecmp(a, b) != 0))
		return PROVENANCE_UNKNOWN;
	return PROVENANCE_THIS;
}

static bool names_device(const struct event_record *rec)
{
	return rec->memdev[0] || rec->host[0] || event_number(rec, FIELD_SERIAL).present;
}

static struct verdict host_of(const struct host *host, const struct event_record *rec,
			      const struct trace_when *when)
{
	struct verdict v = host_by_device(host, rec);
	const enum provenance_of by_name = host_by_name(when->hostname, host->hostname);

	if (!names_device(rec) && by_name == PROVENANCE_THIS && !when->joined)
		return (struct verdict){.of = PROVENANCE_THIS};
	if (v.of != PROVENANCE_ANOTHER && by_name == PROVENANCE_ANOTHER)
		v = (struct verdict){.contradicted = true};
	return v;
}

/* ---- boot -------------------------------------------------------------------------------------
 */

struct clocks {
	struct opt_u64 boot_ns, now_ns; /* since 1970 */
	struct opt_u64 uptime_ns;
};

/* The present of a captured host is the moment of its capture. */
static struct clocks captured_clocks(const struct host *host)
{
	const struct opt_u64 boot = host->captured_boot_s, uptime = host->captured_uptime_s;
	struct clocks c = {.now_ns = OPT_U64(clock_realtime_ns())};

	if (uptime.present && uptime.value < SECONDS_MAX)
		c.uptime_ns = OPT_U64((uptime.value + 1) * SECOND_NS);
	if (boot.present && boot.value < SECONDS_MAX)
		c.boot_ns = OPT_U64(boot.value * SECOND_NS);
	if (c.boot_ns.present && c.uptime_ns.present)
		c.now_ns = OPT_U64(c.boot_ns.value + c.uptime_ns.value);
	return c;
}

static struct clocks clocks_of(const struct host *host)
{
	const uint64_t now = clock_realtime_ns(), uptime = clock_boottime_ms() * 1000000;

	if (host->root && host->root->captured)
		return captured_clocks(host);
	return (struct clocks){
		.boot_ns = now > uptime ? OPT_U64(now - uptime) : (struct opt_u64){0},
		.now_ns = OPT_U64(now),
		.uptime_ns = OPT_U64(uptime),
	};
}

/* The trace clock may run faster than the clock of the system. */
static bool is_later(uint64_t since_boot, uint64_t uptime)
{
	return since_boot > uptime + uptime / 1024 + SLACK_S * SECOND_NS;
}

/* A time of day; without a zone, of any of them. In ns since 1970. */
struct span {
	bool present, is_local;
	uint64_t first, last;
};

/* Return: 0 where there is no such day: February 29. */
static int64_t seconds_of(const struct trace_day *day, int year)
{
	struct tm tm = {.tm_year = year,
			.tm_mon = day->month,
			.tm_mday = day->day,
			.tm_hour = day->hour,
			.tm_min = day->minute,
			.tm_sec = day->second};
	const time_t s = timegm(&tm);

	return tm.tm_mon == day->month && s > TRACE_ZONE_EAST_S ? s : 0;
}

/* The day of the last year in which some part of it has been; four of them have a February 29. */
static struct span span_of_day(const struct trace_day *day, uint64_t now_ns)
{
	const time_t now = (time_t)(now_ns / SECOND_NS);
	struct tm tm;

	if (!gmtime_r(&now, &tm))
		return (struct span){0};
	for (int year = tm.tm_year + 1; year > tm.tm_year - YEARS_MAX; year--) {
		const int64_t s = seconds_of(day, year);
		const uint64_t first = (uint64_t)(s - TRACE_ZONE_EAST_S) * SECOND_NS;

		if (s && first <= now_ns)
			return (struct span){.present = true,
					     .is_local = true,
					     .first = first,
					     .last = (uint64_t)(s - TRACE_ZONE_WEST_S) * SECOND_NS};
	}
	return (struct span){0};
}

static struct span span_of(const struct trace_when *w, uint64_t now_ns)
{
	const uint64_t zones_s = TRACE_ZONE_EAST_S - TRACE_ZONE_WEST_S;

	if (!w->wall_first_ns.present || !w->wall_last_ns.present)
		return w->day.present ? span_of_day(&w->day, now_ns) : (struct span){0};
	return (struct span){.present = true,
			     .is_local = w->wall_last_ns.value - w->wall_first_ns.value ==
					 zones_s * SECOND_NS,
			     .first = w->wall_first_ns.value,
			     .last = w->wall_last_ns.value};
}

/* Whether a time without a zone is in the past by the zone of this host. */
static bool is_past_here(const struct span *s, uint64_t now_ns)
{
	const time_t shown = (time_t)(s->first / SECOND_NS) + TRACE_ZONE_EAST_S;
	struct tm tm;
	time_t here;

	if (!s->is_local || !gmtime_r(&shown, &tm))
		return false;
	tm.tm_isdst = -1;
	here = mktime(&tm);
	return here > 0 && (uint64_t)here <= now_ns / SECOND_NS + SLACK_S;
}

/* @is_live: this process has the zone of the host */
static struct verdict boot_of_span(const struct span *s, const struct clocks *c, bool is_live)
{
	static const char before[] =
		"its time may be one before this boot: add the year and the zone, as journalctl -o short-iso prints them";
	static const char later[] =
		"its time may be one that has not come yet: add the year and the zone, as journalctl -o short-iso prints them";

	if (s->last + SLACK_S * SECOND_NS < c->boot_ns.value)
		return (struct verdict){.of = PROVENANCE_ANOTHER};
	if (s->first < c->boot_ns.value)
		return (struct verdict){.why = before};
	if (s->last > c->now_ns.value &&
	    !(is_live && s->first <= c->now_ns.value && is_past_here(s, c->now_ns.value)))
		return (struct verdict){.why = later};
	return (struct verdict){.of = PROVENANCE_THIS};
}

static struct verdict boot_by_times(const struct host *host, const struct trace_when *w)
{
	const struct clocks c = clocks_of(host);
	const struct span s = span_of(w, c.now_ns.value);
	struct verdict v;

	if (w->since_boot_ns.present && c.uptime_ns.present &&
	    is_later(w->since_boot_ns.value, c.uptime_ns.value))
		return (struct verdict){.of = PROVENANCE_ANOTHER};
	if (!s.present || !c.boot_ns.present)
		return (struct verdict){0};
	v = boot_of_span(&s, &c, !(host->root && host->root->captured));
	/* A clock that was wrong may have put another boot here. */
	if (v.of == PROVENANCE_THIS && w->since_boot_ns.present && s.last > c.boot_ns.value &&
	    is_later(w->since_boot_ns.value, s.last - c.boot_ns.value))
		return (struct verdict){0};
	return v;
}

/* The journal has the id without hyphens. */
static bool is_same_id(const char *a, const char *b)
{
	for (;; a++, b++) {
		a += strspn(a, "-");
		b += strspn(b, "-");
		if (!*a || tolower((unsigned char)*a) != tolower((unsigned char)*b))
			return !*a && !*b;
	}
}

/*
 * No two boots have the same id, so that it tells the host, too; times prove a boot only of a host
 * that is known.
 */
static struct verdict boot_of(const struct host *host, const struct trace_when *when,
			      enum provenance_of whose)
{
	const struct verdict times = boot_by_times(host, when);

	if (when->boot_id[0] && host->boot_id) {
		if (!is_same_id(when->boot_id, host->boot_id))
			return (struct verdict){.of = PROVENANCE_ANOTHER};
		if (times.of == PROVENANCE_ANOTHER)
			return (struct verdict){.contradicted = true};
		if (when->joined)
			return (struct verdict){0};
		return (struct verdict){.of = PROVENANCE_THIS};
	}
	if (times.of == PROVENANCE_THIS && (whose != PROVENANCE_THIS || when->joined))
		return (struct verdict){0};
	return times;
}

struct provenance provenance_of_text(const struct host *host, const struct event_record *rec,
				     const struct trace_when *when, bool this_boot)
{
	const struct verdict whose = host_of(host, rec, when);
	const struct verdict boot = boot_of(host, when, whose.of);

	if (whose.of == PROVENANCE_ANOTHER)
		return (struct provenance){.host = PROVENANCE_ANOTHER, .boot = PROVENANCE_ANOTHER};
	if (!whose.contradicted && !boot.contradicted &&
	    (boot.of == PROVENANCE_THIS || (this_boot && boot.of == PROVENANCE_UNKNOWN)))
		return provenance_live;
	return (struct provenance){
		.host = whose.of,
		.boot = boot.of == PROVENANCE_THIS ? PROVENANCE_UNKNOWN : boot.of,
		.why = boot.of == PROVENANCE_UNKNOWN ? boot.why : NULL,
	};
}
