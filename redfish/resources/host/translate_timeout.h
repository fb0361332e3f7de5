/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_TRANSLATE_TIMEOUT_H
#define CXLR_REDFISH_RESOURCES_TRANSLATE_TIMEOUT_H

/* Time that firmware may take in an action. */

#include "prm/firmware.h"
#include "redfish/service/exchange.h"

/*
 * translate_action_timeout() - how long firmware may take for the next call of the job
 *
 * Nothing when the job's time is up.
 */
struct firmware_timeout translate_action_timeout(const struct exchange *x);

#endif
