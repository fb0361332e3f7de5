# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# A host without CXL, with Debian 12's own kernel: a fact, and no fault; with expect-cxl it is one.
# shellcheck source=/dev/null
. /lib/vm/mock.sh
needs_program cxl-spa
needs_program cxl-redfish-trace

work=$RESULTS/absent
mkdir -p "$work/state" /etc/cxl-redfish
manager=/redfish/v1/Managers/Service

cxl-spa health >"$work/health" 2>&1
same "health is 0" 0 $?
contains "with the fact" "CXL OK - no CXL memory on this host: " "$work/health"
cxl-spa explain >"$work/explain" 2>&1
contains "explain has its problem" "no CXL on this host" "$work/explain"
cxl-spa explain --check >"$work/check" 2>&1
same "and its status" 1 $?
cxl-redfish-trace >"$work/trace" 2>&1
same "there is no instance to be made, which is no failure" 0 $?
same "none is made" "" "$(ls /sys/kernel/tracing/instances)"

start_redfishd "$socket" "$work/log" --state "$work/state" --metrics "unix:/run/metrics"
becomes "the manager is OK" OK value "$manager" .Status.Health
sleep 6 # the instance was looked for again
same "and stays so, without a condition" '{"State":"Enabled","Health":"OK"}' "$(value "$manager" '{State: .Status.State, Health: .Status.Health} + (.Status | {Conditions} | with_entries(select(.value)))')"
same "no metric is a fault" 0 "$(curl -s --unix-socket /run/metrics http://localhost/metrics | grep '^cxl_service_fault' | grep -vc ' 0$')"
stop_redfishd "$socket"

echo 'expect-cxl = yes' >/etc/cxl-redfish/cxl-redfishd.conf
start_redfishd "$socket" "$work/log-expected" --state "$work/state" --metrics "unix:/run/metrics"
becomes "expected CXL that is absent is Critical" Critical value "$manager" .Status.Health
becomes "with its condition" true value "$manager" 'any(.Status.Conditions[]; .MessageId | endswith(".CXLMissing"))'
contains "and a metric" 'cxl_service_fault{fault="cxl_missing"} 1' - <<-END
	$(curl -s --unix-socket /run/metrics http://localhost/metrics)
END
cxl-spa health >"$work/health-expected" 2>&1
same "health is 2" 2 $?
stop_redfishd "$socket"
