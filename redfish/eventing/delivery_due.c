// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The time at which the delivery thread runs again.
#include "redfish/eventing/delivery_private.h"

void delivery_look_again(struct delivery *d, uint64_t at_ms)
{
	if (at_ms < d->due_ms)
		d->due_ms = at_ms;
}
