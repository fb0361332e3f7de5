# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Captured hosts: reading invalid ones, entering them, writing them.
capture_suites = \
	check_capture \
	check_capture_write \
	check_host_root
TESTS += $(capture_suites)
CLEANFILES += $(capture_suites)
check_PROGRAMS += suites_capture
suites_capture_SOURCES = \
	%D%/check_capture.c \
	%D%/check_capture_write.c \
	%D%/check_host_root.c
suites_capture_LDADD = libtests.a $(CAPTURE_LINK) $(LIBARCHIVE_LIBS) $(CHECK_LIBS)
# The switches and, in a test, the devices of the machine are models.
suites_capture_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=switch_access_list -Wl,--wrap=switch_access_open \
	-Wl,--wrap=mailbox_client_new -Wl,--wrap=pthread_cond_timedwait
$(capture_suites): suites_capture$(EXEEXT)
	$(link_suite)
