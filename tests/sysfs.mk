# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The snapshot of a host and the monitor that says when to take a new one.
sysfs_checks = check_sysfs check_sysfs_attributes check_sysfs_hostile check_sysfs_peer \
	check_mailbox check_mailbox_answers check_monitor check_readings
if HAVE_CHECK
check_PROGRAMS += $(sysfs_checks)
TESTS += $(sysfs_checks)
endif
sysfs_cflags = $(AM_CFLAGS) $(CHECK_CFLAGS) -DSRCDIR='"$(abs_top_srcdir)"'
sysfs_util = %D%/sysfs_util.c %D%/sysfs_util.h $(capture_util)
sysfs_ldadd = libsysfs.a libcommon.a $(SYSFS_LIBS) $(CHECK_LIBS)

check_sysfs_CFLAGS = $(sysfs_cflags)
check_sysfs_SOURCES = %D%/check_sysfs.c $(capture_util)
check_sysfs_LDADD = $(sysfs_ldadd)

check_sysfs_attributes_CFLAGS = $(sysfs_cflags)
check_sysfs_attributes_SOURCES = %D%/check_sysfs_attributes.c $(sysfs_util)
check_sysfs_attributes_LDADD = $(sysfs_ldadd)

check_sysfs_hostile_CFLAGS = $(sysfs_cflags)
check_sysfs_hostile_SOURCES = %D%/check_sysfs_hostile.c $(sysfs_util)
check_sysfs_hostile_LDADD = $(sysfs_ldadd)

check_sysfs_peer_CFLAGS = $(sysfs_cflags) $(JANSSON_CFLAGS)
check_sysfs_peer_SOURCES = %D%/check_sysfs_peer.c $(capture_util)
check_sysfs_peer_LDADD = $(sysfs_ldadd) $(JANSSON_LIBS)

# An ioctl() of their own stands in for the devices.
fake_mailbox = %D%/fake_mailbox.c %D%/fake_mailbox.h

mailbox_util = %D%/mailbox_util.c %D%/mailbox_util.h $(fake_mailbox) $(sysfs_util)

check_mailbox_CFLAGS = $(sysfs_cflags)
check_mailbox_SOURCES = %D%/check_mailbox.c $(mailbox_util)
check_mailbox_LDADD = $(sysfs_ldadd)

check_mailbox_answers_CFLAGS = $(sysfs_cflags)
check_mailbox_answers_SOURCES = %D%/check_mailbox_answers.c $(mailbox_util)
check_mailbox_answers_LDADD = $(sysfs_ldadd)

check_readings_CFLAGS = $(sysfs_cflags)
check_readings_SOURCES = %D%/check_readings.c $(sysfs_util)
check_readings_LDADD = $(sysfs_ldadd)

check_monitor_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS) $(LIBSYSTEMD_CFLAGS)
check_monitor_SOURCES = %D%/check_monitor.c
check_monitor_LDADD = libsysfs.a libcommon.a $(SYSFS_LIBS) $(LIBSYSTEMD_LIBS) $(CHECK_LIBS)

# Every field of the snapshot of each bundled host, against a text that people have looked at.
host_names = idle-7.3 normalized-6.12 normalized-7.3 normalized-no-prm-7.3 plain-6.12 plain-7.3 \
	switch-7.3 zen5-doc

check_PROGRAMS += dump_host
dump_host_SOURCES = %D%/dump_host.c
dump_host_LDADD = libsysfs.a libcommon.a $(SYSFS_LIBS)
TESTS += %D%/sysfs_golden.sh
EXTRA_DIST += %D%/golden %D%/sysfs_golden.sh $(host_names:%=%D%/hosts/%.golden)

update-golden: dump_host
	for name in $(host_names); do \
		./dump_host $(srcdir)/%D%/hosts/$$name.tar.zst >$(srcdir)/%D%/hosts/$$name.golden \
			|| exit 1; \
	done
.PHONY: update-golden
