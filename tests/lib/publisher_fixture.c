// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/publisher_fixture.h"

#include <check.h>

#include "redfish/resources/resources.h"

void publisher_setup(sd_event **event, struct service **service, struct publisher **publisher)
{
	ck_assert_int_ge(sd_event_new(event), 0);
	ck_assert_int_eq(service_new(NULL, &service_limits_default, service, NULL), 0);
	ck_assert_int_eq(
		publisher_new(*event, (*service)->view_holder, &redfish_resources, publisher, NULL),
		0);
}

void publisher_teardown(sd_event **event, struct service **service, struct publisher **publisher)
{
	*publisher = publisher_free(*publisher);
	*service = service_free(*service);
	*event = sd_event_unref(*event);
}
