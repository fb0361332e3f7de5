# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Addresses. The suites with model_host.c build their hosts in memory and do not link sysfs/;
# check_translate_hosts runs on the captured hosts.
prm_checks = check_interleave check_tables check_translate check_translate_reasons \
	check_translate_ranges check_translate_route check_machines check_machine_trees \
	check_handler check_handler_files check_translate_hosts check_firmware \
	check_firmware_failures check_firmware_record check_firmware_regionless \
	check_firmware_translate
if HAVE_CHECK
check_PROGRAMS += $(prm_checks)
TESTS += $(prm_checks)
endif

check_interleave_CFLAGS = $(suite_cflags)
check_interleave_SOURCES = %D%/check_interleave.c %D%/interleave_vectors.h
check_interleave_LDADD = $(PRM_LINK) $(CHECK_LIBS)

check_tables_CFLAGS = $(suite_cflags)
check_tables_SOURCES = %D%/check_tables.c %D%/tables_fixture.h
check_tables_LDADD = $(PRM_LINK) $(CHECK_LIBS)

check_translate_CFLAGS = $(suite_cflags)
check_translate_SOURCES = %D%/check_translate.c $(model_usual)
check_translate_LDADD = $(PRM_LINK) $(CHECK_LIBS)

check_translate_reasons_CFLAGS = $(suite_cflags)
check_translate_reasons_SOURCES = %D%/check_translate_reasons.c $(model_usual)
check_translate_reasons_LDADD = $(PRM_LINK) $(CHECK_LIBS)

check_translate_ranges_CFLAGS = $(suite_cflags)
check_translate_ranges_SOURCES = %D%/check_translate_ranges.c $(model_usual)
check_translate_ranges_LDADD = $(PRM_LINK) $(CHECK_LIBS)

check_translate_route_CFLAGS = $(suite_cflags)
check_translate_route_SOURCES = %D%/check_translate_route.c $(model_usual)
check_translate_route_LDADD = $(PRM_LINK) $(CHECK_LIBS)

check_machines_CFLAGS = $(suite_cflags)
check_machines_SOURCES = %D%/check_machines.c $(machine) $(model_host)
check_machines_LDADD = $(PRM_LINK) $(CHECK_LIBS)

check_machine_trees_CFLAGS = $(suite_cflags)
check_machine_trees_SOURCES = %D%/check_machine_trees.c $(machine) $(capture_util)
check_machine_trees_LDADD = $(CAPTURE_LINK) $(PRM_LINK) $(CHECK_LIBS)

check_handler_CFLAGS = $(suite_cflags)
check_handler_SOURCES = %D%/check_handler.c $(model_handler)
check_handler_LDADD = $(PRM_LINK) $(CHECK_LIBS)

check_handler_files_CFLAGS = $(suite_cflags)
check_handler_files_SOURCES = %D%/check_handler_files.c $(model_handler)
check_handler_files_LDADD = $(PRM_LINK) $(CHECK_LIBS)

check_translate_hosts_CFLAGS = $(suite_cflags)
check_translate_hosts_SOURCES = %D%/check_translate_hosts.c $(capture_util)
check_translate_hosts_LDADD = $(CAPTURE_LINK) $(PRM_LINK) $(CHECK_LIBS)

check_firmware_CFLAGS = $(suite_cflags)
check_firmware_SOURCES = %D%/check_firmware.c $(firmware_util)
check_firmware_LDADD = $(PRM_LINK) $(CHECK_LIBS)

check_firmware_failures_CFLAGS = $(suite_cflags)
check_firmware_failures_SOURCES = %D%/check_firmware_failures.c $(firmware_util)
check_firmware_failures_LDADD = $(PRM_LINK) $(CHECK_LIBS)

check_firmware_record_CFLAGS = $(suite_cflags)
check_firmware_record_SOURCES = %D%/check_firmware_record.c $(firmware_host)
check_firmware_record_LDADD = $(PRM_LINK) $(CHECK_LIBS)

check_firmware_regionless_CFLAGS = $(suite_cflags)
check_firmware_regionless_SOURCES = %D%/check_firmware_regionless.c $(firmware_host)
check_firmware_regionless_LDADD = $(PRM_LINK) $(CHECK_LIBS)

check_firmware_translate_CFLAGS = $(suite_cflags)
check_firmware_translate_SOURCES = %D%/check_firmware_translate.c $(firmware_host)
check_firmware_translate_LDADD = $(PRM_LINK) $(CHECK_LIBS)

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
