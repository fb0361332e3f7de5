#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# What Prometheus itself says of /metrics on all captured hosts, of the alert rules, and of the queries of the dashboard.
. "${0%/*}/../http/functions"
. "${0%/*}/functions"
command -v promtool >/dev/null || skip "promtool is missing (Debian package: prometheus)"
command -v zstd >/dev/null || skip "zstd is missing (Debian package: zstd)"

rules=$srcdir/contrib/prometheus/cxl-redfish.rules.yml
promtool check rules "$rules" >"$scratch/out" 2>&1 || fail "rules: $(cat "$scratch/out")"
promtool check config "$srcdir/contrib/prometheus/prometheus.yml" >"$scratch/out" 2>&1 ||
	fail "configuration: $(cat "$scratch/out")"
promtool test rules "$srcdir/tests/metrics/rules_test.yml" >"$scratch/out" 2>&1 || fail "$(cat "$scratch/out")"
fleet=$srcdir/contrib/prometheus/cxl-redfish.fleet.rules.yml
promtool check rules "$fleet" >"$scratch/out" 2>&1 || fail "rules for many hosts: $(cat "$scratch/out")"
needs_python
python3 -B "$srcdir/tests/metrics/fleet_rules.py" "$(realpath "$fleet")" >"$scratch/fleet.yml" || fail "fleet_rules.py"
promtool test rules "$scratch/fleet.yml" >"$scratch/out" 2>&1 || fail "$(cat "$scratch/out")"
for alert in $(sed -n 's/^ *- alert: //p' "$fleet"); do
	grep -q "$alert fires" "$scratch/fleet.yml" || fail "no test: $alert"
done
# Each alert has a test that fires, and one that does not.
for alert in $(sed -n 's/^ *- alert: //p' "$rules"); do
	for what in "fires" "does not fire"; do
		grep -qx "  - name: $alert $what" "$srcdir/tests/metrics/rules_test.yml" || fail "no test: $alert $what"
	done
done

# The queries of the dashboards are valid, with any value of their variables.
for dashboard in "$srcdir"/contrib/grafana/*.json; do
	python3 - "$dashboard" >"$scratch/queries.yml" <<-'END'
		import json, re, sys
		print("groups:\n  - name: queries\n    rules:")
		queries = [t["expr"] for p in json.load(open(sys.argv[1]))["panels"] for t in p.get("targets", [])]
		for i, query in enumerate(queries):
		    print(f"      - record: query:{i}\n        expr: {json.dumps(re.sub(r'[$][a-z]+', 'x', query))}")
	END
	promtool check rules "$scratch/queries.yml" >"$scratch/out" 2>&1 || fail "${dashboard##*/}: $(cat "$scratch/out")"
done
# The dashboard for many hosts uses what the rules record, and nothing else.
grep -o '\(job\|instance\):[a-z0-9_]*:[a-z0-9_]*' "$srcdir/contrib/grafana/cxl-redfish-fleet.json" | sort -u |
	while read -r record; do
		grep -q "record: $record\$" "$fleet" || echo "$record"
	done >"$scratch/out"
[ ! -s "$scratch/out" ] || fail "the rules do not record: $(cat "$scratch/out")"

scrape_all
for file in "$scratch"/scrapes/*.txt; do
	promtool check metrics <"$file" >"$scratch/out" 2>&1 || fail "${file##*/}: $(cat "$scratch/out")"
	[ ! -s "$scratch/out" ] || fail "${file##*/}: $(cat "$scratch/out")"
done
# It says when something is wrong.
! echo 'cxl_events 1' | promtool check metrics >/dev/null 2>&1 || fail "promtool finds nothing"
finish
