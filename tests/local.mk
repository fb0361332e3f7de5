# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Each room's tests are in its own fragment. check_*.c are Check suites; *.sh run the programs.
include %D%/common.mk
include %D%/capture.mk
include %D%/sysfs.mk
include %D%/prm.mk
include %D%/events.mk
include %D%/store.mk
include %D%/redfish.mk
include %D%/cli.mk
include %D%/install.mk
include %D%/bench/local.mk

# The libFuzzer targets: they exist only with --enable-fuzzers and are built by `make fuzzers`.
fuzz_programs =
include %D%/fuzz/capture.mk
include %D%/fuzz/mailbox.mk
include %D%/fuzz/events.mk
include %D%/fuzz/prm.mk
include %D%/fuzz/redfish.mk
include %D%/fuzz/store.mk
EXTRA_PROGRAMS += $(fuzz_programs)
CLEANFILES += $(fuzz_programs)
if ENABLE_FUZZERS
fuzzers: $(fuzz_programs)
endif
.PHONY: fuzzers
include %D%/vm/local.mk
