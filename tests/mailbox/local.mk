# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Mailbox commands of memory devices; the suites replace ioctl().
mailbox_checks = \
	check_mailbox \
	check_mailbox_answers \
	check_readings \
	check_switch_model
if HAVE_CHECK
check_PROGRAMS += $(mailbox_checks)
TESTS += $(mailbox_checks)
endif

check_mailbox_CFLAGS = $(suite_cflags)
check_mailbox_SOURCES = %D%/check_mailbox.c $(mailbox_util)
check_mailbox_LDADD = $(CAPTURE_LINK) $(CHECK_LIBS)

check_mailbox_answers_CFLAGS = $(suite_cflags)
check_mailbox_answers_SOURCES = %D%/check_mailbox_answers.c $(mailbox_util)
check_mailbox_answers_LDADD = $(CAPTURE_LINK) $(CHECK_LIBS)

check_readings_CFLAGS = $(suite_cflags)
check_readings_SOURCES = %D%/check_readings.c $(sysfs_util)
check_readings_LDADD = $(CAPTURE_LINK) $(CHECK_LIBS)

check_switch_model_CFLAGS = $(suite_cflags)
check_switch_model_SOURCES = %D%/check_switch_model.c $(switch_model)
check_switch_model_LDADD = $(CAPTURE_LINK) $(CHECK_LIBS)

EXTRA_DIST += %D%/make-mailbox-host
