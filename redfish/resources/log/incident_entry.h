/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_INCIDENT_ENTRY_H
#define CXLR_REDFISH_RESOURCES_INCIDENT_ENTRY_H

/*
 * An incident as a LogEntry: alone, or within the collection of its log. Any thread; nothing here
 * waits for firmware: pages are those of answers that are known.
 */

#include "common/json_writer.h"
#include "events/incident.h"
#include "events/store_reader.h"
#include "redfish/service/exchange.h"

enum { INCIDENT_RELATED_MAX = 100 }; /* entries of the event log that are linked; the newest */

/* Numbers of its entries in the event log. */
struct incident_related {
	uint64_t seq[INCIDENT_RELATED_MAX]; /* the newest first */
	size_t n;
	struct opt_u64 total; /* absent: the oldest were overwritten, and the rest not counted */
	/* Only without a time of the incident: that of its first entry, by the device's clock. */
	struct opt_u64 created;
	struct incident_finding finding; /* all "": it is none */
};

/* incident_read_related() - read them. Return: 0, or as store_read_incident_entries(). */
int incident_read_related(struct store_reader *r, const struct incident *i,
			  struct incident_related *ret);

/* Return: the age of now, for rates; as store_read_age(). */
int incident_read_age(const struct exchange *x, struct store_reader *r, uint64_t *ret);

/*
 * put_incident() - all properties but @odata.id, @odata.type and Id
 * @age: of now
 *
 * Return: 0 or -ENOMEM.
 */
int put_incident(const struct exchange *x, const struct incident *i,
		 const struct incident_related *related, uint64_t age, struct json_writer *w);

/* Operations of the row for entries. */
int get_incident(struct exchange *x);
int patch_incident(struct exchange *x);
extern const struct parameters incident_patch_body;

/* incident_number() - the number that the URI names. Return: 0; -EINVAL with an error message. */
int incident_number(struct exchange *x, uint64_t *ret);

#endif
