/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_PAGE_RULE_H
#define CXLR_DAEMON_PAGE_RULE_H

/*
 * The rule of the page policy: which entries of the event log are a reason to take a page out of
 * use. An entry that is not certain is no reason.
 *
 * Plain values; pure functions; a `struct corrected_counts` belongs to one thread.
 */

#include "common/error.h"
#include "events/incident.h"

enum page_policy_mode {
	PAGE_POLICY_OFF,
	PAGE_POLICY_OBSERVE, /* says what it would do */
	PAGE_POLICY_SOFT,
};

/* The words of the modes, in their order. */
#define PAGE_POLICY_WORDS "off, observe, soft"

enum {
	PAGE_CORRECTED_MAX = 64,
	PAGE_CORRECTED_HOURS_MAX = 168,
	CORRECTED_PLACES_MAX = 1024, /* of 256 bytes; the one that was seen last stays longest */
	PAGE_RANGE_MAX = 4096,	     /* bytes of a record that are looked at */
	PAGE_CHUNK = 256, /* bytes of a device that are in one page, whatever the interleaving is */
};

struct page_rule {
	enum page_policy_mode mode;
	unsigned int corrected, hours; /* corrected errors of a page within so long; 0: none */
};

/*
 * page_rule_parse() - the rule of the configuration
 * @mode: one of PAGE_POLICY_WORDS; NULL: off
 * @corrected: "N/HOURS"; NULL: none
 *
 * Return: 0, or -EINVAL with a sentence about the form.
 */
int page_rule_parse(const char *mode, const char *corrected, struct page_rule *ret,
		    struct error *e);

/* The check of an option with such a value. */
int page_corrected_check(const char *corrected, struct error *e);

enum page_weight {
	PAGE_WEIGHS_NOTHING,
	PAGE_IS_COUNTED, /* one corrected error of an access by the host */
	PAGE_IS_CONDEMNED,
};

/* The moment from which on errors count. */
struct page_begin {
	uint8_t boot_id[EVENT_BOOT_ID_SIZE]; /* the present boot; zeros: not known, nothing counts
					      */
	uint64_t boottime_ns;		     /* of it, CLOCK_BOOTTIME */
};

/*
 * page_weigh() - an entry and its incident
 *
 * Condemned are poison, uncorrectable errors, and corrected ones whose record has the threshold
 * flag of the device. Errors that the device's scrub found, which no access met, are not counted.
 */
enum page_weight page_weigh(const struct stored_event *ev, const struct incident *i,
			    const struct page_begin *begin);

/* Return: whether data at the address is lost, by this record or another one of the incident. */
bool page_is_lost(const struct event_record *rec, const struct incident *i);

/* Return: the bytes that the record names, from FIELD_DPA on, PAGE_RANGE_MAX at most; 1 when it
 * gives no length. */
uint64_t page_range_of(const struct event_record *rec);

struct corrected_counts;

/* Return: NULL when out of memory. */
struct corrected_counts *corrected_counts_new(void);

/* Accepts NULL. Return: NULL. */
struct corrected_counts *corrected_counts_free(struct corrected_counts *c);

void corrected_counts_clear(struct corrected_counts *c);

/*
 * corrected_counts_add() - count an error
 * @time_ns: of the error, CLOCK_BOOTTIME
 */
void corrected_counts_add(struct corrected_counts *c, const char *device, uint64_t dpa,
			  uint64_t time_ns);

/*
 * corrected_counts_sum() - the errors of a device's bytes that may be in the page of an address
 * @page_size: of the host, in bytes
 * @since_ns: errors before are not counted
 * @is_in: whether the page has an address; NULL: all that are near enough
 *
 * Return: their number; at most PAGE_CORRECTED_MAX of each 256 bytes are known.
 */
unsigned int corrected_counts_sum(const struct corrected_counts *c, const char *device,
				  uint64_t dpa, uint64_t page_size, uint64_t since_ns,
				  bool (*is_in)(void *userdata, uint64_t dpa), void *userdata);

#endif
