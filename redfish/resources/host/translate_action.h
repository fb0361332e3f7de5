/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_TRANSLATE_ACTION_H
#define CXLR_REDFISH_RESOURCES_TRANSLATE_ACTION_H

/*
 * The translation actions, for the rows of Memory (memory_actions.h) and ComputerSystem, and what
 * they share.
 */

#include "prm/answer.h"
#include "prm/firmware.h"
#include "redfish/core/resource_table.h"

int run_translate_dpa(struct exchange *x);
extern const struct parameters translate_dpa_parameters;

/* translate_text.c */
int run_translate_text(struct exchange *x);
extern const struct parameters translate_text_parameters;

extern const struct action system_actions[2];

/* Whether the answer is exact, its source and reason, and what maps the address. */
void put_provenance(const struct answer *a, struct json_writer *w);

/*
 * translate_action_timeout() - how long firmware may take for the next call of the job
 *
 * Nothing when the job's time is up.
 */
struct firmware_timeout translate_action_timeout(const struct exchange *x);

#endif
