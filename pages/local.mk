# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libpages.a
libpages_a_SOURCES = \
	%D%/bad_pages.c %D%/bad_pages.h \
	%D%/block_marks.c %D%/block_marks.h \
	%D%/kept_host.c %D%/kept_host.h \
	%D%/page.c %D%/page.h \
	%D%/page_client.c %D%/page_client.h \
	%D%/page_client_direct.c \
	%D%/page_client_helper.c \
	%D%/page_facts.c %D%/page_facts.h \
	%D%/page_fence.c %D%/page_fence.h \
	%D%/page_flags.h \
	%D%/page_frame.c %D%/page_frame.h \
	%D%/page_locator.c %D%/page_locator.h \
	%D%/page_lock.c %D%/page_lock.h \
	%D%/page_master.c %D%/page_master.h \
	%D%/page_options.h \
	%D%/page_run.c %D%/page_run.h \
	%D%/protocol.h

PAGES_LINK = libpages.a $(CHANGE_LINK)
