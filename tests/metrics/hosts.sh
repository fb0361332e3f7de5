#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# /metrics on all captured hosts: read strictly in both formats, compared with the table of families, with Redfish, and with what
# rules, dashboard and documents name.
. "${0%/*}/../http/functions"
. "${0%/*}/functions"
needs_python
command -v zstd >/dev/null || skip "zstd is missing (Debian package: zstd)"
./print_metrics >"$scratch/table" || exit 99

# The document has the table.
sed '1,/^<!-- begin of metrics -->$/d; /^<!-- end of metrics -->$/,$d' "$srcdir/docs/metrics.md" >"$scratch/page"
diff -u "$scratch/page" "$scratch/table" || fail "docs/metrics.md is not up to date: make update-metrics"

scrape_all
for file in "$scratch"/scrapes/*.om; do
	python3 -B "$srcdir/tests/http/openmetrics.py" "$file" || fail "$file"
done
python3 -B "$srcdir/tests/metrics/metrics.py" "$scratch/table" "$scratch/scrapes" "$srcdir" || fail "see above"

# Faults that the check itself finds.
cp -R "$scratch/scrapes" "$scratch/bad"
sed -i 's/^cxl_redfish_info{version=/cxl_redfish_info{colour=/' "$scratch/bad/plain-7.3.txt"
echo 'cxl_new 1' >>"$scratch/bad/plain-6.12.txt"
sed -i '/^cxl_event_queue /d' "$scratch"/bad/*
python3 -B "$srcdir/tests/metrics/metrics.py" "$scratch/table" "$scratch/bad" "$srcdir" >"$scratch/found" &&
	fail "errors are not found"
for expected in "plain-7.3.txt: cxl_redfish_info has labels colour" "plain-6.12.txt: cxl_new is not in the table" \
	"plain-7.3: not the same samples in both formats" "cxl-redfish.rules.yml: cxl_event_queue is in no scrape"; do
	grep -qF "$expected" "$scratch/found" || fail "not found: $expected in $(cat "$scratch/found")"
done

# Values as in Redfish, and nothing of what is not known.
sample() {
	grep -qxF "$2" "$scratch/scrapes/$1.txt" || fail "$1: no $2"
}
mem0='device="cxl-0000000000000002",memdev="mem0"'
sample mock-7.3 "cxl_device_health{$mem0} 2"
sample mock-7.3 "cxl_device_temperature_celsius{$mem0} 25"
sample mock-7.3 "cxl_device_life_used_ratio{$mem0} 0.15"
sample mock-7.3 "cxl_device_dirty_shutdowns_total{$mem0} 10"
sample mock-7.3 "cxl_device_scrub_enabled{$mem0} 1"
sample mock-7.3 "cxl_device_scrub_cycle_seconds{$mem0} 43200"
sample mock-7.3 "cxl_device_scrub_cycle_min_seconds{$mem0} 3600"
sample mock-7.3 "cxl_device_ecs_threshold{$mem0,fru=\"1\"} 1024"
sample mock-7.3 'cxl_region_scrub_cycle_seconds{region="region0"} 43200'
sample mock-7.3 "cxl_device_corrected_errors_total{$mem0,memory=\"persistent\"} 30"
sample switch-model-7.3 'cxl_region_size_bytes{region="region0"} 536870912'
sample switch-model-7.3 'cxl_region_numa_node{region="region0"} 0'
sample switch-model-7.3 'cxl_window_used_bytes{window="decoder0.0"} 536870912'
sample full 'cxl_event_lost_records_total{place="refused"} 12'
sample named 'cxl_redfish_system_info{system="node7"} 1'
! grep -q '^cxl_redfish_system' "$scratch/scrapes/idle-7.3.txt" || fail "idle-7.3 has the default Id"
! grep -E '^cxl_(device|region)_' "$scratch/scrapes/idle-7.3.txt" | grep -q region || fail "idle-7.3 has no region"
# A captured host has no firmware that is called, but may need it.
! grep '^cxl_firmware' "$scratch/scrapes/plain-7.3.txt" | grep -v _needed || fail "plain-7.3 has firmware that is called"
sample plain-7.3 'cxl_firmware_needed 0'
sample normalized-7.3 'cxl_firmware_needed 1'
sample zen5-doc 'cxl_firmware_needed 1'
grep -qx 'cxl_firmware_needed [01]' "$scratch/scrapes/live.txt" || fail "this machine: nothing of firmware"

# Counts survive a restart, and the end of their entries.
metrics_now() {
	curl -s --unix-socket "$scratch/metrics" http://localhost/metrics
}
kept() {
	metrics_now | grep -E '^cxl_event(s|_translations|_duplicates)_total' | grep -v duplicates
}
start normalized-7.3 --listen "unix:$socket" --metrics "unix:$scratch/metrics" --state "$scratch/state"
for _ in $tries; do
	[ "$(metrics_now | grep -c '^cxl_events_total')" -lt 8 ] || break
	sleep 0.1
done
before=$(kept)
[ "$(echo "$before" | wc -l)" -gt 8 ] || fail "no counts: $before"
request_as_is 204 POST "$system/LogServices/CXL/Actions/LogService.ClearLog" -d '{}' -H 'Content-Type: application/json'
for _ in $tries; do
	metrics_now | grep -q '^cxl_log_entries' || break
	sleep 0.1
done
! metrics_now | grep -q '^cxl_log_entries' || fail "the log is not empty"
[ "$(kept)" = "$before" ] || fail "counts have changed with the log: $(kept)"
stop
start plain-6.12 --listen "unix:$socket" --metrics "unix:$scratch/metrics" --state "$scratch/state"
for _ in $tries; do
	after=$(kept)
	[ "$(echo "$after" | wc -l)" -lt "$(echo "$before" | wc -l)" ] || break
	sleep 0.1
done
echo "$before" | grep '^cxl_events_total' | while read -r name n; do
	now=$(echo "$after" | grep -F "$name " | cut -d ' ' -f 2)
	[ "${now:-0}" -ge "$n" ] || echo "$name was $n and is ${now:-gone}"
done >"$scratch/less"
[ ! -s "$scratch/less" ] || fail "$(cat "$scratch/less")"
stop
finish
