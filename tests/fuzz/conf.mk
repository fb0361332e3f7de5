# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Any configuration file; run by scripts/fuzz.
fuzz_programs += fuzz_conf

fuzz_conf_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_conf_SOURCES = %D%/fuzz_conf.c %D%/fuzz_table.h
fuzz_conf_LDADD = $(COMMON_LINK) $(fuzz_main)

EXTRA_DIST += \
	%D%/corpus/conf/blanks \
	%D%/corpus/conf/bom \
	%D%/corpus/conf/control \
	%D%/corpus/conf/crlf \
	%D%/corpus/conf/keys \
	%D%/corpus/conf/long \
	%D%/corpus/conf/no-equals \
	%D%/corpus/conf/no-key \
	%D%/corpus/conf/no-value \
	%D%/corpus/conf/nul \
	%D%/corpus/conf/section
