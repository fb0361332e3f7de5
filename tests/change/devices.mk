# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Changes of memory devices: suites, which replace the functions that write attributes and the kernel's
# keys, and the program by which the virtual machine has changes made.
devices_util = tests/change/devices_util.c tests/change/devices_util.h $(fake_mailbox) $(sysfs_util)
device_writes = -Wl,--wrap=change_write -Wl,--wrap=timed_write
device_checks = check_device_mailbox check_device_state check_key_store check_security
if HAVE_CHECK
check_PROGRAMS += $(device_checks)
TESTS += $(device_checks)
endif

check_device_mailbox_CFLAGS = $(suite_cflags)
check_device_mailbox_SOURCES = tests/change/check_device_mailbox.c $(devices_util)
check_device_mailbox_LDADD = $(CHANGE_LINK) $(CAPTURE_LINK) $(CHECK_LIBS)
check_device_mailbox_LDFLAGS = $(AM_LDFLAGS) $(device_writes)

check_device_state_CFLAGS = $(suite_cflags)
check_device_state_SOURCES = tests/change/check_device_state.c $(devices_util)
check_device_state_LDADD = $(CHANGE_LINK) $(CAPTURE_LINK) $(CHECK_LIBS)
# The others to let hours pass.
check_device_state_LDFLAGS = $(AM_LDFLAGS) $(device_writes) -Wl,--wrap=nanosleep -Wl,--wrap=clock_monotonic_ms

check_key_store_CFLAGS = $(suite_cflags)
check_key_store_SOURCES = tests/change/check_key_store.c $(capture_util)
check_key_store_LDADD = $(CHANGE_LINK) $(CAPTURE_LINK) $(CHECK_LIBS)

check_security_CFLAGS = $(suite_cflags)
check_security_SOURCES = tests/change/check_security.c tests/change/fake_keys.c tests/change/fake_keys.h $(devices_util)
check_security_LDADD = $(CHANGE_LINK) $(CAPTURE_LINK) $(CHECK_LIBS)
# To have keys in any container, and to be killed at each step.
check_security_LDFLAGS = $(AM_LDFLAGS) $(device_writes) -Wl,--wrap=add_key -Wl,--wrap=keyctl_read \
	-Wl,--wrap=keyctl_invalidate -Wl,--wrap=fsync -Wl,--wrap=renameat -Wl,--wrap=unlinkat

EXTRA_PROGRAMS += run_change
CLEANFILES += run_change
run_change_CFLAGS = $(suite_cflags)
run_change_SOURCES = tests/change/run_change.c
run_change_LDADD = $(CHANGE_LINK)
