# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The store of events.
store_checks = check_store check_store_crash check_store_files check_store_kill \
	check_store_read check_store_trim check_store_writer
if HAVE_CHECK
check_PROGRAMS += $(store_checks)
TESTS += $(store_checks)
endif
store_util = %D%/store_util.c %D%/store_util.h
store_fixture = %D%/store_fixture.c %D%/store_fixture.h $(store_util)
store_cflags = $(AM_CFLAGS) $(CHECK_CFLAGS) $(SQLITE_CFLAGS)
store_ldadd = libevents.a libprm.a libcommon.a $(EVENTS_LIBS) $(PRM_LIBS) $(CHECK_LIBS)

check_store_CFLAGS = $(store_cflags)
check_store_SOURCES = %D%/check_store.c $(store_fixture)
check_store_LDADD = $(store_ldadd)

check_store_crash_CFLAGS = $(store_cflags)
check_store_crash_SOURCES = %D%/check_store_crash.c $(store_fixture)
check_store_crash_LDADD = $(store_ldadd)

check_store_files_CFLAGS = $(store_cflags)
check_store_files_SOURCES = %D%/check_store_files.c $(store_fixture)
check_store_files_LDADD = $(store_ldadd)

check_store_kill_CFLAGS = $(store_cflags)
check_store_kill_SOURCES = %D%/check_store_kill.c $(store_fixture)
check_store_kill_LDADD = $(store_ldadd)

check_store_read_CFLAGS = $(store_cflags)
check_store_read_SOURCES = %D%/check_store_read.c $(store_fixture)
check_store_read_LDADD = $(store_ldadd)

check_store_trim_CFLAGS = $(store_cflags)
check_store_trim_SOURCES = %D%/check_store_trim.c $(store_fixture)
check_store_trim_LDADD = $(store_ldadd)

check_store_writer_CFLAGS = $(store_cflags)
check_store_writer_SOURCES = %D%/check_store_writer.c $(store_fixture)
check_store_writer_LDADD = $(store_ldadd)
