/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_FINDINGS_LIST_H
#define CXLR_REDFISH_RESOURCES_FINDINGS_LIST_H

/*
 * Oem.CXLHost.Findings of the ComputerSystem: what `cxl-spa explain` finds on the host that is a
 * problem or has a next step, in the same words. For renderers.
 *
 * Facts without a next step are left out: other resources have them as properties. So are those
 * for which addresses would have to be translated, because a renderer must not wait for firmware.
 */

#include "common/json_writer.h"
#include "model/finding.h"
#include "redfish/view/view.h"

/* Findings in an answer, so that it stays far below 1 MiB; the others are counted. */
enum { FINDINGS_LISTED_MAX = 256 };

/* One item of Findings. @end: behind the findings that follow it, the advice first */
void put_finding(const struct view *v, const struct finding *f, const struct finding *end,
		 struct json_writer *w);

/* Writes Findings and FindingsNotListed. Takes time in proportion to the host, once for a view. */
void put_findings_list(const struct view *v, struct json_writer *w);

#endif
