/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_SERVICE_HEALTH_H
#define CXLR_MODEL_SERVICE_HEALTH_H

/*
 * Findings about what the translation of addresses and the log depend on: the path to firmware's
 * PRM handler, the recording of events, and what the service depends on besides.
 *
 * Plain values; the arguments refer to strings of the input, which must live as long as the
 * findings are used. Any thread.
 */

#include "model/finding.h"
#include "model/recording_faults.h"
#include "model/service_faults.h"
#include "prm/firmware.h"

enum { FIRMWARE_FINDINGS_MAX = 5 };

/*
 * firmware_findings() - the condition of the path to firmware
 *
 * First FINDING_FIRMWARE_READY, _UNAVAILABLE or _SLOW, last FINDING_FIRMWARE_ADVICE if there is
 * any.
 *
 * Return: their number, at least 1.
 */
size_t firmware_findings(const struct firmware_status *s,
			 struct finding ret[static FIRMWARE_FINDINGS_MAX]);

/* Return: the number of findings, one for each fault, in the order of enum recording_fault. */
size_t recording_findings(const struct recording_faults *faults,
			  struct finding ret[static RECORDING_FAULTS]);

/* As recording_findings(), in the order of enum service_fault. */
size_t service_findings(const struct service_faults *faults,
			struct finding ret[static SERVICE_FAULTS]);

#endif
