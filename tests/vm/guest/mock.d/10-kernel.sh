# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# The mock devices on which the other tests rely.
# shellcheck source=/dev/null
. /lib/vm/lib.sh

# devices PATTERN: how many devices of the CXL bus have such a name.
devices() {
	find /sys/bus/cxl/devices -maxdepth 1 -name "$1" | wc -l
}

same "the mock memory devices" 11 "$(devices 'mem*')"
same "the windows of the mock root" 6 "$(cxl list -D -d root -b cxl_test | grep -c '"decoder":')"
same "the region that exists from the start" 1 "$(devices 'region*')"
check "the devices answer more than the kernel's own mock devices do" \
	test -w /sys/bus/platform/devices/cxl_mem.0/health_info
