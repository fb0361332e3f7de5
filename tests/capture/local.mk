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
# To let the deadline of a device pass.
suites_capture_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pthread_cond_timedwait
$(capture_suites): suites_capture$(EXEEXT)
	$(link_suite)
