# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Addresses. The suites with model_host.c build their hosts in memory and do not link sysfs/;
# check_translate_hosts runs on the captured hosts.
prm_checks = check_interleave check_tables check_translate check_translate_reasons \
	check_translate_ranges check_handler check_handler_files check_translate_hosts \
	check_firmware check_firmware_failures check_firmware_record check_firmware_regionless \
	check_firmware_translate
if HAVE_CHECK
check_PROGRAMS += $(prm_checks)
TESTS += $(prm_checks)
endif
prm_cflags = $(AM_CFLAGS) $(CHECK_CFLAGS)
prm_ldadd = libprm.a libcommon.a $(PRM_LIBS) $(CHECK_LIBS)
model_host = %D%/model_host.c %D%/model_host.h
model_usual = $(model_host) %D%/model_usual.c %D%/model_usual.h
model_handler = $(model_host) %D%/model_handler.c %D%/model_handler.h

check_interleave_CFLAGS = $(prm_cflags)
check_interleave_SOURCES = %D%/check_interleave.c %D%/interleave_vectors.h
check_interleave_LDADD = $(prm_ldadd)

check_tables_CFLAGS = $(prm_cflags)
check_tables_SOURCES = %D%/check_tables.c %D%/tables_fixture.h
check_tables_LDADD = $(prm_ldadd)

check_translate_CFLAGS = $(prm_cflags)
check_translate_SOURCES = %D%/check_translate.c $(model_usual)
check_translate_LDADD = $(prm_ldadd)

check_translate_reasons_CFLAGS = $(prm_cflags)
check_translate_reasons_SOURCES = %D%/check_translate_reasons.c $(model_usual)
check_translate_reasons_LDADD = $(prm_ldadd)

check_translate_ranges_CFLAGS = $(prm_cflags)
check_translate_ranges_SOURCES = %D%/check_translate_ranges.c $(model_usual)
check_translate_ranges_LDADD = $(prm_ldadd)

check_handler_CFLAGS = $(prm_cflags)
check_handler_SOURCES = %D%/check_handler.c $(model_handler)
check_handler_LDADD = $(prm_ldadd)

check_handler_files_CFLAGS = $(prm_cflags)
check_handler_files_SOURCES = %D%/check_handler_files.c $(model_handler)
check_handler_files_LDADD = $(prm_ldadd)

fake_module = %D%/fake_module.c %D%/fake_module.h
firmware_util = %D%/firmware_util.c %D%/firmware_util.h $(fake_module)
firmware_host = %D%/firmware_host.c %D%/firmware_host.h $(fake_module) $(model_host)

check_firmware_CFLAGS = $(prm_cflags)
check_firmware_SOURCES = %D%/check_firmware.c $(firmware_util)
check_firmware_LDADD = $(prm_ldadd)

check_firmware_failures_CFLAGS = $(prm_cflags)
check_firmware_failures_SOURCES = %D%/check_firmware_failures.c $(firmware_util)
check_firmware_failures_LDADD = $(prm_ldadd)

check_firmware_record_CFLAGS = $(prm_cflags)
check_firmware_record_SOURCES = %D%/check_firmware_record.c $(firmware_host)
check_firmware_record_LDADD = $(prm_ldadd)

check_firmware_regionless_CFLAGS = $(prm_cflags)
check_firmware_regionless_SOURCES = %D%/check_firmware_regionless.c $(firmware_host)
check_firmware_regionless_LDADD = $(prm_ldadd)

check_firmware_translate_CFLAGS = $(prm_cflags)
check_firmware_translate_SOURCES = %D%/check_firmware_translate.c $(firmware_host)
check_firmware_translate_LDADD = $(prm_ldadd)

check_translate_hosts_CFLAGS = $(capture_cflags)
check_translate_hosts_SOURCES = %D%/check_translate_hosts.c $(capture_util)
check_translate_hosts_LDADD = libprm.a $(capture_ldadd) $(PRM_LIBS)
