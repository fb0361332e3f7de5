# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Any bytes as a store of events; run by scripts/fuzz.
fuzz_programs += fuzz_store
fuzz_store_CFLAGS = $(AM_CFLAGS)
fuzz_store_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_store_SOURCES = %D%/fuzz_store.c %D%/fuzz_table.h $(store_util)
fuzz_store_LDADD = $(EVENTS_LINK) $(fuzz_main)
EXTRA_DIST += \
	%D%/corpus/store/cut \
	%D%/corpus/store/empty-file \
	%D%/corpus/store/header \
	%D%/corpus/store/header-read-only \
	%D%/corpus/store/log \
	%D%/corpus/store/pages \
	%D%/corpus/store/text \
	%D%/corpus/store/untouched
