# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The table parsers, the reader of tables that are handed in, and the files of the
# captured handler; run by scripts/fuzz.
fuzz_programs += fuzz_cedt fuzz_dump fuzz_prmt fuzz_handler

fuzz_cedt_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_cedt_SOURCES = %D%/fuzz_cedt.c %D%/fuzz_table.h
fuzz_cedt_LDADD = $(PRM_LINK) $(fuzz_main)

fuzz_dump_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_dump_SOURCES = %D%/fuzz_dump.c %D%/fuzz_table.h
fuzz_dump_LDADD = $(SYSFS_LINK) $(fuzz_main)

fuzz_prmt_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_prmt_SOURCES = %D%/fuzz_prmt.c %D%/fuzz_table.h
fuzz_prmt_LDADD = $(PRM_LINK) $(fuzz_main)

fuzz_handler_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_handler_SOURCES = %D%/fuzz_handler.c %D%/fuzz_table.h
fuzz_handler_LDADD = $(PRM_LINK) $(fuzz_main)

EXTRA_DIST += \
	%D%/corpus/cedt/cut.bin \
	%D%/corpus/cedt/header-only.bin \
	%D%/corpus/cedt/length-zero.bin \
	%D%/corpus/cedt/one-bridge.bin \
	%D%/corpus/cedt/twelve-way.bin \
	%D%/corpus/cedt/two-bridges.bin \
	%D%/corpus/cedt/xor.bin \
	%D%/corpus/dump/carriage-returns.txt \
	%D%/corpus/dump/cedt-and-prmt.txt \
	%D%/corpus/dump/cut.txt \
	%D%/corpus/dump/header-only.txt \
	%D%/corpus/dump/line-missing.txt \
	%D%/corpus/dump/old-format.txt \
	%D%/corpus/dump/other-tables.txt \
	%D%/corpus/dump/raw.dat \
	%D%/corpus/prmt/count-overrun.bin \
	%D%/corpus/prmt/cut.bin \
	%D%/corpus/prmt/duplicate-guid.bin \
	%D%/corpus/prmt/length-zero.bin \
	%D%/corpus/prmt/one-handler.bin \
	%D%/corpus/prmt/two-handlers-one-null.bin \
	%D%/corpus/prmt/two-modules.bin \
	%D%/corpus/handler/contradiction \
	%D%/corpus/handler/malformed \
	%D%/corpus/handler/overlap \
	%D%/corpus/handler/pairs \
	%D%/corpus/handler/pairs-and-rules \
	%D%/corpus/handler/rules \
	%D%/corpus/handler/swapped-rules \
	%D%/corpus/handler/three-way
