# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The daemon's side of cxl-redfish-collect, with the real process and, in this one, a helper.
collect_checks = check_collect
if HAVE_CHECK
check_PROGRAMS += $(collect_checks)
TESTS += $(collect_checks)
endif

check_collect_CFLAGS = $(suite_cflags)
check_collect_SOURCES = %D%/check_collect.c $(capture_util)
check_collect_LDADD = $(COLLECT_LINK) $(HELPER_LINK) $(CAPTURE_LINK) $(LIBARCHIVE_LIBS) $(CHECK_LIBS)
check_collect_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pidfd_send_signal
EXTRA_check_collect_DEPENDENCIES = cxl-redfish-collect$(EXEEXT)
