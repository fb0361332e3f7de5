# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The helper: as functions, and as a program beside the daemon.
helper_suites = \
	check_helper_changes \
	check_helper_host \
	check_helper_pages \
	check_helper_server \
	check_helper_switches
TESTS += $(helper_suites)
CLEANFILES += $(helper_suites)
check_PROGRAMS += suites_helper
suites_helper_SOURCES = \
	%D%/check_helper_changes.c \
	%D%/check_helper_host.c \
	%D%/check_helper_pages.c \
	%D%/check_helper_server.c \
	%D%/check_helper_switches.c
suites_helper_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=uevents_open -Wl,--wrap=uevents_close \
	-Wl,--wrap=uevents_fd -Wl,--wrap=uevents_receive
suites_helper_LDADD = libtests.a $(HELPER_LINK) $(CAPTURE_LINK) $(CHECK_LIBS)
$(helper_suites): suites_helper$(EXEEXT)
	$(link_suite)

TESTS += %D%/helper.sh
EXTRA_DIST += %D%/helper.sh %D%/helper.py
