# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Mailbox commands of memory devices, for which suites replace ioctl(), and of switches.
mailbox_suites = \
	check_cci_message \
	check_cci_recorded \
	check_cci_registers \
	check_fmapi \
	check_fmapi_dcd \
	check_fmapi_events \
	check_fmapi_hostile \
	check_mailbox \
	check_mailbox_answers \
	check_raw_layouts \
	check_readings \
	check_switch_change \
	check_switch_dynamic \
	check_switch_function \
	check_switch_model \
	check_switch_reader
TESTS += $(mailbox_suites)
CLEANFILES += $(mailbox_suites)
check_PROGRAMS += suites_mailbox
suites_mailbox_SOURCES = \
	%D%/check_cci_message.c \
	%D%/check_cci_recorded.c \
	%D%/check_cci_registers.c \
	%D%/check_fmapi.c \
	%D%/check_fmapi_dcd.c \
	%D%/check_fmapi_events.c \
	%D%/check_fmapi_hostile.c \
	%D%/check_mailbox.c \
	%D%/check_mailbox_answers.c \
	%D%/check_raw_layouts.c \
	%D%/check_readings.c \
	%D%/check_switch_change.c \
	%D%/check_switch_dynamic.c \
	%D%/check_switch_function.c \
	%D%/check_switch_model.c \
	%D%/check_switch_reader.c \
	$(fake_mailbox)
suites_mailbox_LDADD = libtests.a $(CAPTURE_LINK) $(CHECK_LIBS)
# To let the kernel forbid a mapping, and minutes pass.
suites_mailbox_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=mmap -Wl,--wrap=clock_monotonic_ms
$(mailbox_suites): suites_mailbox$(EXEEXT)
	$(link_suite)

# Writes what tests/hosts/switch-model-7.3.tar.zst has of a model, see make-switch-host.
check_PROGRAMS += record_switch_model
record_switch_model_SOURCES = %D%/record_switch_model.c
record_switch_model_LDADD = libtests.a $(CAPTURE_LINK) $(CHECK_LIBS)

EXTRA_DIST += %D%/make-mailbox-host %D%/make-switch-host
