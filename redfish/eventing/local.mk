# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libredfish_eventing.a
libredfish_eventing_a_SOURCES = \
	%D%/delivery.c %D%/delivery.h \
	%D%/delivery_core.c \
	%D%/delivery_filter.c %D%/delivery_filter.h \
	%D%/delivery_helper.c \
	%D%/delivery_metrics.c \
	%D%/delivery_otlp.c \
	%D%/delivery_post.c \
	%D%/delivery_private.h \
	%D%/delivery_sunfish.c \
	%D%/destinations.c %D%/destinations.h \
	%D%/event_service.c %D%/event_service.h \
	%D%/event_service_options.h \
	%D%/event_stream.c %D%/event_stream.h \
	%D%/resource_event.c %D%/resource_event.h \
	%D%/sent_statuses.c %D%/sent_statuses.h \
	%D%/state_subscriptions.c %D%/state_subscriptions.h \
	%D%/subscription.c %D%/subscription.h \
	%D%/sunfish_destination.c %D%/sunfish_destination.h \
	%D%/task_event.c %D%/task_event.h

EVENTING_LINK = libredfish_eventing.a libredfish_otlp.a libredfish_sunfish.a libpush.a libotlp.a $(REDFISH_CORE_LINK)
