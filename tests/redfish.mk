# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Redfish: suites on hosts built in memory, and scripts that ask the real daemon.
redfish_checks = check_dsp0288 check_event_filters check_log_filter check_redfish check_redfish_actions check_redfish_devices \
	check_redfish_fabric check_redfish_firmware check_redfish_log check_redfish_memory check_redfish_parts \
	check_redfish_ports check_redfish_status
if HAVE_CHECK
check_PROGRAMS += $(redfish_checks)
TESTS += $(redfish_checks)
endif
redfish_fixture = %D%/redfish_fixture.c %D%/redfish_fixture.h $(model_host)
log_fixture = %D%/log_fixture.c %D%/log_fixture.h $(redfish_fixture) $(store_util)
fabric_fixture = %D%/fabric_fixture.c %D%/fabric_fixture.h $(redfish_fixture)
redfish_cflags = $(AM_CFLAGS) $(CHECK_CFLAGS) $(JANSSON_CFLAGS) $(LIBMICROHTTPD_CFLAGS)
redfish_ldadd = libredfish.a libevents.a libprm.a libsysfs.a libcommon.a $(REDFISH_LIBS) \
	$(EVENTS_LIBS) $(CHECK_LIBS)

check_dsp0288_CFLAGS = $(redfish_cflags)
check_dsp0288_SOURCES = %D%/check_dsp0288.c $(log_fixture)
check_dsp0288_LDADD = $(redfish_ldadd)

check_event_filters_CFLAGS = $(redfish_cflags)
check_event_filters_SOURCES = %D%/check_event_filters.c
check_event_filters_LDADD = $(redfish_ldadd)

check_log_filter_CFLAGS = $(redfish_cflags)
check_log_filter_SOURCES = %D%/check_log_filter.c $(redfish_fixture)
check_log_filter_LDADD = $(redfish_ldadd)

check_redfish_CFLAGS = $(redfish_cflags)
check_redfish_SOURCES = %D%/check_redfish.c $(redfish_fixture)
check_redfish_LDADD = $(redfish_ldadd)

check_redfish_actions_CFLAGS = $(redfish_cflags)
check_redfish_actions_SOURCES = %D%/check_redfish_actions.c $(redfish_fixture)
check_redfish_actions_LDADD = $(redfish_ldadd)

check_redfish_devices_CFLAGS = $(redfish_cflags)
check_redfish_devices_SOURCES = %D%/check_redfish_devices.c $(redfish_fixture)
check_redfish_devices_LDADD = $(redfish_ldadd)

check_redfish_fabric_CFLAGS = $(redfish_cflags)
check_redfish_fabric_SOURCES = %D%/check_redfish_fabric.c $(fabric_fixture)
check_redfish_fabric_LDADD = $(redfish_ldadd)

check_redfish_firmware_CFLAGS = $(redfish_cflags)
check_redfish_firmware_SOURCES = %D%/check_redfish_firmware.c $(fake_module) $(redfish_fixture)
check_redfish_firmware_LDADD = $(redfish_ldadd)

check_redfish_log_CFLAGS = $(redfish_cflags)
check_redfish_log_SOURCES = %D%/check_redfish_log.c $(log_fixture)
check_redfish_log_LDADD = $(redfish_ldadd)

check_redfish_memory_CFLAGS = $(redfish_cflags)
check_redfish_memory_SOURCES = %D%/check_redfish_memory.c $(redfish_fixture)
check_redfish_memory_LDADD = $(redfish_ldadd)

check_redfish_parts_CFLAGS = $(redfish_cflags)
check_redfish_parts_SOURCES = %D%/check_redfish_parts.c $(redfish_fixture)
check_redfish_parts_LDADD = $(redfish_ldadd)

check_redfish_ports_CFLAGS = $(redfish_cflags)
check_redfish_ports_SOURCES = %D%/check_redfish_ports.c $(fabric_fixture)
check_redfish_ports_LDADD = $(redfish_ldadd)

check_redfish_status_CFLAGS = $(redfish_cflags)
check_redfish_status_SOURCES = %D%/check_redfish_status.c $(redfish_fixture)
check_redfish_status_LDADD = $(redfish_ldadd)

# The daemon's parts that can be tested alone.
if HAVE_CHECK
check_PROGRAMS += check_reader check_topology
TESTS += check_reader check_topology
endif
check_reader_CFLAGS = $(redfish_cflags) $(LIBSYSTEMD_CFLAGS) -DSRCDIR='"$(abs_top_srcdir)"'
check_reader_SOURCES = %D%/check_reader.c $(fake_mailbox) $(sysfs_util) \
	daemon/reader.c daemon/reader.h daemon/reasons.c daemon/reasons.h \
	daemon/worker.c daemon/worker.h
check_reader_LDADD = libredfish.a libevents.a libprm.a libsysfs.a libcommon.a $(REDFISH_LIBS) \
	$(CHECK_LIBS) $(EVENTS_LIBS) $(PRM_LIBS) $(SYSFS_LIBS) $(LIBSYSTEMD_LIBS)

check_topology_CFLAGS = $(check_reader_CFLAGS)
check_topology_SOURCES = %D%/check_topology.c $(fake_module) $(sysfs_util) \
	daemon/reader.c daemon/reader.h daemon/reasons.c daemon/reasons.h \
	daemon/topology.c daemon/topology.h daemon/worker.c daemon/worker.h
check_topology_LDADD = $(check_reader_LDADD)
# To see what was said before a view is put in.
check_topology_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=service_set_view

# Every resource of each bundled host, against a text that people have looked at.
check_PROGRAMS += dump_redfish
dump_redfish_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
dump_redfish_SOURCES = %D%/dump_redfish.c
dump_redfish_LDADD = libredfish.a libevents.a libprm.a libsysfs.a libcommon.a $(REDFISH_LIBS) \
	$(EVENTS_LIBS) $(PRM_LIBS) $(SYSFS_LIBS)
TESTS += %D%/json_schemas.sh %D%/redfish_golden.sh
EXTRA_DIST += %D%/json_schemas.sh %D%/redfish_golden.sh $(host_names:%=%D%/hosts/%.redfish)

update-golden-redfish: dump_redfish
	for name in $(host_names); do \
		./dump_redfish $(srcdir)/%D%/hosts/$$name.tar.zst \
			>$(srcdir)/%D%/hosts/$$name.redfish || exit 1; \
	done
update-golden: update-golden-redfish
.PHONY: update-golden-redfish

# A store with events of all types, for the scripts.
check_PROGRAMS += make_log
make_log_SOURCES = %D%/make_log.c $(store_util)
make_log_LDADD = libevents.a libprm.a libcommon.a $(EVENTS_LIBS) $(PRM_LIBS)

redfish_scripts = \
	%D%/http/devices.sh \
	%D%/http/event_push.sh \
	%D%/http/event_service.sh \
	%D%/http/event_streams.sh \
	%D%/http/events.sh \
	%D%/http/hostile.sh \
	%D%/http/log.sh \
	%D%/http/login.sh \
	%D%/http/metrics.sh \
	%D%/http/protocol.sh \
	%D%/http/references.sh \
	%D%/http/schemas.sh \
	%D%/http/start.sh \
	%D%/http/stop.sh \
	%D%/http/storm.sh \
	%D%/http/translate.sh \
	%D%/http/watchdog.sh
TESTS += $(redfish_scripts)
EXTRA_DIST += $(redfish_scripts) %D%/http/event_peers.py %D%/http/event_push.py \
	%D%/http/event_streams.py %D%/http/functions %D%/http/odd_fabric.py %D%/http/odd_hosts \
	%D%/csdl.py %D%/make-mailbox-host %D%/openmetrics.py %D%/redfish_client.py %D%/validate_events.py %D%/validate_redfish.py %D%/walk_redfish.py

# docs/mapping.md is printed from the table of the rows of DSP0288.
check_PROGRAMS += print_mapping
print_mapping_SOURCES = %D%/print_mapping.c
print_mapping_LDADD = libredfish.a libcommon.a
TESTS += %D%/mapping.sh
EXTRA_DIST += %D%/mapping.sh

update-mapping: print_mapping
	./print_mapping >$(srcdir)/docs/mapping.md
update-golden: update-mapping
.PHONY: update-mapping
