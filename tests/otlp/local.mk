# SPDX-License-Identifier: LGPL-2.1-or-later
#
# OpenTelemetry's messages in both encodings, and the consequence of a collector's answer.
otlp_suites = \
	check_otlp_answer \
	check_otlp_outcome \
	check_otlp_points \
	check_otlp_writer
TESTS += $(otlp_suites)
CLEANFILES += $(otlp_suites)
check_PROGRAMS += suites_otlp
suites_otlp_SOURCES = \
	%D%/check_otlp_answer.c \
	%D%/check_otlp_outcome.c \
	%D%/check_otlp_points.c \
	%D%/check_otlp_writer.c
suites_otlp_LDADD = libtests.a $(OTLP_LINK) $(CHECK_LIBS)
$(otlp_suites): suites_otlp$(EXEEXT)
	$(link_suite)

# Programs of others; run by scripts/check --long.
EXTRA_DIST += %D%/judges %D%/judges.py
