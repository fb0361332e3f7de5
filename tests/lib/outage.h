/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_OUTAGE_H
#define CXLR_TESTS_LIB_OUTAGE_H

/*
 * Many services that lose their collector at the same time and find it again: the delays are those
 * of redfish/otlp/otlp_lane.h, the clock is none but a number, so that an hour takes no time.
 */

#include <stdint.h>

enum {
	OUTAGE_HOUR_S = 3600,
	OUTAGE_BACK_S = 400, /* after the outage: the longest delay, and more */
};

struct outage {
	unsigned int attempts_max; /* in one second of the last half of the outage */
	double attempts_mean;	   /* in a second of it */
	unsigned int back_max;	   /* services that reached it again in one second */
	unsigned int back_s[2];	   /* until half of them, and all of them, have */
};

/*
 * outage_run() - one outage
 * @n: services; each has something to send within the first second of the outage
 * @seconds: of it, at least 600
 */
void outage_run(unsigned int n, unsigned int seconds, struct outage *ret);

/* outage_start() - @n services that start together and send first within @seconds, at most 3,600.
 * Return: how many of them send in one second, at most */
unsigned int outage_start(unsigned int n, unsigned int seconds);

#endif
