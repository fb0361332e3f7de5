/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_TRIAGE_INCIDENT_H
#define CXLR_CLI_TRIAGE_INCIDENT_H

/*
 * Incidents as triage shows them: with the device, its slot and the pages of the present, and what
 * to do. One thread.
 */

#include "cli/cli.h"
#include "common/array.h"
#include "events/component_id.h"
#include "events/incident_now.h"

enum {
	TRIAGE_ENTRIES_MAX = 100, /* numbers of entries that are shown; the newest */
};

DEFINE_ARRAY(uint64_t, entry_list);

enum triage_host {
	TRIAGE_THIS_HOST,
	TRIAGE_OTHER_HOST,
	TRIAGE_UNKNOWN_HOST,
};

/* A log that incidents are of. */
struct triage_log {
	uint64_t age;	 /* of now, or of its end */
	bool age_is_now; /* else no time later than its end is known */
	enum triage_host host;
};

struct triage_incident {
	struct incident incident; /* id 0: a report that the log does not have */
	struct incident reported; /* of a text: what it says, without the log */
	uint64_t age;		  /* for rates */
	bool age_is_now;	  /* else it is that of the end of the log: no later one is known */
	enum triage_host host;
	bool is_of_log; /* `host` is that of the log; else that of a report */
	struct incident_now now;
	const struct memdev *memdev; /* of a report: its device; NULL: that of the incident */
	const struct memdev *below;  /* of a report of a port: a device below it; NULL: none */
	/* The page of a report of a system address, and whether this host has it in this boot. */
	struct opt_u64 reported_page;
	uint64_t reported_spa;	     /* in that page */
	struct opt_u64 reported_dpa; /* of `memdev` */
	bool is_page_present;
	bool is_other_memory; /* the page of a report is no CXL memory */
	bool is_taken;	      /* the report says that the kernel took the page out of use */
	bool is_recorded;     /* as of event_store_is_recorded() */
	bool is_unproven; /* a report that may be of another host, or a record of another address */
	const char *doubt; /* why the address of a report may be no system address; NULL, static */
	size_t n_devices;  /* that have parts of the addresses of a report; 0: not known */
	const char *no_memory;		    /* as of struct report_answer */
	bool is_left_out;		    /* of those that are asked for; to be dropped */
	struct entry_list entries;	    /* in the log; the newest first */
	struct incident_finding finding;    /* all "" when it is none */
	char component[COMPONENT_TEXT_MAX]; /* component identifier of a report; "" */
};
DEFINE_ARRAY(struct triage_incident, triage_list);

/* triage_look() - set what follows from incident and host. Return: 0 or -ENOMEM. */
int triage_look(struct cli *cli, const struct memdev_ids *ids, struct triage_incident *t);

/*
 * Return: the PCI function of the device, "0000:0d:00.0": where it is at present, else where the
 * records had it; "" when not known.
 */
const char *triage_pci_host(const struct triage_incident *t);

/* One line for each, and the act of the first; nothing of an empty list. */
void triage_print_list(const struct triage_list *list);

/* After a list: whose log it is, unless this host's. */
void triage_print_log_host(enum triage_host host);

/* At most six lines. */
void triage_print(const struct triage_incident *t);

/* Instead of an empty list. */
void triage_print_nothing(void);

/* After a list, or instead of an empty one: the host's errors are not recorded; @captured: of a
 * captured host */
void triage_print_unrecorded(bool captured);

/* @is_recorded: as of event_store_is_recorded(). Return: 0 or -ENOMEM. */
int triage_print_json(const struct triage_list *list, bool is_recorded);

#endif
