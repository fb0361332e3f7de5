# SPDX-License-Identifier: LGPL-2.1-or-later
#
# A library of all but main(), so that the tests can link it.
noinst_LIBRARIES += libcli.a
libcli_a_SOURCES = \
	%D%/answer.h \
	%D%/answer_json.c \
	%D%/answer_text.c \
	%D%/capture.c \
	%D%/cli.h \
	%D%/event_json.c \
	%D%/event_list.h \
	%D%/event_selection.c \
	%D%/event_text.c \
	%D%/events.c \
	%D%/explain.c \
	%D%/finding_text.c %D%/finding_text.h \
	%D%/graph.c \
	%D%/list.c %D%/list.h \
	%D%/list_json.c \
	%D%/list_switches.c \
	%D%/list_switches_json.c \
	%D%/names.c %D%/names.h \
	%D%/object.c %D%/object.h \
	%D%/operands.c %D%/operands.h \
	%D%/output.c %D%/output.h \
	%D%/session.c \
	%D%/switches.c %D%/switches.h \
	%D%/translate.c \
	%D%/translate_trace.c \
	%D%/verify.c

CLI_LINK = libcli.a $(CAPTURE_LINK) $(MODEL_LINK)

bin_PROGRAMS += cxl-spa
cxl_spa_SOURCES = %D%/main.c
cxl_spa_LDADD = $(CLI_LINK)
