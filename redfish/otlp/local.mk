# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The export of events and metrics to an OpenTelemetry collector.
noinst_LIBRARIES += libredfish_otlp.a
libredfish_otlp_a_SOURCES = \
	%D%/otlp_errors.c %D%/otlp_errors.h \
	%D%/otlp_export.c %D%/otlp_export.h \
	%D%/otlp_lane.c %D%/otlp_lane.h \
	%D%/otlp_queue.c %D%/otlp_queue.h \
	%D%/otlp_record.c %D%/otlp_record.h \
	%D%/otlp_settings.c %D%/otlp_settings.h \
	%D%/otlp_status.h \
	%D%/state_otlp.c %D%/state_otlp.h
