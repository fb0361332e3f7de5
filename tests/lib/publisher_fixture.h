/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_PUBLISHER_FIXTURE_H
#define CXLR_TESTS_LIB_PUBLISHER_FIXTURE_H

/* A publisher with its event loop and a service, for tests of what posts to it. The caller owns all
 * three. */

#include <systemd/sd-event.h>

#include "daemon/publisher.h"
#include "redfish/service/service.h"

void publisher_setup(sd_event **event, struct service **service, struct publisher **publisher);
/* Frees them in the opposite order. Nothing that uses the publisher may be left. */
void publisher_teardown(sd_event **event, struct service **service, struct publisher **publisher);

#endif
