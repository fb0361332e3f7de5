# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libsysfs.a
libsysfs_a_CFLAGS = $(AM_CFLAGS) $(LIBCXL_CFLAGS) $(LIBDAXCTL_CFLAGS) $(LIBUDEV_CFLAGS) \
	$(LIBSYSTEMD_CFLAGS) $(LIBARCHIVE_CFLAGS)
libsysfs_a_SOURCES = \
	%D%/aer.c %D%/aer.h \
	%D%/archive.h %D%/archive_child.c %D%/archive_child.h \
	%D%/archive_pack.c %D%/archive_unpack.c \
	%D%/capture.c %D%/capture.h %D%/capture_list.c %D%/capture_mailbox.c \
	%D%/capture_set.c %D%/capture_set.h \
	%D%/attr.c %D%/attr.h \
	%D%/findings.c %D%/findings.h \
	%D%/host.c %D%/host.h \
	%D%/host_build.h \
	%D%/host_dax.c \
	%D%/host_decoders.c \
	%D%/host_dports.c \
	%D%/host_iomem.c \
	%D%/host_links.c \
	%D%/host_memdevs.c \
	%D%/host_misc.c \
	%D%/host_nodes.c \
	%D%/host_packages.c \
	%D%/host_pci.c \
	%D%/host_ports.c \
	%D%/host_read.c \
	%D%/host_regions.c \
	%D%/memory_ids.c %D%/memory_ids.h \
	%D%/memory_blocks.c %D%/memory_blocks.h \
	%D%/host_root.c %D%/host_root.h \
	%D%/mailbox.c %D%/mailbox.h \
	%D%/mailbox_commands.c %D%/mailbox_commands.h \
	%D%/mailbox_decode.c \
	%D%/mailbox_read.c \
	%D%/monitor.c %D%/monitor.h \
	%D%/namespace.c %D%/namespace.h \
	%D%/readings.c %D%/readings.h %D%/readings_build.h \
	%D%/readings_read.c \
	%D%/stand_ins.c \
	%D%/tree_check.c %D%/tree_check.h

# libarchive is not linked: the one child process that needs it opens it itself, see archive_child.c.
SYSFS_LIBS = $(LIBCXL_LIBS) $(LIBDAXCTL_LIBS) $(LIBUDEV_LIBS)
