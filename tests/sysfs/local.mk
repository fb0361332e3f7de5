# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The snapshot of a host and the monitor of its changes.
sysfs_checks = check_acpi_dump check_memory_use check_monitor check_pci_config check_sysfs check_sysfs_attributes \
	check_sysfs_hostile \
	check_sysfs_peer
if HAVE_CHECK
check_PROGRAMS += $(sysfs_checks)
TESTS += $(sysfs_checks)
endif

check_acpi_dump_CFLAGS = $(suite_cflags)
check_acpi_dump_SOURCES = %D%/check_acpi_dump.c $(capture_util)
check_acpi_dump_LDADD = $(CAPTURE_LINK) $(CHECK_LIBS)

check_memory_use_CFLAGS = $(suite_cflags)
check_memory_use_SOURCES = %D%/check_memory_use.c $(capture_util)
check_memory_use_LDADD = $(CAPTURE_LINK) $(CHECK_LIBS)

check_monitor_CFLAGS = $(suite_cflags)
check_monitor_SOURCES = %D%/check_monitor.c
check_monitor_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=sd_event_now -Wl,--wrap=sd_event_source_set_time
check_monitor_LDADD = $(SYSFS_LINK) $(LIBSYSTEMD_LIBS) $(CHECK_LIBS)

check_pci_config_CFLAGS = $(suite_cflags)
check_pci_config_SOURCES = %D%/check_pci_config.c $(sysfs_util)
check_pci_config_LDADD = $(CAPTURE_LINK) $(CHECK_LIBS)

check_sysfs_CFLAGS = $(suite_cflags)
check_sysfs_SOURCES = %D%/check_sysfs.c $(capture_util)
check_sysfs_LDADD = $(CAPTURE_LINK) $(CHECK_LIBS)

check_sysfs_attributes_CFLAGS = $(suite_cflags)
check_sysfs_attributes_SOURCES = %D%/check_sysfs_attributes.c $(sysfs_util)
check_sysfs_attributes_LDADD = $(CAPTURE_LINK) $(CHECK_LIBS)

check_sysfs_hostile_CFLAGS = $(suite_cflags)
check_sysfs_hostile_SOURCES = %D%/check_sysfs_hostile.c $(sysfs_util)
check_sysfs_hostile_LDADD = $(CAPTURE_LINK) $(CHECK_LIBS)

check_sysfs_peer_CFLAGS = $(suite_cflags)
check_sysfs_peer_SOURCES = %D%/check_sysfs_peer.c $(capture_util)
check_sysfs_peer_LDADD = $(CAPTURE_LINK) $(JANSSON_LIBS) $(CHECK_LIBS)

# Every field of the snapshot of each bundled host, compared with a reviewed text.
check_PROGRAMS += dump_host
dump_host_SOURCES = %D%/dump_host.c
dump_host_LDADD = $(CAPTURE_LINK)
TESTS += %D%/sysfs_golden.sh
EXTRA_DIST += %D%/sysfs_golden.sh

update-golden: dump_host
	for name in $(host_names); do \
		./dump_host $(srcdir)/tests/hosts/$$name.tar.zst \
			>$(srcdir)/tests/hosts/$$name.golden || exit 1; \
	done
.PHONY: update-golden
