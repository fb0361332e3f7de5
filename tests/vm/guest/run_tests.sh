# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Runs the scripts in $tests, and sends what is in $RESULTS to the host.
# shellcheck disable=SC2154 # set by the script that reads this one
for script in "$tests"/*.sh; do
	name=$(basename "$script" .sh)
	started=$(cut -d . -f 1 /proc/uptime)
	timeout 3600 sh "$script" 2>&1
	status=$?
	echo "# $name took $(($(cut -d . -f 1 /proc/uptime) - started)) s"
	[ $status -eq 0 ] || echo "not ok $name: the script ended with status $status"
done | tee "$RESULTS/tests.txt"

passed=$(grep -c '^ok ' "$RESULTS/tests.txt")
failed=$(grep -c '^not ok ' "$RESULTS/tests.txt")
echo "$passed passed, $failed failed" | tee "$RESULTS/summary.txt"
dmesg >"$RESULTS/dmesg.txt"
cat /proc/iomem >"$RESULTS/iomem.txt"

for port in /sys/class/virtio-ports/*; do
	if [ "$(cat "$port/name")" = results ]; then
		tar -cf "/dev/$(basename "$port")" -C "$RESULTS" .
	fi
done
