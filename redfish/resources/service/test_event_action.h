/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_TEST_EVENT_ACTION_H
#define CXLR_REDFISH_RESOURCES_TEST_EVENT_ACTION_H

/*
 * The actions of EventService, for its row; see redfish/service/exchange.h.
 */

#include "redfish/core/parameters.h"
#include "redfish/service/exchange.h"

int run_submit_test_event(struct exchange *x);
extern const struct parameters submit_test_event_parameters;
int run_test_event_subscription(struct exchange *x);

#endif
