# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The daemon's parts that can be tested alone, and what is installed with it.
daemon_checks = check_change_poller check_device_poller check_event_pipeline \
	check_memory_use_poller check_prm_resolver check_publisher \
	check_replayer check_store_monitor check_switch_poller check_topology_walker check_trace \
	check_unit_defaults
if HAVE_CHECK
check_PROGRAMS += $(daemon_checks)
TESTS += $(daemon_checks)
endif

check_change_poller_CFLAGS = $(suite_cflags)
check_change_poller_SOURCES = %D%/check_change_poller.c $(empty_host)
check_change_poller_LDADD = $(DAEMON_LINK) $(CHECK_LIBS)

check_prm_resolver_CFLAGS = $(suite_cflags)
check_prm_resolver_SOURCES = %D%/check_prm_resolver.c $(fake_module) $(model_usual)
check_prm_resolver_LDADD = $(DAEMON_LINK) $(CHECK_LIBS)

check_device_poller_CFLAGS = $(suite_cflags)
check_device_poller_SOURCES = %D%/check_device_poller.c $(fake_mailbox) $(sysfs_util)
check_device_poller_LDADD = $(DAEMON_LINK) $(CHECK_LIBS)

check_memory_use_poller_CFLAGS = $(suite_cflags)
check_memory_use_poller_SOURCES = %D%/check_memory_use_poller.c $(empty_host)
check_memory_use_poller_LDADD = $(DAEMON_LINK) $(CHECK_LIBS)
# The suite gives the data that is read.
check_memory_use_poller_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=memory_use_read -Wl,--wrap=memory_use_ref \
	-Wl,--wrap=memory_use_unref

check_publisher_CFLAGS = $(suite_cflags)
check_publisher_SOURCES = %D%/check_publisher.c $(empty_host)
check_publisher_LDADD = $(DAEMON_LINK) $(CHECK_LIBS)
# To let the composition of a view fail.
check_publisher_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=view_new

check_event_pipeline_CFLAGS = $(suite_cflags)
check_event_pipeline_SOURCES = %D%/check_event_pipeline.c $(empty_host)
check_event_pipeline_LDADD = $(DAEMON_LINK) $(CHECK_LIBS)
# To count, and to let a mapping fail.
check_event_pipeline_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=event_mapping_new -Wl,--wrap=trace_check

check_store_monitor_CFLAGS = $(suite_cflags)
check_store_monitor_SOURCES = %D%/check_store_monitor.c $(empty_host) $(store_fixture)
check_store_monitor_LDADD = $(DAEMON_LINK) $(CHECK_LIBS)

check_switch_poller_CFLAGS = $(suite_cflags)
check_switch_poller_SOURCES = %D%/check_switch_poller.c $(empty_host) $(switch_model)
check_switch_poller_LDADD = $(DAEMON_LINK) $(CHECK_LIBS)
# The switches of the machine are a model.
check_switch_poller_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=switch_access_list -Wl,--wrap=switch_access_open \
	-Wl,--wrap=worker_wait

check_replayer_CFLAGS = $(suite_cflags)
check_replayer_SOURCES = %D%/check_replayer.c $(events_util)
check_replayer_LDADD = $(DAEMON_LINK) $(CHECK_LIBS)

check_topology_walker_CFLAGS = $(suite_cflags)
check_topology_walker_SOURCES = %D%/check_topology_walker.c $(fake_module) $(sysfs_util)
check_topology_walker_LDADD = $(DAEMON_LINK) $(CHECK_LIBS)
# To let a walk or the swap of a view fail.
check_topology_walker_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=view_holder_set -Wl,--wrap=host_read

check_unit_defaults_CFLAGS = $(suite_cflags)
check_unit_defaults_SOURCES = %D%/check_unit_defaults.c $(capture_util)
check_unit_defaults_LDADD = $(DAEMON_LINK) $(CHECK_LIBS)

check_trace_CFLAGS = $(suite_cflags)
check_trace_SOURCES = %D%/check_trace.c $(events_util)
check_trace_LDADD = $(DAEMON_LINK) $(CHECK_LIBS)

TESTS += %D%/events_trace.sh %D%/install.sh
EXTRA_DIST += %D%/events_trace.sh %D%/install.sh
