# SPDX-License-Identifier: LGPL-2.1-or-later
#
# /metrics on the captured hosts, and the rules and the dashboard that use it.
metrics_suites = \
	check_metrics
TESTS += $(metrics_suites)
CLEANFILES += $(metrics_suites)
check_PROGRAMS += suites_metrics
suites_metrics_SOURCES = \
	%D%/check_metrics.c
suites_metrics_LDADD = libtests.a $(DAEMON_LINK) $(CHECK_LIBS)
$(metrics_suites): suites_metrics$(EXEEXT)
	$(link_suite)

TESTS += %D%/fleet.sh %D%/hosts.sh %D%/promtool.sh
EXTRA_DIST += \
	%D%/fleet.py %D%/fleet.sh %D%/fleet_rules.py %D%/functions %D%/hosts.sh %D%/metrics.py %D%/promtool.sh \
	%D%/rules_test.yml

# The table of docs/metrics.md is printed from that of the families.
check_PROGRAMS += print_metrics
print_metrics_SOURCES = %D%/print_metrics.c
print_metrics_LDADD = $(DAEMON_LINK)

update-metrics: print_metrics
	./print_metrics >metrics.tmp && \
	$(SED) -i -e '/^<!-- begin of metrics -->$$/,/^<!-- end of metrics -->$$/{/^<!-- /!d}' \
		-e '/^<!-- begin of metrics -->$$/r metrics.tmp' $(srcdir)/docs/metrics.md && rm metrics.tmp
update-golden: update-metrics
.PHONY: update-metrics
