# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Pages of a trace ring with a format to read them by; run by scripts/fuzz.
fuzz_programs += fuzz_events

fuzz_events_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_events_SOURCES = %D%/fuzz_events.c %D%/fuzz_table.h
fuzz_events_LDADD = $(EVENTS_LINK) $(fuzz_main)

EXTRA_DIST += \
	%D%/corpus/events/aer_correctable-6.12 \
	%D%/corpus/events/aer_correctable-7.3 \
	%D%/corpus/events/aer_uncorrectable-6.12 \
	%D%/corpus/events/aer_uncorrectable-7.3 \
	%D%/corpus/events/dram-6.12 \
	%D%/corpus/events/dram-7.3 \
	%D%/corpus/events/general_media-6.12 \
	%D%/corpus/events/general_media-7.3 \
	%D%/corpus/events/header-page \
	%D%/corpus/events/memory_module-6.12 \
	%D%/corpus/events/memory_module-7.3 \
	%D%/corpus/events/odd-entries \
	%D%/corpus/events/poison-6.12 \
	%D%/corpus/events/poison-7.3
