# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The trace ring: records of captured and generated pages. The event store.
events_suites = \
	check_captured_rings \
	check_cper \
	check_event_advice \
	check_event_answers \
	check_event_fill \
	check_event_words \
	check_formats \
	check_found \
	check_history \
	check_incident_index \
	check_incident_logs \
	check_incidents \
	check_instance \
	check_machine_events \
	check_missing_witness \
	check_report \
	check_ring \
	check_state \
	check_store \
	check_store_columns \
	check_store_counts \
	check_store_crash \
	check_store_damage \
	check_store_files \
	check_store_kill \
	check_store_poison \
	check_store_read \
	check_store_rings \
	check_store_trim \
	check_store_writer \
	check_trace_answer \
	check_trace_details \
	check_trace_text
TESTS += $(events_suites)
CLEANFILES += $(events_suites)
check_PROGRAMS += suites_events
suites_events_SOURCES = \
	%D%/check_captured_rings.c \
	%D%/check_cper.c \
	%D%/check_event_advice.c \
	%D%/check_event_answers.c \
	%D%/check_event_fill.c \
	%D%/check_event_words.c \
	%D%/check_formats.c \
	%D%/check_found.c \
	%D%/check_history.c \
	%D%/check_incident_index.c \
	%D%/check_incident_logs.c \
	%D%/check_incidents.c \
	%D%/check_instance.c \
	%D%/check_machine_events.c \
	%D%/check_missing_witness.c \
	%D%/check_report.c \
	%D%/check_ring.c \
	%D%/check_state.c \
	%D%/check_store.c \
	%D%/check_store_columns.c \
	%D%/check_store_counts.c \
	%D%/check_store_crash.c \
	%D%/check_store_damage.c \
	%D%/check_store_files.c \
	%D%/check_store_kill.c \
	%D%/check_store_poison.c \
	%D%/check_store_read.c \
	%D%/check_store_rings.c \
	%D%/check_store_trim.c \
	%D%/check_store_writer.c \
	%D%/check_trace_answer.c \
	%D%/check_trace_details.c \
	%D%/check_trace_text.c
suites_events_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=statvfs -Wl,--wrap=clock_monotonic_ms \
	-Wl,--wrap=clock_realtime_ns -Wl,--wrap=clock_boottime_ms
suites_events_LDADD = libtests.a $(CAPTURE_LINK) $(REDFISH_LINK) $(CHECK_LIBS)
$(events_suites): suites_events$(EXEEXT)
	$(link_suite)

check_PROGRAMS += make_ring
make_ring_SOURCES = %D%/make_ring.c
make_ring_LDADD = libtests.a $(CAPTURE_LINK) $(EVENTS_LINK) $(CHECK_LIBS)

check_PROGRAMS += dump_events
dump_events_SOURCES = %D%/dump_events.c
dump_events_LDADD = $(EVENTS_LINK)

# A store with events of all types, for the scripts.
check_PROGRAMS += make_log
make_log_SOURCES = %D%/make_log.c
make_log_LDADD = libtests.a $(EVENTS_LINK) $(CHECK_LIBS)
