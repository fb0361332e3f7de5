# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Changes of the host.
change_suites = \
	check_change_lock \
	check_device_mailbox \
	check_device_state \
	check_firmware_loader \
	check_key_store \
	check_memory_state \
	check_raw_commands \
	check_repair \
	check_scan_media \
	check_scrub \
	check_security \
	check_timed_write
TESTS += $(change_suites)
CLEANFILES += $(change_suites)
check_PROGRAMS += suites_change
suites_change_SOURCES = \
	%D%/check_change_lock.c \
	%D%/check_device_mailbox.c \
	%D%/check_device_state.c \
	%D%/check_firmware_loader.c \
	%D%/check_key_store.c \
	%D%/check_memory_state.c \
	%D%/check_raw_commands.c \
	%D%/check_repair.c \
	%D%/check_scan_media.c \
	%D%/check_scrub.c \
	%D%/check_security.c \
	%D%/check_timed_write.c \
	%D%/devices_util.c \
	%D%/devices_util.h \
	%D%/fake_attributes.c \
	%D%/fake_attributes.h \
	%D%/fake_keys.c \
	%D%/fake_keys.h \
	%D%/slept_time.c \
	%D%/slept_time.h \
	$(fake_mailbox)
suites_change_LDADD = libtests.a $(CHANGE_LINK) $(CAPTURE_LINK) $(CHECK_LIBS)
# To let devices answer, hours pass, and the process be killed at each step; to have keys in any container.
suites_change_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=open -Wl,--wrap=openat -Wl,--wrap=write \
	-Wl,--wrap=nanosleep -Wl,--wrap=clock_monotonic_ms -Wl,--wrap=add_key -Wl,--wrap=keyctl_read \
	-Wl,--wrap=keyctl_invalidate -Wl,--wrap=fsync -Wl,--wrap=renameat -Wl,--wrap=unlinkat
$(change_suites): suites_change$(EXEEXT)
	$(link_suite)

# With a libcxl of its own.
region_change_suites = \
	check_region_change
TESTS += $(region_change_suites)
CLEANFILES += $(region_change_suites)
check_PROGRAMS += suites_region_change
suites_region_change_SOURCES = \
	%D%/check_region_change.c \
	%D%/fake_attributes.c \
	%D%/fake_attributes.h \
	%D%/fake_libcxl.c \
	%D%/fake_libcxl.h
suites_region_change_LDADD = libtests.a $(CHANGE_LINK) $(CAPTURE_LINK) $(CHECK_LIBS)
suites_region_change_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=open -Wl,--wrap=openat -Wl,--wrap=write
$(region_change_suites): suites_region_change$(EXEEXT)
	$(link_suite)

# The program by which the virtual machine has changes made.
EXTRA_PROGRAMS += run_change
CLEANFILES += run_change
run_change_SOURCES = %D%/run_change.c
run_change_LDADD = $(CHANGE_LINK)
