# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The library for programs in C. It has the objects of the archives that it needs; their names are
# not exported, see libcxlspa.map.
lib_LTLIBRARIES += libcxlspa.la
include_HEADERS += %D%/cxlspa.h
libcxlspa_la_SOURCES = %D%/cxlspa.c %D%/cxlspa.h
cxlspa_libraries = $(LIBUDEV_LIBS) $(JANSSON_LIBS) $(ZLIB_LIBS)
cxlspa_archives = libmodel.a libevents.a libprm.a libcapture.a libsysfs.a libopener.a libcommon.a
# Past libtool, which warns of archives in a library because it does not know that their objects are
# made for one.
libcxlspa_la_LDFLAGS = $(CXLR_LDFLAGS) -version-info 1:0:0 -Wl,--version-script=$(srcdir)/%D%/libcxlspa.map \
	-Wl,--start-group $(cxlspa_archives:%=-Wl,%) -Wl,--end-group $(cxlspa_libraries:%=-Wl,%)
libcxlspa_la_DEPENDENCIES = $(cxlspa_archives) $(srcdir)/%D%/libcxlspa.map
EXTRA_DIST += %D%/libcxlspa.map %D%/libcxlspa.abi

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA += %D%/libcxlspa.pc

# Examples that the tests build and run.
cxlspaexampledir = $(datadir)/doc/libcxlspa-dev/examples
dist_cxlspaexample_DATA = %D%/examples/fill-hpa.c %D%/examples/translate.py
check_PROGRAMS += fill-hpa
fill_hpa_SOURCES = %D%/examples/fill-hpa.c
fill_hpa_CPPFLAGS = -I$(top_srcdir)/%D%
fill_hpa_LDADD = libcxlspa.la
