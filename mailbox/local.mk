# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libmailbox.a
libmailbox_a_SOURCES = \
	%D%/cci.c %D%/cci.h \
	%D%/cci_helper.c %D%/cci_helper.h \
	%D%/cci_recorded.c %D%/cci_recorded.h \
	%D%/cci_registers.c %D%/cci_registers.h \
	%D%/client.c %D%/client.h \
	%D%/command.h \
	%D%/commands.c \
	%D%/decode.c %D%/decode.h \
	%D%/device_reader.c %D%/device_reader.h \
	%D%/extent_plans.c %D%/extent_plans.h \
	%D%/fmapi.c %D%/fmapi.h \
	%D%/fmapi_commands.c %D%/fmapi_commands.h \
	%D%/fmapi_dcd.c %D%/fmapi_dcd.h \
	%D%/fmapi_events.c %D%/fmapi_events.h \
	%D%/fmapi_mld.c \
	%D%/fmapi_private.h \
	%D%/mailbox.h \
	%D%/memdev_ioctl.c %D%/memdev_ioctl.h \
	%D%/raw_layouts.c %D%/raw_layouts.h \
	%D%/readings.c %D%/readings.h \
	%D%/readings_private.h \
	%D%/readings_read.c \
	%D%/scrub_reader.c %D%/scrub_reader.h \
	%D%/scrub_sets.c %D%/scrub_sets.h \
	%D%/register_map.c %D%/register_map.h \
	%D%/switch_access.c %D%/switch_access.h \
	%D%/switch_change.c %D%/switch_change.h \
	%D%/switch_change_dynamic.c \
	%D%/switch_change_private.h \
	%D%/switch_change_send.c %D%/switch_change_send.h \
	%D%/switch_function.c %D%/switch_function.h \
	%D%/switch_locator.c %D%/switch_locator.h \
	%D%/switch_options.c %D%/switch_options.h \
	%D%/switch_query.c %D%/switch_query.h \
	%D%/switch_reader.c %D%/switch_reader.h \
	%D%/switch_reader_device.c \
	%D%/switch_reader_dynamic.c \
	%D%/switch_reader_private.h \
	%D%/switch_reader_switch.c \
	%D%/switch_reader_vcs.c \
	%D%/switch_readings.c %D%/switch_readings.h \
	%D%/timed_job.c %D%/timed_job.h \
	%D%/transport.h \
	%D%/transport_helper.c \
	%D%/transport_memdev.c \
	%D%/transport_recorded.c

MAILBOX_LINK = libmailbox.a $(SYSFS_LINK)
