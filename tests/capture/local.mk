# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Captured hosts: reading invalid ones, entering them, writing them.
capture_checks = check_capture check_capture_write check_host_root
if HAVE_CHECK
check_PROGRAMS += $(capture_checks)
TESTS += $(capture_checks)
endif

check_capture_CFLAGS = $(suite_cflags)
check_capture_SOURCES = %D%/check_capture.c $(capture_util)
check_capture_LDADD = $(CAPTURE_LINK) $(CHECK_LIBS)

check_capture_write_CFLAGS = $(suite_cflags)
check_capture_write_SOURCES = %D%/check_capture_write.c $(capture_util) $(switch_model)
check_capture_write_LDADD = $(CAPTURE_LINK) $(LIBARCHIVE_LIBS) $(CHECK_LIBS)
# The switches and, in a test, the devices of the machine are models.
check_capture_write_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=switch_access_list -Wl,--wrap=switch_access_open \
	-Wl,--wrap=mailbox_client_new

check_host_root_CFLAGS = $(suite_cflags)
check_host_root_SOURCES = %D%/check_host_root.c $(capture_util)
check_host_root_LDADD = $(CAPTURE_LINK) $(CHECK_LIBS)
