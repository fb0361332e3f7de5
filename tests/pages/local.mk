# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Pages that are taken out of use, by a kernel that the tests play.
pages_suites = \
	check_kept_host \
	check_page_facts \
	check_page_run
TESTS += $(pages_suites)
CLEANFILES += $(pages_suites)
check_PROGRAMS += suites_pages
suites_pages_SOURCES = \
	%D%/check_kept_host.c \
	%D%/check_page_facts.c \
	%D%/check_page_run.c \
	%D%/pages_util.c \
	%D%/pages_util.h
suites_pages_LDADD = libtests.a $(PAGES_LINK) $(CAPTURE_LINK) $(CHECK_LIBS)
# A write to the files of the kernel has the effect, or the error, that the test says; a host is read as often as the test counts.
suites_pages_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=write -Wl,--wrap=host_read
$(pages_suites): suites_pages$(EXEEXT)
	$(link_suite)
