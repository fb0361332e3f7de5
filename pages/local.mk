# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libpages.a
libpages_a_SOURCES = \
	%D%/page.c %D%/page.h \
	%D%/page_client.h \
	%D%/page_facts.h \
	%D%/page_master.h \
	%D%/page_run.h

PAGES_LINK = libpages.a $(CHANGE_LINK)
