/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_VERIFY_INJECT_H
#define CXLR_CLI_VERIFY_INJECT_H

/*
 * cxl-spa verify --inject REGION: the devices of a region prove where their addresses are, and the
 * report of it. One thread; a report belongs to command_verify_inject().
 */

#include "cli/cli.h"
#include "prm/answer.h"
#include "selftest/judge_points.h"
#include "selftest/plan.h"
#include "selftest/round_trip.h"

enum {
	INJECT_SAMPLES_DEFAULT = 256, /* random addresses of the region; as many of its devices */
	INJECT_ROUND_TRIPS = 32,      /* of the samples, evenly */
	INJECT_FAILURES_SHOWN = 32,   /* in a report as JSON; all are counted */
	INJECT_FAILURES_PRINTED = 8,  /* likewise as text */
};

/* The DPA and the SPA that a translation gives for a sample. */
struct inject_sample {
	struct plan_sample plan;
	enum answer_source source; /* SOURCE_NONE: no exact answer */
	size_t point;		   /* its index, where there is one */
};

struct inject_round_trip {
	struct judge_point point;
	struct round_trip_record record;
	bool right;
	char error[ERROR_TEXT_MAX]; /* "" when the record was read */
	uint64_t back;		    /* the SPA that the DPA of the record is translated to */
	bool has_back;
};

struct inject_report {
	const struct host *host;
	const struct region *region;
	const char *model;   /* the file; NULL: of the machine */
	char memory[64];     /* "/dev/dax0.0", "model" */
	uint64_t started_ns; /* since 1970 */
	struct plan_region plan;

	char refused[ERROR_TEXT_MAX]; /* why nothing was written; "" */
	bool cancelled;

	struct inject_sample *samples;
	size_t n_samples;
	size_t sources[SOURCE_ESTIMATE + 1]; /* samples that have a point, by source */
	size_t unanswered, first_unanswered;
	char unanswered_reason[ANSWER_REASON_MAX]; /* of the first */

	struct judge_point *points;
	struct judgement *judgements;
	size_t *sample_of; /* a point's */
	size_t n_points;
	struct judge_summary summary;

	char no_round_trips[ERROR_TEXT_MAX]; /* why there are none; "" */
	struct inject_round_trip round_trips[INJECT_ROUND_TRIPS];
	size_t n_round_trips;
	const char *ended_by; /* the error of the last one, after which no other was made; NULL */
};

/* verify_samples.c: fills in plan, samples and points. Return: 0 or -ENOMEM. */
int inject_make_points(struct cli *cli, struct inject_report *r);

/* inject_spa_of() - the exact SPA of a DPA. Return: 1; 0 there is none; -ENOMEM. */
int inject_spa_of(struct cli *cli, const struct memdev *m, uint64_t dpa, uint64_t *ret);

/*
 * verify_round_trip.c: until one ends them (round_trip.h), or a signal. inject_make_trips() makes
 * no trace instance. Return of both: 0 or -ENOMEM.
 */
int inject_make_trips(struct cli *cli, const struct round_trip_bench *b, struct inject_report *r);
int inject_round_trips(struct cli *cli, const struct round_trip_bench *b, struct inject_report *r);

/* verify_report.c, verify_report_json.c */
bool inject_is_ok(const struct inject_report *r);
bool inject_is_failure(const struct judgement *v);
/* Return: points whose found address has that as its lowest bit that differs. */
size_t inject_wrong_in_bit(const struct inject_report *r, unsigned int bit);
const struct memdev *inject_memdev(const struct inject_report *r, unsigned int position);
void inject_print_text(const struct inject_report *r);
int inject_print_json(const struct inject_report *r); /* Return: 0 or -ENOMEM. */

int command_verify_inject(struct cli *cli);

#endif
