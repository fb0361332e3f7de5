# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Small modules, helper processes.
common_checks = check_common check_conf_file check_helper check_options check_sql_schema
if HAVE_CHECK
check_PROGRAMS += $(common_checks)
TESTS += $(common_checks)
endif

check_common_CFLAGS = $(suite_cflags)
check_common_SOURCES = %D%/check_common.c
check_common_LDADD = $(COMMON_LINK) $(CHECK_LIBS)

check_conf_file_CFLAGS = $(suite_cflags)
check_conf_file_SOURCES = %D%/check_conf_file.c
check_conf_file_LDADD = $(COMMON_LINK) $(CHECK_LIBS)

check_options_CFLAGS = $(suite_cflags)
check_options_SOURCES = %D%/check_options.c
check_options_LDADD = $(COMMON_LINK) $(CHECK_LIBS)

check_sql_schema_CFLAGS = $(suite_cflags) $(SQLITE_CFLAGS)
check_sql_schema_SOURCES = %D%/check_sql_schema.c
check_sql_schema_LDADD = $(COMMON_LINK) $(SQLITE_LIBS) $(CHECK_LIBS)

check_helper_CFLAGS = $(suite_cflags)
check_helper_SOURCES = %D%/check_helper.c
check_helper_LDADD = $(COMMON_LINK) $(CHECK_LIBS)
check_helper_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pidfd_send_signal
