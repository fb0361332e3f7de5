# SPDX-License-Identifier: LGPL-2.1-or-later
# Run by the daemon, once for each capture that a client requests.
pkglibexec_PROGRAMS += cxl-redfish-collect
cxl_redfish_collect_SOURCES = %D%/main.c %D%/protocol.h
cxl_redfish_collect_LDADD = $(CAPTURE_LINK) $(PRM_LINK)

# The daemon's end of it.
noinst_LIBRARIES += libcollect.a
libcollect_a_SOURCES = %D%/client.c %D%/client.h

COLLECT_LINK = libcollect.a $(SYSFS_LINK)
