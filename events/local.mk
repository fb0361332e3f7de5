# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libevents.a
libevents_a_SOURCES = \
	%D%/record.c %D%/record.h
