# SPDX-License-Identifier: LGPL-2.1-or-later
# Run by the daemon. It alone has libcurl.
pkglibexec_PROGRAMS += cxl-redfish-push
cxl_redfish_push_SOURCES = %D%/main.c %D%/protocol.h %D%/destinations.c %D%/destinations.h
cxl_redfish_push_LDADD = $(COMMON_LINK) $(LIBCURL_LIBS)

# The daemon's end of it.
noinst_LIBRARIES += libpush.a
libpush_a_SOURCES = %D%/client.c %D%/client.h %D%/destinations.c %D%/destinations.h %D%/post_parts.c %D%/post_parts.h

PUSH_LINK = libpush.a $(COMMON_LINK)
