/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_TRIAGE_RUN_H
#define CXLR_CLI_TRIAGE_RUN_H

/*
 * One run of cxl-spa triage: what is asked for, and the incidents that answer it. triage.c has the
 * command, triage_log.c reads the log, triage_input.c reads texts, triage_result.c prints. One
 * thread.
 */

#include "cli/object.h"
#include "cli/triage_incident.h"
#include "cli/triage_report.h"

/* A selection of the incidents of the host. */
struct triage_selection {
	uint64_t id;		     /* 0: any */
	const struct object *object; /* NULL: any */
	bool has_spa;
	uint64_t spa, spa_last;
	char component[COMPONENT_TEXT_MAX]; /* "": any */
};

struct triage_run {
	struct cli *cli;
	struct arena *arena;
	struct memdev_ids *ids;
	struct triage_selection selection;
	struct triage_list list;
	struct triage_reports
		*reports; /* of a text; NULL: the incidents of the log are asked for */
	struct triage_log log;
	bool in_full; /* an operand selects some */
};

/*
 * triage_read_log() - the incidents of the log, or of the records of a host without one
 * @found: the findings of a host without a log; NULL without
 *
 * With run->reports these are adopted, else those that are selected are in the list.
 *
 * Return: 0 or a negative errno, with the reason in @e.
 */
int triage_read_log(struct triage_run *run, struct store_found *found, struct error *e);

/* triage_drop_others() - those of the list whose words, which are read last, are not selected */
void triage_drop_others(struct triage_run *run);

/* triage_input() - the reports of a file, or of standard input for "-". Return: the exit status. */
int triage_input(struct triage_run *run, const char *path);

/* triage_text() - those of a text. Return: likewise. */
int triage_text(struct triage_run *run, const char *text);

/* The worst first. */
void triage_sort(struct triage_list *list);

/* @in_full: each with all its lines, unless several are of a text. Return: 0 or -ENOMEM. */
int triage_print_result(struct triage_run *run, bool in_full);

/* triage_fail() - say that it failed. @what: before the reason. Return: the exit status. */
int triage_fail(const char *what, const struct error *e, int r);

#endif
