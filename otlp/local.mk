# SPDX-License-Identifier: LGPL-2.1-or-later
#
# OpenTelemetry's protocol: the messages that are sent, and the answers.
noinst_LIBRARIES += libotlp.a
libotlp_a_SOURCES = \
	%D%/answer.c %D%/answer.h \
	%D%/fields.c %D%/fields.h \
	%D%/outcome.c %D%/outcome.h \
	%D%/points.c %D%/points.h \
	%D%/writer.c %D%/writer.h

OTLP_LINK = libotlp.a $(COMMON_LINK) $(JANSSON_LIBS)
