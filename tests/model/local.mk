# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Conclusions from a snapshot: suites on hosts built in memory.
model_suites = \
	check_fabric \
	check_fabric_switches \
	check_fabric_use \
	check_findings \
	check_findings_switch \
	check_gaps \
	check_health \
	check_host_problems \
	check_refusal \
	check_region_plan \
	check_region_plan_hostile \
	check_region_plan_machines \
	check_region_refused \
	check_release \
	check_repairs \
	check_snapshot_facts
TESTS += $(model_suites)
CLEANFILES += $(model_suites)
check_PROGRAMS += suites_model
suites_model_SOURCES = \
	%D%/check_fabric.c \
	%D%/check_fabric_switches.c \
	%D%/check_fabric_use.c \
	%D%/check_findings.c \
	%D%/check_findings_switch.c \
	%D%/check_gaps.c \
	%D%/check_health.c \
	%D%/check_host_problems.c \
	%D%/check_refusal.c \
	%D%/check_region_plan.c \
	%D%/check_region_plan_hostile.c \
	%D%/check_region_plan_machines.c \
	%D%/check_region_refused.c \
	%D%/check_release.c \
	%D%/check_repairs.c \
	%D%/check_snapshot_facts.c \
	%D%/region_plan_fixture.h \
	%D%/region_plan_machine.h
suites_model_LDADD = libtests.a $(MODEL_LINK) $(CHECK_LIBS)
$(model_suites): suites_model$(EXEEXT)
	$(link_suite)
