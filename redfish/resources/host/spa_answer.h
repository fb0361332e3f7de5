/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_SPA_ANSWER_H
#define CXLR_REDFISH_RESOURCES_SPA_ANSWER_H

/* The answers to a device or system address, for the actions that translate or describe it. */

#include "common/json_writer.h"
#include "prm/translate.h"
#include "redfish/view/view.h"

/* put_dpa_answer() - the members of one that names a device */
void put_dpa_answer(const struct view *v, const struct answer *a, struct json_writer *w);

/*
 * put_spa_answer() - its members
 *
 * With more than one possible device no single one is named; the interval is that of them all.
 */
void put_spa_answer(const struct view *v, const struct answer *a, struct json_writer *w);

#endif
