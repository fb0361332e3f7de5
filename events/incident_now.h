/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_INCIDENT_NOW_H
#define CXLR_EVENTS_INCIDENT_NOW_H

/*
 * An incident as it is at present: its device and pages by the mapping of now, its place, and the
 * one act. All front ends show this. Plain values, of a host and its translator; any thread that
 * may use these.
 */

#include "events/incident_act.h"
#include "prm/translate.h"
#include "sysfs/stable_id.h"

struct incident_now {
	const struct memdev *memdev; /* the device now, of the host; NULL: it is not there */
	enum incident_place place;
	char evidence[PLACE_EVIDENCE_MAX];
	uint64_t pages[INCIDENT_PAGES_MAX]; /* first addresses of those that are known exactly */
	/* The address that is wrong in each: of the device, or of the system. */
	uint64_t addresses[INCIDENT_PAGES_MAX];
	size_t n_pages;
	uint64_t page_size; /* bytes, of the host */
	bool by_dpa;	    /* addresses are of the device */
	bool lost; /* data in the pages is lost, so that they are not moved, but given up */
	enum answer_source source; /* of the pages; without any that of the pages then */
	const char *certainty;	   /* "exact", "interval", "unknown": of the address; static */
	enum incident_act act;
	const char *reason; /* for the act; a sentence; static */
	/* Its words, set by who has read them; NULL: it has none, or they are not known. */
	const struct incident_finding *finding;
};

/*
 * incident_now() - set all that follows from incident and host
 * @timeout: of firmware; NULL: cached answers of firmware only, and no waiting
 *
 * Return: 0 or -ENOMEM.
 */
int incident_now(const struct incident *i, const struct host *host,
		 const struct translator *translator, const struct memdev_ids *ids,
		 struct firmware_timeout *timeout, struct incident_now *ret);

/* incident_now_has_page() - whether one of its pages, as they are known now, has the address */
bool incident_now_has_page(const struct incident_now *now, uint64_t spa);

/* "take page 0x110040000 out of use (cxl-spa page offline mem2 0x10000)", "replace the device
 * (0000:0d:00.0, slot 2, serial 0xabc0; no part number is known: ...)": the act as an order. */
enum { INCIDENT_ACT_TEXT_MAX = 640 };
const char *incident_act_text(const struct incident_now *now,
			      char ret[static INCIDENT_ACT_TEXT_MAX]);

/* The finding of one that has no events; else as incident_count_text(). */
enum { INCIDENT_WHAT_TEXT_MAX = INCIDENT_TEXT_MAX + 32 };
const char *incident_what_text(const struct incident *i, const struct incident_finding *finding,
			       char ret[static INCIDENT_WHAT_TEXT_MAX]);

/* "1 uncorrectable media error", "at least 17 link errors", "1 fatal link error" */
enum { INCIDENT_COUNT_TEXT_MAX = 96 };
const char *incident_count_text(const struct incident *i, char ret[static INCIDENT_COUNT_TEXT_MAX]);

#endif
