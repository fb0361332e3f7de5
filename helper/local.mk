# SPDX-License-Identifier: LGPL-2.1-or-later
#
# A library of all but main(), so that the tests can call its functions.
noinst_LIBRARIES += libhelper.a
libhelper_a_SOURCES = \
	%D%/change_server.c %D%/change_server.h \
	%D%/files.c %D%/files.h \
	%D%/page_log.c %D%/page_log.h \
	%D%/page_server.c %D%/page_server.h \
	%D%/program.c %D%/program.h \
	%D%/requests.c %D%/requests.h \
	%D%/server.c %D%/server.h \
	%D%/switches.c %D%/switches.h

HELPER_LINK = libhelper.a $(PAGES_LINK) $(MAILBOX_LINK) $(LIBSYSTEMD_LIBS)

pkglibexec_PROGRAMS += cxl-redfish-helper
cxl_redfish_helper_SOURCES = %D%/main.c
cxl_redfish_helper_LDADD = $(HELPER_LINK)

pkglibexec_PROGRAMS += cxl-redfish-switch-helper
cxl_redfish_switch_helper_SOURCES = %D%/switch_main.c
cxl_redfish_switch_helper_LDADD = $(HELPER_LINK)

pkglibexec_PROGRAMS += cxl-redfish-change-helper
cxl_redfish_change_helper_SOURCES = %D%/change_main.c
cxl_redfish_change_helper_LDADD = $(HELPER_LINK)

pkglibexec_PROGRAMS += cxl-redfish-page-helper
cxl_redfish_page_helper_SOURCES = %D%/page_main.c
cxl_redfish_page_helper_LDADD = $(HELPER_LINK)

# Files for systemd.
EXTRA_DIST += \
	%D%/cxl-redfish-change-helper.service.in \
	%D%/cxl-redfish-helper.service.in \
	%D%/cxl-redfish-page-helper.service.in \
	%D%/cxl-redfish-switch-helper.service.in
CLEANFILES += \
	%D%/cxl-redfish-change-helper.service \
	%D%/cxl-redfish-helper.service \
	%D%/cxl-redfish-page-helper.service \
	%D%/cxl-redfish-switch-helper.service
nodist_systemdsystemunit_DATA += \
	%D%/cxl-redfish-change-helper.service \
	%D%/cxl-redfish-helper.service \
	%D%/cxl-redfish-page-helper.service \
	%D%/cxl-redfish-switch-helper.service
dist_systemdsystemunit_DATA += \
	%D%/cxl-redfish-change-helper.socket \
	%D%/cxl-redfish-helper.socket \
	%D%/cxl-redfish-page-helper.socket \
	%D%/cxl-redfish-switch-helper.socket

%D%/cxl-redfish-change-helper.service: $(srcdir)/%D%/cxl-redfish-change-helper.service.in Makefile
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	$(SED) -e 's|@pkglibexecdir[@]|$(pkglibexecdir)|g' \
		$(srcdir)/%D%/cxl-redfish-change-helper.service.in >$@.tmp && \
	mv $@.tmp $@

%D%/cxl-redfish-helper.service: $(srcdir)/%D%/cxl-redfish-helper.service.in Makefile
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	$(SED) -e 's|@pkglibexecdir[@]|$(pkglibexecdir)|g' \
		$(srcdir)/%D%/cxl-redfish-helper.service.in >$@.tmp && \
	mv $@.tmp $@

%D%/cxl-redfish-page-helper.service: $(srcdir)/%D%/cxl-redfish-page-helper.service.in Makefile
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	$(SED) -e 's|@pkglibexecdir[@]|$(pkglibexecdir)|g' \
		$(srcdir)/%D%/cxl-redfish-page-helper.service.in >$@.tmp && \
	mv $@.tmp $@

%D%/cxl-redfish-switch-helper.service: $(srcdir)/%D%/cxl-redfish-switch-helper.service.in Makefile
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	$(SED) -e 's|@pkglibexecdir[@]|$(pkglibexecdir)|g' \
		$(srcdir)/%D%/cxl-redfish-switch-helper.service.in >$@.tmp && \
	mv $@.tmp $@
