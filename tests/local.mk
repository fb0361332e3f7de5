# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Each room's tests are in its own fragment. check_*.c are Check suites; *.sh run the programs.
include %D%/common.mk
include %D%/sysfs.mk
include %D%/prm.mk
include %D%/redfish.mk
include %D%/cli.mk
include %D%/bench/local.mk
