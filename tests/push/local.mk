# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The daemon's side of cxl-redfish-push, with the real helper process.
push_suites = \
	check_push_client
TESTS += $(push_suites)
CLEANFILES += $(push_suites)
check_PROGRAMS += suites_push
suites_push_SOURCES = \
	%D%/check_push_client.c
suites_push_LDADD = libtests.a $(PUSH_LINK) $(CHECK_LIBS)
$(push_suites): suites_push$(EXEEXT)
	$(link_suite)
check_push_client: cxl-redfish-push$(EXEEXT)
