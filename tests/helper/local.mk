# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The helper: as functions, and as a program beside the daemon.
helper_checks = \
	check_helper_changes \
	check_helper_host \
	check_helper_server \
	check_helper_switches
if HAVE_CHECK
check_PROGRAMS += $(helper_checks)
TESTS += $(helper_checks)
endif

check_helper_changes_CFLAGS = $(suite_cflags)
check_helper_changes_SOURCES = %D%/check_helper_changes.c
check_helper_changes_LDADD = $(HELPER_LINK) $(CHECK_LIBS)

check_helper_host_CFLAGS = $(suite_cflags)
check_helper_host_SOURCES = %D%/check_helper_host.c $(sysfs_util)
check_helper_host_LDADD = $(HELPER_LINK) $(CAPTURE_LINK) $(CHECK_LIBS)

check_helper_server_CFLAGS = $(suite_cflags)
check_helper_server_SOURCES = %D%/check_helper_server.c $(capture_util)
check_helper_server_LDADD = $(HELPER_LINK) $(CAPTURE_LINK) $(CHECK_LIBS)

check_helper_switches_CFLAGS = $(suite_cflags)
check_helper_switches_SOURCES = %D%/check_helper_switches.c $(capture_util) $(switch_model)
check_helper_switches_LDADD = $(HELPER_LINK) $(CAPTURE_LINK) $(CHECK_LIBS)

TESTS += %D%/helper.sh
EXTRA_DIST += %D%/helper.sh %D%/helper.py
