// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/trace_when.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/array.h"
#include "common/strutil.h"

#define SECOND_NS UINT64_C(1000000000)

enum {
	/* A clock that counts from 1970 on shows more: it is none since boot. */
	SINCE_BOOT_S_MAX = 10 * 366 * 24 * 3600,
	YEAR_MIN = 1970,
	YEAR_MAX = 2199,
	DIGITS_MAX = 19,
};

static bool is_digit(char c)
{
	return isdigit((unsigned char)c);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* ---- times since boot -------------------------------------------------------------------------
 */

/* "14.051859:" or "14.051859]". Return: whether that is at @at. */
static bool take_since_boot(const char *at, uint64_t *ret_ns)
{
	const size_t whole = strspn(at, "0123456789");
	uint64_t s = 0, ns = 0;
	size_t n;

	if (whole == 0 || whole > 10 || at[whole] != '.')
		return false;
	for (size_t i = 0; i < whole; i++)
		s = s * 10 + (uint64_t)(at[i] - '0');
	at += whole + 1;
	n = strspn(at, "0123456789");
	if (n == 0 || n > 9 || (at[n] != ':' && at[n] != ']') || s > SINCE_BOOT_S_MAX)
		return false;
	for (size_t i = 0; i < 9; i++)
		ns = ns * 10 + (i < n ? (uint64_t)(at[i] - '0') : 0);
	*ret_ns = s * SECOND_NS + ns;
	return true;
}

/* The last one: before it the line may have those of programs that passed it on. */
static void read_since_boot(const char *line, const char *end, struct trace_when *ret)
{
	uint64_t ns;

	for (const char *at = line; at < end; at++)
		if (is_digit(*at) && (at == line || strchr(" \t[", at[-1])) &&
		    take_since_boot(at, &ns))
			ret->since_boot_ns = OPT_U64(ns);
}

/* ---- times of day -----------------------------------------------------------------------------
 */

struct time_of_day {
	struct tm tm;
	bool has_zone;
	int zone_s; /* of local time, against UTC */
};

/* Takes exactly @n digits. */
static bool take_digits(const char **at, int n, int *ret)
{
	int value = 0;

	for (int i = 0; i < n; i++) {
		if (!is_digit((*at)[i]))
			return false;
		value = value * 10 + (*at)[i] - '0';
	}
	*at += n;
	*ret = value;
	return true;
}

static bool take_char(const char **at, const char *one_of)
{
	if (!**at || !strchr(one_of, **at))
		return false;
	(*at)++;
	return true;
}

/* "21:43:41", with a fraction. */
static bool take_clock(const char **at, struct tm *tm)
{
	if (!take_digits(at, 2, &tm->tm_hour) || !take_char(at, ":") ||
	    !take_digits(at, 2, &tm->tm_min) || !take_char(at, ":") ||
	    !take_digits(at, 2, &tm->tm_sec))
		return false;
	if (strchr(".,", **at) && **at && is_digit((*at)[1]))
		*at += 1 + strspn(*at + 1, "0123456789");
	return tm->tm_hour <= 23 && tm->tm_min <= 59 && tm->tm_sec <= 60;
}

/* "Z", "+0000", " +01:00", " UTC"; other names of zones are not known. */
static void take_zone(const char **at, struct time_of_day *t)
{
	const char *z = *at + (**at == ' ');
	int hours, minutes, sign;

	for (size_t i = 0; i < 3; i++) {
		static const char *const names[] = {"Z", "UTC", "GMT"};
		const char *after = str_after_prefix(z, names[i]);

		if (!after || is_word(*after))
			continue;
		t->has_zone = true;
		*at = after;
		return;
	}
	if (*z != '+' && *z != '-')
		return;
	sign = *z++ == '-' ? -1 : 1;
	if (!take_digits(&z, 2, &hours))
		return;
	(void)take_char(&z, ":");
	if (!take_digits(&z, 2, &minutes) || is_word(*z) || hours > 14 || minutes > 59)
		return;
	t->has_zone = true;
	t->zone_s = sign * (hours * 3600 + minutes * 60);
	*at = z;
}

/* "2026-11-21 21:43:41" */
static bool take_iso(const char *at, struct time_of_day *ret)
{
	struct tm *tm = &ret->tm;
	int year, month;

	if (!take_digits(&at, 4, &year) || !take_char(&at, "-") || !take_digits(&at, 2, &month) ||
	    !take_char(&at, "-") || !take_digits(&at, 2, &tm->tm_mday) || !take_char(&at, " T") ||
	    !take_clock(&at, tm))
		return false;
	take_zone(&at, ret);
	tm->tm_year = year - 1900;
	tm->tm_mon = month - 1;
	return true;
}

/* Return: 0 to 11; -1 for no month. */
static int month_of(const char *name)
{
	static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

	for (int i = 0; i < 12; i++)
		if (strncmp(names + (size_t)i * 3, name, 3) == 0)
			return i;
	return -1;
}

/* "Nov 21 21:43:41", "Nov  1 21:43:41". Return: whether that is at @at, which moves behind it. */
static bool take_day(const char **at, struct tm *tm)
{
	const char *a = *at;

	tm->tm_mon = month_of(a);
	if (tm->tm_mon < 0 || a[3] != ' ')
		return false;
	a += 4;
	a += *a == ' ';
	if (!take_digits(&a, 2, &tm->tm_mday) && !take_digits(&a, 1, &tm->tm_mday))
		return false;
	if (!take_char(&a, " ") || !take_clock(&a, tm))
		return false;
	*at = a;
	return true;
}

/* "Nov 21 21:43:41 2026", "Nov  1 21:43:41 UTC 2026" */
static bool take_ctime(const char *at, struct time_of_day *ret)
{
	struct tm *tm = &ret->tm;
	int year;

	if (!take_day(&at, tm))
		return false;
	take_zone(&at, ret);
	if (!ret->has_zone && *at == ' ' && isupper((unsigned char)at[1]))
		at += 1 + strspn(at + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
	if (!take_char(&at, " ") || !take_digits(&at, 4, &year) || is_word(*at))
		return false;
	tm->tm_year = year - 1900;
	return true;
}

/* The same without a year: a blank and another word follow. */
static bool take_yearless(const char *at, struct trace_day *ret)
{
	struct tm tm = {0};

	if (!take_day(&at, &tm) || *at != ' ' || is_digit(at[1]) || tm.tm_mday < 1 ||
	    tm.tm_mday > 31)
		return false;
	*ret = (struct trace_day){
		.present = true,
		.month = (uint8_t)tm.tm_mon,
		.day = (uint8_t)tm.tm_mday,
		.hour = (uint8_t)tm.tm_hour,
		.minute = (uint8_t)tm.tm_min,
		.second = (uint8_t)tm.tm_sec,
	};
	return true;
}

static void add_interval(uint64_t first, uint64_t last, struct trace_when *ret)
{
	if (!ret->wall_first_ns.present || first < ret->wall_first_ns.value)
		ret->wall_first_ns = OPT_U64(first);
	if (!ret->wall_last_ns.present || last > ret->wall_last_ns.value)
		ret->wall_last_ns = OPT_U64(last);
}

static void add_time(const struct time_of_day *t, struct trace_when *ret)
{
	struct tm tm = t->tm;
	time_t utc;

	if (tm.tm_year < YEAR_MIN - 1900 || tm.tm_year > YEAR_MAX - 1900 || tm.tm_mon < 0 ||
	    tm.tm_mon > 11 || tm.tm_mday < 1 || tm.tm_mday > 31)
		return;
	utc = timegm(&tm) - t->zone_s;
	if (utc < TRACE_ZONE_EAST_S)
		return;
	if (t->has_zone)
		add_interval((uint64_t)utc * SECOND_NS, (uint64_t)utc * SECOND_NS, ret);
	else
		add_interval((uint64_t)(utc - TRACE_ZONE_EAST_S) * SECOND_NS,
			     (uint64_t)(utc - TRACE_ZONE_WEST_S) * SECOND_NS, ret);
}

/* All of them: a program that passed the record on has added its own. */
static void read_times(const char *line, const char *end, struct trace_when *ret)
{
	for (const char *at = line; at < end; at++) {
		struct time_of_day t = {0};

		if (at > line && is_word(at[-1]))
			continue;
		if (is_digit(*at) ? take_iso(at, &t)
				  : isupper((unsigned char)*at) && take_ctime(at, &t))
			add_time(&t, ret);
		else if (isupper((unsigned char)*at))
			(void)take_yearless(at, &ret->day);
	}
	if (ret->wall_first_ns.present)
		ret->day.present = false;
}

/* ---- hosts ------------------------------------------------------------------------------------
 */

static bool is_host_char(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == '.' || c == '_';
}

/* "Nov 21 21:43:41 node17 kernel: ..." */
static void read_hostname(const char *line, const char *end, struct trace_when *ret)
{
	static const char *const programs[] = {" kernel:", " kernel[", " rasdaemon[",
					       " rasdaemon:"};

	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		const char *at = strstr(line, programs[i]), *name = at;

		if (!at || at >= end)
			continue;
		while (name > line && is_host_char(name[-1]))
			name--;
		if (name == line || name[-1] != ' ' || !isalpha((unsigned char)*name) ||
		    at - name >= TRACE_HOSTNAME_MAX)
			continue;
		(void)snprintf(ret->hostname, sizeof(ret->hostname), "%.*s", (int)(at - name),
			       name);
		return;
	}
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

/* Return: where the value of a key begins; NULL without it. */
static const char *find_value(const char *line, const char *key)
{
	const char *at = strstr(line, key);

	if (!at)
		return NULL;
	at += strlen(key);
	at += strspn(at, " \t");
	if (*at++ != ':')
		return NULL;
	return at + strspn(at, " \t");
}

static void read_text(const char *line, const char *key, char *ret, size_t size)
{
	const char *at = find_value(line, key);
	size_t len;

	if (!at || *at++ != '"')
		return;
	len = strcspn(at, "\"\\");
	if (len < size && at[len] == '"')
		(void)snprintf(ret, size, "%.*s", (int)len, at);
}

static bool read_number(const char *at, uint64_t *ret)
{
	const size_t n = at ? strspn(at, "0123456789") : 0;

	if (n == 0 || n > DIGITS_MAX)
		return false;
	*ret = strtoull(at, NULL, 10);
	return true;
}

static void read_json(const char *line, struct trace_when *ret)
{
	const char *realtime = find_value(line, "\"__REALTIME_TIMESTAMP\"");
	uint64_t value;

	read_text(line, "\"boot_id\"", ret->boot_id, sizeof(ret->boot_id));
	read_text(line, "\"_BOOT_ID\"", ret->boot_id, sizeof(ret->boot_id));
	read_text(line, "\"_HOSTNAME\"", ret->hostname, sizeof(ret->hostname));
	if (realtime && *realtime == '"' && read_number(realtime + 1, &value) &&
	    value < UINT64_MAX / 1000)
		add_interval(value * 1000, value * 1000, ret);
	if (read_number(find_value(line, "\"timestamp\""), &value) &&
	    value / SECOND_NS <= SINCE_BOOT_S_MAX)
		ret->since_boot_ns = OPT_U64(value);
}

void trace_when_read(const char *line, bool joined, struct trace_when *ret)
{
	const char *end = strstr(line, "memdev");

	*ret = (struct trace_when){.joined = joined};
	if (!end)
		end = line + strlen(line);
	read_since_boot(line, end, ret);
	read_times(line, end, ret);
	read_hostname(line, end, ret);
	if (strchr(line, '{'))
		read_json(line, ret);
}
