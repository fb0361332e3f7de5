# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Captured hosts: reading hostile ones, entering them, writing them.
capture_checks = check_capture check_host_root check_capture_write
if HAVE_CHECK
check_PROGRAMS += $(capture_checks)
TESTS += $(capture_checks)
endif
capture_cflags = $(AM_CFLAGS) $(CHECK_CFLAGS) $(LIBARCHIVE_CFLAGS) -DSRCDIR='"$(abs_top_srcdir)"'
capture_ldadd = libsysfs.a libcommon.a $(SYSFS_LIBS) $(CHECK_LIBS)
capture_util = %D%/capture_util.c %D%/capture_util.h

check_capture_CFLAGS = $(capture_cflags)
check_capture_SOURCES = %D%/check_capture.c $(capture_util)
check_capture_LDADD = $(capture_ldadd)

check_host_root_CFLAGS = $(capture_cflags)
check_host_root_SOURCES = %D%/check_host_root.c $(capture_util)
check_host_root_LDADD = $(capture_ldadd)

check_capture_write_CFLAGS = $(capture_cflags)
check_capture_write_SOURCES = %D%/check_capture_write.c $(capture_util)
check_capture_write_LDADD = $(capture_ldadd) $(LIBARCHIVE_LIBS)

EXTRA_DIST += \
	%D%/hosts/idle-7.3.tar.zst \
	%D%/hosts/normalized-6.12.tar.zst \
	%D%/hosts/normalized-7.3.tar.zst \
	%D%/hosts/normalized-no-prm-7.3.tar.zst \
	%D%/hosts/plain-6.12.tar.zst \
	%D%/hosts/plain-7.3.tar.zst \
	%D%/hosts/switch-7.3.tar.zst \
	%D%/hosts/zen5-doc.tar.zst
