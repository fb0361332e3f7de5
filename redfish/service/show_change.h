/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_SERVICE_SHOW_CHANGE_H
#define CXLR_REDFISH_SERVICE_SHOW_CHANGE_H

/*
 * The end of a change: its effect is in the view before it is answered.
 */

#include "redfish/service/exchange.h"
#include "redfish/view/view.h"

/*
 * show_change() - wait until the view has the effect of a change that was made; in a job
 * @input: that shows it
 *
 * The change was made even if the view comes late: then it is logged, and the request succeeds.
 */
void show_change(struct exchange *x, enum view_input input);

#endif
