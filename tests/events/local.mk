# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The trace ring: records of captured and generated pages. The event store.
events_checks = check_captured_rings check_event_answers check_event_fill check_formats \
	check_instance check_machine_events check_ring check_state check_store check_store_columns check_store_crash \
	check_store_counts check_store_damage check_store_files check_store_kill check_store_poison check_store_read \
	check_store_trim check_store_writer check_trace_text \
	check_event_words
if HAVE_CHECK
check_PROGRAMS += $(events_checks)
TESTS += $(events_checks)
endif

check_captured_rings_CFLAGS = $(suite_cflags)
check_captured_rings_SOURCES = %D%/check_captured_rings.c $(events_util)
check_captured_rings_LDADD = $(CAPTURE_LINK) $(EVENTS_LINK) $(JANSSON_LIBS) $(CHECK_LIBS)

check_event_answers_CFLAGS = $(suite_cflags)
check_event_answers_SOURCES = %D%/check_event_answers.c $(events_util)
check_event_answers_LDADD = $(CAPTURE_LINK) $(EVENTS_LINK) $(CHECK_LIBS)

check_event_fill_CFLAGS = $(suite_cflags)
check_event_fill_SOURCES = %D%/check_event_fill.c $(fake_module) $(model_usual)
check_event_fill_LDADD = $(EVENTS_LINK) $(CHECK_LIBS)

check_event_words_CFLAGS = $(suite_cflags)
check_event_words_SOURCES = %D%/check_event_words.c
check_event_words_LDADD = $(EVENTS_LINK) $(CHECK_LIBS)

check_trace_text_CFLAGS = $(suite_cflags)
check_trace_text_SOURCES = %D%/check_trace_text.c
check_trace_text_LDADD = $(EVENTS_LINK) $(CHECK_LIBS)

check_formats_CFLAGS = $(suite_cflags)
check_formats_SOURCES = %D%/check_formats.c $(events_util)
check_formats_LDADD = $(CAPTURE_LINK) $(EVENTS_LINK) $(CHECK_LIBS)

check_machine_events_CFLAGS = $(suite_cflags)
check_machine_events_SOURCES = %D%/check_machine_events.c $(machine) $(model_host)
check_machine_events_LDADD = $(EVENTS_LINK) $(CHECK_LIBS)

check_instance_CFLAGS = $(suite_cflags)
check_instance_SOURCES = %D%/check_instance.c $(events_util)
check_instance_LDADD = $(CAPTURE_LINK) $(EVENTS_LINK) $(CHECK_LIBS)

check_ring_CFLAGS = $(suite_cflags)
check_ring_SOURCES = %D%/check_ring.c $(events_util)
check_ring_LDADD = $(CAPTURE_LINK) $(EVENTS_LINK) $(CHECK_LIBS)

check_state_CFLAGS = $(suite_cflags)
check_state_SOURCES = %D%/check_state.c $(store_fixture)
check_state_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_store_CFLAGS = $(suite_cflags)
check_store_SOURCES = %D%/check_store.c $(store_fixture)
check_store_LDADD = $(EVENTS_LINK) $(CHECK_LIBS)

check_store_columns_CFLAGS = $(suite_cflags)
check_store_columns_SOURCES = %D%/check_store_columns.c $(store_util)
check_store_columns_LDADD = $(EVENTS_LINK) $(CHECK_LIBS)

check_store_crash_CFLAGS = $(suite_cflags)
check_store_crash_SOURCES = %D%/check_store_crash.c $(store_fixture)
check_store_crash_LDADD = $(EVENTS_LINK) $(CHECK_LIBS)

check_store_damage_CFLAGS = $(suite_cflags)
check_store_damage_SOURCES = %D%/check_store_damage.c $(store_fixture)
check_store_damage_LDADD = $(EVENTS_LINK) $(CHECK_LIBS)

check_store_files_CFLAGS = $(suite_cflags)
check_store_files_SOURCES = %D%/check_store_files.c $(store_fixture)
check_store_files_LDADD = $(EVENTS_LINK) $(CHECK_LIBS)

check_store_kill_CFLAGS = $(suite_cflags)
check_store_kill_SOURCES = %D%/check_store_kill.c $(store_fixture)
check_store_kill_LDADD = $(EVENTS_LINK) $(CHECK_LIBS)

check_store_poison_CFLAGS = $(suite_cflags)
check_store_poison_SOURCES = %D%/check_store_poison.c $(store_fixture)
check_store_poison_LDADD = $(EVENTS_LINK) $(CHECK_LIBS)

check_store_read_CFLAGS = $(suite_cflags)
check_store_read_SOURCES = %D%/check_store_read.c $(store_fixture)
check_store_read_LDADD = $(EVENTS_LINK) $(CHECK_LIBS)

check_store_counts_CFLAGS = $(suite_cflags)
check_store_counts_SOURCES = %D%/check_store_counts.c $(store_fixture)
check_store_counts_LDADD = $(EVENTS_LINK) $(CHECK_LIBS)

check_store_trim_CFLAGS = $(suite_cflags)
check_store_trim_SOURCES = %D%/check_store_trim.c $(store_fixture)
check_store_trim_LDADD = $(EVENTS_LINK) $(CHECK_LIBS)

check_store_writer_CFLAGS = $(suite_cflags)
check_store_writer_SOURCES = %D%/check_store_writer.c $(store_fixture)
check_store_writer_LDADD = $(EVENTS_LINK) $(CHECK_LIBS)

if HAVE_CHECK
check_PROGRAMS += make_ring
endif
make_ring_CFLAGS = $(suite_cflags)
make_ring_SOURCES = %D%/make_ring.c $(events_util)
make_ring_LDADD = $(CAPTURE_LINK) $(EVENTS_LINK) $(CHECK_LIBS)

check_PROGRAMS += dump_events
dump_events_SOURCES = %D%/dump_events.c
dump_events_LDADD = $(EVENTS_LINK)

# A store with events of all types, for the scripts.
check_PROGRAMS += make_log
make_log_SOURCES = %D%/make_log.c $(store_util)
make_log_LDADD = $(EVENTS_LINK)
