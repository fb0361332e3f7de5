# SPDX-License-Identifier: LGPL-2.1-or-later
if HAVE_CHECK
check_PROGRAMS += check_common
TESTS += check_common
endif
check_common_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
check_common_SOURCES = %D%/check_common.c
check_common_LDADD = libcommon.a $(CHECK_LIBS)
