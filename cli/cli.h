/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_CLI_H
#define CXLR_CLI_CLI_H

/*
 * cxl-spa: what all subcommands share. One thread, one host per run. main() owns struct cli, the
 * subcommands use it.
 */

#include <stdbool.h>

#include "common/options.h"
#include "common/time_text.h"
#include "model/fabric.h"
#include "prm/addresses.h"
#include "sysfs/host.h"
#include "sysfs/host_root.h"

/* Exit statuses; scripts rely on them. */
enum {
	STATUS_OK = 0,
	STATUS_PARTIAL = 1, /* translate: an answer is an interval, differs, or is missing;
			     * map: a chunk is not known;
			     * explain --check: there is a problem; triage: something is
			     * open, or an error was recognised; events: a change was not
			     * made; verify: not all is as expected; region, online, offline: not
			     * possible, refused or undone; page: not exactly known, or refused;
			     * repair: refused */
	STATUS_ERROR = 2,   /* wrong usage, malformed operand, unknown object, unreadable host */
	STATUS_UNCONFIRMED = 3, /* repair: accepted, and not confirmed by an event */
};

/* Exit statuses of health, as Nagios expects them of a plugin. */
enum {
	HEALTH_STATUS_OK,
	HEALTH_STATUS_WARNING,
	HEALTH_STATUS_CRITICAL,
	HEALTH_STATUS_UNKNOWN, /* also wrong usage */
};

enum { EVENT_LINES_MAX = 100000000 };

/* The options of the subcommand events; those that are text as typed, NULL when not given. */
struct event_options {
	bool follow, wide, summary;
	unsigned int lines; /* -n; 0: all */
	struct time_written since, until;
	const char *severity, *type, *memdev, *region, *dpa, *spa, *state;
	struct option_list resolve, resolve_incident, acknowledge; /* numbers as typed */
	const char *note, *socket;
};

/* Options of region, online and offline. */
struct change_options {
	uint64_t size, granularity; /* bytes; 0 when not given */
	unsigned int ways;	    /* likewise */
	const char *mode, *zone;    /* NULL likewise */
	bool force, devdax;
};

/* Options of verify. */
struct verify_options {
	unsigned int samples;	    /* 0 when not given */
	const char *inject, *model; /* a region, a file; NULL likewise */
	struct opt_u64 seed;
};

struct cli {
	const char *host_path;	    /* --host; NULL for this machine */
	struct option_list tables;  /* --tables */
	bool json;		    /* --json */
	bool svg;		    /* --svg */
	bool check;		    /* --check */
	bool no_pager;		    /* --no-pager */
	bool mask;		    /* --mask */
	const char *trace;	    /* --trace of translate; NULL without */
	bool this_boot;		    /* --this-boot */
	bool scrub;		    /* --scrub */
	const char *switch_mailbox; /* --switch-mailbox; NULL without */
	struct event_options events;
	struct change_options change;
	struct verify_options verify;
	bool page_hard;	  /* --hard */
	bool list, again; /* --list, --again of repair */

	/* Set by cli_open(). */
	struct host_root *root;
	struct addresses addresses; /* asked as libcxlspa does */
	const struct host *host;    /* of these */

	struct list_scrub *scrub_settings; /* of list --scrub; NULL without */

	/* Set by cli_open_switches() (switches.h), when there is the mailbox of a switch. */
	struct switch_readings *switches;
	struct arena *arena; /* has the fabric */
	const struct fabric *fabric;
};

/*
 * cli_open() - read the host and make its translation engine
 *
 * Prints a warning of one line when something could not be read.
 *
 * Return: STATUS_OK, or STATUS_ERROR after a message on standard error.
 */
int cli_open(struct cli *cli);

/* Reads the host of an open root without an engine. Return: as host_read(). */
int cli_read_host(struct cli *cli, struct error *e);

/* Frees what these two made; also after it failed, or was never called. */
void cli_close(struct cli *cli);

/* Prints the translator's notes on standard error, one line each. */
void cli_print_notes(const struct cli *cli);

/* True when the host shows no CXL at all. */
bool cli_no_cxl(const struct host *host);

/* The probable reason why a host shows no CXL, and what to check: one sentence. */
const char *cli_no_cxl_hint(const struct host *host);

/*
 * health_print_unknown() - the output of health when nothing can be said, for a plugin's caller
 * @reason: a clause
 *
 * Return: HEALTH_STATUS_UNKNOWN.
 */
int health_print_unknown(struct cli *cli, bool json, const char *reason);

/* The subcommands. Each gets its operands and returns an exit status. */
int command_translate(struct cli *cli, int n, char **operands);
int command_translate_trace(struct cli *cli); /* translate --trace */
int command_list(struct cli *cli, int n, char **operands);
int command_explain(struct cli *cli, int n, char **operands);
int command_graph(struct cli *cli, int n, char **operands);
int command_map(struct cli *cli, int n, char **operands);
int command_events(struct cli *cli, int n, char **operands);
int command_health(struct cli *cli, int n, char **operands);
int command_targets(struct cli *cli, int n, char **operands);
int command_triage(struct cli *cli, int n, char **operands);
int command_capture(struct cli *cli, int n, char **operands);
int command_region(struct cli *cli, int n, char **operands);
int command_online(struct cli *cli, int n, char **operands);
int command_offline(struct cli *cli, int n, char **operands);
int command_page(struct cli *cli, int n, char **operands);
int command_verify(struct cli *cli, int n, char **operands);
int command_repair(struct cli *cli, int n, char **operands);

#endif
