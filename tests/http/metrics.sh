#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# /metrics, read strictly.
. "${0%/*}/functions"
needs_python

openmetrics='application/openmetrics-text; version=1.0.0'
# scrape WANTED...: reads $metrics and expects these samples.
scrape() {
	curl -s -D "$scratch/head" -H "Accept: $openmetrics" "$metrics" -o "$scratch/text" || fail "no answer of $metrics"
	tr -d '\r' <"$scratch/head" |
		grep -qxF 'Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8' ||
		fail "$metrics: $(cat "$scratch/head")"
	python3 "$srcdir/tests/http/openmetrics.py" "$scratch/text" "$@" || fail "$metrics"
}

find_metrics() {
	metrics=$(sed -n 's/^metrics on //p' "$scratch/out")
	[ -n "$metrics" ] || fail "no word of metrics: $(cat "$scratch/out")"
}

wait_for_log() {
	for _ in $tries; do
		request_as_is 200 GET "$system/LogServices/CXL/Entries?\$top=1"
		case $body in *'"Members@odata.count":17'*) break ;; esac
		sleep 0.1
	done
}

start normalized-7.3 --listen "unix:$socket" --state "$scratch/state" --metrics http://127.0.0.1:0
find_metrics
wait_for_log
device=cxl-000000000000abc0
scrape "cxl_events_total{device=\"$device\",type=\"poison\"}=6" \
	"cxl_events_total{device=\"$device\",type=\"poison_cleared\"}=1" \
	'cxl_event_records_read_total=17' 'cxl_event_duplicates_total=0' \
	'cxl_event_translations_total{source="estimate"}=0' \
	'cxl_event_translations_total{source="none"}=0' \
	'cxl_event_store{cxl_event_store="ready"}=1' 'cxl_event_queue=0' \
	'cxl_event_queue_dropped_total=0' \
	"cxl_log_entries{device=\"$device\",type=\"dram\",severity=\"critical\",resolved=\"no\"}=1"
# Incidents come with the view, a moment later.
for _ in $tries; do
	scrape
	! grep -q "^cxl_incident_open{device=\"$device\",kind=\"poison\",severity=\"critical\"}" "$scratch/text" || break
	sleep 0.1
done
grep -q "^cxl_incident_open{device=\"$device\",kind=\"poison\",severity=\"critical\"}" "$scratch/text" || fail "no incidents"

# The older text unless OpenMetrics is accepted, in the version that is served.
text='text/plain; version=0.0.4; charset=utf-8'
type_of() {
	curl -s -o "$scratch/body" -D - -H "Accept:$1" "$metrics" | tr -d '\r' | sed -n 's/^Content-Type: //p'
}
while IFS='|' read -r accept wanted; do
	[ "$(type_of "$accept")" = "$wanted" ] || fail "Accept:$accept: $(type_of "$accept")"
done <<END
|$text
 */*|$text
 text/plain|$text
 application/json|$text
 application/*|$text
 application/openmetrics-text;q=0, text/plain|$text
 application/openmetrics-text;version=0.0.1,text/plain;version=0.0.4;q=0.5,*/*;q=0.1|$text
 application/openmetrics-text|$openmetrics; charset=utf-8
 application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.9|$text
 application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;q=0.2,*/*;q=0.1|$openmetrics; charset=utf-8
 text/plain;q=0.1, Application/OpenMetrics-Text; charset=utf-8; version="1.0.0"; q=0.9|$openmetrics; charset=utf-8
END
type_of '*/*' >/dev/null
grep -qx '# TYPE cxl_event_duplicates_total counter' "$scratch/body" || fail "not text 0.0.4: $(cat "$scratch/body")"
! grep -q '^# EOF' "$scratch/body" || fail "text 0.0.4 has no end"

# Nothing else is there, and nothing can be changed.
answer() {
	status=$(curl -s -o "$scratch/body" -w '%{http_code}' "$@")
}
answer "$metrics/x"
[ "$status" = 404 ] || fail "/metrics/x: $status"
answer "${metrics%/metrics}/redfish/v1"
[ "$status" = 404 ] || fail "/redfish/v1: $status"
answer -X POST -d x "$metrics"
[ "$status" = 405 ] || fail "POST: $status"
answer --head "$metrics"
[ "$status" = 200 ] || fail "HEAD: $status"
stop

# A record that is read again is counted, not stored: without its marker, the ring is read once more.
rm "$scratch/state/boot-ring"
start normalized-7.3 --listen "unix:$socket" --state "$scratch/state" --metrics http://127.0.0.1:0
find_metrics
for _ in $tries; do
	scrape
	! grep -q '^cxl_event_duplicates_total 17$' "$scratch/text" || break
	sleep 0.1
done
scrape 'cxl_event_records_read_total=17' 'cxl_event_duplicates_total=17' \
	"cxl_log_entries{device=\"$device\",type=\"dram\",severity=\"critical\",resolved=\"no\"}=1"
stop

# Losses, by place; and a Unix socket.
start plain-7.3 --listen "unix:$socket" --state "$scratch/full" --max-events 5 --never-overwrite \
	--metrics "unix:$scratch/metrics"
for _ in $tries; do
	curl -s --unix-socket "$scratch/metrics" -H "Accept: $openmetrics" -o "$scratch/text" http://localhost/metrics
	! grep -q '^cxl_event_refused_total 12$' "$scratch/text" || break
	sleep 0.1
done
python3 "$srcdir/tests/http/openmetrics.py" "$scratch/text" cxl_event_refused_total=12 \
	'cxl_event_lost_records_total{place="refused"}=12' || fail "a full log"
stop
[ ! -e "$scratch/metrics" ] || fail "the socket of metrics is left behind"

# Without a log there is little to say, and a bad address is refused.
start plain-7.3 --listen "unix:$socket" --metrics http://127.0.0.1:0
find_metrics
scrape
stop
refused_start 2 "expected http://ADDRESS:PORT" -- --listen "unix:$socket" --metrics 9000
finish
