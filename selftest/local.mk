# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libselftest.a
libselftest_a_SOURCES = \
	%D%/dax_memory.c %D%/dax_memory.h \
	%D%/judge.c %D%/judge.h %D%/judge_private.h \
	%D%/judge_points.c %D%/judge_points.h \
	%D%/judge_search.c %D%/judge_search.h \
	%D%/marker.c %D%/marker.h \
	%D%/model.c %D%/model.h \
	%D%/plan.c %D%/plan.h \
	%D%/random.h \
	%D%/region_free.c %D%/region_free.h \
	%D%/round_trip.c %D%/round_trip.h

SELFTEST_LINK = libselftest.a $(CHANGE_LINK)
