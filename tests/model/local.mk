# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Conclusions from a snapshot: suites on hosts built in memory.
model_checks = \
	check_fabric \
	check_fabric_switches \
	check_fabric_use \
	check_findings \
	check_findings_switch \
	check_front_ends \
	check_gaps \
	check_health \
	check_region_plan \
	check_region_plan_hostile \
	check_region_plan_machines \
	check_region_refused \
	check_release \
	check_snapshot_facts
if HAVE_CHECK
check_PROGRAMS += $(model_checks)
TESTS += $(model_checks)
endif

check_fabric_CFLAGS = $(suite_cflags)
check_fabric_SOURCES = %D%/check_fabric.c $(model_usual)
check_fabric_LDADD = $(MODEL_LINK) $(CHECK_LIBS)

# Additions by the mailboxes of switches.
check_fabric_switches_CFLAGS = $(suite_cflags)
check_fabric_switches_SOURCES = %D%/check_fabric_switches.c $(model_usual) $(switch_fixture)
check_fabric_switches_LDADD = $(MODEL_LINK) $(CHECK_LIBS)

check_fabric_use_CFLAGS = $(suite_cflags)
check_fabric_use_SOURCES = %D%/check_fabric_use.c $(model_host)
check_fabric_use_LDADD = $(MODEL_LINK) $(CHECK_LIBS)

check_findings_CFLAGS = $(suite_cflags)
check_findings_SOURCES = %D%/check_findings.c $(model_usual)
check_findings_LDADD = $(MODEL_LINK) $(CHECK_LIBS)

check_findings_switch_CFLAGS = $(suite_cflags)
check_findings_switch_SOURCES = %D%/check_findings_switch.c $(model_usual) $(switch_fixture)
check_findings_switch_LDADD = $(MODEL_LINK) $(CHECK_LIBS)

# The findings in each front end.
check_front_ends_CFLAGS = $(suite_cflags)
check_front_ends_SOURCES = %D%/check_front_ends.c $(redfish_fixture)
check_front_ends_LDADD = libcli.a $(DAEMON_LINK) $(CHANGE_LINK) $(CHECK_LIBS)

check_gaps_CFLAGS = $(suite_cflags)
check_gaps_SOURCES = %D%/check_gaps.c
check_gaps_LDADD = $(MODEL_LINK) $(CHECK_LIBS)

check_health_CFLAGS = $(suite_cflags)
check_health_SOURCES = %D%/check_health.c $(store_fixture)
check_health_LDADD = $(MODEL_LINK) $(CHECK_LIBS)

check_region_plan_CFLAGS = $(suite_cflags)
check_region_plan_SOURCES = %D%/check_region_plan.c %D%/region_plan_fixture.h $(model_host)
check_region_plan_LDADD = $(MODEL_LINK) $(CHECK_LIBS)

check_region_refused_CFLAGS = $(suite_cflags)
check_region_refused_SOURCES = %D%/check_region_refused.c %D%/region_plan_fixture.h $(model_host)
check_region_refused_LDADD = $(MODEL_LINK) $(CHECK_LIBS)

# Plans on machines at random, and where their chunks are then.
check_region_plan_machines_CFLAGS = $(suite_cflags)
check_region_plan_machines_SOURCES = %D%/check_region_plan_machines.c %D%/region_plan_machine.h $(machine)
check_region_plan_machines_LDADD = $(MODEL_LINK) $(CHECK_LIBS)
check_region_plan_hostile_CFLAGS = $(suite_cflags)
check_region_plan_hostile_SOURCES = %D%/check_region_plan_hostile.c %D%/region_plan_machine.h $(machine)
check_region_plan_hostile_LDADD = $(MODEL_LINK) $(CHECK_LIBS)

check_release_CFLAGS = $(suite_cflags)
check_release_SOURCES = %D%/check_release.c
check_release_LDADD = $(MODEL_LINK) $(CHECK_LIBS)

check_snapshot_facts_CFLAGS = $(suite_cflags)
check_snapshot_facts_SOURCES = %D%/check_snapshot_facts.c
check_snapshot_facts_LDADD = $(MODEL_LINK) $(CHECK_LIBS)
