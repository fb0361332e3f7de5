# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Small modules, helper processes.
common_suites = \
	check_common \
	check_conf_file \
	check_helper \
	check_options \
	check_sql_schema \
	check_time_text
TESTS += $(common_suites)
CLEANFILES += $(common_suites)
check_PROGRAMS += suites_common
suites_common_SOURCES = \
	%D%/check_common.c \
	%D%/check_conf_file.c \
	%D%/check_helper.c \
	%D%/check_options.c \
	%D%/check_sql_schema.c \
	%D%/check_time_text.c
suites_common_LDADD = libtests.a $(COMMON_LINK) $(SQLITE_LIBS) $(CHECK_LIBS)
# To let a process be blocked in the kernel.
suites_common_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pidfd_send_signal
$(common_suites): suites_common$(EXEEXT)
	$(link_suite)
