# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Any text as $filter of a log; run by scripts/fuzz.
fuzz_programs += fuzz_log_filter
fuzz_log_filter_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_log_filter_SOURCES = %D%/fuzz_log_filter.c
fuzz_log_filter_LDADD = $(REDFISH_LINK) $(fuzz_main)
EXTRA_DIST += \
	%D%/corpus/log_filter/address \
	%D%/corpus/log_filter/message \
	%D%/corpus/log_filter/parentheses \
	%D%/corpus/log_filter/severity \
	%D%/corpus/log_filter/time

# Query options applied to any text.
fuzz_programs += fuzz_query
fuzz_query_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_query_SOURCES = %D%/fuzz_query.c
fuzz_query_LDADD = $(REDFISH_LINK) $(fuzz_main)
EXTRA_DIST += \
	%D%/corpus/query/broken \
	%D%/corpus/query/memory \
	%D%/corpus/query/text
