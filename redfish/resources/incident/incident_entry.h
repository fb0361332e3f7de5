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
#include "redfish/repairs/repair_entry.h"
#include "redfish/service/exchange.h"

struct repair_plan;

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

/*
 * The entries of the worklist, of which the log still has the newest record: only
 * by that record an incident is certain to be the one that an entry of the worklist names.
 */
struct incident_repairs {
	bool known; /* false: there is no worklist, or it cannot be read */
	struct repair_entries list;
};

/* The values by which incidents are shown. */
struct incident_reading {
	const struct resource_type *row; /* of entries, with their actions */
	uint64_t age;			 /* of now, for rates */
	struct incident_repairs repairs;
};

/*
 * incident_reading_begin() - read it
 * @incident: that repairs are wanted of; 0: all
 * @ret: to be released by incident_reading_end(), also after an error
 *
 * Return: 0; as store_read_age() and store_read_one().
 */
int incident_reading_begin(const struct exchange *x, struct store_reader *r,
			   const struct resource_type *row, uint64_t incident,
			   struct incident_reading *ret);
void incident_reading_end(struct incident_reading *reading);

/* incident_repairs_read() - the part of it about repairs. Return: as above. */
int incident_repairs_read(const struct exchange *x, struct store_reader *r, uint64_t incident,
			  struct incident_repairs *ret);

/* Whether an entry may be repaired now, by the view of the request. @ret: how, or why not */
bool incident_repair_plan(const struct exchange *x, const struct repair_entry *entry,
			  struct repair_plan *ret);

/* The property Repairs of an incident, and its Actions where one of them is possible now. */
void put_incident_repairs(const struct exchange *x, const struct incident *i,
			  const struct incident_repairs *repairs, struct json_writer *w);
void put_incident_actions(const struct exchange *x, const struct resource_type *row,
			  const struct incident *i, const struct incident_repairs *repairs,
			  struct json_writer *w);

/*
 * put_incident() - all properties but @odata.id, @odata.type and Id
 *
 * Return: 0 or -ENOMEM.
 */
int put_incident(const struct exchange *x, const struct incident *i,
		 const struct incident_related *related, const struct incident_reading *reading,
		 struct json_writer *w);

/* Operations of the row for entries. */
int get_incident(struct exchange *x);
int patch_incident(struct exchange *x);
extern const struct parameters incident_patch_body;
int run_incident_repair(struct exchange *x);

/* The name of the account; without one, where the client is: "uid 0". On an HTTP thread. */
void incident_client_name(const struct exchange *x, char ret[static PRINCIPAL_NAME_MAX]);

/*
 * incident_resolve() - resolve the incident of the request, and note why; in a job
 * @by: of incident_client_name()
 *
 * Return: as operations.
 */
int incident_resolve(struct exchange *x, const char *note, const char *by);

/* incident_number() - the number that the URI names. Return: 0; -EINVAL with an error message. */
int incident_number(struct exchange *x, uint64_t *ret);

#endif
