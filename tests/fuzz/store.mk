# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Any bytes as a store of events; run by scripts/fuzz.
fuzz_programs += fuzz_store
fuzz_store_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_store_SOURCES = %D%/fuzz_store.c %D%/fuzz_table.h
fuzz_store_LDADD = $(fuzz_main) libtests.a $(EVENTS_LINK)
EXTRA_DIST += \
	%D%/corpus/store/cut \
	%D%/corpus/store/empty-file \
	%D%/corpus/store/former-application \
	%D%/corpus/store/header \
	%D%/corpus/store/header-read-only \
	%D%/corpus/store/log \
	%D%/corpus/store/pages \
	%D%/corpus/store/text \
	%D%/corpus/store/untouched
