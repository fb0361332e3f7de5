# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Tests, by directory of the source. check_*.c are Check suites, one program for a directory (tests/lib/suites.c); *.sh
# run the programs.
include %D%/lib/local.mk
# Missing packages are reported before anything is built. The target is in a variable because a rule for
# "check" would replace that of automake.
check_target = check
$(check_target): tests-prerequisites
tests-prerequisites:
	@$(srcdir)/%D%/prerequisites $(have_check)
.PHONY: tests-prerequisites
EXTRA_DIST += %D%/prerequisites
TESTS += %D%/prerequisites.sh
EXTRA_DIST += %D%/prerequisites.sh
include %D%/common/local.mk
include %D%/opener/local.mk
include %D%/sysfs/local.mk
include %D%/mailbox/local.mk
include %D%/capture/local.mk
include %D%/prm/local.mk
include %D%/events/local.mk
include %D%/model/local.mk
include %D%/change/local.mk
include %D%/selftest/local.mk
include %D%/pages/local.mk
include %D%/redfish/local.mk
include %D%/libcxlspa/local.mk
include %D%/http/local.mk
include %D%/collect/local.mk
include %D%/push/local.mk
include %D%/otlp/local.mk
include %D%/helper/local.mk
include %D%/page/local.mk
include %D%/daemon/local.mk
include %D%/metrics/local.mk
include %D%/cli/local.mk
include %D%/docs/local.mk
include %D%/bench/local.mk

# The fuzz targets: with --enable-fuzzers `make fuzzers` builds them for scripts/fuzz; otherwise a main() replays
# their corpora as a test.
fuzz_programs =
if ENABLE_FUZZERS
fuzz_ldflags = -fsanitize=fuzzer
fuzz_main =
else
fuzz_ldflags =
fuzz_main = libreplay.a
EXTRA_LIBRARIES = libreplay.a
libreplay_a_SOURCES = %D%/fuzz/replay.c
endif
include %D%/fuzz/capture.mk
include %D%/fuzz/conf.mk
include %D%/fuzz/fmapi.mk
include %D%/fuzz/mailbox.mk
include %D%/fuzz/events.mk
include %D%/fuzz/helper.mk
include %D%/fuzz/prm.mk
include %D%/fuzz/redfish.mk
include %D%/fuzz/requests.mk
include %D%/fuzz/store.mk
include %D%/fuzz/trace.mk
if ENABLE_FUZZERS
EXTRA_PROGRAMS += $(fuzz_programs)
CLEANFILES += $(fuzz_programs)
fuzzers: $(fuzz_programs)
else
check_PROGRAMS += $(fuzz_programs)
TESTS += %D%/fuzz/replay.sh
endif
EXTRA_DIST += %D%/fuzz/replay.sh
.PHONY: fuzzers
include %D%/vm/local.mk
