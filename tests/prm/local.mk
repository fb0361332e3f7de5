# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Addresses: suites on hosts built in memory, check_translate_hosts on the captured ones.
prm_suites = \
	check_derived \
	check_extents \
	check_firmware \
	check_firmware_failures \
	check_firmware_record \
	check_firmware_regionless \
	check_firmware_translate \
	check_handler \
	check_handler_files \
	check_interleave \
	check_machine_trees \
	check_machines \
	check_tables \
	check_translate \
	check_translate_hosts \
	check_translate_ranges \
	check_translate_reasons \
	check_translate_route
TESTS += $(prm_suites)
CLEANFILES += $(prm_suites)
check_PROGRAMS += suites_prm
suites_prm_SOURCES = \
	%D%/check_derived.c \
	%D%/check_extents.c \
	%D%/check_firmware.c \
	%D%/check_firmware_failures.c \
	%D%/check_firmware_record.c \
	%D%/check_firmware_regionless.c \
	%D%/check_firmware_translate.c \
	%D%/check_handler.c \
	%D%/check_handler_files.c \
	%D%/check_interleave.c \
	%D%/check_machine_trees.c \
	%D%/check_machines.c \
	%D%/check_tables.c \
	%D%/check_translate.c \
	%D%/check_translate_hosts.c \
	%D%/check_translate_ranges.c \
	%D%/check_translate_reasons.c \
	%D%/check_translate_route.c \
	%D%/interleave_vectors.h \
	%D%/tables_fixture.h
suites_prm_LDADD = libtests.a $(CAPTURE_LINK) $(PRM_LINK) $(CHECK_LIBS)
suites_prm_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=clock_monotonic_ms
$(prm_suites): suites_prm$(EXEEXT)
	$(link_suite)

# The tables of tables_fixture.h and of the fuzz targets, and what compiles them.
prm_scripts = %D%/tables.sh
TESTS += $(prm_scripts)
EXTRA_DIST += $(prm_scripts) \
	%D%/tables/compile \
	%D%/tables/duplicate-guid.asl \
	%D%/tables/one-bridge.asl \
	%D%/tables/one-handler.asl \
	%D%/tables/two-bridges.asl \
	%D%/tables/two-handlers-one-null.asl \
	%D%/tables/two-modules.asl \
	%D%/tables/xor.asl
update-tables:
	IASL="$(IASL)" $(srcdir)/%D%/tables/compile
.PHONY: update-tables
