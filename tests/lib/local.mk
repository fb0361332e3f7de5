# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Fixtures that several suites share, one library: hosts built in memory, captured ones, stand-ins for devices,
# and the main() of the test programs.
check_LIBRARIES = libtests.a
libtests_a_SOURCES = \
	%D%/accounts_fixture.c \
	%D%/accounts_fixture.h \
	%D%/capture_util.c \
	%D%/capture_util.h \
	%D%/change_fixture.c \
	%D%/change_fixture.h \
	%D%/empty_host.c \
	%D%/empty_host.h \
	%D%/events_util.c \
	%D%/events_util.h \
	%D%/fabric_fixture.c \
	%D%/fabric_fixture.h \
	%D%/failing_calloc.c \
	%D%/failing_calloc.h \
	$(fake_module) \
	%D%/firmware_host.c \
	%D%/firmware_host.h \
	%D%/firmware_util.c \
	%D%/firmware_util.h \
	%D%/helper_socket.c \
	%D%/helper_socket.h \
	%D%/http_client.c \
	%D%/http_client.h \
	%D%/log_fixture.c \
	%D%/log_fixture.h \
	%D%/machine.c \
	%D%/machine.h \
	%D%/machine_change.c \
	%D%/machine_forget.c \
	%D%/machine_model.c \
	%D%/machine_tree.c \
	%D%/mailbox_util.c \
	%D%/mailbox_util.h \
	%D%/mapping_document.c \
	%D%/mapping_document.h \
	%D%/memory_fixture.c \
	%D%/memory_fixture.h \
	%D%/model_handler.c \
	%D%/model_handler.h \
	%D%/model_host.c \
	%D%/model_host.h \
	%D%/model_usual.c \
	%D%/model_usual.h \
	%D%/outage.c \
	%D%/outage.h \
	%D%/passing_monotonic.c \
	%D%/passing_monotonic.h \
	%D%/pooled_fixture.c \
	%D%/pooled_fixture.h \
	%D%/publisher_fixture.c \
	%D%/publisher_fixture.h \
	%D%/redfish_fixture.c \
	%D%/redfish_fixture.h \
	%D%/remote_fixture.c \
	%D%/remote_fixture.h \
	%D%/repair_records.c \
	%D%/repair_records.h \
	%D%/small_disk.c \
	%D%/small_disk.h \
	%D%/store_fixture.c \
	%D%/store_fixture.h \
	%D%/store_util.c \
	%D%/store_util.h \
	%D%/suites.c \
	%D%/suites.h \
	%D%/switch_fixture.c \
	%D%/switch_fixture.h \
	%D%/switch_model.c \
	%D%/switch_model.h \
	%D%/switch_model_bad.c \
	%D%/switch_model_dcd.c \
	%D%/switch_model_device.c \
	%D%/switch_model_presets.c \
	%D%/switch_model_private.h \
	%D%/switch_model_registers.c \
	%D%/sysfs_util.c \
	%D%/sysfs_util.h \
	%D%/wait.h \
	%D%/witness.c \
	%D%/witness.h

%D%/capture_util.$(OBJEXT): AM_CPPFLAGS += -DSRCDIR='"$(abs_top_srcdir)"'

# These have functions in place of those of libc or the product, and programs list them; bench_firmware has the
# module without Check.
fake_mailbox = tests/lib/fake_mailbox.c tests/lib/fake_mailbox.h
fake_module = tests/lib/fake_ioctl.c tests/lib/fake_ioctl.h tests/lib/fake_module.c tests/lib/fake_module.h
redfish_stand_ins = tests/lib/redfish_stand_ins.c

# A suite's name is that of a link to the program of its directory, see suites.c.
link_suite = $(AM_V_at)$(LN_S) -f $< $@

# The captured hosts.
host_names = dynamic-7.3 idle-7.3 mock-7.3 normalized-6.12 normalized-7.3 normalized-no-prm-7.3 plain-6.12 plain-7.3 \
	switch-7.3 switch-mailbox-7.3 switch-model-7.3 three-bridges-7.3 zen5-doc
redfish_golden_names = mock-7.3 normalized-7.3 switch-mailbox-7.3
EXTRA_DIST += tests/hosts/README.md tests/hosts/make-dynamic-host tests/lib/complaints tests/lib/golden $(host_names:%=tests/hosts/%.tar.zst) $(host_names:%=tests/hosts/%.golden) \
	$(redfish_golden_names:%=tests/hosts/%.redfish)
