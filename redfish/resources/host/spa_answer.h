/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_SPA_ANSWER_H
#define CXLR_REDFISH_RESOURCES_SPA_ANSWER_H

/* The answer to a system address, for TranslateSPA and TranslateText. */

#include "common/json_writer.h"
#include "prm/translate.h"
#include "redfish/view/view.h"

/*
 * put_spa_answer() - its members
 *
 * With more than one possible device no single one is named; the interval is that of them all.
 */
void put_spa_answer(const struct view *v, const struct answer *a, struct json_writer *w);

#endif
