# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Mailbox commands of memory devices, for which suites replace ioctl(), and of switches.
mailbox_checks = \
	check_cci_message \
	check_cci_recorded \
	check_cci_registers \
	check_fmapi \
	check_fmapi_events \
	check_fmapi_hostile \
	check_mailbox \
	check_mailbox_answers \
	check_readings \
	check_switch_change \
	check_switch_function \
	check_switch_model \
	check_switch_reader
if HAVE_CHECK
check_PROGRAMS += $(mailbox_checks)
TESTS += $(mailbox_checks)
endif

check_cci_message_CFLAGS = $(suite_cflags)
check_cci_message_SOURCES = %D%/check_cci_message.c
check_cci_message_LDADD = $(MAILBOX_LINK) $(CHECK_LIBS)

check_fmapi_CFLAGS = $(suite_cflags)
check_fmapi_SOURCES = %D%/check_fmapi.c
check_fmapi_LDADD = $(MAILBOX_LINK) $(CHECK_LIBS)

check_fmapi_events_CFLAGS = $(suite_cflags)
check_fmapi_events_SOURCES = %D%/check_fmapi_events.c
check_fmapi_events_LDADD = $(MAILBOX_LINK) $(CHECK_LIBS)

check_cci_registers_CFLAGS = $(suite_cflags)
check_cci_registers_SOURCES = %D%/check_cci_registers.c $(switch_model)
check_cci_registers_LDADD = $(CAPTURE_LINK) $(CHECK_LIBS)

check_cci_recorded_CFLAGS = $(suite_cflags)
check_cci_recorded_SOURCES = %D%/check_cci_recorded.c $(capture_util) $(switch_model)
check_cci_recorded_LDADD = $(CAPTURE_LINK) $(CHECK_LIBS)

check_fmapi_hostile_CFLAGS = $(suite_cflags)
check_fmapi_hostile_SOURCES = %D%/check_fmapi_hostile.c $(switch_model)
check_fmapi_hostile_LDADD = $(MAILBOX_LINK) $(CHECK_LIBS)

check_mailbox_CFLAGS = $(suite_cflags)
check_mailbox_SOURCES = %D%/check_mailbox.c $(mailbox_util)
check_mailbox_LDADD = $(CAPTURE_LINK) $(CHECK_LIBS)

check_mailbox_answers_CFLAGS = $(suite_cflags)
check_mailbox_answers_SOURCES = %D%/check_mailbox_answers.c $(mailbox_util)
check_mailbox_answers_LDADD = $(CAPTURE_LINK) $(CHECK_LIBS)

check_readings_CFLAGS = $(suite_cflags)
check_readings_SOURCES = %D%/check_readings.c $(sysfs_util)
check_readings_LDADD = $(CAPTURE_LINK) $(CHECK_LIBS)

check_switch_function_CFLAGS = $(suite_cflags)
check_switch_function_SOURCES = %D%/check_switch_function.c $(capture_util)
check_switch_function_LDADD = $(CAPTURE_LINK) $(CHECK_LIBS)
# To let the kernel forbid a mapping.
check_switch_function_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=mmap

check_switch_change_CFLAGS = $(suite_cflags)
check_switch_change_SOURCES = %D%/check_switch_change.c $(switch_model)
check_switch_change_LDADD = $(MAILBOX_LINK) $(CHECK_LIBS)

check_switch_model_CFLAGS = $(suite_cflags)
check_switch_model_SOURCES = %D%/check_switch_model.c $(switch_model)
check_switch_model_LDADD = $(MAILBOX_LINK) $(CHECK_LIBS)

check_switch_reader_CFLAGS = $(suite_cflags)
check_switch_reader_SOURCES = %D%/check_switch_reader.c $(switch_model)
check_switch_reader_LDADD = $(CAPTURE_LINK) $(CHECK_LIBS)
# To let minutes pass.
check_switch_reader_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=clock_monotonic_ms

# Writes what tests/hosts/switch-model-7.3.tar.zst has of a model, see make-switch-host.
if HAVE_CHECK
check_PROGRAMS += record_switch_model
endif
record_switch_model_CFLAGS = $(suite_cflags)
record_switch_model_SOURCES = %D%/record_switch_model.c $(switch_model)
record_switch_model_LDADD = $(CAPTURE_LINK) $(CHECK_LIBS)

EXTRA_DIST += %D%/make-mailbox-host %D%/make-switch-host
