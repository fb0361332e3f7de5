# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Fixtures that several suites share: hosts built in memory, captured ones, stand-ins for devices.
# All suites are built with these flags.
suite_cflags = $(AM_CFLAGS) $(CHECK_CFLAGS) $(JANSSON_CFLAGS) $(LIBARCHIVE_CFLAGS) $(LIBMICROHTTPD_CFLAGS) \
	$(LIBSYSTEMD_CFLAGS) $(SQLITE_CFLAGS) -DSRCDIR='"$(abs_top_srcdir)"'

# All suites may use it.
EXTRA_DIST += tests/lib/wait.h
capture_util = tests/lib/capture_util.c tests/lib/capture_util.h
sysfs_util = tests/lib/sysfs_util.c tests/lib/sysfs_util.h $(capture_util)
fake_mailbox = tests/lib/fake_mailbox.c tests/lib/fake_mailbox.h
mailbox_util = tests/lib/mailbox_util.c tests/lib/mailbox_util.h $(fake_mailbox) $(sysfs_util)
switch_model = tests/lib/switch_model.c tests/lib/switch_model.h tests/lib/switch_model_bad.c tests/lib/switch_model_device.c \
	tests/lib/switch_model_presets.c tests/lib/switch_model_private.h tests/lib/switch_model_registers.c
model_host = tests/lib/model_host.c tests/lib/model_host.h
model_usual = $(model_host) tests/lib/model_usual.c tests/lib/model_usual.h
switch_fixture = tests/lib/switch_fixture.c tests/lib/switch_fixture.h
pooled_fixture = tests/lib/pooled_fixture.c tests/lib/pooled_fixture.h $(fabric_fixture) $(switch_fixture) \
	$(switch_model)
remote_fixture = tests/lib/remote_fixture.c tests/lib/remote_fixture.h $(switch_fixture)
model_handler = $(model_host) tests/lib/model_handler.c tests/lib/model_handler.h
machine = tests/lib/machine.c tests/lib/machine.h tests/lib/machine_change.c tests/lib/machine_model.c \
	tests/lib/machine_tree.c
fake_module = tests/lib/fake_module.c tests/lib/fake_module.h
firmware_util = tests/lib/firmware_util.c tests/lib/firmware_util.h $(fake_module)
firmware_host = tests/lib/firmware_host.c tests/lib/firmware_host.h $(fake_module) $(model_host)
events_util = tests/lib/events_util.c tests/lib/events_util.h $(capture_util)
empty_host = tests/lib/empty_host.c tests/lib/empty_host.h
store_util = tests/lib/store_util.c tests/lib/store_util.h
store_fixture = tests/lib/store_fixture.c tests/lib/store_fixture.h $(store_util)
accounts_fixture = tests/lib/accounts_fixture.c tests/lib/accounts_fixture.h
mapping_document = tests/lib/mapping_document.c tests/lib/mapping_document.h
redfish_fixture = tests/lib/redfish_fixture.c tests/lib/redfish_fixture.h $(model_host)
memory_fixture = tests/lib/memory_fixture.c tests/lib/memory_fixture.h $(redfish_fixture)
change_fixture = tests/lib/change_fixture.c tests/lib/change_fixture.h $(redfish_fixture)
log_fixture = tests/lib/log_fixture.c tests/lib/log_fixture.h $(redfish_fixture) $(store_util)
fabric_fixture = tests/lib/fabric_fixture.c tests/lib/fabric_fixture.h $(redfish_fixture)

# The captured hosts.
host_names = idle-7.3 mock-7.3 normalized-6.12 normalized-7.3 normalized-no-prm-7.3 plain-6.12 plain-7.3 \
	switch-7.3 switch-mailbox-7.3 switch-model-7.3 three-bridges-7.3 zen5-doc
EXTRA_DIST += tests/hosts/README.md tests/lib/golden $(host_names:%=tests/hosts/%.tar.zst) $(host_names:%=tests/hosts/%.golden) \
	$(host_names:%=tests/hosts/%.redfish)
