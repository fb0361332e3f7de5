// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/time_text.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "common/array.h"
#include "common/strutil.h"

#define NANO   UINT64_C(1000000000)
#define DAY_S  UINT64_C(86400)
#define BLANKS " \t"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, BLANKS);
}

static bool take_char(const char **s, const char *any)
{
	if (!**s || !strchr(any, **s))
		return false;
	(*s)++;
	return true;
}

/* A number of @least to @most digits. */
static bool take_number(const char **s, size_t least, size_t most, int *ret)
{
	size_t n = 0;

	*ret = 0;
	for (; n < most && is_digit((*s)[n]); n++)
		*ret = *ret * 10 + ((*s)[n] - '0');
	*s += n;
	return n >= least;
}

/* A number of any length. */
static bool take_count(const char **s, uint64_t *ret)
{
	const char *begin = *s;

	*ret = 0;
	for (; is_digit(**s); (*s)++)
		if (__builtin_mul_overflow(*ret, UINT64_C(10), ret) ||
		    __builtin_add_overflow(*ret, (uint64_t)(**s - '0'), ret))
			return false;
	return *s > begin;
}

/* ".389" or nothing. Return: false for more than nine digits, or none. */
static bool take_fraction(const char **s, uint64_t *ret)
{
	uint64_t unit = NANO;

	*ret = 0;
	if (!take_char(s, "."))
		return true;
	for (; is_digit(**s); (*s)++) {
		unit /= 10;
		*ret += (uint64_t)(**s - '0') * unit;
		if (!unit)
			return false;
	}
	return unit < NANO;
}

/* ---- calendar ----------------------------------------------------------------------------------
 */

static int days_in(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

int calendar_time_ns(const struct calendar_time *t, uint64_t *ret)
{
	struct tm tm = {.tm_year = t->year - 1900,
			.tm_mon = t->month - 1,
			.tm_mday = t->day,
			.tm_hour = t->hour,
			.tm_min = t->minute,
			.tm_sec = t->second};
	time_t seconds;

	if (t->year < 1900 || t->year > 9999 || t->month < 1 || t->month > 12 || t->day < 1 ||
	    t->day > days_in(t->year, t->month) || t->hour < 0 || t->hour > 23 || t->minute < 0 ||
	    t->minute > 59 || t->second < 0 || t->second > 60)
		return -EINVAL;
	seconds = timegm(&tm) - (time_t)t->zone_minutes * 60;
	if (seconds < 0 || (uint64_t)seconds >= UINT64_MAX / NANO)
		return -EINVAL;
	*ret = (uint64_t)seconds * NANO + t->ns;
	return 0;
}

/* "Thu " or "Thursday ". Return: 0, Sunday, to 6; -1: there is none. */
static int take_weekday(const char **s)
{
	static const char *const names[] = {"Sunday",	"Monday", "Tuesday", "Wednesday",
					    "Thursday", "Friday", "Saturday"};
	size_t len = 0;

	while (is_letter((*s)[len]))
		len++;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if ((len != 3 && len != strlen(names[i])) || strncmp(*s, names[i], len) != 0)
			continue;
		*s = skip_blanks(*s + len);
		return (int)i;
	}
	return -1;
}

static bool take_date(const char **s, struct calendar_time *ret)
{
	return take_number(s, 4, 4, &ret->year) && take_char(s, "-") &&
	       take_number(s, 1, 2, &ret->month) && take_char(s, "-") &&
	       take_number(s, 1, 2, &ret->day) && !is_digit(**s);
}

/* "21:44", "21:44:13" or "21:44:13.389". */
static bool take_clock(const char **s, struct calendar_time *ret, bool *ret_whole_second)
{
	if (!take_number(s, 1, 2, &ret->hour) || !take_char(s, ":") ||
	    !take_number(s, 2, 2, &ret->minute))
		return false;
	if (!take_char(s, ":"))
		return !is_digit(**s);
	if (!take_number(s, 2, 2, &ret->second))
		return false;
	*ret_whole_second = **s != '.';
	return take_fraction(s, &ret->ns) && !is_digit(**s);
}

/* "Z", "UTC", "+01:00", "+0100", "+01" or nothing, up to the end of the text. */
static bool take_zone(const char *s, int *ret)
{
	const int sign = *s == '-' ? -1 : 1;
	int hours, minutes = 0;

	*ret = 0;
	if (!*s || str_equal(s, "Z") || str_equal(s, "UTC"))
		return true;
	if (!take_char(&s, "+-") || !take_number(&s, 2, 2, &hours))
		return false;
	if (*s && (take_char(&s, ":"), !take_number(&s, 2, 2, &minutes)))
		return false;
	*ret = sign * (hours * 60 + minutes);
	return !*s && hours <= 23 && minutes <= 59;
}

/* The day that it is in the zone of @t. */
static bool set_today(uint64_t now_ns, struct calendar_time *t)
{
	const time_t seconds = (time_t)(now_ns / NANO) + (time_t)t->zone_minutes * 60;
	struct tm tm;

	if (!gmtime_r(&seconds, &tm))
		return false;
	t->year = tm.tm_year + 1900;
	t->month = tm.tm_mon + 1;
	t->day = tm.tm_mday;
	return true;
}

static bool is_weekday(const struct calendar_time *t, int weekday)
{
	struct tm tm = {.tm_year = t->year - 1900, .tm_mon = t->month - 1, .tm_mday = t->day};

	(void)timegm(&tm);
	return tm.tm_wday == weekday;
}

/* "2026-11-26", "2026-11-26 21:44", "Thu 2026-11-26 21:44:13 UTC", "21:44". */
static bool read_calendar(const char *s, uint64_t now_ns, struct time_written *ret)
{
	struct calendar_time t = {0};
	const int weekday = take_weekday(&s);
	const char *at = s;
	const bool has_date = take_date(&at, &t);
	bool whole_second = false, has_clock = true;

	if (has_date) {
		s = skip_blanks(at);
		has_clock = is_digit(*s) || (s == at && take_char(&s, "Tt"));
	}
	if ((has_clock && !take_clock(&s, &t, &whole_second)) ||
	    !take_zone(skip_blanks(s), &t.zone_minutes))
		return false;
	if ((!has_date && (weekday >= 0 || !set_today(now_ns, &t))) ||
	    calendar_time_ns(&t, &ret->first_ns) < 0 || (weekday >= 0 && !is_weekday(&t, weekday)))
		return false;
	ret->last_ns = ret->first_ns + (whole_second ? NANO - 1 : 0);
	return true;
}

/* ---- relative to now ---------------------------------------------------------------------------
 */

/* Units as systemd.time(7) has them; a month is a twelfth of a year of 365.25 days. */
static const struct unit {
	const char *names;
	uint64_t ns;
} units[] = {
	{" us usec ", 1000},
	{" ms msec ", 1000000},
	{" s sec second seconds ", NANO},
	{" m min minute minutes ", 60 * NANO},
	{" h hr hour hours ", 3600 * NANO},
	{" d day days ", DAY_S *NANO},
	{" w week weeks ", 7 * DAY_S *NANO},
	{" M month months ", 2629800 * NANO},
	{" y year years ", 31557600 * NANO},
};

/* Return: whether the @len letters at @s are one of the words in @names. */
static bool is_one_of(const char *names, const char *s, size_t len)
{
	for (const char *at = names + 1; *at; at += strcspn(at, " ") + 1)
		if (strcspn(at, " ") == len && strncmp(at, s, len) == 0)
			return true;
	return false;
}

static bool take_unit(const char **s, uint64_t *ret_ns)
{
	size_t len = 0;

	while (is_letter((*s)[len]))
		len++;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (!is_one_of(units[i].names, *s, len))
			continue;
		*s += len;
		*ret_ns = units[i].ns;
		return true;
	}
	return false;
}

/* "2h", "1h30min", "3 days", "1 hour 30 minutes". */
static bool take_span(const char **s, uint64_t *ret_ns)
{
	*ret_ns = 0;
	do {
		uint64_t n, unit;

		if (!take_count(s, &n))
			return false;
		*s = skip_blanks(*s);
		if (!take_unit(s, &unit) || __builtin_mul_overflow(n, unit, &n) ||
		    __builtin_add_overflow(*ret_ns, n, ret_ns))
			return false;
		*s = skip_blanks(*s);
	} while (is_digit(**s));
	return true;
}

/* Return: false for a time that has no nanoseconds since 1970. */
static bool set_instant(uint64_t now_ns, bool later, uint64_t distance, struct time_written *ret)
{
	if (later ? __builtin_add_overflow(now_ns, distance, &ret->first_ns)
		  : __builtin_sub_overflow(now_ns, distance, &ret->first_ns))
		return false;
	ret->last_ns = ret->first_ns;
	return true;
}

/* "-2h", "+2h", "2h", "2 hours ago". */
static bool read_distance(const char *s, uint64_t now_ns, struct time_written *ret)
{
	const bool later = *s == '+', has_sign = take_char(&s, "+-");
	uint64_t ns;

	if (!take_span(&s, &ns) || (*s && (has_sign || !str_equal(s, "ago"))))
		return false;
	return set_instant(now_ns, later, ns, ret);
}

/* "now", or the beginning of a day. */
static bool read_word(const char *s, uint64_t now_ns, struct time_written *ret)
{
	const uint64_t today = now_ns - now_ns % (DAY_S * NANO);

	if (str_equal(s, "now"))
		return set_instant(now_ns, false, 0, ret);
	if (str_equal(s, "today"))
		return set_instant(today, false, 0, ret);
	if (str_equal(s, "yesterday"))
		return set_instant(today, false, DAY_S * NANO, ret);
	return str_equal(s, "tomorrow") && set_instant(today, true, DAY_S * NANO, ret);
}

/* "@1795901053", "@1795901053.389". */
static bool read_epoch(const char *s, struct time_written *ret)
{
	uint64_t seconds, ns;
	bool whole_second;

	if (!take_char(&s, "@") || !take_count(&s, &seconds) || seconds >= UINT64_MAX / NANO)
		return false;
	whole_second = !*s;
	if (!take_fraction(&s, &ns) || *s)
		return false;
	ret->first_ns = seconds * NANO + ns;
	ret->last_ns = ret->first_ns + (whole_second ? NANO - 1 : 0);
	return true;
}

int time_text_read(const char *s, uint64_t now_ns, struct time_written *ret)
{
	struct time_written t = {.present = true};

	if (!read_word(s, now_ns, &t) && !read_epoch(s, &t) && !read_distance(s, now_ns, &t) &&
	    !read_calendar(s, now_ns, &t))
		return -EINVAL;
	*ret = t;
	return 0;
}
