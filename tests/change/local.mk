# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Changes of the host.
change_checks = check_change_lock check_firmware_loader check_region_change check_timed_write
if HAVE_CHECK
check_PROGRAMS += $(change_checks)
TESTS += $(change_checks)
endif

check_timed_write_CFLAGS = $(suite_cflags)
check_timed_write_SOURCES = %D%/check_timed_write.c
check_timed_write_LDADD = $(CHANGE_LINK) $(CHECK_LIBS)
check_change_lock_CFLAGS = $(suite_cflags)
check_change_lock_SOURCES = %D%/check_change_lock.c
check_change_lock_LDADD = $(CHANGE_LINK) $(CHECK_LIBS)

check_firmware_loader_CFLAGS = $(suite_cflags)
check_firmware_loader_SOURCES = %D%/check_firmware_loader.c
check_firmware_loader_LDADD = $(CHANGE_LINK) $(CHECK_LIBS)

check_region_change_CFLAGS = $(suite_cflags) $(LIBCXL_CFLAGS)
check_region_change_SOURCES = %D%/check_region_change.c %D%/fake_libcxl.c %D%/fake_libcxl.h \
	tests/model/region_plan_fixture.h $(model_host)
check_region_change_LDADD = $(CHANGE_LINK) $(CHECK_LIBS)
check_region_change_LDFLAGS = -Wl,--wrap=change_write -Wl,--wrap=host_root_read

include %D%/devices.mk

include %D%/memory.mk
