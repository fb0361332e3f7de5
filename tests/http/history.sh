#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The history of readings over the end of the service, a reload, and files that cannot be used.
. "${0%/*}/functions"

telemetry=/redfish/v1/TelemetryService
state=$scratch/history
conf=$scratch/c.conf

# sampled: the report of a device of the host has its first sample; leaves it in $body.
sampled() {
	for _ in $tries; do
		request 200 GET "$telemetry/MetricReports/cxl-000000000000abc0-Day"
		case $body in
		*'"MetricValue":'*) return ;;
		esac
		sleep 0.1
	done
	fail "there is no sample: $body"
}

# interval TEXT: the reports have this interval, sooner or later.
interval() {
	for _ in $tries; do
		request 200 GET "$telemetry/MetricReportDefinitions/Day"
		case $body in
		*"\"RecurrenceInterval\":\"$1\""*) return ;;
		esac
		sleep 0.1
	done
	fail "the interval is not $1: $body"
}

begin() {
	start normalized-7.3 --config "$conf" --state "$state" --listen "unix:$socket"
}

echo 'history-interval = 86400' >"$conf"
begin
sampled
has '"MetricId":"LinkWidth"' '"PointCount":1' '"IntervalSeconds":86400'
interval PT86400S

# A sample that was shown survives the kill.
kill -9 "$pid"
wait "$pid" 2>/dev/null
rm -f "$socket"
begin
sampled
has '"PointCount":1'

# Another interval is used without a restart, and a value that is refused changes nothing.
echo 'history-interval = 9' >"$conf"
kill -HUP "$pid"
for _ in $tries; do
	! grep -qF 'history-interval: requires a number from 10 to 86400' "$scratch/err" || break
	sleep 0.1
done
grep -qF 'history-interval: requires a number from 10 to 86400' "$scratch/err" || fail "9 seconds were not refused"
interval PT86400S
printf 'history-interval = 3600\nhistory-age = 2\n' >"$conf"
kill -HUP "$pid"
interval PT3600S
stop

# A damaged file is kept, and a new one begun.
head -c 20000 /dev/urandom >"$state/history.db"
begin
sampled
ls "$state"/history.db.damaged-* >/dev/null 2>&1 || fail "the damaged history was not kept: $(ls "$state")"
grep -qF 'the history of readings begins anew' "$scratch/err" || fail "the log does not name the damaged history"
stop

# Without a state directory there is none.
start normalized-7.3 --listen "unix:$socket"
request 200 GET "$telemetry"
has '"ServiceEnabled":false'
stop

refused_start 2 "--history-interval requires a number from 10 to 86400, not '9'" -- --history-interval 9
refused_start 2 "--history-age requires a number from 1 to 3660, not '0'" -- --history-age 0
finish
