// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/provenance.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "common/clock.h"
#include "common/strutil.h"
#include "events/trace_when.h"

#define SECOND_NS UINT64_C(1000000000)

enum {
	SECONDS_MAX = INT32_MAX, /* of an uptime, or from 1970 on: beyond it nothing is believed */
	SLACK_S = 2,		 /* of clocks that show whole seconds */
};

const struct provenance provenance_live = {PROVENANCE_THIS, PROVENANCE_THIS, PROVENANCE_THIS};

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

/* "node17" and "node17.example.com" may be the same host. */
static bool is_other_name(const char *a, const char *b)
{
	static const char *const anybody[] = {"localhost", "(none)"};
	const size_t len = strcspn(a, ".");

	if (!a[0] || !b || !b[0])
		return false;
	for (size_t i = 0; i < sizeof(anybody) / sizeof(anybody[0]); i++)
		if (strcasecmp(a, anybody[i]) == 0 || strcasecmp(b, anybody[i]) == 0)
			return false;
	return len != strcspn(b, ".") || strncasecmp(a, b, len) != 0;
}

static struct verdict host_of(const struct host *host, const struct event_record *rec,
			      const struct trace_when *when)
{
	struct verdict v = host_by_device(host, rec);

	if (v.of != PROVENANCE_ANOTHER && is_other_name(when->hostname, host->hostname))
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

static enum provenance_of boot_by_times(const struct host *host, const struct trace_when *w)
{
	const struct clocks c = clocks_of(host);

	if (w->since_boot_ns.present && c.uptime_ns.present &&
	    is_later(w->since_boot_ns.value, c.uptime_ns.value))
		return PROVENANCE_ANOTHER;
	if (!w->wall_first_ns.present || !w->wall_last_ns.present || !c.boot_ns.present)
		return PROVENANCE_UNKNOWN;
	if (w->wall_last_ns.value + SLACK_S * SECOND_NS < c.boot_ns.value)
		return PROVENANCE_ANOTHER;
	if (w->wall_first_ns.value < c.boot_ns.value || w->wall_last_ns.value > c.now_ns.value)
		return PROVENANCE_UNKNOWN;
	/* A clock that was wrong may have put another boot here. */
	if (w->since_boot_ns.present &&
	    is_later(w->since_boot_ns.value, w->wall_last_ns.value - c.boot_ns.value))
		return PROVENANCE_UNKNOWN;
	return PROVENANCE_THIS;
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
	const enum provenance_of times = boot_by_times(host, when);

	if (when->boot_id[0] && host->boot_id) {
		if (!is_same_id(when->boot_id, host->boot_id))
			return (struct verdict){.of = PROVENANCE_ANOTHER};
		if (times == PROVENANCE_ANOTHER)
			return (struct verdict){.contradicted = true};
		if (when->joined)
			return (struct verdict){0};
		return (struct verdict){.of = PROVENANCE_THIS};
	}
	if (times == PROVENANCE_THIS && (whose != PROVENANCE_THIS || when->joined))
		return (struct verdict){0};
	return (struct verdict){.of = times};
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
	};
}
