/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_TIME_TEXT_H
#define CXLR_COMMON_TIME_TEXT_H

/*
 * Times of day as a person writes them: "1 hour ago", "yesterday", "2026-11-26 21:44". Pure
 * functions of their arguments, for any thread: no time zone of the machine is read, as no time
 * that is printed is in one.
 */

#include <stdbool.h>
#include <stdint.h>

/* The date and time of a calendar. */
struct calendar_time {
	int year, month, day;	  /* from 1 */
	int hour, minute, second; /* 60 is a leap second */
	uint64_t ns;
	int zone_minutes; /* that the zone is ahead of UTC */
};

/* Return: 0; -EINVAL for a day or time of day that does not exist, or one outside of the years 1970
 * to 2553, whose nanoseconds since 1970 fit in 64 bits. */
int calendar_time_ns(const struct calendar_time *t, uint64_t *ret);

/* The meaning of a written time: the second that it names, or an instant; ns since 1970, both ends
 * included. */
struct time_written {
	bool present;
	uint64_t first_ns, last_ns;
};

/* How to write a time, for messages; the manual page cxl-spa(1) has all forms. */
#define TIME_TEXT_FORMS                                                                            \
	"2026-11-26, '2026-11-26 21:44', 21:44 or 21:44:13, in UTC or with an offset (+01:00); now, today, yesterday; 2h, -2h, '3 days ago'; or @SECONDS since 1970"

/*
 * time_text_read() - read any of the forms
 * @s: hostile text of any length
 * @now_ns: what relative times refer to, ns since 1970
 *
 * Return: 0, or -EINVAL, also for a time that calendar_time_ns() has none for.
 */
int time_text_read(const char *s, uint64_t now_ns, struct time_written *ret);

#endif
