# SPDX-License-Identifier: LGPL-2.1-or-later
sbin_PROGRAMS += cxl-redfishd
cxl_redfishd_CFLAGS = $(AM_CFLAGS) $(LIBSYSTEMD_CFLAGS) $(JANSSON_CFLAGS) $(LIBMICROHTTPD_CFLAGS)
cxl_redfishd_SOURCES = \
	%D%/config.c %D%/config.h \
	%D%/main.c \
	%D%/servers.c %D%/servers.h \
	%D%/topology.c %D%/topology.h
cxl_redfishd_LDADD = libredfish.a libprm.a libsysfs.a libcommon.a \
	$(REDFISH_LIBS) $(PRM_LIBS) $(SYSFS_LIBS) $(LIBSYSTEMD_LIBS)
