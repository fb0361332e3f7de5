/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_REFUSAL_H
#define CXLR_CLI_REFUSAL_H

/* A refusal of Linux, level by level, as explain prints it. */

#include "common/json_writer.h"
#include "model/refusal.h"

/*
 * Text, and the member "refusal" of the current JSON object.
 *
 * @subject: what is explained, which the kernel's log may name
 * @advice: see refusal_advice()
 */
void refusal_text(const struct host *host, const struct refusal *r, const char *subject,
		  const char *advice);
void put_refusal(struct json_writer *w, const struct host *host, const struct refusal *r,
		 const char *subject, const char *advice);

#endif
