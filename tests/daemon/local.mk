# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The daemon's parts that can be tested alone, and what is installed with it.
daemon_suites = \
	check_boot_repairs \
	check_change_poller \
	check_device_poller \
	check_event_pipeline \
	check_found_keeper \
	check_incident_watcher \
	check_memory_use_poller \
	check_page_reports \
	check_prm_resolver \
	check_publisher \
	check_replayer \
	check_store_monitor \
	check_switch_poller \
	check_topology_walker \
	check_trace \
	check_unit_defaults
TESTS += $(daemon_suites)
CLEANFILES += $(daemon_suites)
check_PROGRAMS += suites_daemon
suites_daemon_SOURCES = \
	%D%/check_boot_repairs.c \
	%D%/check_change_poller.c \
	%D%/check_device_poller.c \
	%D%/check_event_pipeline.c \
	%D%/check_found_keeper.c \
	%D%/check_incident_watcher.c \
	%D%/check_memory_use_poller.c \
	%D%/check_page_reports.c \
	%D%/check_prm_resolver.c \
	%D%/check_publisher.c \
	%D%/check_replayer.c \
	%D%/check_store_monitor.c \
	%D%/check_switch_poller.c \
	%D%/check_topology_walker.c \
	%D%/check_trace.c \
	%D%/check_unit_defaults.c \
	%D%/read_hook.c \
	%D%/read_hook.h \
	$(fake_mailbox)
suites_daemon_LDADD = libtests.a $(DAEMON_LINK) $(CHECK_LIBS)
suites_daemon_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pthread_cond_timedwait \
	-Wl,--wrap=calloc -Wl,--wrap=read -Wl,--wrap=clock_monotonic_ms -Wl,--wrap=pthread_create \
	-Wl,--wrap=event_log_do
$(daemon_suites): suites_daemon$(EXEEXT)
	$(link_suite)

TESTS += %D%/events_trace.sh %D%/install.sh
EXTRA_DIST += %D%/events_trace.sh %D%/install.sh
