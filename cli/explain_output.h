/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_EXPLAIN_OUTPUT_H
#define CXLR_CLI_EXPLAIN_OUTPUT_H

/* Findings as the text and the JSON of cxl-spa explain, on standard output. */

#include "cli/cli.h"
#include "cli/refusal.h"
#include "cli/release.h"
#include "cli/verdict.h"
#include "common/json_writer.h"
#include "model/findings.h"
#include "model/owners.h"

/*
 * explain_print() - print findings as one answer
 * @subject: the object that they are about, "host"
 * @release: of a region; NULL otherwise
 * @refusal: of what Linux refuses there; without levels it is not printed
 * @cli: its options: json, check
 *
 * Return: STATUS_OK, STATUS_PARTIAL with --check and a problem, or -ENOMEM.
 */
int explain_print(struct findings *f, const char *subject, const struct verdict *verdict,
		  const struct release *release, const struct refusal *refusal,
		  const struct cli *cli);

/* explain_put_verdict() - the first keys of the JSON of any answer */
void explain_put_verdict(struct json_writer *w, const char *subject,
			 const struct verdict_line *first, size_t n_problems);

/*
 * explain_print_owners() - print who owns a range of system addresses
 * @subject: the range, as the user wrote it
 *
 * Return: STATUS_OK, STATUS_PARTIAL with --check and a fault, or -ENOMEM.
 */
int explain_print_owners(const struct owners *owners, const char *subject,
			 const struct verdict *verdict, const struct cli *cli);

#endif
