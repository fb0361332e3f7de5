# SPDX-License-Identifier: LGPL-2.1-or-later
if HAVE_CHECK
check_PROGRAMS += check_cli check_cli_output
TESTS += check_cli check_cli_output
endif
cli_tests_libs = libcli.a libevents.a libprm.a libsysfs.a libcommon.a $(EVENTS_LIBS) $(PRM_LIBS) \
	$(SYSFS_LIBS) $(CHECK_LIBS)

check_cli_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
check_cli_SOURCES = %D%/check_cli.c
check_cli_LDADD = $(cli_tests_libs)
check_cli_output_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
check_cli_output_SOURCES = %D%/check_cli_output.c
check_cli_output_LDADD = $(cli_tests_libs)

cli_scripts = \
	%D%/cli/capture.sh \
	%D%/cli/events.sh \
	%D%/cli/explain.sh \
	%D%/cli/explain_capacity.sh \
	%D%/cli/explain_order.sh \
	%D%/cli/golden.sh \
	%D%/cli/hostile_text.sh \
	%D%/cli/list.sh \
	%D%/cli/memdevs.sh \
	%D%/cli/no_cxl.sh \
	%D%/cli/translate_dpa.sh \
	%D%/cli/translate_ranges.sh \
	%D%/cli/translate_spa.sh \
	%D%/cli/translate_stdin.sh \
	%D%/cli/unprivileged.sh \
	%D%/cli/usage.sh \
	%D%/cli/verify.sh

TESTS += $(cli_scripts)
EXTRA_DIST += $(cli_scripts) %D%/cli/functions %D%/cli/golden %D%/cli/six_way.py
