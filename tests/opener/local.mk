# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Requests to the helper, as a pure function, and what its client keeps.
opener_suites = \
	check_kept_files \
	check_opener_request
TESTS += $(opener_suites)
CLEANFILES += $(opener_suites)
check_PROGRAMS += suites_opener
suites_opener_SOURCES = \
	%D%/check_kept_files.c \
	%D%/check_opener_request.c
suites_opener_LDADD = libtests.a $(OPENER_LINK) $(CHECK_LIBS)
$(opener_suites): suites_opener$(EXEEXT)
	$(link_suite)
