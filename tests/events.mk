# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The trace ring: records of captured and made-up pages.
events_checks = check_events_pages check_events_formats check_events_hosts check_events_instance \
	check_event_fill check_event_hosts check_asker check_replayer check_trace
if HAVE_CHECK
check_PROGRAMS += $(events_checks)
TESTS += $(events_checks)
endif
events_util = %D%/events_util.c %D%/events_util.h $(capture_util)
events_ldadd = libevents.a $(capture_ldadd) $(EVENTS_LIBS)

check_events_pages_CFLAGS = $(capture_cflags)
check_events_pages_SOURCES = %D%/check_events_pages.c $(events_util)
check_events_pages_LDADD = $(events_ldadd)

check_events_formats_CFLAGS = $(capture_cflags)
check_events_formats_SOURCES = %D%/check_events_formats.c $(events_util)
check_events_formats_LDADD = $(events_ldadd)

check_events_hosts_CFLAGS = $(capture_cflags) $(JANSSON_CFLAGS)
check_events_hosts_SOURCES = %D%/check_events_hosts.c $(events_util)
check_events_hosts_LDADD = $(events_ldadd) $(JANSSON_LIBS)

check_events_instance_CFLAGS = $(capture_cflags)
check_events_instance_SOURCES = %D%/check_events_instance.c $(events_util)
check_events_instance_LDADD = $(events_ldadd)

# Built in memory, see prm.mk.
check_event_fill_CFLAGS = $(prm_cflags)
check_event_fill_SOURCES = %D%/check_event_fill.c $(fake_module) $(model_usual)
check_event_fill_LDADD = libevents.a libprm.a libsysfs.a libcommon.a $(EVENTS_LIBS) $(PRM_LIBS) \
	$(CHECK_LIBS)

check_event_hosts_CFLAGS = $(capture_cflags)
check_event_hosts_SOURCES = %D%/check_event_hosts.c $(events_util)
check_event_hosts_LDADD = libevents.a libprm.a $(capture_ldadd) $(EVENTS_LIBS) $(PRM_LIBS)

# The daemon's parts that can be tested alone.
check_asker_CFLAGS = $(prm_cflags)
check_asker_SOURCES = %D%/check_asker.c $(fake_module) $(model_usual) \
	daemon/asker.c daemon/asker.h daemon/worker.c daemon/worker.h
check_asker_LDADD = libevents.a libprm.a libsysfs.a libcommon.a $(EVENTS_LIBS) $(PRM_LIBS) \
	$(CHECK_LIBS)

check_replayer_CFLAGS = $(capture_cflags)
check_replayer_SOURCES = %D%/check_replayer.c $(events_util) daemon/replayer.c daemon/replayer.h \
	daemon/worker.c daemon/worker.h
check_replayer_LDADD = libevents.a libprm.a $(capture_ldadd) $(EVENTS_LIBS) $(PRM_LIBS)

check_trace_CFLAGS = $(capture_cflags) $(LIBSYSTEMD_CFLAGS)
check_trace_SOURCES = %D%/check_trace.c $(events_util) daemon/trace.c daemon/trace.h
check_trace_LDADD = $(events_ldadd) $(LIBSYSTEMD_LIBS)

if HAVE_CHECK
check_PROGRAMS += make_ring
endif
make_ring_CFLAGS = $(capture_cflags)
make_ring_SOURCES = %D%/make_ring.c $(events_util)
make_ring_LDADD = $(events_ldadd)

check_PROGRAMS += dump_events
dump_events_SOURCES = %D%/dump_events.c
dump_events_LDADD = libevents.a libcommon.a $(EVENTS_LIBS)

TESTS += %D%/events_trace.sh
EXTRA_DIST += %D%/events_trace.sh
