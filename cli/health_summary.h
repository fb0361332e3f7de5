/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_HEALTH_SUMMARY_H
#define CXLR_CLI_HEALTH_SUMMARY_H

/* All open incidents of one device as a clause of one line. One thread. */

#include "cli/cli.h"
#include "model/finding_text.h"
#include "model/health.h"

/*
 * health_summary() - "mem2 (0000:0d:00.0, slot 2): 1 fatal link error, newest 21:44 UTC"
 * @memdev: kernel name of a device with incidents in @log
 */
void health_summary(const struct health_log *log, const struct cli *cli, const char *memdev,
		    char text[static FINDING_TEXT_MAX]);

#endif
