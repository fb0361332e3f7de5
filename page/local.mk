# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The page at "/": its files become a C source, so that the program is all that is needed.
page_static = \
	%D%/index.html \
	%D%/style.css \
	%D%/icon.svg \
	%D%/main.js \
	%D%/dom.js \
	%D%/redfish.js \
	%D%/model.js \
	%D%/topology.js \
	%D%/map.js \
	%D%/devices.js \
	%D%/findings.js \
	%D%/incidents.js \
	%D%/log.js \
	%D%/locate.js

noinst_LIBRARIES += libpage.a
libpage_a_SOURCES = %D%/files.h %D%/page.c %D%/page.h
nodist_libpage_a_SOURCES = %D%/files.c
EXTRA_DIST += $(page_static) %D%/embed
CLEANFILES += %D%/files.c

%D%/files.c: $(page_static) %D%/embed
	$(AM_V_GEN)$(MKDIR_P) %D% && $(srcdir)/%D%/embed $(addprefix $(srcdir)/,$(page_static)) >$@.tmp && mv $@.tmp $@

PAGE_LINK = libpage.a
