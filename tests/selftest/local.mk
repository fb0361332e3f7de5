# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The self-test of a platform: its plan, its judge on memory of which the rule is known, its model.
selftest_suites = \
	check_judge \
	check_judge_model \
	check_plan \
	check_region_free \
	check_round_trip
TESTS += $(selftest_suites)
CLEANFILES += $(selftest_suites)
check_PROGRAMS += suites_selftest
suites_selftest_SOURCES = \
	%D%/check_judge.c \
	%D%/check_judge_model.c \
	%D%/check_plan.c \
	%D%/check_region_free.c \
	%D%/check_round_trip.c
suites_selftest_LDADD = libtests.a $(SELFTEST_LINK) $(CHECK_LIBS)
$(selftest_suites): suites_selftest$(EXEEXT)
	$(link_suite)
