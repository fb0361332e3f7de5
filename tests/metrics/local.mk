# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Metrics as text.
if HAVE_CHECK
check_PROGRAMS += check_metrics
TESTS += check_metrics
endif
check_metrics_CFLAGS = $(suite_cflags)
check_metrics_SOURCES = %D%/check_metrics.c $(fake_module) $(store_fixture)
check_metrics_LDADD = $(DAEMON_LINK) $(CHECK_LIBS)

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
