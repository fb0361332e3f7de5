# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libevents.a
libevents_a_CFLAGS = $(AM_CFLAGS) $(LIBTRACEEVENT_CFLAGS)
libevents_a_SOURCES = \
	%D%/decode.c \
	%D%/formats.c %D%/formats.h %D%/formats_private.h \
	%D%/formats_slots.c \
	%D%/instance.c %D%/instance.h \
	%D%/record.c %D%/record.h \
	%D%/replay.c %D%/replay.h \
	%D%/ring.c %D%/ring.h \
	%D%/ring_stats.c %D%/ring_stats.h

EVENTS_LIBS = $(LIBTRACEEVENT_LIBS)
