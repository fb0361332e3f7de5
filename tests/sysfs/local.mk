# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The snapshot of a host and the monitor of its changes.
sysfs_suites = \
	check_acpi_dump \
	check_dmi \
	check_edac \
	check_kernel_log \
	check_libcxl \
	check_machine \
	check_memory_use \
	check_monitor \
	check_pci_config \
	check_stable_id \
	check_sysfs \
	check_sysfs_attributes \
	check_sysfs_hostile \
	check_sysfs_peer
TESTS += $(sysfs_suites)
CLEANFILES += $(sysfs_suites)
check_PROGRAMS += suites_sysfs
suites_sysfs_SOURCES = \
	%D%/check_acpi_dump.c \
	%D%/check_dmi.c \
	%D%/check_edac.c \
	%D%/check_kernel_log.c \
	%D%/check_libcxl.c \
	%D%/check_machine.c \
	%D%/check_memory_use.c \
	%D%/check_monitor.c \
	%D%/check_pci_config.c \
	%D%/check_stable_id.c \
	%D%/check_sysfs.c \
	%D%/check_sysfs_attributes.c \
	%D%/check_sysfs_hostile.c \
	%D%/check_sysfs_peer.c
suites_sysfs_LDADD = libtests.a $(CAPTURE_LINK) $(ZLIB_LIBS) $(LIBCXL_LIBS) $(LIBSYSTEMD_LIBS) $(JANSSON_LIBS) $(CHECK_LIBS)
suites_sysfs_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=sd_event_now -Wl,--wrap=sd_event_source_set_time \
	-Wl,--wrap=clock_monotonic_ms
$(sysfs_suites): suites_sysfs$(EXEEXT)
	$(link_suite)

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
