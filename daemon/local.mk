# SPDX-License-Identifier: LGPL-2.1-or-later
#
# A library of all but main(), so that the tests can call its functions.
noinst_LIBRARIES += libdaemon.a
libdaemon_a_SOURCES = \
	%D%/boot_repairs.c %D%/boot_repairs.h \
	%D%/change_poller.c %D%/change_poller.h \
	%D%/collector.c %D%/collector.h \
	%D%/config.c %D%/config.h \
	%D%/device_poller.c %D%/device_poller.h \
	%D%/event_stats.c %D%/event_stats.h \
	%D%/events.c %D%/events.h \
	%D%/fault_handler.c %D%/fault_handler.h \
	%D%/found_keeper.c %D%/found_keeper.h \
	%D%/helper_link.c %D%/helper_link.h \
	%D%/history_recorder.c %D%/history_recorder.h \
	%D%/helper_start.c %D%/helper_start.h \
	%D%/incident_use.c %D%/incident_use.h \
	%D%/incident_watcher.c %D%/incident_watcher.h \
	%D%/log_dedup.c %D%/log_dedup.h \
	%D%/page_batch.c %D%/page_batch.h \
	%D%/page_reports.c %D%/page_reports.h \
	%D%/page_policy.c %D%/page_policy.h \
	%D%/page_restorer.c %D%/page_restorer.h \
	%D%/page_rule.c %D%/page_rule.h \
	%D%/interface_poller.c %D%/interface_poller.h \
	%D%/memory_use_poller.c %D%/memory_use_poller.h \
	%D%/metrics.c %D%/metrics.h \
	%D%/metrics_devices.c \
	%D%/metrics_hw.c \
	%D%/metrics_log.c \
	%D%/metrics_output.c %D%/metrics_output.h \
	%D%/metrics_otlp.c \
	%D%/metrics_pages.c \
	%D%/metrics_regions.c \
	%D%/metrics_scrape.c %D%/metrics_scrape.h \
	%D%/metrics_sunfish.c \
	%D%/metrics_service.c \
	%D%/poller.c %D%/poller.h \
	%D%/prm_resolver.c %D%/prm_resolver.h \
	%D%/publisher.c %D%/publisher.h \
	%D%/repaired_incidents.c %D%/repaired_incidents.h \
	%D%/reload.c %D%/reload.h \
	%D%/replayer.c %D%/replayer.h \
	%D%/servers.c %D%/servers.h \
	%D%/state_directory.c %D%/state_directory.h \
	%D%/store_monitor.c %D%/store_monitor.h \
	%D%/switch_poller.c %D%/switch_poller.h \
	%D%/topology_walker.c %D%/topology_walker.h \
	%D%/trace.c %D%/trace.h \
	%D%/unit_defaults.c %D%/unit_defaults.h \
	%D%/unit_sockets.c %D%/unit_sockets.h \
	%D%/view_listeners.c %D%/view_listeners.h

DAEMON_LINK = libdaemon.a $(PAGE_LINK) $(COLLECT_LINK) $(CAPTURE_LINK) $(REDFISH_LINK) $(LIBSYSTEMD_LIBS)

sbin_PROGRAMS += cxl-redfishd
cxl_redfishd_SOURCES = %D%/main.c %D%/daemon.h %D%/daemon_events.c %D%/daemon_faults.c %D%/daemon_helpers.c %D%/daemon_reload.c
cxl_redfishd_CPPFLAGS = $(AM_CPPFLAGS) -DPKGLIBEXECDIR='"$(pkglibexecdir)"'
cxl_redfishd_LDADD = $(DAEMON_LINK)

# The unit's ExecReload=.
pkglibexec_PROGRAMS += cxl-redfish-reload
cxl_redfish_reload_SOURCES = %D%/reload_main.c %D%/reload.h
cxl_redfish_reload_LDADD = $(COMMON_LINK)

# Once at boot.
pkglibexec_PROGRAMS += cxl-redfish-repair
cxl_redfish_repair_SOURCES = %D%/repair_main.c
cxl_redfish_repair_LDADD = $(DAEMON_LINK)

# Files for systemd and udev.
EXTRA_DIST += %D%/cxl-redfishd.service.in %D%/cxl-redfish-repair.service.in
CLEANFILES += %D%/cxl-redfishd.service %D%/cxl-redfish-repair.service
nodist_systemdsystemunit_DATA += %D%/cxl-redfishd.service %D%/cxl-redfish-repair.service
dist_systemdsystemunit_DATA += %D%/cxl-redfishd-ipv4.socket %D%/cxl-redfishd-ipv6.socket %D%/cxl-redfishd-port.target
dist_sysusers_DATA = %D%/sysusers.d/cxl-redfish.conf
dist_udevrules_DATA = %D%/udev/70-cxl-redfish.rules
dist_doc_DATA += %D%/cxl-redfishd.conf
# Run as root before the daemon.
dist_pkglibexec_SCRIPTS = %D%/cxl-redfish-trace

# These directories are known to make, not to configure: they may be given to make, and refer to other variables.
%D%/cxl-redfishd.service: $(srcdir)/%D%/cxl-redfishd.service.in Makefile
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	$(SED) -e 's|@sbindir[@]|$(sbindir)|g' -e 's|@pkglibexecdir[@]|$(pkglibexecdir)|g' \
		$(srcdir)/%D%/cxl-redfishd.service.in >$@.tmp && \
	mv $@.tmp $@

%D%/cxl-redfish-repair.service: $(srcdir)/%D%/cxl-redfish-repair.service.in Makefile
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	$(SED) -e 's|@pkglibexecdir[@]|$(pkglibexecdir)|g' \
		$(srcdir)/%D%/cxl-redfish-repair.service.in >$@.tmp && \
	mv $@.tmp $@
