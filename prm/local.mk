# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libprm.a
libprm_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
libprm_a_SOURCES = \
	%D%/acpi_table.c %D%/acpi_table.h \
	%D%/answer.c \
	%D%/cedt.c %D%/cedt.h \
	%D%/handler.c %D%/handler.h \
	%D%/handler_pairs.c \
	%D%/handler_rules.c \
	%D%/interleave.c %D%/interleave.h \
	%D%/model.c \
	%D%/prmt.c %D%/prmt.h \
	%D%/provider.h \
	%D%/provider_decoder.c \
	%D%/provider_estimate.c \
	%D%/provider_handler.c \
	%D%/route.c \
	%D%/space.c \
	%D%/spans.c %D%/spans.h \
	%D%/translate.c %D%/translate.h \
	%D%/window.c

PRM_LIBS = $(JANSSON_LIBS)
