# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What follows from a snapshot: suites on hosts built in memory.
model_checks = check_gaps check_snapshot_facts
if HAVE_CHECK
check_PROGRAMS += $(model_checks)
TESTS += $(model_checks)
endif

check_gaps_CFLAGS = $(suite_cflags)
check_gaps_SOURCES = %D%/check_gaps.c
check_gaps_LDADD = $(MODEL_LINK) $(CHECK_LIBS)

check_snapshot_facts_CFLAGS = $(suite_cflags)
check_snapshot_facts_SOURCES = %D%/check_snapshot_facts.c
check_snapshot_facts_LDADD = $(MODEL_LINK) $(CHECK_LIBS)
