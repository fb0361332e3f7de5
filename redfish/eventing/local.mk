# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libredfish_eventing.a
libredfish_eventing_a_SOURCES = \
	%D%/delivery.c %D%/delivery.h \
	%D%/delivery_filter.c %D%/delivery_filter.h \
	%D%/delivery_helper.c \
	%D%/delivery_metrics.c \
	%D%/delivery_otlp.c \
	%D%/delivery_post.c \
	%D%/delivery_private.h \
	%D%/destinations.c %D%/destinations.h \
	%D%/event_feed.c %D%/event_feed.h \
	%D%/event_message.c %D%/event_message.h \
	%D%/incident_message.c %D%/incident_message.h \
	%D%/event_service.c %D%/event_service.h \
	%D%/event_service_options.h \
	%D%/event_stream.c %D%/event_stream.h \
	%D%/otlp_record.c %D%/otlp_record.h \
	%D%/otlp_errors.c %D%/otlp_errors.h \
	%D%/otlp_export.c %D%/otlp_export.h \
	%D%/otlp_lane.c %D%/otlp_lane.h \
	%D%/otlp_queue.c %D%/otlp_queue.h \
	%D%/otlp_settings.c %D%/otlp_settings.h \
	%D%/otlp_status.h \
	%D%/post_parts.c %D%/post_parts.h \
	%D%/resource_event.c %D%/resource_event.h \
	%D%/told.c %D%/told.h \
	%D%/state_otlp.c %D%/state_otlp.h \
	%D%/state_subscriptions.c %D%/state_subscriptions.h \
	%D%/subscription.c %D%/subscription.h \
	%D%/task_event.c %D%/task_event.h


EVENTING_LINK = libredfish_eventing.a libpush.a libotlp.a $(REDFISH_CORE_LINK)
