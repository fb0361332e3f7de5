# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Requests to the helper, as a pure function, and what its client keeps.
opener_checks = check_kept_files check_opener_request
if HAVE_CHECK
check_PROGRAMS += $(opener_checks)
TESTS += $(opener_checks)
endif

check_kept_files_CFLAGS = $(suite_cflags)
check_kept_files_SOURCES = %D%/check_kept_files.c
check_kept_files_LDADD = $(OPENER_LINK) $(CHECK_LIBS)

check_opener_request_CFLAGS = $(suite_cflags)
check_opener_request_SOURCES = %D%/check_opener_request.c
check_opener_request_LDADD = $(OPENER_LINK) $(CHECK_LIBS)
