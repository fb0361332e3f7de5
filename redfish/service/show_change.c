// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/service/show_change.h"

#include <errno.h>

#include "common/clock.h"
#include "common/log.h"
#include "redfish/core/system_id.h"
#include "redfish/service/service.h"

enum { SHOW_MS = 30 * 1000 };

void show_change(struct exchange *x, enum view_input input)
{
	char shown[SHOWN_URI_MAX];

	if (view_holder_read_again(x->service->view_holder, input, NULL,
				   clock_monotonic_ms() + SHOW_MS) == -ETIMEDOUT)
		log_warning("%s: its change was not shown within %d s",
			    system_id_show(x->resource->uri, shown), SHOW_MS / 1000);
}
