#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Twenty services, and Prometheus and its Alertmanager with the rules for many hosts: what they record is what the services say,
# and an alert arrives when hosts go away. In scripts/check --long.
own_network=yes # for the ports
. "${0%/*}/../http/functions"
needs_python
for program in prometheus prometheus-alertmanager; do
	command -v $program >/dev/null || skip "$program is missing (Debian package: $program)"
done

others=
cleanup() {
	set -- "$?"
	# shellcheck disable=SC2086 # a list
	[ -z "$pid$others" ] || kill $pid $others 2>/dev/null || :
	wait
	rm -rf "$scratch"
	end_script "$1"
}

# Hosts of all kinds in turn.
n=0
while [ $n -lt 20 ]; do
	for archive in "$hosts"/*.tar.zst; do
		[ $n -lt 20 ] || break
		n=$((n + 1))
		start "$archive" --listen "unix:$scratch/socket$n" --metrics http://127.0.0.1:0 --state "$scratch/state$n"
		others="$others $pid"
		pid=
		sed -n 's,^metrics on http://\(.*\)/metrics$,\1,p' "$scratch/out" >>"$scratch/hosts"
	done
done
[ "$(wc -l <"$scratch/hosts")" -eq 20 ] || fail "metrics: $(cat "$scratch/hosts")"
./cxl-spa targets - <"$scratch/hosts" >"$scratch/targets.json" || fail "targets"

# Alerts wait no time here.
sed 's/^\( *\)for: .*/\1for: 0s/' "$srcdir/contrib/prometheus/cxl-redfish.fleet.rules.yml" >"$scratch/fleet.yml"
cat >"$scratch/prometheus.yml" <<END
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [fleet.yml]
alerting: {alertmanagers: [{static_configs: [{targets: ["127.0.0.1:9093"]}]}]}
scrape_configs:
  - job_name: cxl-redfish
    file_sd_configs: [{files: [targets.json]}]
END
cat >"$scratch/alertmanager.yml" <<END
route: {receiver: nobody}
receivers: [{name: nobody}]
END
prometheus-alertmanager --config.file="$scratch/alertmanager.yml" --storage.path="$scratch/alerts" --cluster.listen-address= \
	--web.listen-address=127.0.0.1:9093 >"$scratch/alertmanager.log" 2>&1 &
others="$others $!"
prometheus --config.file="$scratch/prometheus.yml" --storage.tsdb.path="$scratch/series" --web.listen-address=127.0.0.1:9090 \
	>"$scratch/prometheus.log" 2>&1 &
others="$others $!"
if ! python3 -B "$srcdir/tests/metrics/fleet.py" "$scratch/hosts"; then
	fail "see above"
	tail -n 20 "$scratch/prometheus.log" "$scratch/alertmanager.log"
fi

# Three of twenty go away.
gone=0
for other in $others; do
	[ $gone -lt 3 ] || break
	gone=$((gone + 1))
	kill "$other"
done
python3 -B "$srcdir/tests/metrics/fleet.py" "$scratch/hosts" $gone || fail "see above"
finish
