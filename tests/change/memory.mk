# SPDX-License-Identifier: LGPL-2.1-or-later
#
# States of regions' memory, with a memory of the suite's own.
if HAVE_CHECK
check_PROGRAMS += check_memory_state
TESTS += check_memory_state
endif

check_memory_state_CFLAGS = $(suite_cflags)
check_memory_state_SOURCES = %D%/check_memory_state.c $(capture_util)
check_memory_state_LDADD = $(CHANGE_LINK) $(CAPTURE_LINK) $(CHECK_LIBS)
