# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# CXL memory with Debian 12's own kernel, which has no CXL trace events: a Warning, with what to do; with expect-cxl
# it is Critical.
# shellcheck source=/dev/null
. /lib/vm/mock.sh
needs_program cxl-spa
needs_program cxl-redfish-trace

work=$RESULTS/old
mkdir -p "$work/state" /etc/cxl-redfish
manager=/redfish/v1/Managers/Service
sentence="This kernel has no CXL trace events; Linux 6.3 or newer records them"

check "this kernel has no CXL events" test ! -e /sys/kernel/tracing/events/cxl
same "it has the memory devices" 4 "$(find /sys/bus/cxl/devices -maxdepth 1 -name 'mem*' | wc -l)"
cxl-spa list >"$work/list" 2>&1
same "which cxl-spa lists" 0 $?
cxl-spa health >"$work/health" 2>&1
same "health is a Warning" 1 $?
contains "with the sentence" "$sentence" "$work/health"
cxl-redfish-trace >"$work/trace" 2>&1
same "cxl-redfish-trace does not fail" 0 $?
contains "it says why there is no instance" "$sentence" "$work/trace"
start_redfishd "$socket" "$work/log" --state "$work/state" --metrics "unix:/run/metrics"
becomes "the manager has a Warning" Warning value "$manager" .Status.Health
becomes "with the sentence" true value "$manager" "any(.Status.Conditions[]; .Message | contains(\"$sentence\"))"
curl -s --unix-socket /run/metrics http://localhost/metrics >"$work/metrics"
contains "and a metric" 'cxl_service_fault{fault="events_not_in_kernel"} 1' "$work/metrics"
contains "but not that of a fault of the service" 'cxl_service_fault{fault="events_not_recorded"} 0' "$work/metrics"
becomes "all memory devices are shown" 4 value "$host/Memory" '."Members@odata.count"'
contains "its log has the sentence" "$sentence" "$work/log"
stop_redfishd "$socket"

echo 'expect-cxl = yes' >/etc/cxl-redfish/cxl-redfishd.conf
start_redfishd "$socket" "$work/log-expected" --state "$work/state"
becomes "with expect-cxl it is Critical" Critical value "$manager" .Status.Health
cxl-spa health >"$work/health-expected" 2>&1
same "health, too" 2 $?
stop_redfishd "$socket"
