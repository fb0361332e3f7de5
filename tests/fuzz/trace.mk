# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Any line of a trace, and any text with reports of errors; run by scripts/fuzz.
fuzz_programs += fuzz_report fuzz_trace_text

fuzz_report_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_report_SOURCES = %D%/fuzz_report.c %D%/fuzz_table.h
fuzz_report_LDADD = $(EVENTS_LINK) $(fuzz_main)

fuzz_trace_text_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_trace_text_SOURCES = %D%/fuzz_trace_text.c %D%/fuzz_table.h
fuzz_trace_text_LDADD = $(EVENTS_LINK) $(fuzz_main)

EXTRA_DIST += \
	%D%/corpus/report/arrays \
	%D%/corpus/report/checks \
	%D%/corpus/report/cper \
	%D%/corpus/report/host \
	%D%/corpus/report/json \
	%D%/corpus/report/list \
	%D%/corpus/trace_text/events \
	%D%/corpus/trace_text/ftrace-general_media \
	%D%/corpus/trace_text/ftrace-poison \
	%D%/corpus/trace_text/libtraceevent \
	%D%/corpus/trace_text/monitor-numbers \
	%D%/corpus/trace_text/monitor-poison \
	%D%/corpus/trace_text/ras-mc-ctl \
	%D%/corpus/trace_text/rasdaemon-dram \
	%D%/corpus/trace_text/twice \
	%D%/corpus/trace_text/wrapped
