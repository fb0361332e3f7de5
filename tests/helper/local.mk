# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The helper: as functions, and as a program beside the daemon.
helper_suites = \
	check_helper_changes \
	check_helper_host \
	check_helper_pages \
	check_helper_server \
	check_helper_switches
TESTS += $(helper_suites)
CLEANFILES += $(helper_suites)
check_PROGRAMS += suites_helper
suites_helper_SOURCES = \
	%D%/check_helper_changes.c \
	%D%/check_helper_host.c \
	%D%/check_helper_pages.c \
	%D%/check_helper_server.c \
	%D%/check_helper_switches.c
# To have events of udev.
suites_helper_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=udev_monitor_new_from_netlink \
	-Wl,--wrap=udev_monitor_unref \
	-Wl,--wrap=udev_monitor_filter_add_match_subsystem_devtype \
	-Wl,--wrap=udev_monitor_set_receive_buffer_size \
	-Wl,--wrap=udev_monitor_enable_receiving \
	-Wl,--wrap=udev_monitor_get_fd \
	-Wl,--wrap=udev_monitor_receive_device \
	-Wl,--wrap=udev_device_get_subsystem \
	-Wl,--wrap=udev_device_get_action \
	-Wl,--wrap=udev_device_get_sysname \
	-Wl,--wrap=udev_device_unref
suites_helper_LDADD = libtests.a $(HELPER_LINK) $(CAPTURE_LINK) $(CHECK_LIBS)
$(helper_suites): suites_helper$(EXEEXT)
	$(link_suite)

TESTS += %D%/helper.sh
EXTRA_DIST += %D%/helper.sh %D%/helper.py
