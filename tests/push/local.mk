# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The daemon's side of cxl-redfish-push, with the real helper process.
push_checks = check_push_client
if HAVE_CHECK
check_PROGRAMS += $(push_checks)
TESTS += $(push_checks)
endif

check_push_client_CFLAGS = $(suite_cflags)
check_push_client_SOURCES = %D%/check_push_client.c
check_push_client_LDADD = $(PUSH_LINK) $(CHECK_LIBS)
EXTRA_check_push_client_DEPENDENCIES = cxl-redfish-push$(EXEEXT)
