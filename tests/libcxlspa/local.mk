# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The library as programs use it: the shared object, its header, its examples.
cxlspa_suites = check_cxlspa
TESTS += $(cxlspa_suites)
CLEANFILES += $(cxlspa_suites)
check_PROGRAMS += suites_cxlspa
suites_cxlspa_SOURCES = %D%/check_cxlspa.c
# The archives are what its answers are compared with.
suites_cxlspa_LDADD = libcxlspa.la libtests.a $(CAPTURE_LINK) $(PRM_LINK) $(CHECK_LIBS)
$(cxlspa_suites): suites_cxlspa$(EXEEXT)
	$(link_suite)

TESTS += %D%/agreement.sh %D%/examples.sh
EXTRA_DIST += %D%/agreement.sh %D%/agreement.py %D%/examples.sh
