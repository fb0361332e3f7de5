# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libopener.a
libopener_a_SOURCES = \
	%D%/kept_files.c %D%/kept_files.h \
	%D%/opener.c %D%/opener.h \
	%D%/paths.c %D%/paths.h \
	%D%/protocol.h \
	%D%/request.c %D%/request.h

OPENER_LINK = libopener.a $(COMMON_LINK)
