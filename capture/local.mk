# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libcapture.a
libcapture_a_SOURCES = \
	%D%/archive.h \
	%D%/archive_child.c %D%/archive_child.h \
	%D%/archive_pack.c \
	%D%/archive_unpack.c \
	%D%/capture.c %D%/capture.h \
	%D%/capture_list.c \
	%D%/capture_mailbox.c \
	%D%/capture_private.h \
	%D%/capture_set.c \
	%D%/capture_switches.c \
	%D%/captured_host.c %D%/captured_host.h \
	%D%/captured_tree.c %D%/captured_tree.h \
	%D%/mask.c %D%/mask.h \
	%D%/mask_identities.c \
	%D%/mask_private.h \
	%D%/namespace.c %D%/namespace.h \
	%D%/stand_ins.c \
	%D%/tree_check.c %D%/tree_check.h

# libarchive is not linked: the child process that needs it loads it, see archive_child.c.
CAPTURE_LINK = libcapture.a $(MAILBOX_LINK)
