# SPDX-License-Identifier: LGPL-2.1-or-later
sbin_PROGRAMS += cxl-redfishd
cxl_redfishd_CFLAGS = $(AM_CFLAGS) $(LIBSYSTEMD_CFLAGS) $(JANSSON_CFLAGS) $(LIBMICROHTTPD_CFLAGS)
cxl_redfishd_SOURCES = \
	%D%/asker.c %D%/asker.h \
	%D%/config.c %D%/config.h \
	%D%/event_watch.c %D%/event_watch.h \
	%D%/events.c %D%/events.h \
	%D%/main.c \
	%D%/metrics.c %D%/metrics.h \
	%D%/metrics_text.c %D%/metrics_text.h \
	%D%/reader.c %D%/reader.h \
	%D%/reasons.c %D%/reasons.h \
	%D%/replayer.c %D%/replayer.h \
	%D%/servers.c %D%/servers.h \
	%D%/tally.c %D%/tally.h \
	%D%/topology.c %D%/topology.h \
	%D%/trace.c %D%/trace.h \
	%D%/worker.c %D%/worker.h
cxl_redfishd_CPPFLAGS = $(AM_CPPFLAGS) -DPKGLIBEXECDIR='"$(pkglibexecdir)"'
cxl_redfishd_LDADD = libredfish.a libevents.a libprm.a libsysfs.a libcommon.a \
	$(REDFISH_LIBS) $(EVENTS_LIBS) $(PRM_LIBS) $(SYSFS_LIBS) $(LIBSYSTEMD_LIBS)

# What systemd and udev need to know of the daemon.
EXTRA_DIST += %D%/cxl-redfishd.service.in
CLEANFILES += %D%/cxl-redfishd.service
nodist_systemdsystemunit_DATA = %D%/cxl-redfishd.service
dist_sysusers_DATA = %D%/sysusers.d/cxl-redfish.conf
dist_udevrules_DATA = %D%/udev/70-cxl-redfish.rules
# Run as root before the daemon.
dist_pkglibexec_SCRIPTS = %D%/cxl-redfish-trace

# These folders are known to make, not to configure: they may be given to make, and refer to other variables.
%D%/cxl-redfishd.service: $(srcdir)/%D%/cxl-redfishd.service.in Makefile
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	$(SED) -e 's|@sbindir[@]|$(sbindir)|g' -e 's|@pkglibexecdir[@]|$(pkglibexecdir)|g' \
		$(srcdir)/%D%/cxl-redfishd.service.in >$@.tmp && \
	mv $@.tmp $@
