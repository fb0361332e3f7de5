# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The daemon's side of cxl-redfish-collect, with the real process and, in this one, a helper.
collect_suites = \
	check_collect
TESTS += $(collect_suites)
CLEANFILES += $(collect_suites)
check_PROGRAMS += suites_collect
suites_collect_SOURCES = \
	%D%/check_collect.c
suites_collect_LDADD = libtests.a $(COLLECT_LINK) $(HELPER_LINK) $(CAPTURE_LINK) $(LIBARCHIVE_LIBS) $(CHECK_LIBS)
# To let a process be blocked in the kernel.
suites_collect_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pidfd_send_signal
$(collect_suites): suites_collect$(EXEEXT)
	$(link_suite)
check_collect: cxl-redfish-collect$(EXEEXT) fake_collect$(EXEEXT)

# The stand-in for cxl-redfish-collect in some tests.
check_PROGRAMS += fake_collect
fake_collect_SOURCES = %D%/fake_collect.c
