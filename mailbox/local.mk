# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libmailbox.a
libmailbox_a_CFLAGS = $(AM_CFLAGS) $(LIBCXL_CFLAGS)
libmailbox_a_SOURCES = \
	%D%/mailbox.c %D%/mailbox.h \
	%D%/mailbox_commands.c %D%/mailbox_commands.h \
	%D%/mailbox_decode.c \
	%D%/mailbox_read.c \
	%D%/readings.c %D%/readings.h \
	%D%/readings_private.h \
	%D%/readings_read.c

MAILBOX_LINK = libmailbox.a $(SYSFS_LINK)
